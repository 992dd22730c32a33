"""Run mypy and pyright as a user of the package has them: python tests/check_types.py.

tests/typed/consumer.py must be clean. In tests/typed/misuse.py both must find every line marked "# wrong", and nothing
else.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "typed"
PYTHON = [sys.executable, "-m"]
CHECKERS = {
    "mypy": [*PYTHON, "mypy", "--strict", "--config-file", os.devnull, "--no-error-summary"],
    "pyright": [*PYTHON, "pyright", "--pythonpath", sys.executable],
}
FOUND = re.compile(r"(\w+\.py):(\d+)(?::\d+)?(?: -|:) error: (.*)")


def found_errors(command: list[str], path: Path) -> dict[int, str]:
    """Return the first error of each line that a type checker complains about."""
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False, cwd=FOLDER)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    errors: dict[int, str] = {}
    for name, line, text in FOUND.findall(done.stdout):
        if name != path.name:
            sys.exit(f"an error outside of {path.name}: {name}:{line}: {text}")
        errors.setdefault(int(line), text)
    return errors


def main() -> None:
    """Check both files with both programs; exit with 1 if something is not as expected."""
    failed = False
    for checker, command in CHECKERS.items():
        for path in sorted(FOLDER.glob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            planted = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
            found = found_errors(command, path)
            for number in sorted(planted - found.keys()):
                print(f"{path.name}:{number}: {checker} does not find this mistake: {lines[number - 1]}")
            for number in sorted(found.keys() - planted):
                print(f"{path.name}:{number}: {checker}: {found[number]}")
            failed |= found.keys() != planted
            print(f"{checker} {path.name}: {len(found)} errors, {len(planted)} expected")
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
