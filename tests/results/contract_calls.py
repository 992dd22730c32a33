"""Calls of the published tools and of the command line; their answers and messages are compared whole."""

import dataclasses
import importlib
import io
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from engine_calls import table
from frame_calls import EXAMPLE, Calls, signature_of
from frozen import Prose, Tree, freeze, outcome

import bleupandas.contracts as published

SENTENCE, COUNT, SCORE = "bleu-sentence-components", "bleu-ngrams-count", "bleu_score"
TOOLS = (SENTENCE, COUNT, SCORE)
SMALL: dict[str, dict[str, Any]] = {
    SENTENCE: {"hypothesis": ["a", "b", "a"], "references": [["a"], ["b", "a"]]},
    COUNT: {"hypotheses": [["a", "b"], []], "references": [[["a"]], [["c"], []]]},
    SCORE: {"hypothesis": "the cat sat on the mat", "reference": ["a cat sat on the mat", "the cat sat"]},
}
BODIES: list[bytes] = [
    b"", b" \n", b'{"a": }', b'{"a": 1}\n]', b'\xef\xbb\xbf{"a": 1}', b'{"a": "\xff"}', b'{"a": "\xed\xa0\x80"}',
    b'\xff\xfe{\x00}\x00', b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1, "b": {"c": 1, "c": 3}}', b"[" * 10_000,
    b"[" * 1000 + b"]" * 1000, b'{"hypothesis":' * 40 + b"1" + b"}" * 40, b"null", b"[]", b"3", b'"text"', b"{}",
    b'{"hypothesis": [], "references": [[]], "max_order": 1e400}',
    b'{"hypothesis": [], "references": [[]], "max_order": 2.0}',
    b'{"hypothesis": ' + b"[" * 20 + b"]" * 20 + b', "references": [[]]}',
    b'{"hypothesis": ["\\ud800"], "references": [[]]}',
]  # fmt: skip
# Members that are put into the small input of each tool, whether it has them or not.
MEMBERS: dict[str, list[Any]] = {
    "hypothesis": ["the cat", "", ["a", 1], ["a", ""], [], None, 3, ["x" * 129], ["日" * 43],
        ["a"] * 10_001, [["a"]], "\ud800"],
    "references": [["the cat"], [["a"], None], [], [[]], [[["a"]]], [["a"]] * 9, "a", {}, [[["a"]]] * 2, [[["a"]], []]],
    "reference": ["the cat", "", [], ["a", ""], ["a"] * 9, 3, None, {"a": 1}, [["a"], ["b"]], "x" * 1_048_577],
    "hypotheses": [[], [["a"]], [["a"]] * 3, [["a"]] * 1001, [["a"] * 50_001, []], ["a b", []], [[""], []]],
    "max_order": [1, 2, 8, 0, 9, 2.5, 2.0, True, "4", None, 10**30],
    "include_ngrams": [True, False, 1, {}, None],
    "detail": ["totals", "segments", "ngrams", "all", None, 1],
    "config": [
        {}, None, {"mode": "sentence"}, {"mode": "corpus"}, {"mode": "x"}, {"generated": "reference"}, {"generated": 1},
        {"max_n_gram": 2}, {"max_n_gram": 9}, {"weights": [0.5, 0.5]}, {"weights": [1, 1]}, {"weights": []},
        {"weights": [float("nan")]}, {"max_n_gram": 3, "weights": [0.5, 0.5]}, {"smooth": "method1"},
        {"smoothing": "x"},
        *({"smooth": f"method{i}"} for i in range(9)), {"tokenizer": "13a"}, {"tokenizer": "whitespace"},
        {"tokenizer": "x"}, {"convention": "nltk"}, {"convention": "paper"}, {"convention": "sacrebleu"},
        *({"tokenize": name} for name in ("13a", "intl", "zh", "char", "nothing")), {"lowercase": True}, {"x": 1},
    ],
    "max_ordr": [1],
    "a/b~": [1],
    "x" * 200: [1],
}  # fmt: skip


