"""News, as screens see them until the next. A great throw is told by its name: that feature is known here."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.features.great_throws.great_throws import of_step
from station.features.news.news import NewsView, news
from station.game.feature import Feature, Step


@dataclass(frozen=True, slots=True)
class TablePart:
    """What screens see of it."""

    news: Annotated[
        NewsView | None, Field(description="What was told last; null since the station's start.")
    ] = None


class NewsFeature(Feature):
    """What is noted of a step."""

    table_view = TablePart
    first_noted = TablePart()

    def noted(self, step: Step, last: TablePart) -> TablePart:
        """What it is told as."""
        return TablePart(news(step, last.news, of_step(step)))
