import pytest

from tests.web.helpers import Stage


@pytest.fixture
def stage() -> Stage:
    """The web room round an empty table."""
    return Stage()


@pytest.fixture
def game(stage: Stage) -> Stage:
    """The same, with Ana and Ben about to throw."""
    stage.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    return stage
