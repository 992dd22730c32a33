"""What our objects show in a notebook is the same every time: executed twice and compared, nothing sanitized."""

import subprocess
import sys
from pathlib import Path

import lab
import pytest

pytestmark = pytest.mark.slow

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
