import pytest

from tests.trials import copies_tried_here
from tests.web.helpers import Stage

__all__ = ["copies_tried_here"]


@pytest.fixture(scope="module")
def shared_stage() -> Stage:
    """A station that the tests of a file share: none changes it. To build its routes takes 40 ms."""
    return Stage()


@pytest.fixture
def stage() -> Stage:
    """The web room round an empty table."""
    return Stage()


@pytest.fixture
def game(stage: Stage) -> Stage:
    """The same, with Ana and Ben about to throw."""
    stage.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    return stage
