"""What our objects show in a notebook is the same every time: executed twice and compared, nothing sanitized."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import lab
import pytest

ROOT = Path(__file__).parents[1]

CELLS = [
    "import bleupandas\ndf = bleupandas.load_example()\ndf.head(3)",
    "df.bleu, df.bleu(max_order=2), df.bleu.plot, df.bleu.components().sum().bleu",
    "df.bleu.corpus()",
    "print(df.bleu.corpus())\ndf.bleu.corpus(by='system')",
    "df.bleu.components()",
    "df.bleu.ngrams(orders=[2]).head()",
    "df.bleu.ngrams(ngram='list', orders=[2]).head()",
    "df.bleu.score(), df.bleu.coverage()",
    "df.bleu.explain().head()",
    "df.bleu.suggest_smoothing()",
    "df.bleu.show(3)",
    "ax = df.bleu.plot.lengths()",
    "df.bleu.plot.waterfall()",
    "df.bleu.audit()",
    "df.bleu.compare(by='domain')",
    "df.bleu.ngram_summary(min_count=5)",
    "df.bleu.references().head()",
    "inspector = df.bleu.inspect(by='domain')\ninspector",
    "inspector.sort_by = 'score'\ninspector.tag = 'idiom'\ninspector.tags.dropna(how='all')",
    "inspector",
    "df.bleu.inspect(system='system', id='id')",
    "inspector.close()\ninspector",
    "bleupandas.tokenize(df, {'hypothesis_text': 'again'})[['again']].head(2)",
    "from bleupandas.contracts import execute\n"
    "execute('bleu-ngrams-count', '1.0.0', {'hypotheses': [['a']], 'references': [[['a', 'b']]]})",
]


def requirements(extra: str) -> set[str]:
    """Give the distributions that an extra brings, with the extras that it refers to."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: set[str] = set()
    for requirement in project["optional-dependencies"][extra] if extra else project["dependencies"]:
        name, _, others = re.match(r"([\w-]+)(\[([\w,]+)\])?", requirement).groups("")  # type: ignore[union-attr]
        if name == "bleupandas":
            found |= {one for other in others.split(",") for one in requirements(other)}
        else:
            found |= {name, *others.split(",")}  # distributed is an extra of dask by its own name
    return found


@pytest.mark.skipif(not (ROOT / "notebooks").exists(), reason="tests of an installed package, without the notebooks")
def test_one_extra_brings_what_the_notebooks_import() -> None:
    imported = set()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        code = ["".join(line for line in cell["source"] if line[0] not in "!%") for cell in cells]
        for node in (node for one in code for node in ast.walk(ast.parse(one))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Attribute):  # what methods import
                imported |= {"plot": {"matplotlib"}, "report": {"jinja2"}}.get(node.attr, set())
    others = {name for name in imported if name not in sys.stdlib_module_names} - {"bleupandas"}
    assert {"nltk", "dask", "matplotlib", "jinja2", "sacrebleu"} <= others
    assert others <= requirements("notebook") | requirements("")
    assert requirements("notebook") <= requirements("test")


@pytest.mark.slow
def test_every_output_is_the_same_each_time(tmp_path: Path) -> None:
    lab.write_notebook(tmp_path / "all.ipynb", *CELLS)
    environment = lab.jupyter_environment(tmp_path)
    execute = [*("nbconvert", "--to", "notebook", "--execute", "--inplace", "all.ipynb")]
    execute += ["--ExecutePreprocessor.store_widget_state=False", "--ExecutePreprocessor.record_timing=False"]
    validate = ["pytest", "--nbval", "-q", "-p", "no:cacheprovider", "all.ipynb"]
    for command in (execute, validate):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert f"{len(CELLS)} passed" in done.stdout
