"""Every sentence the health checks compose in English, for the catalogues; see `web.phrases`."""

from collections.abc import Callable

N_: Callable[[str], str] = str

MESSAGES = (
    N_("buttons on the header"),
    N_("The {camera} does not answer; check its cable or address."),
    N_("The {camera} gives no pictures; unplug it and plug it in again."),
    N_("The {camera} does not answer; unplug it and plug it in again."),
    N_("The recording has ended; its last picture stays."),
)
