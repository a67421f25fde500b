"""News, as screens see them until the next."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.features.news.news import NewsView, news
from station.game.feature import Feature, PlayedStep, implementing


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    news: Annotated[
        NewsView | None, Field(description="What was told last; null since the station's start.")
    ] = None


class NewsFeature(Feature):
    """The note on a step."""

    table_view = TablePart
    first_noted = TablePart()

    def noted(self, step: PlayedStep, last: TablePart) -> TablePart:
        """The news of it."""
        calls = (feature.call(step) for feature in implementing(Feature.call))
        return TablePart(news(step, last.news, next((each for each in calls if each), None)))
