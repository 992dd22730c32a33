"""Building: with a compiler the kernel is there, without one the package still works; always from a clean copy."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from built import require_compiler

ROOT = Path(__file__).parents[1]
COUNT = (
    "import warnings; warnings.simplefilter('always')\n"
    "import pandas as pd, bleupandas\n"
    "from bleupandas.engine.choice import engine_name\n"
    "df = pd.DataFrame({'hypothesis': [['a', 'b']], 'references': [['a', 'c']]})\n"
    "df.bleu.components(); df.bleu.components()\n"
    "print(engine_name(), df.bleu.components(max_order=1).to_numpy().tolist(), len(bleupandas.load_example()))\n"
)
DATA = {"bleupandas/py.typed", "bleupandas/reading/data/apertium_es_en.parquet", "bleupandas/engine/compiled.pyi"}


def run(command: list[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result


@pytest.fixture
def clean_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what is in the repository and nothing that was built: a left-over build folder carries an old kernel."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout to know sources from built files")
    target = tmp_path_factory.mktemp("clean")
    names = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def build_wheel(source: Path, target: Path, **environment: str) -> Path:
    pip = [sys.executable, "-m", "pip", "wheel", "--no-cache-dir", "--no-deps", "--no-build-isolation"]
    run([*pip, "-w", str(target), str(source)], target, **environment)
    return next(target.glob("bleupandas-*.whl"))


def installed(wheel: Path, folder: Path) -> Mapping[str, str]:
    """Unpack a wheel and give the environment in which its package comes first."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return {"PYTHONPATH": str(folder), "BLEUPANDAS_ENGINE": ""}


@pytest.mark.slow
def test_sdist_builds_a_wheel_with_kernel_types_and_data(clean_copy: Path, tmp_path: Path) -> None:
    require_compiler()
    build = "from setuptools.build_meta import build_sdist; import sys; build_sdist(sys.argv[1])"
    run([sys.executable, "-c", build, str(tmp_path)], clean_copy)
    sdist = next(tmp_path.glob("bleupandas-*.tar.gz"))
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert (unpacked / "bleupandas/engine/compiled.pyx").is_file()
    assert (unpacked / "bleupandas/engine/kernel/text.h").is_file()
    assert (unpacked / "LICENSE").is_file()
    wheel = build_wheel(unpacked, tmp_path, CFLAGS="-O0")  # whether it is built is asked; optimising takes long
    names = zipfile.ZipFile(wheel).namelist()
    for module in ("compiled", "tallying"):
        assert any(re.fullmatch(rf"bleupandas/engine/{module}\.[^/]*(so|pyd)", name) for name in names)
    assert set(names) >= DATA
    assert not any(name.startswith(("tests/", "benchmarks/", "notebooks/")) for name in names)
    result = run([sys.executable, "-c", COUNT], tmp_path, **installed(wheel, tmp_path / "site"))
    assert result.stdout == "compiled [[2, 2, 1, 2]] 480\n"
    assert result.stderr == ""


@pytest.mark.slow
def test_without_compiler_it_counts_and_warns_once(clean_copy: Path, tmp_path: Path) -> None:
    """Built from the checkout, as pip does it from a clone."""
    wheel = build_wheel(clean_copy, tmp_path, CC="false", CXX="false")
    names = zipfile.ZipFile(wheel).namelist()
    assert not any(name.endswith((".so", ".pyd", ".c")) for name in names)
    assert set(names) >= DATA
    result = run([sys.executable, "-c", COUNT], tmp_path, **installed(wheel, tmp_path / "site"))
    assert result.stdout == "python [[2, 2, 1, 2]] 480\n"
    assert result.stderr.count("RuntimeWarning: bleupandas counts with its plain Python engine") == 1
    assert result.stderr.count("Warning") == 1
