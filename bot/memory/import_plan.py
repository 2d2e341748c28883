"""What an import of IRC logs will record: files read and parsed, messages bound to audiences and cut into sessions.

Nothing is stored here. Who was there rests on the owner's word alone (the roster); without it a message is for the
owner and its sender.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from config.roster_file import Roster, Stay, stays
from connectors.imports.irc import Log, Malformed, Said, day_of, decoded, folded_nick, parse
from engine.audience import Audience
from engine.errors import BadInput
from engine.ids import OWNER, AccountId, ContainerId, MessageId, PersonId, SessionId
from engine.items import Origin, RawMessage, RawSession
from engine.people import People
from engine.records import Chat
from engine.sessions import continues
from engine.viewers import ChatKind

LARGEST = 64_000_000
"""Bytes a log."""

SUFFIXES = (".ascii.txt", ".log")
"""What is read of a folder; a file that is named is read whatever it is called."""


EDGE = 1
"""Minutes by which somebody may speak beside a stay that the roster has for them."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """One log, read and parsed; `digest` names its content, so that a moved file is the same file."""

    path: Path
    digest: str
    day: date
    log: Log


@dataclass(frozen=True, slots=True)
class Attested:
    """One log with what the owner says of it: who was there, which nicks are the owner's, which zone its times are in.

    `stays` is empty without a roster for this log.
    """

    file: LogFile
    chat: Chat
    zone: ZoneInfo
    people: People
    stays: tuple[Stay, ...] = ()
    owner: frozenset[str] = frozenset()

    def present(self, minute: int) -> set[str]:
        """The nicks that were there in this minute, on the owner's word."""
        return {folded_nick(s.nick) for s in self.stays if s.start <= minute <= s.end}

    def contradicts(self, nick: str, minute: int) -> bool:
        """Whether somebody speaks whom the roster knows, but not at that time: one of the two is wrong then.

        A minute before and after is no contradiction: stays are written in whole minutes, and rather too short.
        """
        mine = [s for s in self.stays if folded_nick(s.nick) == nick]
        near = any(s.start - EDGE <= minute <= s.end + EDGE for s in mine)
        return bool(mine) and nick not in self.owner and not near

    def person(self, nick: str) -> PersonId:
        """Who a nick is."""
        return OWNER if nick in self.owner else self.people.person(account_of(nick))


@dataclass(slots=True)
class Planned:
    """A session to be recorded, with its messages and their event ids."""

    session: RawSession
    messages: list[tuple[str, RawMessage]] = field(default_factory=list)


@dataclass(slots=True)
class Findings:
    """What was noticed on the way, as `file:line: why`, without words of the log."""

    malformed: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    refused: int = 0


def account_of(nick: str) -> AccountId:
    """The account of a nick."""
    return AccountId(f"irc:{folded_nick(nick)}")


def find_logs(paths: Sequence[Path], day: date | None = None) -> list[LogFile]:
    """Read and parse the logs: the files named, and in folders those that end like logs.

    Args:
        paths: files and folders.
        day: the first day of a log whose name does not tell one; used only if there is one log.

    Raises:
        BadInput: if there is none, one cannot be read, or its day is not known.
    """
    files = [file for path in paths for file in (_in_folder(path) if path.is_dir() else [path])]
    if not files:
        fix = f"logs in a folder end in {' or '.join(SUFFIXES)}"
        raise BadInput("no log is here", where=", ".join(map(str, paths)), fix=fix)
    return [_read(file, day if len(files) == 1 else None) for file in files]


def _in_folder(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES) and file.is_file())


def _read(path: Path, day: date | None) -> LogFile:
    where = str(path)
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(
                f"this log is larger than {LARGEST // 1_000_000} MB", where=where, fix="split it by days"
            )
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(
            f"it cannot be read ({error.strerror})", where=where, fix="check name and rights"
        ) from None
    found = day_of(path.name) or day
    if found is None:
        fix = "call it like 2004-11-15.log, or write day: 2004-11-15 in the roster"
        raise BadInput("the log's name tells no day", where=where, fix=fix)
    return LogFile(path, sha256(content).hexdigest()[:16], found, parse(decoded(content)))


