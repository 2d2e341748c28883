"""A throw-away platform: all that a new one has to bring. Letters are carried in one process, and members are listed."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

from engine.events import Ignored, Membership, Message, Migration, Press
from engine.ids import AccountId, ContainerId
from engine.mailroom import Arrival
from engine.platform import NotWritten, Profile, Refused, Sighting, Uncertain, Why
from engine.viewers import ChatKind, FutureReaders, RosterEvidence

ME = "pigeon:tact"


class Loft:
    """The outside: who is in which chat, what waits for Tact, and what Tact wrote. It outlives a Tact that stops."""

    def __init__(self) -> None:
        self.members: dict[str, set[str]] = {}
        self.waiting: list[dict] = []
        self.sent: list[dict] = []
        self.faults: list[str] = []
        self.down, self.seq = False, 0

    def push(self, kind: str, **body) -> dict:
        self.seq += 1
        event = {"n": self.seq, "kind": kind, "at": datetime.now(UTC).timestamp(), **body}
        self.waiting.append(event)
        return event


class Pigeon:
    name, longest, has_buttons = "pigeon", 300, True

    def __init__(self, token: str, loft: Loft) -> None:
        self.token, self.loft = token, loft

    async def start(self) -> Profile:
        if self.loft.down:
            raise NotWritten("no pigeon flies")
        if self.token != "grain":
            raise Refused("the token is not valid", Why.TOKEN)
        return Profile(AccountId(ME), "tact", "pigeon://tact/")

    async def stop(self) -> None:
        pass

    async def receive(self, keep, lost) -> None:
        while True:
            taken = list(self.loft.waiting)
            if taken:
                await keep([Arrival(f"pigeon:{e['n']}", json.dumps(e)) for e in taken])
                del self.loft.waiting[: len(taken)]  # acknowledged
            await asyncio.sleep(0.01)

    def read(self, payload: str):
        e = json.loads(payload)
        chat = ContainerId(f"pigeon:{e['chat']}") if "chat" in e else ContainerId("")
        who = AccountId(f"pigeon:{e['who']}") if e.get("who") else AccountId(f"pigeon:faceless {e['n']}")
        direct = e.get("chat") == e.get("who")
        match e["kind"]:
            case "letter":
                number = f"pigeon:m:{e['id']}"
                return Message(
                    id=f"{number}.{e['n']}" if e.get("edit") else number,
                    first=number,
                    container=chat,
                    chat=chat,
                    account=who,
                    vouched=bool(e.get("who")),
                    name=e.get("who") or "",
                    text=e["text"],
                    sent_at=datetime.fromtimestamp(e["at"], UTC),
                    direct=direct,
                    addressed=direct or "@tact" in e["text"],
                    answers=f"pigeon:m:{e['answers']}" if "answers" in e else "",
                )
            case "press":
                return Press(f"p{e['n']}", chat, e["message"], who, direct, e["data"])
            case "member":
                own = who == ME
                return Membership(f"pigeon:{e['n']}", chat, who, None, e["present"], own=own)
            case "move":
                return Migration(chat, ContainerId(f"pigeon:{e['to']}"))
        return Ignored("kind")

    def sighting(self, payload: str) -> Sighting | None:
        e = json.loads(payload)
        if e["kind"] != "letter":
            return None
        return Sighting(f"pigeon:m:{e['id']}", datetime.fromtimestamp(e["at"], UTC), e["chat"] == e["who"])

    async def look(self, container, sender, known) -> RosterEvidence:
        chat = container.removeprefix("pigeon:")
        if chat not in self.loft.members:
            account = AccountId(container)
            kind = ChatKind.PRIVATE if account in known.owners else ChatKind.DIRECT
            return RosterEvidence(kind, account, frozenset({account}))
        members = frozenset(AccountId(f"pigeon:{one}") for one in self.loft.members[chat])
        seen = frozenset({sender} if sender else ())
        return RosterEvidence(ChatKind.GROUP, sender, members, seen, future=FutureReaders.NONE, snapshot=True)

    async def send(self, container, text, rows) -> str:
        match self.loft.faults.pop(0) if self.loft.faults else "":
            case "unwritten":
                raise NotWritten("no pigeon flies")
            case "refused":
                raise Refused("the loft is shut", Why.SHUT_OUT)
            case "unanswered":
                raise Uncertain("the pigeon did not come back")
        message = f"pigeon:sent:{len(self.loft.sent)}"
        buttons = [(b.label, b.data) for row in rows for b in row]
        chat = container.removeprefix("pigeon:")
        self.loft.sent.append({"id": message, "chat": chat, "text": text, "buttons": buttons, "gone": False})
        return message

    async def delete(self, message) -> None:
        for one in self.loft.sent:
            one["gone"] |= one["id"] == message

    async def answer(self, press, text) -> None:
        self.loft.sent.append({"id": press, "chat": f"press {press}", "text": text, "buttons": []})

    async def set_buttons(self, message, rows) -> None:
        for one in self.loft.sent:
            if one["id"] == message:
                one["buttons"] = [(b.label, b.data) for row in rows for b in row]

    async def show_typing(self, container) -> None:
        pass

    async def set_menu(self, chat, commands) -> None:
        pass

    async def checks(self, chats) -> list:
        return []

    def direct(self, account) -> ContainerId | None:
        platform, _, name = account.partition(":")
        return ContainerId(account) if platform == "pigeon" and " " not in name else None

    def link(self, container, message) -> str:
        return ""

    def too_old(self, age_s) -> bool:
        return False
