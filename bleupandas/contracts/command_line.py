"""The command `bleupandas`: the published tools, and whole files through the package's functions."""

import contextlib
import importlib
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from bleupandas.contracts.client import ServerError, remote_result
from bleupandas.contracts.counting_tools import json_text
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, contracts, execute_json
from bleupandas.contracts.formats import FORMATS
from bleupandas.contracts.messages import quoted
from bleupandas.contracts.output import ReaderGoneError, whole_file

CALLER, OURS, INTERRUPTED, BROKEN_PIPE = 2, 1, 130, 141

Command = Callable[..., None]


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bleupandas")
@click.pass_context
def commands(context: click.Context) -> None:
    """BLEU's statistics: published tools over JSON, and files of segments.

    Exit status: 0; 2 for a mistake of the caller; 1 for a fault of the program or server. Errors are JSON on stderr.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


# ---- The published tools ----


@commands.command()
def tools() -> None:
    """List the published tools as JSON."""
    listed = [{name: tool[name] for name in ("id", "version", "description")} for tool in contracts()]
    write_out("-", json.dumps(listed, indent=2, ensure_ascii=False))


@commands.command("contract")
@click.argument("id")
@click.argument("version")
def contract_command(id: str, version: str) -> None:
    """Print the contract of a tool as JSON."""
    write_out("-", json.dumps(contract(id, version), indent=2, ensure_ascii=False))


@commands.command()
@click.argument("id")
@click.argument("version")
@click.option("--input", "input_path", required=True, metavar="FILE", help="The input as JSON; - reads stdin.")
@click.option("--output", default="-", metavar="FILE", help="Where the output object goes; stdout unless given.")
@click.option("--base-url", metavar="URL", help="Ask this server instead of counting here.")
@click.option("--timeout", default=60.0, show_default=True, help="How long to wait for the server, in seconds.")
def run(id: str, version: str, input_path: str, output: str, base_url: str | None, timeout: float) -> None:
    """Run a tool and print its bare output object."""
    body = sys.stdin.buffer.read() if input_path == "-" else Path(input_path).read_bytes()
    if base_url is None:
        write_out(output, execute_json(id, version, body))
    else:
        write_out(output, json_text(remote_result(base_url, id, version, body, timeout)))


def write_out(path: str, text: str) -> None:
    """Write a line of text as UTF-8 whatever the locale."""
    with whole_file(path) as stream:
        stream.write(text.encode() + b"\n")


@commands.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8000, show_default=True, help="The port to listen at.")
def serve(host: str, port: int) -> None:
    """Serve the published tools over HTTP, and over MCP at /mcp."""
    extra("server").serve(host, port)


@commands.command()
def mcp() -> None:
    """Serve the published tools over MCP on stdin and stdout."""
    extra("mcp_server").serve_stdio()


def extra(module: str) -> Any:
    """Import a module that needs the packages of the extra "serve"; it says so where they are not installed."""
    try:
        return importlib.import_module(f"bleupandas.contracts.{module}")
    except ImportError as error:
        if isinstance(error.__cause__, ImportError):
            raise click.ClickException(str(error)) from None
        raise


# ---- Whole files ----


def options(*given: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give several options as one decorator."""

    def decorate(command: Command) -> Command:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate


HYPOTHESIS_HELP = 'The column that is judged; "hypothesis" unless given. An empty cell of CSV or TSV is a missing one.'
REFERENCES_HELP = '"references" unless given; may be repeated. An empty cell of CSV or TSV is no reference.'
files = options(
    click.argument("input_path", metavar="INPUT"),
    click.option("--output", default="-", metavar="FILE", help="Where rows go; as CSV to stdout unless given."),
    click.option("--input-format", type=click.Choice(FORMATS), help="By the suffix of INPUT unless given."),
    click.option("--output-format", type=click.Choice(FORMATS), help="By the suffix of FILE unless given."),
    click.option("--no-quotes", is_flag=True, help="Quotation marks in CSV and TSV are text."),
    click.option("--hypothesis", metavar="COLUMN", help=HYPOTHESIS_HELP),
    click.option("--references", multiple=True, metavar="COLUMN", help=REFERENCES_HELP),
    click.option("--tokenize", "tokenizer", metavar="NAME", help="Columns hold texts: 13a, whitespace, intl, zh, ..."),
    click.option("--max-order", type=int, metavar="N", help="Largest n-gram length; 4 unless given."),
    click.option(
        "--errors", type=click.Choice(["raise", "coerce"]), default="raise", help="coerce: bad rows are missing."
    ),
    click.option("--threads", type=int, metavar="N", help="Counting threads; the CPUs, at most 4, unless given."),
)
keep = click.option("--keep", multiple=True, metavar="COLUMN", help="A column to carry along; may be repeated.")
scoring = options(
    click.option("--convention", default="paper", show_default=True, metavar="NAME", help="paper, sacrebleu or nltk."),
    click.option("--smoothing", metavar="NAME", help="none, floor, add-k, exp or method0 to method7."),
    click.option("--effective-order/--no-effective-order", default=None, help="Leave out orders without n-grams."),
)