def tool_calls() -> Calls:
    yield "names of contracts", lambda: freeze([sorted(published.__all__), list(published.CODES)])
    yield "contracts", lambda: freeze(published.contracts())
    for name in (*TOOLS, "bleu", "bleu-score", "é\n" * 50, None):
        for version in ("1.0.0", "1.0", None):
            yield (
                f"contract {name!r} {version}",
                lambda name=name, version=version: outcome(  # type: ignore[misc]
                    lambda: published.contract(name, version), whole=True
                ),
            )
            body = json.dumps(SMALL.get(str(name), {}))
            yield (
                f"execute_json {name!r} {version}",
                lambda name=name, version=version, body=body: outcome(  # type: ignore[misc]
                    lambda: published.execute_json(name, version, body), whole=True
                ),
            )
    for name in TOOLS:
        for i, shown in enumerate(published.contract(name, "1.0.0")["examples"]):
            yield f"example {name} {i}", executing(name, shown["input"])
        for i, raw in enumerate(BODIES):
            yield (
                f"body {name} {i} {raw[:40]!r}",
                lambda name=name, raw=raw: outcome(  # type: ignore[misc]
                    lambda: published.execute_json(name, "1.0.0", raw), whole=True
                ),
            )
        for missing in SMALL[name]:
            yield f"without {name} {missing}", executing(name, {k: v for k, v in SMALL[name].items() if k != missing})
        for member, values in MEMBERS.items():
            for i, value in enumerate(values):
                yield f"{name} {member[:20]} {i} {value!r:.50}", executing(name, {**SMALL[name], member: value})
    yield from more_inputs()
    for thing in ("execute", "execute_json", "contract", "contracts", "ContractError", "Evaluator"):
        yield (
            f"signature contracts.{thing}",
            lambda thing=thing: outcome(lambda: getattr(published, thing), signature_of),  # type: ignore[misc]
        )
    yield "signature Evaluator.evaluate", lambda: outcome(lambda: published.Evaluator().evaluate, signature_of)


def executing(name: str, asked: Any) -> Callable[[], Tree]:
    """Return a call with the value, and with its text where it has one."""

    def call() -> Tree:
        tree = {"value": outcome(lambda: published.execute(name, "1.0.0", asked), whole=True)}
        try:
            body = json.dumps(asked)
        except (TypeError, ValueError):
            return tree
        return tree | {"text": outcome(lambda: published.execute_json(name, "1.0.0", body), whole=True)}

    return call


def more_inputs() -> Calls:
    rows = EXAMPLE.head(100)
    texts = {"hypothesis": rows["hypothesis_text"].tolist(), "reference": [list(t) for t in rows["reference_texts"]]}
    for smooth in range(8):
        yield (
            f"corpus of texts, {smooth}",
            executing(SCORE, {**texts, "config": {"mode": "corpus", "smooth": f"method{smooth}"}}),
        )
    for i in range(0, 100, 5):
        one = {"hypothesis": texts["hypothesis"][i], "reference": texts["reference"][i]}
        for n in (2, 4):
            yield f"text {i}, {n}", executing(SCORE, {**one, "config": {"max_n_gram": n}})
        tokens = {"hypothesis": list(rows["hypothesis"][i]), "references": [list(t) for t in rows["references"][i]]}
        yield f"tokens {i}", executing(SENTENCE, {**tokens, "include_ngrams": True})
    counted = {
        "hypotheses": [list(tokens) for tokens in rows["hypothesis"]],
        "references": [[list(t) for t in lists] for lists in rows["references"]],
    }
    for detail in ("totals", "segments", "ngrams"):
        for n in (1, 4):
            yield f"counts, {detail}, {n}", executing(COUNT, {**counted, "detail": detail, "max_order": n})
    odd: dict[Any, Any] = {1: 2, **SMALL[SENTENCE]}
    for i, asked in enumerate([{1}, {"a": {1}}, odd, {**SMALL[SENTENCE], "hypothesis": [b"a"]}, (), "a", None]):
        yield f"no JSON value {i}", executing(SENTENCE, asked)

    def evaluated(templates: Any, inputs: Any, **options: Any) -> Tree:
        return outcome(
            lambda: published.Evaluator().evaluate(eval_templates=templates, inputs=inputs, **options),
            lambda found: freeze([dataclasses.asdict(result) for result in found.eval_results]),
            whole=True,
        )

    for i, (templates, inputs, options) in enumerate(
        [
            (SCORE, SMALL[SCORE], {}), ([SCORE], SMALL[SCORE], {"config": {"max_n_gram": 2}}), ("x", SMALL[SCORE], {}),
            ([], SMALL[SCORE], {}), (SCORE, {}, {}), (3, SMALL[SCORE], {}), (SCORE, SMALL[SCORE], {"config": {"x": 1}}),
        ]
    ):  # fmt: skip
        yield f"Evaluator {i}", lambda t=templates, n=inputs, o=options: evaluated(t, n, **o)  # type: ignore[misc]


