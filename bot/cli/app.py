"""The command line: `tact`. Only signatures are here; each command imports what it needs when it is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from typer.main import get_command

from bot.cli.bench_commands import add_benches
from bot.cli.faults import INTERRUPTED, show
from bot.cli.guide import WHAT, Guided, entry, epilog
from bot.cli.memory_commands import add_keeping
from bot.cli.options import AsJson, Data, VectorsIn
from bot.cli.platform_commands import add_platforms
from config.languages import ENGLISH, languages
from config.threads import take_one_thread
from engine.errors import BadInput


def _language(text: str) -> str:
    if text not in languages():
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, languages()))}")
    return text


Language = Annotated[
    str | None,
    typer.Option("--lang", metavar="|".join(languages()), parser=_language, help="Tact's language."),
]
Command = TypeVar("Command", bound=Callable[..., int])
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def _group(about: str) -> typer.Typer:
    return typer.Typer(
        cls=Guided, help=about, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
    )


app = _group(WHAT)
policy = _group(
    "The policy: who may hear what. The memory holds it; a file is a way to look at it and to change it."
)
imports = _group("Old conversations, read into the memory.")
bench = _group("Measurements.")
connect = _group("Where people are.")
selftest = _group("Tests that an installation runs on itself.")
vectors = _group("Where vectors are searched: in memory, or in Chroma.")
app.add_typer(policy, name="policy")
app.add_typer(imports, name="import")
app.add_typer(bench, name="bench")
app.add_typer(connect, name="connect")
app.add_typer(selftest, name="selftest")
app.add_typer(vectors, name="vectors")


def _command(to: typer.Typer, page: str, name: str) -> Callable[[Command], Command]:
    """Register a command, with its help and examples from the guide."""
    found = entry(page, name)
    about = found.what + (f"\n\n{found.more}" if found.more else "")
    return to.command(name, help=about, epilog=epilog(found.examples))


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tact {version('tact')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _tact(
    context: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.obj and context.invoked_subcommand is not None:
        from config.logs import set_up_logs

        # A command says itself what failed.
        set_up_logs("WARNING" if os.environ.get("TACT_DEBUG") else "CRITICAL")
    _teach(context)


@policy.callback(invoke_without_command=True)
@imports.callback(invoke_without_command=True)
@bench.callback(invoke_without_command=True)
@connect.callback(invoke_without_command=True)
@selftest.callback(invoke_without_command=True)
@vectors.callback(invoke_without_command=True)
def _part(context: typer.Context) -> None:
    _teach(context)


def _teach(context: typer.Context) -> None:
    """A group named alone explains itself."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@_command(app, "", "demo")
def _demo(lang: Language = ENGLISH, vectors: VectorsIn = None) -> int:
    from bot.cli.play import demo

    return demo(lang or ENGLISH, vectors and str(vectors))


@_command(app, "", "chat")
def _chat(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="A lasting folder; without it, a sandbox that is gone afterwards."
        ),
    ] = None,
    lang: Language = None,
    owner: Annotated[str, typer.Option("--owner", metavar="NAME", help="The owner's name.")] = "",
) -> int:
    from bot.cli.chat import chat

    return chat(data, language=lang, owner=owner)


@_command(app, "", "init")
def _init(
    data: Data = None,
    owner: Annotated[str, typer.Option("--owner", metavar="NAME", help="What Tact calls you.")] = "",
    lang: Language = None,
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="ZONE", help="Such as Europe/Lisbon; else this machine's.")
    ] = "",
    *,
    yes: Yes = False,
) -> int:
    from bot.cli.init import initialise

    return initialise(data, owner=owner, language=lang, timezone=timezone, ask=not yes)


@_command(app, "", "play")
def _play(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="The story.")],
    *,
    as_json: AsJson = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="A lasting folder; without it, one that is gone afterwards."
        ),
    ] = None,
    lang: Language = None,
) -> int:
    from bot.cli.play import play_file

    return play_file(file, as_json=as_json, data=data, lang=lang)


@_command(policy, "policy", "show")
def _policy_show(data: Data = None) -> int:
    from bot.cli.policy_command import export

    return export(data, None)


@_command(policy, "policy", "export")
def _policy_export(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A new file; else standard output.")
    ] = None,
    data: Data = None,
) -> int:
    from bot.cli.policy_command import export

    return export(data, file)


@_command(policy, "policy", "check")
def _policy_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to look over.")], data: Data = None
) -> int:
    from bot.cli.policy_command import check

    return check(data, file)


@_command(policy, "policy", "apply")
def _policy_apply(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file that is to count.")],
    data: Data = None,
    *,
    earlier: Annotated[bool, typer.Option("--earlier", help="Open what was said before, too.")] = False,
    yes: Yes = False,
) -> int:
    from bot.cli.policy_command import apply

    return apply(data, file, earlier=earlier, yes=yes)


@_command(imports, "import", "irc")
def _import_irc(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|DIR...", help="Logs, or folders of logs.")],
    roster: Annotated[
        Path | None, typer.Option("--roster", metavar="FILE", help="Who was there when; you vouch for it.")
    ] = None,
    draft_roster: Annotated[
        Path | None,
        typer.Option(
            "--draft-roster", metavar="OUT", help="Only write a draft of a roster, from joins and context."
        ),
    ] = None,
    owner_nick: Annotated[
        list[str] | None,
        typer.Option(
            "--owner-nick", metavar="NICK", help="A nick that was yours in these logs; may be repeated."
        ),
    ] = None,
    data: Data = None,
) -> int:
    from bot.cli.import_command import draft_irc_roster, import_irc

    if draft_roster is not None:
        return draft_irc_roster(data, paths, draft_roster)
    return import_irc(data, paths, roster, owner_nick or [])


add_keeping(app, vectors, _command)
add_benches(bench, _command)
add_platforms(app, connect, selftest, _command)


def run(arguments: Sequence[str], *, whole_process: bool = False) -> int:
    """Run one command line; every fault is one line on standard error.

    Args:
        arguments: what follows `tact`.
        whole_process: nothing else happens in this process, so that its logs are ours to redact.

    Returns:
        The exit code.
    """
    try:
        command = get_command(app)
        done = command.main(list(arguments), prog_name="tact", standalone_mode=False, obj=whole_process)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone (`tact status | head -1`); nothing is left to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (typer.Abort, KeyboardInterrupt):
        typer.echo(err=True)
        return INTERRUPTED
    except typer.TyperException as wrong:
        return _misused(wrong)
    except Exception as error:  # noqa: BLE001 - the outermost place: nobody else would say it in one line
        return show(error)
    return done if isinstance(done, int) else 0


def _misused(wrong: typer.TyperException) -> int:
    """A wrong option or argument."""
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context is not None else "tact"
    what = " ".join(wrong.format_message().split()).replace("Value error, ", "").rstrip(".")
    return show(BadInput(what[:1].lower() + what[1:], fix=f"see {path} --help"))


def _fill_closed() -> None:
    """Streams that were closed before we began (`<&-`, `>&-`) become empty ones, before a file of ours gets their number."""
    for name, way in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(way, encoding="utf-8"))  # noqa: SIM115 - it stays open


def main() -> None:
    """The entry point."""
    _fill_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows ? and does not stop us
    take_one_thread(os.environ)
    sys.exit(run(sys.argv[1:], whole_process=True))


if __name__ == "__main__":
    main()
