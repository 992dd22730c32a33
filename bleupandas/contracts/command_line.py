"""The command `bleupandas`: the published tools, and counts and scores of files."""

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

from bleupandas.contracts.client import ServerError, fetch_result
from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.error_text import quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, contracts, execute_json
from bleupandas.contracts.file_formats import FORMATS
from bleupandas.contracts.row_writer import PipeClosedError, open_output

USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 1, 130, 141

Command = Callable[..., None]


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bleupandas")
@click.pass_context
def commands(context: click.Context) -> None:
    """Count and score with BLEU: the published tools over JSON, and files of segments.

    Exit status: 0 on success, 2 for a usage error, 1 for an internal error. Errors are JSON on stderr.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


# ---- The published tools ----


@commands.command("tools")
def tools_command() -> None:
    """List the published tools as JSON."""
    tools = [{name: tool[name] for name in ("id", "version", "description")} for tool in contracts()]
    write_line("-", json.dumps(tools, indent=2, ensure_ascii=False))


@commands.command("contract")
@click.argument("id")
@click.argument("version")
def contract_command(id: str, version: str) -> None:
    """Print the contract of a tool as JSON."""
    write_line("-", json.dumps(contract(id, version), indent=2, ensure_ascii=False))


@commands.command("run")
@click.argument("id")
@click.argument("version")
@click.option("--input", "input_path", required=True, metavar="FILE", help="The input as JSON; - reads stdin.")
@click.option("--output", default="-", metavar="FILE", help="Write the output object to this file; default: stdout.")
@click.option("--base-url", metavar="URL", help="Send the input to this server instead of counting here.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds to wait for the server.")
def run_command(id: str, version: str, input_path: str, output: str, base_url: str | None, timeout: float) -> None:
    """Run a tool and print its output object."""
    body = sys.stdin.buffer.read() if input_path == "-" else Path(input_path).read_bytes()
    if base_url is None:
        write_line(output, execute_json(id, version, body))
    else:
        write_line(output, compact_json(fetch_result(base_url, id, version, body, timeout)))


def write_line(path: str, text: str) -> None:
    """Write a line of text as UTF-8, independent of the locale."""
    with open_output(path) as stream:
        stream.write(text.encode() + b"\n")


@commands.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, help="The port to listen on.")
def serve_command(host: str, port: int) -> None:
    """Serve the published tools over HTTP, and over MCP at /mcp."""
    import_extra("server").serve(host, port)


@commands.command("mcp")
def mcp_command() -> None:
    """Serve the published tools over MCP on stdin and stdout."""
    import_extra("mcp_server").serve_stdio()


def import_extra(module: str) -> Any:
    """Return a module that needs the packages of the extra "serve", or raise with the command that installs them."""
    try:
        return importlib.import_module(f"bleupandas.contracts.{module}")
    except ImportError as error:
        if isinstance(error.__cause__, ImportError):
            raise click.ClickException(str(error)) from None
        raise


# ---- Whole files ----


def join_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return several options as one decorator."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


HYPOTHESIS_HELP = 'The column to score; default: "hypothesis". An empty cell of CSV or TSV is missing.'
REFERENCES_HELP = 'A column of references; default: "references". May be repeated. Empty CSV and TSV cells are missing.'
file_options = join_options(
    click.argument("input_path", metavar="INPUT"),
    click.option("--output", default="-", metavar="FILE", help="Write rows to this file; default: CSV to stdout."),
    click.option("--input-format", type=click.Choice(FORMATS), help="Default: from the suffix of INPUT."),
    click.option("--output-format", type=click.Choice(FORMATS), help="Default: from the suffix of FILE."),
    click.option("--no-quotes", is_flag=True, help="Read quotation marks in CSV and TSV as text."),
    click.option("--hypothesis", metavar="COLUMN", help=HYPOTHESIS_HELP),
    click.option("--references", multiple=True, metavar="COLUMN", help=REFERENCES_HELP),
    click.option(
        "--tokenize", "tokenizer", metavar="NAME", help="Tokenize columns of text: 13a, whitespace, intl, zh, ..."
    ),
    click.option("--max-order", type=int, metavar="N", help="Largest n-gram length; default: 4."),
    click.option(
        "--errors",
        type=click.Choice(["raise", "coerce"]),
        default="raise",
        help="coerce: treat unreadable rows as missing.",
    ),
    click.option("--threads", type=int, metavar="N", help="Counting threads; default: the number of CPUs, at most 4."),
)
keep_option = click.option(
    "--keep", multiple=True, metavar="COLUMN", help="A column to copy to the output; may be repeated."
)
score_options = join_options(
    click.option("--convention", default="paper", show_default=True, metavar="NAME", help="paper, sacrebleu or nltk."),
    click.option("--smoothing", metavar="NAME", help="none, floor, add-k, exp or method0 to method7."),
    click.option(
        "--effective-order/--no-effective-order", default=None, help="Leave out orders longer than the hypothesis."
    ),
)


@commands.command("components")
@file_options
@keep_option
def components_command(**options: Any) -> None:
    """Count lengths, matches and n-grams of every row of INPUT."""
    with open_files(options) as (counter, write):
        write(counter.components())


@commands.command("ngrams")
@file_options
@keep_option
@click.option(
    "--orders", multiple=True, type=int, metavar="N", help="List only n-grams of this length; may be repeated."
)
@click.option("--side", default="hypothesis", show_default=True, metavar="SIDE", help="hypothesis or references.")
@click.option(
    "--ngram",
    default="text",
    show_default=True,
    type=click.Choice(["text", "list"]),
    help="The form of n-grams in the output.",
)
@click.option(
    "--sep", default=" ", metavar="CHARACTER", help="The character between the tokens of text; default: a space."
)
def ngrams_command(orders: Sequence[int], side: str, ngram: str, sep: str, **options: Any) -> None:
    """List the distinct n-grams of every row of INPUT."""
    with open_files(options) as (counter, write):
        write(counter.ngrams(orders=list(orders) or None, side=side, ngram=ngram, sep=sep))


@commands.command("score")
@file_options
@keep_option
@score_options
def score_command(convention: str, smoothing: str | None, effective_order: bool | None, **options: Any) -> None:
    """Score every row of INPUT as a sentence, from tokens or from components columns."""
    with open_files(options) as (counter, write):
        write(counter.scores(convention=convention, smoothing=smoothing, effective_order=effective_order))


@commands.command("corpus")
@file_options
@score_options
@click.option("--by", multiple=True, metavar="COLUMN", help="Score each group of this column; may be repeated.")
def corpus_command(
    by: Sequence[str], convention: str, smoothing: str | None, effective_order: bool | None, **options: Any
) -> None:
    """Score INPUT as one corpus, or each of its groups, from tokens or from components columns."""
    with open_files(options) as (counter, write):
        labels = list(dict.fromkeys(by))
        write(counter.corpus(labels, convention=convention, smoothing=smoothing, effective_order=effective_order))


@contextlib.contextmanager
def open_files(options: dict[str, Any]) -> Iterator[tuple[Any, Callable[[Iterator[Any]], None]]]:
    """Open the files of a command; yield a FileCounter, and the function that writes its frames."""
    from tqdm import tqdm

    from bleupandas.contracts.file_counter import FileCounter
    from bleupandas.contracts.row_reader import RowReader
    from bleupandas.contracts.row_writer import RowWriter

    with contextlib.ExitStack() as stack:
        reader = stack.enter_context(
            RowReader(options["input_path"], options["input_format"], not options["no_quotes"])
        )
        names = ("hypothesis", "tokenizer", "max_order", "errors", "threads")
        kept = list(dict.fromkeys(options.get("keep", ())))
        counter = FileCounter(
            reader, references=options["references"], keep=kept, **{name: options[name] for name in names}
        )
        stream = stack.enter_context(open_output(options["output"]))
        writer = stack.enter_context(contextlib.closing(RowWriter(stream, options["output"], options["output_format"])))
        # disable=None: show a bar on a terminal only.
        bar = stack.enter_context(tqdm(total=reader.n_rows, unit=" rows", disable=None, leave=False, file=sys.stderr))
        reader.report_rows = bar.update

        def write(batches: Iterator[Any]) -> None:
            for frame in batches:
                writer.write(frame)

        yield counter, write


# ---- Errors ----


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            status = commands.main(arguments, prog_name="bleupandas", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except ContractError as error:
        stop(error.body, INTERNAL_ERROR if error.code == "internal" else USAGE_ERROR)
    except ServerError as error:
        stop(error.body, INTERNAL_ERROR if error.is_internal else USAGE_ERROR)
    except click.ClickException as error:
        stop(ContractError("invalid_input", " ".join(error.format_message().split())).body, USAGE_ERROR)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except PipeClosedError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        name = f"the file {quote(str(error.filename))}" if error.filename else "a file"
        stop(ContractError("invalid_input", f"{name}: {error.strerror or error}").body, USAGE_ERROR)
    except Exception as error:
        why = " ".join(str(error).split())
        message = f"internal error ({type(error).__name__}: {why}); please report it"
        stop(ContractError("internal", message).body, INTERNAL_ERROR)


def stop(body: dict[str, Any], status: int) -> NoReturn:
    """Print an error as JSON and exit."""
    print(json.dumps(body), file=sys.stderr)
    sys.exit(status)


def show_warning(message: Warning | str, *where: object, **more: object) -> None:
    """Print a warning as JSON."""
    print(json.dumps({"warning": str(message)}), file=sys.stderr)


if __name__ == "__main__":
    main()