# ---- The command line ----


def files(folder: Path) -> None:
    """Write the inputs that commands read."""
    holes, whole = table(holes=True).to_pandas(), table()
    importlib.import_module("pyarrow.parquet").write_table(whole, folder / "rows.parquet")
    text = EXAMPLE.head(30)[["id", "system", "domain", "hypothesis_text"]].copy()
    text["ref"] = [texts[0] for texts in EXAMPLE.head(30)["reference_texts"]]
    text["ref2"] = [texts[-1] if i % 3 else None for i, texts in enumerate(EXAMPLE.head(30)["reference_texts"])]
    text.to_csv(folder / "rows.csv", index=False)
    text.to_csv(folder / "rows.tsv", index=False, sep="\t")
    first_missing: list[Any] = [None, *text["hypothesis_text"][1:]]
    text.assign(hypothesis_text=first_missing).to_csv(folder / "gap.csv", index=False)
    lines = [json.dumps(row, ensure_ascii=False) for row in whole.to_pylist()]
    (folder / "rows.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    bad = [*lines[:2], '{"id": 3, "hypothesis": "text", "references": [["a"]]}', *lines[3:5]]
    (folder / "bad.jsonl").write_text("\n".join(bad) + "\n", encoding="utf-8")
    (folder / "broken.jsonl").write_text(lines[0] + "\n{\n", encoding="utf-8")
    bleu: Any = pd.DataFrame(holes).head(10)
    bleu.bleu.components().assign(system=bleu["system"]).to_csv(folder / "components.csv", index=False)
    (folder / "input.json").write_text(json.dumps(SMALL[SENTENCE]))


TEXTS = ["--hypothesis", "hypothesis_text", "--references", "ref"]
TOKENS = [*TEXTS, "--tokenize", "13a"]
COMMANDS: list[list[str]] = [
    [], ["--help"], ["tools"], ["nothing"], ["run"], *(["contract", name, "1.0.0"] for name in TOOLS),
    ["contract", "x", "1"],
    ["run", SENTENCE, "1.0.0", "--input", "input.json"], ["run", SENTENCE, "1.0.0", "--input", "-"],
    ["run", SENTENCE, "1.0.0", "--input", "nowhere.json"], ["run", SENTENCE, "1.0.0", "--input", "-", "--inptu"],
    ["run", SENTENCE, "2", "--input", "input.json"], ["run", COUNT, "1.0.0", "--input", "input.json"],
    ["run", SENTENCE, "1.0.0", "--input", "input.json", "--output", "out"],
    ["run", SENTENCE, "1.0.0", "--input", "input.json", "--base-url", "file:///etc"],
]  # fmt: skip
for _command in ("components", "ngrams", "score", "corpus"):
    COMMANDS += [[_command, f"rows.{kind}"] for kind in ("parquet", "jsonl")]
    COMMANDS += [[_command, f"rows.{kind}", *TOKENS] for kind in ("csv", "tsv")]
    COMMANDS += [
        [_command, *rest]
        for rest in (
            ["rows.csv", *TOKENS, "--references", "ref2"], ["rows.csv", *TEXTS],
            ["rows.csv", *TEXTS, "--tokenize", "x"],
            ["gap.csv", *TOKENS], ["gap.csv", *TOKENS, "--errors", "coerce"], ["bad.jsonl"],
            ["bad.jsonl", "--errors", "coerce"],
            ["broken.jsonl"], ["nowhere.csv"], ["rows.parquet", "--max-order", "2"],
            ["rows.parquet", "--max-order", "9"],
            ["rows.parquet", "--threads", "2"], ["rows.parquet", "--threads", "0"],
            ["rows.parquet", "--hypothesis", "x"],
            ["rows.parquet", "--references", "flat"], ["rows.parquet", "--output", "out.parquet"], ["components.csv"],
            ["rows.parquet", "--output", "out.jsonl"], ["rows.parquet", "--output-format", "tsv"],
            ["rows.parquet", "--output-format", "jsonl"], ["rows.csv", *TOKENS, "--no-quotes"],
            ["-", "--input-format", "jsonl"],
            ["rows.csv", *TOKENS, "--tokenize", "intl"], ["--help"],
        )
    ]  # fmt: skip
    if _command != "corpus":
        COMMANDS += [
            [_command, "rows.parquet", "--keep", "id", "--keep", "system"],
            [_command, "rows.parquet", "--keep", "x"],
        ]
    if _command in ("score", "corpus"):
        for _rest in (
            ["--convention", "sacrebleu"], ["--convention", "nltk"], ["--convention", "x"], ["--smoothing", "exp"],
            ["--smoothing", "method5"], ["--smoothing", "x"], ["--effective-order"], ["--no-effective-order"],
        ):  # fmt: skip
            COMMANDS += [[_command, "rows.parquet", *_rest], [_command, "components.csv", *_rest]]
COMMANDS += [["ngrams", "rows.parquet", *rest] for rest in (
    ["--orders", "2"], ["--orders", "1", "--orders", "3"], ["--side", "references"], ["--side", "x"],
    ["--ngram", "list"],
    ["--ngram", "tuple"], ["--sep", "_"], ["--sep", "ab"],
)]  # fmt: skip
COMMANDS += [["corpus", "rows.parquet", *rest] for rest in (
    ["--by", "system"], ["--by", "system", "--by", "domain"], ["--by", "missing"], ["--by", "x"],
)]  # fmt: skip
GIVEN: dict[str, bytes] = {"run": json.dumps(SMALL[SENTENCE]).encode()}


def command(arguments: list[str], folder: Path) -> Tree:
    """Run a command in this process."""
    given = GIVEN.get(arguments[0] if arguments else "", b"") or (folder / "rows.jsonl").read_bytes()
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, os.getcwd()
    out, err = io.BytesIO(), io.BytesIO()
    sys.argv = ["bleupandas", *arguments]
    opened = [io.TextIOWrapper(stream, "utf-8") for stream in (io.BytesIO(given), out, err)]
    sys.stdin, sys.stdout, sys.stderr = opened
    os.chdir(folder)
    before = set(os.listdir())
    status: Any = None
    try:
        runpy.run_module("bleupandas", run_name="__main__", alter_sys=False)
    except SystemExit as stopped:
        status = stopped.code
    finally:
        for stream in opened[1:]:  # held, as their end would close what they write to
            stream.flush()
        sys.argv, sys.stdin, sys.stdout, sys.stderr, back = kept
        os.chdir(back)
    tree: Tree = {"status": str(status), **streams(out.getvalue(), err.getvalue(), arguments)}
    for name in sorted(set(os.listdir(folder)) - before):
        is_parquet = name.endswith("parquet")
        tree[name] = freeze(pd.read_parquet(folder / name)) if is_parquet else repr((folder / name).read_bytes())
        (folder / name).unlink()
    return tree


def streams(out: bytes, err: bytes, arguments: list[str]) -> Tree:
    """Return the output byte for byte, help aside; of errors their code and path."""
    text = out.decode()
    tree: Tree = {
        "stdout": Prose(text) if text.startswith("Usage:") else text.split("\n"),
        "stderr": Prose(err.decode()),
    }
    errors = []
    for line in err.decode().splitlines():
        parsed: Any = json.loads(line) if line.startswith("{") else {"other": ""}
        body = parsed.get("error")
        errors.append([body["code"], body["path"]] if body else sorted(parsed))
        if body and arguments[:1] in (["run"], ["contract"]):
            tree["published message"] = body["message"]
    return tree | {"errors": errors}


def command_calls() -> Calls:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files(folder)
        for arguments in COMMANDS:
            yield (
                f"command {' '.join(arguments)}",
                lambda arguments=arguments: outcome(  # type: ignore[misc]
                    lambda: command(arguments, folder), lambda tree: tree
                ),
            )

        def child() -> Tree:
            done = subprocess.run(
                [sys.executable, "-m", "bleupandas", "corpus", "rows.parquet", "--by", "system"],
                cwd=folder, capture_output=True, check=False,
            )  # fmt: skip
            return {"status": str(done.returncode), **streams(done.stdout, done.stderr, [])}

        yield "command in a process", lambda: outcome(child, lambda tree: tree)
