"""Every kind of buttons and lamps, one after the other."""

import pytest

from tests.devices.rigs import RIGS, rig


@pytest.fixture(params=RIGS)
def any_rig(request):
    with rig(request.param) as made:
        yield made
