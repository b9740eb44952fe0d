"""What is sent to control crawls, and what comes back."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from geoscout.web.control.new_crawl import LARGEST_BUDGET, Mistake
from geoscout.web.control.standing import SteeredCrawlJson

_Crawl = Annotated[str, Field(max_length=200, description="name of the crawl")]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StopRequest(_Asked):
    """Which crawl is to stop."""

    crawl: _Crawl


class ResumeRequest(_Asked):
    """Which crawl is to go on."""

    crawl: _Crawl
    contact: str = Field("", max_length=300, description="default: that of the server's settings")
    allow_private: bool = Field(
        default=False, description="must be true for a crawl that may ask private addresses"
    )


class BudgetRequest(_Asked):
    """How far a crawl is to go; one of the two."""

    crawl: _Crawl
    max_pages: int | None = Field(None, ge=1, le=LARGEST_BUDGET, description="responses in all")
    more: int | None = Field(None, ge=1, le=LARGEST_BUDGET, description="responses more than now")


class HostRequest(_Asked):
    """Which host a crawl is to leave alone, or to ask again."""

    crawl: _Crawl
    host: str = Field(max_length=260, description="such as www.example.org")
    leave_alone: bool = True


class RegionRequest(_Asked):
    """A region as `--region` takes it, but for files."""

    region: list[Annotated[str, Field(max_length=200_000)]] = Field(max_length=50)


class SeedRequest(_Asked):
    """A seed that is to be looked at."""

    seed: str = Field(max_length=4000)
    contact: str = Field("", max_length=300)
    allow_private: bool = False


class ControlJson(TypedDict):
    """What this client can control."""

    may: bool
    trouble: str  # why it may not; "" when it may
    can_begin: bool  # there is a folder for new crawls
    room: str  # that folder
    is_local: bool  # only this machine reaches the server
    contact: str  # of the server's settings
    crawl: SteeredCrawlJson | None


class StateJson(TypedDict):
    """What became of a crawl."""

    crawl: str
    running: bool
    detail: str


class BudgetJson(TypedDict):
    """How far a crawl goes now."""

    crawl: str
    max_pages: int


class LeftAloneJson(TypedDict):
    """The hosts that a crawl leaves alone."""

    crawl: str
    left_alone: list[str]


class StartedJson(TypedDict):
    """A new crawl."""

    crawl: str
    started: bool
    command: str  # as one would type it; "" where something is wrong
    errors: list[Mistake]  # of `only_check`
