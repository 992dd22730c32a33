#!/bin/sh
# Run the fuzz and property tests on a kernel built under gcc's address and undefined-behaviour sanitizers.
#
#   tests/fuzz_sanitized.sh [pytest arguments]
#
# The kernel is built in a temporary copy; what is installed stays as it is. PYTHON names the interpreter (default
# python), in whose environment the package's test extra and Cython are installed.
set -eu

python=${PYTHON:-python}
cc=${CC:-gcc}
root=$(cd "$(dirname "$0")/.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT INT TERM

cp -R "$root/bleupandas" "$root/tests" "$root/pyproject.toml" "$copy"
cd "$copy"
rm -f bleupandas/engine/*.so bleupandas/engine/*.c

include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
for module in compiled tallying; do
    "$python" -m cython -3 "bleupandas/engine/$module.pyx"
    "$cc" -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -shared -fPIC \
        -I"$include" "bleupandas/engine/$module.c" -o "bleupandas/engine/$module$suffix"
done

# CPython and pyarrow keep memory of their own; with malloc the sanitizer sees every block. Leaks are not looked for:
# the interpreter does not free everything when it ends.
LD_PRELOAD="$("$cc" -print-file-name=libasan.so) $("$cc" -print-file-name=libubsan.so)"
export LD_PRELOAD
export PYTHONMALLOC=malloc ARROW_DEFAULT_MEMORY_POOL=system PYTHONPATH="$copy"
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# What a sanitizer says goes to the file descriptor that pytest would capture by default.
"$python" -c '
import sys
from bleupandas.engine import compiled, tallying
for module in (compiled, tallying):
    assert module.__file__.startswith(sys.argv[1]), module.__file__
assert "libasan" in open("/proc/self/maps").read()
' "$copy"
"$python" -m pytest -q -p no:cacheprovider --capture=sys \
    -k "agree or compiled and (definition or matter or change or collide or long or grows or test_blocks)" \
    tests/engine/test_engines.py tests/counting/test_components.py tests/counting/test_ngrams.py tests/counting/test_coverage.py \
    tests/counting/test_ngram_summary.py tests/comparing/test_ngram_differences.py tests/engine/test_stress.py "$@"
