"""The command `bleupandas` as a process: the published tools, errors as JSON, exit status, and files of rows."""

import contextlib
import http.server
import io
import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bleupandas
from bleupandas.contracts.command_line import main
from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.execute import contract, contracts

MODULE = [sys.executable, "-W", "error", "-m", "bleupandas.contracts.command_line"]
EXAMPLES = [
    pytest.param(tool, shown, id=f"{tool['id']}-{number}")
    for tool in contracts()
    for number, shown in enumerate(tool["examples"])
]
SMALL = b'{"hypothesis": ["a", "b"], "references": [["a"]], "max_order": 2}'
WIDE = json.dumps({"hypothesis": ["日" * 43], "references": [[]]}).encode()
ANSWER = b'{"candidate_length":2,"reference_length":1,"max_order":2,"matches":[1,0],"totals":[2,1]}\n'
SENTENCE = ["run", "bleu-sentence-components", "1.0.0"]
Done = tuple[int, bytes, bytes]
Called = Callable[..., Done]


def command(*arguments: str, given: bytes = b"", cwd: Path | None = None) -> Done:
    done = subprocess.run([*MODULE, *arguments], input=given, capture_output=True, check=False, cwd=cwd, timeout=300)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Called:
    """Call the command in this process: a new one takes a second."""

    def call(*arguments: str, given: bytes = b"", cwd: Path | None = None) -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        if cwd is not None:
            monkeypatch.chdir(cwd)
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert isinstance(stopped.value.code, int)
        return stopped.value.code, *capsysbinary.readouterr()

    return call


def refused(done: Done, status: int) -> dict[str, str]:
    """Give the error that a command printed; nothing else may be printed."""
    assert done[0] == status
    assert done[1] == b""
    [line] = done[2].decode().splitlines()
    error: dict[str, str] = json.loads(line)["error"]
    assert list(error) == ["code", "message", "path"]
    return error


# ---- The published tools ----


def test_tools_and_contracts(called: Called) -> None:
    status, out, err = called("tools")
    assert (status, err) == (0, b"")
    assert [tool["id"] for tool in json.loads(out)] == ["bleu-sentence-components", "bleu-ngrams-count", "bleu_score"]
    status, out, err = called("contract", "bleu_score", "1.0.0")
    assert (status, err) == (0, b"")
    assert json.loads(out) == contract("bleu_score", "1.0.0")


@pytest.mark.parametrize(("tool", "shown"), EXAMPLES)
def test_run_prints_the_bare_output(
    called: Called, tool: dict[str, Any], shown: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "input.json").write_text(json.dumps(shown["input"]))
    status, out, err = called("run", tool["id"], tool["version"], "--input", "input.json", cwd=tmp_path)
    assert (status, err) == (0, b"")
    answer = json.loads(out)
    if tool["id"] == "bleu_score":
        assert answer["output"] == pytest.approx(shown["output"]["output"], abs=1e-12)
        shown["output"]["output"] = answer["output"]
    assert out.decode() == compact_json(shown["output"]) + "\n"


def test_run_reads_stdin_and_writes_a_file(tmp_path: Path) -> None:
    assert command(*SENTENCE, "--input", "-", given=SMALL) == (0, ANSWER, b"")
    assert command(*SENTENCE, "--input", "-", "--output", "out.json", given=SMALL, cwd=tmp_path) == (0, b"", b"")
    assert (tmp_path / "out.json").read_bytes() == ANSWER
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_console_script_is_installed() -> None:
    script = Path(sys.executable).with_name("bleupandas")
    if not script.exists():
        pytest.skip("installed before there was a console script; install again")
    done = subprocess.run([str(script), "--version"], capture_output=True, text=True, check=True)
    assert bleupandas.__version__ in done.stdout


def test_help_is_no_error(called: Called) -> None:
    for arguments in ([], ["--help"], ["run", "-h"]):
        status, out, err = called(*arguments)
        assert (status, err) == (0, b"")
        assert out.startswith(b"Usage: bleupandas ")


@pytest.mark.parametrize(
    ("arguments", "given", "code", "message"),
    [
        (["--input", "-"], b'{"hypothesis": 1}', "invalid_input", 'the input lacks "references"; '),
        (["--input", "-"], b"[", "invalid_json", "the body is no JSON, as line 1, column 2 tells ("),
        (["--input", "-"], WIDE, "limit_exceeded", "max_token_bytes is 128, "),
        (["--input", "nowhere.json"], b"", "invalid_input", 'the file "nowhere.json": No such file or directory'),
        ([], b"", "invalid_input", "Missing option '--input'."),
        (["--input", "-", "--inptu"], b"", "invalid_input", "No such option"),
        (
            ["--input", "-", "--base-url", "file:///etc"],
            SMALL,
            "invalid_input",
            'the base URL is "file:///etc"; expected one like http://127.0.0.1:8000',
        ),
    ],
)
def test_mistakes_of_the_caller(called: Called, arguments: list[str], given: bytes, code: str, message: str) -> None:
    error = refused(called(*SENTENCE, *arguments, given=given), 2)
    assert error["code"] == code
    assert error["message"].startswith(message)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run", "bleu", "1.0.0", "--input", "-"], "unknown_tool"),
        (["run", "bleu_score", "1", "--input", "-"], "unknown_version"),
        (["contract", "bleu", "1.0.0"], "unknown_tool"),
        (["tolos"], "invalid_input"),
    ],
)
def test_unknown_names(called: Called, arguments: list[str], code: str) -> None:
    assert refused(called(*arguments, given=b"{}"), 2)["code"] == code


