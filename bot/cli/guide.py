"""What `--help` teaches: every command in the order a newcomer needs it, with examples.

One table feeds the overview, each command's own help and the tests; a command that is not in it cannot be registered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typer.core import TyperGroup

from bot.platforms import PLATFORMS, USUAL
from engine.failpoints import POINTS

WHAT = "Tact answers for you from one memory, and tells each person only what is theirs to hear."


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: what it does in a line, and examples; `more` is what its own help says besides."""

    what: str
    examples: tuple[str, ...]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Commands that belong together, in the order to try them."""

    title: str
    commands: dict[str, Entry]


CHAT = """\
In the chat, /as NAME speaks as somebody, /in ROOM goes to a room, /help lists the rest. Whatever else you type goes
to Tact from whoever is speaking. Lines can also be piped in."""

GUIDE = (
    Section(
        "See it (nothing to set up, nothing kept)",
        {
            "demo": Entry("Play the bundled story.", ("tact demo", "tact demo --lang zh")),
            "chat": Entry(
                "Talk to Tact in a sandbox, playing everybody yourself.",
                ("tact chat", "tact chat --owner Mia --lang zh", "tact chat --data ~/tact-practice"),
                CHAT,
            ),
        },
    ),
    Section(
        "Set it up",
        {
            "init": Entry(
                "Make the data folder: encrypted memory, its key, a first policy.",
                ("tact init", "tact init --owner Mia --timezone Europe/Lisbon --yes"),
                "Asks for what is not given; with --yes, or without a terminal, it takes the defaults. It never "
                "overwrites anything.",
            ),
        },
    ),
    Section(
        "Put it where people are",
        {
            "connect": Entry(
                "Connect a bot of yours, and become its owner.",
                tuple(f"tact connect {name}" for name in PLATFORMS),
            ),
            "run": Entry(
                "Answer, until it is told to stop.",
                ("tact run", "tact run --data ~/tact"),
                "SIGTERM or Ctrl-C lets what has begun come to its end. One Tact a folder.",
            ),
            "doctor": Entry(
                "What is wrong, each fault with its fix.",
                ("tact doctor", "tact doctor --json", "tact doctor --offline"),
                "Ends with 1 if anything is wrong.",
            ),
        },
    ),
    Section(
        "Use it",
        {
            "play": Entry(
                "Play a story of your own, written as a YAML file.",
                ("tact play story.yaml", "tact play story.yaml --json"),
                "The format is in docs/play.md. Ends with 1 if something the story expected did not happen.",
            ),
            "policy": Entry("Show, check or change who may hear what.", ("tact policy show",)),
            "import": Entry(
                "Read old conversations into the memory.",
                ("tact import irc 2016-06-08.log --roster roster.yaml",),
            ),
            "status": Entry(
                "How much is remembered, and whether all is well.", ("tact status", "tact status --json")
            ),
            "forget": Entry(
                "Finish an erasure that was interrupted, or that PostgreSQL has not finished.",
                ("tact forget --finish", "tact forget --compact"),
                "What to forget is said in the chat: /forget.",
            ),
            "vectors": Entry("Search vectors in memory, or in Chroma.", ("tact vectors rebuild",)),
            "reindex": Entry(
                "Embed every fact anew, after the embedding model was changed.",
                ("tact reindex",),
                "It can be stopped and said again, and Tact may run meanwhile.",
            ),
            "backup": Entry(
                "Put the whole memory into one file, while Tact runs.",
                ("tact backup ~/tact.backup", "tact backup /mnt/disk/tact.backup --key-file ~/safe/tact.key"),
                "The words in it are encrypted with the memory's key, which is not in it. What is forgotten later is "
                "in it until you delete it: keep few, and not for ever (docs/backup.md).",
            ),
            "restore": Entry(
                "Put a backup back, here or in a new place.",
                (
                    "tact restore ~/tact.backup",
                    "tact restore ~/tact.backup --data ~/tact-new --key-file ~/safe/tact.key --moved",
                ),
                "What was forgotten since is forgotten again, what was closed since stays closed, and nothing is sent "
                "a second time. Shows what it will do, and asks, before the memory that is there is replaced.",
            ),
        },
    ),
    Section(
        "Measure it",
        {
            "bench": Entry("Put the two gates to the test.", ("tact bench audience --suite core.jsonl",)),
            "selftest": Entry(
                "Kill it on purpose, and count what is lost.", ("tact selftest crash --kills 2",)
            ),
        },
    ),
)

VECTORS = (
    Section(
        "Commands",
        {
            "rebuild": Entry(
                "Make the index of vectors anew from the memory, and set where it is.",
                (
                    "tact vectors rebuild --to chroma",
                    "tact vectors rebuild --to exact",
                    "tact vectors rebuild",
                ),
                "The answers are the same either way. In Chroma vectors lie unencrypted (docs/vectors.md).",
            ),
        },
    ),
)

CONNECT = (
    Section(
        "Commands",
        {
            name: Entry(
                "Try a bot's token, keep it, and get a one-time link that makes you the owner.",
                (f"tact connect {name}", f"tact connect {name} --token-file token.txt --no-wait"),
                f"The steps are in docs/channels/{name}.md.",
            )
            for name in PLATFORMS
        },
    ),
)

SELFTEST = (
    Section(
        "Commands",
        {
            "crash": Entry(
                "Kill a Tact again and again, start it again, and count what was lost, doubled or torn.",
                (
                    "tact selftest crash --points all --kills 20 --random 300 --json",
                    "tact selftest crash --points written,marked --kills 3",
                    "tact selftest crash --kills 2 --database postgresql://me@127.0.0.1/postgres",
                ),
                f"It talks to a small {USUAL.title} on this machine; its memories, and its databases on the server, are gone "
                "afterwards. After each kill the tables, the index and each annotation are looked at before another Tact "
                "touches them (docs/results.md). Ends with 1 if anything is wrong.\n\nThe points, in the order of a run: "
                + ", ".join(POINTS)
                + ".",
            ),
        },
    ),
)

POLICY = (
    Section(
        "Commands",
        {
            "show": Entry("Print the policy that counts now, as YAML.", ("tact policy show",)),
            "export": Entry(
                "Write it to a file, to be edited.",
                ("tact policy export policy.yaml", "tact policy export > policy.yaml"),
            ),
            "check": Entry(
                "Look a file over: mistakes by line and column, and what it would change.",
                ("tact policy check policy.yaml",),
            ),
            "apply": Entry(
                "Make a file the policy, after showing what it opens and to whom.",
                ("tact policy apply policy.yaml", "tact policy apply policy.yaml --earlier --yes"),
                "What it opens counts for what is said from now on; --earlier includes what was said before. What it "
                "closes is closed at once.",
            ),
        },
    ),
)

IMPORT = (
    Section(
        "Commands",
        {
            "irc": Entry(
                "Read IRC logs: a file, or all of a folder.",
                (
                    "tact import irc 2016-06-08.log --draft-roster roster.yaml",
                    "tact import irc 2016-06-08.log --roster roster.yaml --owner-nick mia_",
                    "tact import irc logs/",
                ),
                "The roster says who was in the channel, and you vouch for it. Without one, every line is kept for "
                "you and its sender. Importing the same lines again changes nothing.",
            ),
        },
    ),
)

BENCH = (
    Section(
        "Commands",
        {
            "audience": Entry(
                "Run audience scenarios through the real memory: what was kept, and what must not have been told.",
                ("tact bench audience --suite core.jsonl", "tact bench audience --suite core.jsonl --json"),
                "Ends with 1 if anything falls short.",
            ),
            "disclosure": Entry(
                "Run the calculus over a script: who may hear what, by its annotations or by Tact's own.",
                (
                    "tact bench disclosure --script script.json",
                    "tact bench disclosure --script script.json --annotations own --layers both --json",
                ),
                "Ends with 1 if the script's own annotations do not give the answers that it says are due.",
            ),
            "speed": Entry(
                "How long a memory of so many facts takes to answer, against numpy without scopes.",
                ("tact bench speed --facts 10000 --json", "tact bench speed --vectors both --full"),
                "The facts are made up and gone afterwards. Ends with 1 if anything due was not found.",
            ),
            "load": Entry(
                "How many messages a second the whole turn takes, many chats at once, and how long a reply.",
                ("tact bench load --chats 20 --messages 30 --json",),
                "The chats are made up and gone afterwards.",
            ),
        },
    ),
)

PAGES = {
    "": GUIDE,
    "connect": CONNECT,
    "vectors": VECTORS,
    "selftest": SELFTEST,
    "policy": POLICY,
    "import": IMPORT,
    "bench": BENCH,
}


def entry(page: str, name: str) -> Entry:
    """The table's entry for a command.

    Raises:
        KeyError: if the table has none (a fault of the program).
    """
    return next(section.commands[name] for section in PAGES[page] if name in section.commands)


def epilog(examples: tuple[str, ...]) -> str:
    """Examples, to stand below a command's options."""
    return "\n".join(
        ["\b", "Examples:", *(f"  {example}" for example in examples)]
    )  # \b: keep the lines as they are


class Guided(TyperGroup):
    """A group of commands whose help is its page of the guide."""

    def get_help(self, ctx: Any) -> str:
        """The page: what this is, then commands by section, each with an example."""
        path = ctx.command_path
        page = path.partition(" ")[2]
        lines = [self.help or WHAT, "", f"Usage: {path} COMMAND ..."]
        for section in PAGES[page]:
            lines += ["", f"{section.title}:"]
            width = max(len(name) for part in PAGES[page] for name in part.commands)
            for name, found in section.commands.items():
                lines += [f"  {name.ljust(width)}  {found.what}", f"  {' ' * width}    {found.examples[0]}"]
        lines += ["", f"`{path} COMMAND --help` says more about one of them."]
        if not page:
            lines.append("`tact --version` prints the version.")
            lines.append(
                "The data folder is --data DIR, else TACT_DATA, else the usual place of this system."
            )
        return "\n".join(lines)
