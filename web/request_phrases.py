"""What is wrong with a request, a file or house rules, and what rules say in words; see `web.phrases`."""

from collections.abc import Callable

N_: Callable[[str], str] = str

REQUESTS = (
    N_("This request cannot be understood."),
    N_("This screen may not do that."),
    N_("This address does not answer that kind of request."),
    N_("This request is larger than anything the station needs to hear."),
    N_("Send this as JSON: content-type: application/json."),
    N_("Send one JSON object, {…}."),
    N_("This JSON is nested deeper than any request of ours."),
    N_("This is not JSON; look for a missing quote or comma."),
    N_("The field '{key}' is not known here."),
    N_("The field '{key}' is missing."),
    N_("The field 'command' must be one of those in the API description: {what}."),
    N_("The field '{key}' is not right: it should be {what}."),
    N_("'version' must be a whole number, not {found}."),
)
TABLE = (
    N_("No game is being played; there are no boxes yet."),
    N_("A game is being played; end it first."),
    N_("This station keeps no games."),
    N_("This station keeps no games, so {path} would be empty."),
    N_("This station keeps no house rules."),
    N_("Already {count} screens are following this table; close one and try again."),
    N_("{name} has no screen at this table."),
    N_("There is no die {slot} to set right."),
    N_("There is no new roll on the tray to set right."),
    N_("Die {slot} is held and shows {face}."),
    N_("{thrown} of {all} dice are thrown; give faces for {some} or for all {every}."),
    N_("That is nothing the game knows."),
    N_("There is no box {box}."),
    N_("There are no ten dice to be divided."),
    N_("The two groups of five need two different open boxes."),
    N_("Give the dice as numbers with commas, such as 1,2,5."),
    N_("Reading the camera failed; the log of the station says where."),
    N_("Advice for {title} is ready."),
)
STORE = (N_("{path} cannot be written ({why}); this lasts until the station stops."),)
HOUSE_RULES = (N_("{rules} comes with the station and stays."),)
