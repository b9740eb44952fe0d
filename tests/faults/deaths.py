"""Processes that are killed, and power that fails: nothing is lost, no page is stored twice."""

import importlib

from tests.faults.arena import Arena, Command, NotHereError, check, scenario


def _run(arena: Arena, module: str, *words: str, seconds: float) -> str:
    """The last line of one of the programs that kill."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise NotHereError(f"there is no {module}") from error
    command: Command = arena.start(*words, module=module)
    command.wait(seconds * arena.slower)
    check(command.status == 0, f"it ended with {command.status}: {command.last_line()}")
    return command.last_line()


@scenario("Nothing lost: SIGKILL at any moment", seconds=100)
def killed(arena: Arena) -> str:
    """SIGKILL to a crawl, its readers, index and serve at moments that chance chooses."""
    seed = str(arena.chance.randrange(10**6))
    words = ("--kills", "12", "--seed", seed, "--minutes", "1.5", "--pages", "60")
    return _run(arena, "tests.faults.kills", *words, seconds=200)


@scenario("Nothing lost: a power failure at any moment", seconds=60)
def power_failed(arena: Arena) -> str:
    """A disk that has only some of what was not synced, at 60 moments of a crawl."""
    seed = str(arena.chance.randrange(10**6))
    return _run(arena, "tests.faults.power_cut", "--points", "60", "--seed", seed, seconds=150)
