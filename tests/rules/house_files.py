"""House rules that the tests read, and mistakes that are put into them."""

from pathlib import Path

FOLDER = Path(__file__).parent / "house"


def house(name: str) -> str:
    """A file of house rules, or a part of one."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


GOOD = house("good")
EVERYTHING = house("everything")
"""Every key that a file can have."""
COLUMNS, IN_COLUMNS = house("columns"), house("in_columns")
"""Columns, and bonuses and boxes for them."""
NAMED = house("named")
"""Boxes with names of their own."""
BY_THROW = house("by_throw")
CLASH, NEVER, AGAIN = house("clash"), house("never"), house("again")
"""Files of which much is refused: what clashes, what never comes, what is there already."""
FEW = house("few")
"""Of three boxes: all about it is worked out in a moment."""

FULL_HOUSE = 'points="sum"\nfive_of_a_kind=false'
BONUS = "[bonus]\nthreshold = 20\npoints = 10"
EDITS: dict[str, dict[str, tuple[str, ...]]] = {
    "good": {
        "throws = 4": (
            "throws = ",
            "throws = 4\ncolour = 1",
            "throws = 10",
            "throws = 11",
            "# a remark\n\nthrows = 0",
            f"throws = 0x{'f' * 5000}",
        ),
        'id = "grandma"': (
            'id = "Grand ma"',
            '\nid = "world-51"',
        ),
        'title = "Yacht as Grandma plays it"': (f'title = "{"x" * 200}"',),
        "players = [2, 6]": (
            "players = [0, 6]",
            "players = [1, 1]",
            "players = [20, 20]",
            "players = [2, 21]",
        ),
        BONUS: (
            "[bonus]\nthreshold = 30\npoints = 1000",
            "[bonus]\nthreshold = 31\npoints = 1001",
            "[bonus]\nsteps = [[31, 10], [40, 11]]",
            "[bonus]\nthreshold = 20\npoints = 10\nboxes = [1]",
            "bonus = {threshold = 20, points = 0}",
            "bonus.threshold = 20\nbonus.points = 0",
            "bonus = 10",
            '[[column]]\nid = "Down"\nlabel = "Down"\n' + BONUS,
        ),
        'category = "sixes"': ('category = "sixes"\nafter = "yacht"',),
        'label = "Sixes"': (
            f'label = "{"x" * 24}"',
            f'label = "{"x" * 25}"',
            f'label = {{en = "{"x" * 25}"}}',
            'label = "Sixes"\npoints = 6',
        ),
        'label = "Four"': (
            'label = "Sixes"',
            'label = "Four"\nafter = "total"',
        ),
        '"full-house"\nlabel = "House"\npoints = 25\nfive_of_a_kind = true': ('"sixes"\nlabel = "Six"',),
        "points = 25": (
            "points = -1000",
            "points = -1001",
        ),
        "points = 60": ("points = 1000",),
        "first_throw_points = 20": (
            "first_throw_points = 15",
            "first_throw_points = 14",
            "first_throw_points = 1000",
        ),
        '"yacht"': ('"large-straight"',),
    },
    "everything": {
        "par = [9]": ("par = [-1]",),
        "[[0, -3], [50, 6]]": (
            "[[0, true]]",
            "[[9, 1], [3, 2]]",
        ),
        "simultaneous = true": ("simultaneous = true\nsaved_throws = true",),
    },
    "by-throw": {
        "[20, 10]": (
            "[4, 3, 2, 1]",
            "[20, -10]",
            "[20, 10]\nannounced = true",
        ),
        "throws = 3": ("throws = 3\nsaved_throws = true",),
    },
}
"""What is written instead of a part of these files, beside a value in each line."""
