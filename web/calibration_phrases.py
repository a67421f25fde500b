"""Every sentence calibration composes in English, for the catalogues; see `web.phrases`."""

from collections.abc import Callable

N_: Callable[[str], str] = str

TRAY = (
    N_("Marker {number} is in the picture twice; use one printed page only."),
    N_("Marker {number} is blurred; focus the camera on the tray's floor and hold still."),
    N_("No marker can be seen; lay the four markers into the tray's corners and give light."),
    N_("Marker {markers} cannot be seen; lay it flat, wholly in the picture, nothing on it."),
    N_("{number} (top left)"),
    N_("{number} (top right)"),
    N_("{number} (bottom right)"),
    N_("{number} (bottom left)"),
    N_(
        "The markers lie in the wrong corners; they belong: 0 top left, 1 top right, 2 bottom right, "
        "3 bottom left."
    ),
    N_("The markers do not fit together (by {misfit} pixels); lay them flat, and print the page at 100 %."),
    N_("These are not the four corners of a tray; drag them to its corners, in order."),
    N_("A corner lies outside the picture; the whole tray has to be seen."),
    N_("The corners go the wrong way round; begin at the top left and go clockwise."),
    N_("The corners lie too close together; drag them to the corners of the tray's floor."),
    N_("A tray {width} mm wide cannot be; measure it inside, from wall to wall."),
    N_("Type how wide the tray is inside, in millimetres."),
    N_(
        "The tray is {width} by {depth} mm; the camera hangs about {height} cm above it, and a die of "
        "{edge} mm is {pixels} pixels wide."
    ),
    N_("Find the tray first."),
)
EMPTY = (
    N_("The camera gave too few pictures; try again."),
    N_("A die lies in the tray; take everything out and try again."),
    N_("{count} dice lie in the tray; take everything out and try again."),
    N_("The markers still lie in the tray; take them out and try again."),
    N_("Something moves in the picture; take hands and camera to rest and try again."),
    N_("Learn the empty tray first."),
    N_("The camera's settings are held."),
    N_("This camera holds no settings."),
    N_("{held} It cannot hold its {settings}: keep the light as it is."),
)
LIGHT = (
    N_("The tray is too dark."),
    N_("Switch on a lamp, or let the camera expose longer."),
    N_("Parts of the picture are burnt out."),
    N_("Dim or move the lamp, or lower the exposure."),
    N_("A lamp is mirrored in the tray."),
    N_("Move it to the side, or hang thin paper in front of it."),
    N_("The light flickers with the mains."),
    N_("Set the camera's exposure to a multiple of 10 ms (50 Hz), or use another lamp."),
    N_("A strong shadow lies across the tray."),
    N_("Light it from two sides, or move what casts the shadow."),
    N_("One side of the tray is much brighter than the other."),
    N_("Light it from two sides, or hang the lamp higher."),
    N_("The picture is out of focus."),
    N_("Focus on the tray's floor, and wipe the lens."),
    N_("Dice are small in the picture."),
    N_("Hang the camera lower, choose a larger picture, or larger dice."),
)
DICE = (
    N_("No dice can be seen; lay all dice you play with flat into the tray, apart."),
    N_(
        "Dice of {least} to {most} mm cannot be; find the tray again and check the printed ruler or the "
        "width you typed."
    ),
)
LENS = (
    N_("The lens is known very well (error {error} pixels)."),
    N_("The lens is known well enough (error {error} pixels)."),
    N_(
        "The lens is not known well (error {error} pixels): lay the page on something flat, give more light, "
        "and hold still."
    ),
    N_("That is enough; the lens can be worked out."),
    N_("{views} views. Now hold the board to the {where}, {height}, and lean it a little."),
    N_("{views} views. A few more, leaning the board another way each time."),
    N_("left"),
    N_("left of the middle"),
    N_("right of the middle"),
    N_("right"),
    N_("top"),
    N_("middle"),
    N_("bottom"),
    N_("Two boards are in the picture; take one away."),
    N_("Too little of the board can be seen; show all of it, flat, sharp and well lit."),
    N_("Hold the board elsewhere, or lean it another way."),
    N_(
        "{views} views show the board in only {kept} different places; move it about and lean it: {least} "
        "are needed, {enough} are good."
    ),
)
CHECK = (
    N_("Nothing has been checked yet."),
    N_(
        "{wrong} of {count} dice were read wrongly: learn the empty tray and the dice again, and look at "
        "the light."
    ),
    N_("All {count} dice were read rightly: fewer than 1 in {bound} is wrong here."),
    N_(
        "All {count} dice were read rightly; {unsure} of {throws} throws were not sure: fewer than 1 in "
        "{bound} is wrong here."
    ),
    N_("Throw first, then say what the dice show."),
    N_("{count} dice were read; say of each what it shows."),
)
AFTERWARDS = (
    N_("The camera stands as it did."),
    N_("Too much of the tray is hidden to tell whether the camera was moved."),
    N_("The picture no longer shows the tray as it was; find the tray again."),
    N_("The tray was moved by {pixels} pixels; the camera stands as it did."),
    N_("The camera was bumped: the picture moved by {pixels} pixels."),
    N_("The camera was bumped: the picture moved by {pixels} pixels and turned by {degrees} degrees."),
    N_("{movement} The station follows; calibrate again when there is time."),
    N_("{movement} The station has followed it."),
    N_("{movement} Calibrate again."),
    N_("{movement} Press 'Find the tray'."),
    N_("It is much darker than when the tray was learnt; switch the lamp on, or learn the tray again."),
    N_("It is much brighter than when the tray was learnt; learn the tray again."),
    N_("The light has another colour than when the tray was learnt; learn the tray again."),
    N_("The picture is no longer sharp; focus the camera, or wipe its lens."),
    N_("The profile {name} was made for the {camera}, not for the {other}; calibrate again."),
    N_(
        "The profile {name} was made for pictures of {before}, which have another shape than {now}; "
        "calibrate again."
    ),
    N_("The profile cannot be read, so there is none in use; calibrate again, or choose one that is kept."),
    N_("There is no empty tray to compare with; calibrate anew."),
    N_("The camera stands as it did. If the light has changed, learn the empty tray again."),
    N_("The empty tray is learnt again."),
    N_("The profile fits the picture again."),
    N_("None of the profiles shows this tray; calibrate anew."),
    N_("The profile “{name}” is used now."),
    N_("There is no profile {name} any more."),
    N_("The {camera} gives no pictures; look at its cable."),
    N_("This station has no camera to calibrate."),
)