def attest(
    file: LogFile, roster: Roster | None, owner: frozenset[str], people: People, zone: ZoneInfo
) -> Attested:
    """A log with what the owner says of it; a roster of another day says nothing of this log.

    Raises:
        BadInput: if the roster has somebody leave before coming.
    """
    mine = roster if roster is not None and roster.day in {None, file.day} else None
    chat = _chat(file, roster)
    if mine is None:
        return Attested(file, chat, zone, people, owner=owner)
    found = stays(mine, file.day, file.log.first, file.log.last, file.log.cycle)
    return Attested(file, chat, mine.zone or zone, people, found, owner)


def _chat(file: LogFile, roster: Roster | None) -> Chat:
    """The channel that the roster names, else the one people join in the log, else a place of the log's own."""
    channel = (roster.channel if roster else "") or file.log.channel
    name = folded_nick(channel) or f"log-{file.digest}"
    return Chat(ContainerId(f"irc:{name}"), str(ChatKind.GROUP), channel or file.path.name)


def plan(attested: Attested, findings: Findings, *, refuse: bool) -> list[Planned]:
    """The log's messages in sessions, one audience each, cut as `engine.sessions` says.

    Args:
        attested: the log.
        findings: gets what was noticed.
        refuse: leave out messages whose audience is not established (the policy's `unresolved: refuse`).
    """
    open_ones: dict[Audience, Planned] = {}
    planned: list[Planned] = []
    for row, message in _messages(attested, findings):
        if refuse and message.unresolved:
            findings.refused += 1
            continue
        found = open_ones.get(message.audience)
        if found is None or not continues(found.session, message.audience, message.sent_at):
            found = Planned(_begin(attested.file, row, message))
            open_ones[message.audience] = found
            planned.append(found)
        session = found.session
        found.session = replace(session, last_at=message.sent_at, messages=session.messages + 1)
        event = f"irc:{attested.file.digest}:{row.line}"
        found.messages.append((event, replace(message, session=session.id)))
    return planned


def _messages(attested: Attested, findings: Findings) -> Iterator[tuple[Said, RawMessage]]:
    minute, number = -1, 0
    name = attested.file.path.name
    for row in attested.file.log.rows:
        if isinstance(row, Malformed):
            findings.malformed.append(f"{name}:{row.line}: {row.why}")
        if not isinstance(row, Said):
            continue
        if attested.contradicts(folded_nick(row.nick), row.minute):
            findings.contradicted.append(
                f"{name}:{row.line}: speaks at a time for which the roster does not have them"
            )
        minute, number = row.minute, number + 1 if row.minute == minute else 0
        yield row, _message(attested, row, number)


def _message(attested: Attested, row: Said, number: int) -> RawMessage:
    """A message; the order of lines within a minute is kept in microseconds."""
    nick = folded_nick(row.nick)
    sender = attested.person(nick)
    wrong = attested.contradicts(nick, row.minute)
    present = set() if wrong else {attested.person(n) for n in attested.present(row.minute)}
    others = present - {OWNER, sender}
    midnight = datetime.combine(attested.file.day, time(), attested.zone)
    return RawMessage(
        id=MessageId(f"m_irc_{attested.file.digest}_{row.line}"),
        container=attested.chat.id,
        session=SessionId(""),
        sender=sender,
        account=account_of(nick),
        text=row.text,
        sent_at=(midnight + timedelta(minutes=row.minute, microseconds=number)).astimezone(UTC),
        audience=Audience.of({sender, *others}),
        unresolved=not others,
        origin=Origin.IMPORT,
    )


def _begin(file: LogFile, row: Said, message: RawMessage) -> RawSession:
    people = " ".join(sorted(message.audience.members))
    name = sha256(f"{file.digest} {row.line} {people}".encode()).hexdigest()[:16]
    at = message.sent_at
    return RawSession(SessionId(f"s_irc_{name}"), message.container, message.audience, at, at)
