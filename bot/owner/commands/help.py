"""`/help`: every command in one line each, or one command whole."""

from __future__ import annotations

from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Registry, Right, answer
from engine.release import OwnerOnly


def help_command(registry: Registry) -> Command:
    """`/help` over a registry."""

    async def run(call: Call) -> OwnerOnly:
        wanted = call.args.strip().lstrip("/／")
        if not wanted:
            lines = [
                call.say("help.line", name=c.name, others=_others(c), help=c.help(call.language))
                for c in registry
            ]
            return answer("\n".join([call.say("help.title"), *lines, call.say("help.more")]))
        command = registry.get(wanted)
        if command is None:
            near = registry.near(wanted)
            if not near:
                raise call.fault("command.unknown", name=one_line(wanted, 40))
            raise call.fault("help.unknown", "command.near", names=", ".join(f"/{n}" for n in near))
        return answer(in_full(call, command))

    return Command(
        name="help",
        right=Right.OWNER,
        run=run,
        aliases=("帮助", "start"),
    )


def _others(command: Command) -> str:
    return ", ".join(f"/{name}" for name in command.aliases)


def in_full(call: Call, command: Command) -> str:
    """Grammar, who may, help and examples of one command."""
    names = ", ".join(f"/{n}" for n in (command.name, *command.aliases))
    return "\n".join(
        [
            names,
            *(f"  {form}" for form in command.grammar(call.language)),
            command.help(call.language),
            call.say(f"right.{command.right}"),
            call.say("help.examples"),
            *(f"  {example}" for example in command.examples(call.language)),
        ]
    )
