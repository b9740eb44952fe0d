"""The log of the commands: what geoscout tells while it runs, as lines on standard error.

The library only writes to loggers named after its modules (`geoscout.crawl`, …); the commands
decide here what is shown and how. Lines for programs are JSON with one object each. On a terminal
there is no time in front, because somebody watches.
"""

import logging
import sys
import time
from collections.abc import Mapping
from contextlib import suppress

from geoscout.settings import Settings
from geoscout_places.errors import UsageError

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")
_OURS = ("geoscout", "geoscout_cluster", "geoscout_directory", "geoscout_lab", "geoscout_places")
_ROOTS = (*_OURS, "uvicorn")  # whose log is shown; the last serves the web page
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

_log = logging.getLogger(__name__)


def show_log(settings: Settings | None = None) -> None:
    """Have the log of geoscout shown; a program that uses the library decides that itself."""
    settings = settings or Settings()
    for name, value, known in (
        ("log_level", settings.log_level, LEVELS),
        ("log_format", settings.log_format, FORMATS),
    ):
        if value not in known:
            raise UsageError(f"{name} is one of {', '.join(known)}, not {value!r}")
    handler = _LogLines(settings.log_format)
    for root in _ROOTS:
        log = logging.getLogger(root)
        log.handlers = [other for other in log.handlers if not isinstance(other, _LogLines)]
        log.addHandler(handler)
        if root in _OURS:
            log.setLevel(settings.log_level.upper())


def tells_by_lines() -> bool:
    """Whether progress is told by lines of the log, and not by a picture that changes."""
    handlers = logging.getLogger("geoscout").handlers
    is_json = any(isinstance(known, _LogLines) and known.is_json for known in handlers)
    return is_json or not sys.stderr.isatty()


def tell(message: str, level: int = logging.INFO) -> None:
    """Say something that the log has a level for; without time and level where people read."""
    handlers = logging.getLogger("geoscout").handlers
    if any(isinstance(known, _LogLines) and known.is_json for known in handlers):
        _log.log(level, message)
    elif _log.isEnabledFor(level):
        print(f"geoscout: {_plain(message)}", file=sys.stderr, flush=True)


class _LogLines(logging.Handler):
    """Writes each event as a line, on whatever is standard error now."""

    def __init__(self, format_name: str) -> None:
        super().__init__()
        self.is_json = format_name == "json"
        if self.is_json:
            self.setFormatter(JsonLines())
        else:
            self.setFormatter(TextLines())

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):  # nobody reads any more, or the disk is full: the crawl goes on
            print(self.format(record), file=sys.stderr, flush=True)


class TextLines(logging.Formatter):
    """For people: the message, then the fields; time, level and logger where nobody watches."""

    def format(self, record: logging.LogRecord) -> str:
        head = f"{_time(record)} {record.levelname} {record.name}"
        return f"{'geoscout' if sys.stderr.isatty() else head}: {_event(record)}"


class JsonLines(logging.Formatter):
    """For programs: time, level, logger and message, then the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        import json  # noqa: PLC0415 - every command would pay for it

        facts: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        facts |= {name: value for name, value in _fields(record).items() if name not in facts}
        if record.exc_info:
            facts["exception"] = self.formatException(record.exc_info)
        text = json.dumps(facts, ensure_ascii=False, default=str)
        return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _plain(text: str) -> str:
    """A text on one line; what could steer a terminal is written by its number."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _event(record: logging.LogRecord) -> str:
    """The message and the fields on one line, and a traceback below it."""
    words = [f"{name}={_word(value)}" for name, value in _fields(record).items()]
    text = _plain(" ".join([record.getMessage(), *words]).replace("\n", " "))
    if record.exc_info:
        text += "\n" + logging.Formatter().formatException(record.exc_info)
    return text


def _fields(record: logging.LogRecord) -> Mapping[str, object]:
    """What the event was given as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _PLAIN}


def _word(value: object) -> str:
    """A value as one word: what has blanks or quotes in it stands in quotes."""
    text = str(value)
    plain = text.isprintable() and not set(text) & set(" \"'=")
    if text and plain:
        return text
    import json  # noqa: PLC0415 - as above

    return json.dumps(text, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    """ISO 8601, in UTC."""
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{at}.{int(record.msecs):03d}Z"