@commands.command()
@files
@keep
def components(**given: Any) -> None:
    """Count BLEU's statistics of every row of INPUT."""
    with rows(given) as (job, write):
        write(job.components())


@commands.command()
@files
@keep
@click.option("--orders", multiple=True, type=int, metavar="N", help="Only this n-gram length; may be repeated.")
@click.option("--side", default="hypothesis", show_default=True, metavar="SIDE", help="hypothesis or references.")
@click.option(
    "--ngram", default="text", show_default=True, type=click.Choice(["text", "list"]), help="Form of n-grams."
)
@click.option("--sep", default=" ", metavar="CHARACTER", help="Joins the tokens of text; a space unless given.")
def ngrams(orders: Sequence[int], side: str, ngram: str, sep: str, **given: Any) -> None:
    """List the distinct n-grams of every row of INPUT."""
    with rows(given) as (job, write):
        write(job.ngrams(orders=list(orders) or None, side=side, ngram=ngram, sep=sep))


@commands.command()
@files
@keep
@scoring
def score(convention: str, smoothing: str | None, effective_order: bool | None, **given: Any) -> None:
    """Score every row of INPUT as a sentence, from tokens or from components columns."""
    with rows(given) as (job, write):
        write(job.scores(convention=convention, smoothing=smoothing, effective_order=effective_order))


@commands.command()
@files
@scoring
@click.option("--by", multiple=True, metavar="COLUMN", help="A row per group of this column; may be repeated.")
def corpus(
    by: Sequence[str], convention: str, smoothing: str | None, effective_order: bool | None, **given: Any
) -> None:
    """Score all rows of INPUT as one corpus, or each group, from tokens or from components columns."""
    with rows(given) as (job, write):
        labels = list(dict.fromkeys(by))
        write(job.corpus(labels, convention=convention, smoothing=smoothing, effective_order=effective_order))


@contextlib.contextmanager
def rows(given: dict[str, Any]) -> Iterator[tuple[Any, Callable[[Iterator[Any]], None]]]:
    """Open what a command over files reads and writes: a job, and the function that writes its batches."""
    from tqdm import tqdm

    from bleupandas.contracts.file_jobs import Job
    from bleupandas.contracts.formats import Source
    from bleupandas.contracts.output import Sink

    with contextlib.ExitStack() as stack:
        source = stack.enter_context(Source(given["input_path"], given["input_format"], not given["no_quotes"]))
        names = ("hypothesis", "tokenizer", "max_order", "errors", "threads")
        kept = list(dict.fromkeys(given.get("keep", ())))
        job = Job(source, references=given["references"], keep=kept, **{name: given[name] for name in names})
        stream = stack.enter_context(whole_file(given["output"]))
        sink = stack.enter_context(contextlib.closing(Sink(stream, given["output"], given["output_format"])))
        # disable=None: a bar on a terminal only
        bar = stack.enter_context(tqdm(total=source.n_rows, unit=" rows", disable=None, leave=False, file=sys.stderr))
        source.tick = bar.update

        def write(batches: Iterator[Any]) -> None:
            for frame in batches:
                sink.write(frame)

        yield job, write


# ---- Errors ----


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            status = commands.main(arguments, prog_name="bleupandas", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except ContractError as error:
        stop(error.body, OURS if error.code == "internal" else CALLER)
    except ServerError as error:
        stop(error.body, OURS if error.is_ours else CALLER)
    except click.ClickException as error:
        stop(ContractError("invalid_input", " ".join(error.format_message().split())).body, CALLER)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except ReaderGoneError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        name = f"the file {quoted(str(error.filename))}" if error.filename else "a file"
        stop(ContractError("invalid_input", f"{name}: {error.strerror or error}").body, CALLER)
    except Exception as error:
        why = " ".join(str(error).split())
        message = f"bleupandas failed ({type(error).__name__}: {why}), which is no fault of the input; report it"
        stop(ContractError("internal", message).body, OURS)


def stop(body: dict[str, Any], status: int) -> NoReturn:
    """Print an error as JSON and exit."""
    print(json.dumps(body), file=sys.stderr)
    sys.exit(status)


def show_warning(message: Warning | str, *where: object, **more: object) -> None:
    """Print a warning as JSON."""
    print(json.dumps({"warning": str(message)}), file=sys.stderr)


if __name__ == "__main__":
    main()
