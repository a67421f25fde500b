"""Every sentence the health checks compose in English, for the catalogues; see `web.phrases`."""

from collections.abc import Callable

N_: Callable[[str], str] = str

NAMES = (
    N_("Camera"),
    N_("Buttons"),
    N_("Database"),
    N_("Disk"),
    N_("Profile"),
    N_("Clock"),
    N_("Certificate"),
    N_("Temperature"),
    N_("Power"),
    N_("Screens"),
)
MESSAGES = (
    N_("{camera}, last picture {age} s ago."),
    N_("Could not be looked at: {why}."),
    N_("None yet in {folder}; the first game makes it."),
    N_("{path} cannot be written; look at the rights of its folder."),
    N_("{path} is sound; finished games: {games}; {size} kB."),
    N_("{free} GB free at {folder}."),
    N_("{free} GB free at {folder}. Make room, or games can no longer be recorded."),
    N_("{free} GB free at {folder}. Make room soon."),
    N_("Not calibrated; 'yacht calibrate' makes reading surer."),
    N_("Calibrated {days} days ago."),
    N_("Calibrated {days} days ago; do it again with 'yacht calibrate'."),
    N_("It says {day}; connect the network once, or set it."),
    N_("Good until {day}."),
    N_("It is good only until {day}. Make a new one, then start the station again."),
    N_("It was good until {day}; screens refuse https. Make a new one, then start the station again."),
    N_("It is good only from {day}; look at the clock of this machine."),
    N_("Screens will not take the certificate {path} ({why})."),
    N_("This machine does not tell it."),
    N_("{celsius} °C: it slows down; give it air or a heat sink."),
    N_("{celsius} °C: warm; it needs air."),
    N_("Too little voltage now; use the supply made for this Pi."),
    N_("It is slowed down now, by heat or too weak a supply."),
    N_("Too little voltage since the start; a better supply is wanted."),
    N_("It was slowed down since the start; look at supply and heat."),
    N_("Good since the start."),
    N_("buttons on the header"),
    N_("The {camera} does not answer; check its cable or address."),
    N_("The {camera} gives no pictures; unplug it and plug it in again."),
    N_("The {camera} does not answer; unplug it and plug it in again."),
    N_("The recording has ended; its last picture stays."),
)