def test_a_fault_of_the_program_exits_with_1() -> None:
    code = (
        "from bleupandas.contracts import catalogue, command_line\n"
        "catalogue.find_tool('bleu_score', '1.0.0').function = None\n"
        "command_line.main(['run', 'bleu_score', '1.0.0', '--input', '-'])"
    )
    given = b'{"hypothesis": "a", "reference": "a"}'
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=False)
    assert refused((done.returncode, done.stdout, done.stderr), 1)["code"] == "internal"


@pytest.mark.parametrize("arguments", [["serve"], ["mcp"]])
def test_servers_name_the_extra_that_is_missing(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "for name in ('anyio', 'mcp', 'mcp_types', 'starlette', 'uvicorn'):\n"
        "    sys.modules[name] = None\n"
        "from bleupandas.contracts import command_line\n"
        f"command_line.main({arguments})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    error = refused((done.returncode, done.stdout, done.stderr), 2)
    assert "bleupandas[serve]" in error["message"]


# ---- A server ----


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as a server of the interface would, and records what came."""

    answers: list[tuple[int, bytes]]
    asked: list[tuple[str, str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers["Content-Type"], body))
        status, answer = self.answers.pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, type[Handler]]]:
    class Fresh(Handler):
        answers: list[tuple[int, bytes]] = []  # noqa: RUF012
        asked: list[tuple[str, str, bytes]] = []  # noqa: RUF012

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fresh) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", Fresh
        served.shutdown()
        thread.join()


def test_run_against_a_server(server: tuple[str, type[Handler]]) -> None:
    url, handler = server
    handler.answers.append((200, b'{"result": {"b": 1, "a": ["\xc3\xa9"]}}'))
    done = command(*SENTENCE, "--input", "-", "--base-url", f"{url}/", given=SMALL)
    assert done == (0, '{"b":1,"a":["é"]}\n'.encode(), b"")
    path = "/v1/tools/bleu-sentence-components/versions/1.0.0/execute"
    assert handler.asked == [(path, "application/json", SMALL)]


@pytest.mark.parametrize(
    ("status", "answer", "exit_status", "code", "message"),
    [
        (422, b'{"error": {"code": "invalid_input", "message": "no", "path": "/a"}}', 2, "invalid_input", "no"),
        (404, b'{"error": {"code": "unknown_tool", "message": "no", "path": ""}}', 2, "unknown_tool", "no"),
        (500, b'{"error": {"code": "internal", "message": "no", "path": ""}}', 1, "internal", "no"),
        (502, b"<html>", 1, "internal", "{url} answered 502 Bad Gateway without an error message"),
        (404, b"{}", 2, "invalid_input", "{url} answered 404 Not Found without an error message"),
        (200, b"[]", 1, "internal", '{url} answered without a "result"; is it a bleupandas server?'),
        (200, b"<html>", 1, "internal", '{url} answered without a "result"; is it a bleupandas server?'),
    ],
)
def test_what_a_server_refuses(
    called: Called,
    server: tuple[str, type[Handler]],
    status: int,
    answer: bytes,
    exit_status: int,
    code: str,
    message: str,
) -> None:
    url, handler = server
    handler.answers.append((status, answer))
    error = refused(called(*SENTENCE, "--input", "-", "--base-url", url, given=SMALL), exit_status)
    url += "/v1/tools/bleu-sentence-components/versions/1.0.0/execute"
    assert (error["code"], error["message"]) == (code, message.format(url=url))


def test_a_server_that_is_not_there(called: Called) -> None:
    error = refused(called(*SENTENCE, "--input", "-", "--base-url", "http://127.0.0.1:9", given=SMALL), 1)
    assert error["code"] == "internal"
    assert error["message"].startswith("no answer from http://127.0.0.1:9/v1/tools/")


# ---- Files of rows, end to end; what they hold is tested in test_file_counter.py ----


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows")
    df = bleupandas.load_example()
    df.to_parquet(path / "mt.parquet")
    df.to_json(path / "mt.jsonl", orient="records", lines=True, force_ascii=False)
    first = [texts[0] for texts in df["reference_texts"]]
    df[["id", "system", "hypothesis_text"]].assign(ref=first).to_csv(path / "mt.csv", index=False)
    return path


def read(out: bytes) -> pd.DataFrame:
    exact: Any = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}  # pandas 2 is a digit off by itself
    found: pd.DataFrame = pd.read_csv(io.BytesIO(out), **exact)
    return found


@pytest.mark.parametrize("name", ["mt.parquet", "mt.jsonl"])
def test_the_daily_job(called: Called, folder: Path, name: str) -> None:
    df = bleupandas.load_example()
    status, out, err = called("components", name, "--keep", "id", cwd=folder)
    assert (status, err) == (0, b"")
    expected = bleupandas.components(df)
    expected.insert(0, "id", df["id"])
    pd.testing.assert_frame_equal(read(out), expected)
    status, out, err = called("corpus", name, "--by", "system", "--by", "domain", cwd=folder)
    assert (status, err) == (0, b"")
    groups = bleupandas.corpus(df, by=["system", "domain"]).reset_index()
    pd.testing.assert_frame_equal(read(out), groups, check_dtype=False)
    status, out, err = called("score", name, "--output", "scores.jsonl", cwd=folder)
    assert (status, out, err) == (0, b"", b"")
    scores = [json.loads(line)["score"] for line in (folder / "scores.jsonl").read_text().splitlines()]
    assert scores == bleupandas.score(df).tolist()
    status, out, err = called("ngrams", name, "--orders", "2", "--output", "ngrams.parquet", cwd=folder)
    assert (status, out, err) == (0, b"", b"")
    found = pd.read_parquet(folder / "ngrams.parquet")
    pd.testing.assert_frame_equal(found, bleupandas.ngrams(df, orders=2, ignore_index=True), check_dtype=False)


def test_texts_are_tokenized_on_the_way(called: Called, folder: Path) -> None:
    columns = ["--hypothesis", "hypothesis_text", "--references", "ref", "--tokenize", "13a"]
    status, out, err = called("corpus", "mt.csv", *columns, "--by", "system", cwd=folder)
    assert (status, err) == (0, b"")
    df = pd.read_csv(folder / "mt.csv")
    df = bleupandas.tokenize(df, {"hypothesis_text": "hypothesis", "ref": "references"}, "13a")
    pd.testing.assert_frame_equal(read(out), bleupandas.corpus(df, by="system").reset_index(), check_dtype=False)


def test_rows_come_from_stdin(folder: Path) -> None:
    lines = (folder / "mt.jsonl").read_bytes()
    status, out, err = command("corpus", "-", "--input-format", "jsonl", given=lines)
    assert (status, err) == (0, b"")
    assert read(out)["score"][0] == bleupandas.corpus(bleupandas.load_example()).score


def test_there_is_no_bar_where_nobody_looks_and_a_broken_pipe_is_quiet(folder: Path) -> None:
    process = subprocess.Popen(
        [*MODULE, "ngrams", "mt.parquet"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"segment,order,ngram,")
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["score", "mt.csv", "--hypothesis", "hypothesis_text", "--references", "ref"],
            "CSV holds text, not token lists; choose a tokenizer: --tokenize 13a",
        ),
        (
            ["score", "mt.parquet", "--hypothesis", "source"],
            "column 'source', row 0 (position 0): got the text 'El ayuntamiento ",
        ),
        (["score", "mt.parquet", "--hypothesis", "mt"], "no column 'mt' for the hypothesis: the columns are 'id', "),
        (["score", "mt.parquet", "--keep", "mt"], "no column 'mt' for --keep: the columns are 'id', "),
        (["corpus", "mt.parquet", "--by", "mt"], "no column 'mt' for --by: the columns are 'id', "),
        (["score", "mt.parquet", "--max-order", "9"], "max_order is "),
        (["score", "mt.parquet", "--smoothing", "flor"], "smoothing is "),
        (["score", "nowhere.parquet"], 'the file "nowhere.parquet": No such file or directory'),
        (["score", "mt.jsonl", "--input-format", "parquet"], 'the file "mt.jsonl" is not a Parquet file ('),
        (
            ["score", "mt.parquet", "--output", "scores.xlsx"],
            'the format of the file "scores.xlsx" is unknown; expected ',
        ),
        (["ngrams", "mt.parquet", "--orders", "0"], "orders is "),
    ],
)
def test_mistakes_with_files(called: Called, folder: Path, arguments: list[str], message: str) -> None:
    error = refused(called(*arguments, cwd=folder), 2)
    assert error["code"] == "invalid_input"
    assert error["message"].startswith(message)
    assert not list(folder.glob("*.part"))


def test_a_bar_shows_on_a_terminal(folder: Path) -> None:
    pty = pytest.importorskip("pty")
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command_ = [*MODULE, "corpus", "mt.parquet"]
    with subprocess.Popen(command_, cwd=folder, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while part := os.read(ours, 4096):
                shown += part
        os.close(ours)
        assert process.wait() == 0
    assert b"/480 [" in shown
