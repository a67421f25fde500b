"""House rules that the tests read, and spoil."""

FULL_HOUSE = 'points="sum"\nfive_of_a_kind=false'
BONUS = "[bonus]\nthreshold = 20\npoints = 10"
GOOD = """\
id = "grandma"
title = "Yacht as Grandma plays it"
throws = 4
players = [2, 6]
[bonus]
threshold = 20
points = 10
[further_yachts]
joker = "wild"
points = 20
[[box]]
category = "sixes"
label = "Sixes"
[[box]]
category = "four-of-a-kind"
label = "Four"
points = "matching"
[[box]]
category = "full-house"
label = "House"
points = 25
five_of_a_kind = true
[[box]]
category = "small-straight"
label = "Row"
points = 15
first_throw_points = 20
[[box]]
category = "yacht"
label = "Yacht"
points = 60
"""

EVERYTHING = """\
id = "all"
title = "Everything that can be said"
throws = 3
dice = 6
players = [2, 4]
count_only = "bonus"
simultaneous = true
first_throw_wins = false
first_die = "highest"
[[box]]
category = "sixes"
label = "Sixes"
count = 2
[[box]]
category = "choice"
label = "All"
factor = 3
optional = true
[[box]]
category = "yacht"
label = "Yacht"
points = 50
plus = 7
served = 5
after = "choice"
[[bonus]]
threshold = 20
points = 10
[[bonus]]
boxes = ["sixes"]
par = [18, 12]
each = 3
[[bonus]]
boxes = ["choice"]
par = [9]
[[bonus]]
boxes = ["choice", "yacht"]
each_box = 4
counts = "end"
[[bonus]]
boxes = "all"
complete = true
points = 40
[[bonus]]
boxes = ["yacht"]
steps = [[0, -3], [50, 6]]
"""
COLUMNS = (
    '[[column]]\nid = "down"\nlabel = "Down"\norder = "down"\nfactor = 2\n'
    '[[column]]\nid = "free"\nlabel = "Free"\n'
)
IN_COLUMNS = """\
[[bonus]]
threshold = 9
points = 5
[[bonus]]
boxes = "all"
steps = [[40, -3], [70, 6]]
[[bonus]]
boxes = "all"
par = [9, 10, 11]
each = 2
[[bonus]]
boxes = ["choice", "threes"]
par = [10, 9]
[[bonus]]
boxes = ["choice"]
each_box = 4
counts = "filled"
[[bonus]]
boxes = ["choice", "odd"]
complete = true
points = 40
[[box]]
category = "threes"
label = "Threes"
[[box]]
category = "choice"
label = "All"
factor = 2
served = [3, 1]
[[box]]
category = "odd"
label = "Odd"
points = "sum"
after = "choice"
"""
"""Bonuses and boxes for these columns."""
NAMED = """\
id = "named"
title = "Boxes with names of their own"
source = "Aunt Vera, 1987"
starts = "the youngest starts"
throws = 2
saved_throws = true
[bonus]
boxes = ["first", "second"]
threshold = 20
points = 10
[further_yachts]
joker = "forced"
points = 0
[[box]]
category = "first"
pattern = "yacht"
label = "First"
points = 50
optional = true
[[box]]
category = "second"
pattern = "run"
label = "Second"
length = 4
points = 30
count = 2
[[box]]
category = "third"
pattern = "choice"
label = "Third"
plus = -3
after = "second"
"""
CLASH = """\
id = "clash"
title = "What cannot be played together"
throws = 2
saved_throws = true
simultaneous = true
first_throw_wins = true
count_only = "bonus"
[[box]]
category = "choice"
label = "Choice"
optional = true
announced = true
[[box]]
category = "pair"
label = "Pair"
points = 5
first_throw_points = 6
optional = true
[[box]]
category = "yacht"
label = "Yacht"
points = 50
served = [3, 2]
optional = true
"""
NEVER = """\
id = "never"
title = "What never comes"
throws = 3
[further_yachts]
joker = "wild"
points = 1001
[[bonus]]
boxes = ["pair"]
each_box = 4
[[bonus]]
boxes = ["choice", "pair"]
complete = true
points = 9
[[bonus]]
boxes = ["pair", "choice"]
threshold = 31
points = 9
[[bonus]]
boxes = ["pair"]
steps = [[1, 2]]
[[bonus]]
boxes = ["pair", "nothing"]
par = [1, 2]
[[bonus]]
par = [1]
[[box]]
category = "pair"
label = "Pair"
points = 0
[[box]]
category = "choice"
label = "Choice"
"""
AGAIN = """\
id = "again"
title = "What is there already"
throws = 2
[[column]]
id = "one"
label = "One"
[[column]]
id = "one"
label = "Two"
[[column]]
id = "Three"
label = "Three"
[[box]]
category = "Choice"
pattern = "choice"
label = "Choice"
[[box]]
category = "run"
label = "Run"
length = 6
points = 9
[[box]]
category = "pair"
label = "Pair"
points = 5
count = 3
served = [3, 2, 1]
[[box]]
category = "pair"
label = "Other"
points = 5
[[box]]
category = "pairs"
pattern = "pair"
label = "Pair"
points = 5
after = "nothing"
[[box]]
category = "three"
pattern = "pair"
label = "Pair"
points = 5
"""
"""Files of which much is refused: what clashes, what never comes, what is there already."""

FEW = """
id = "few"
title = "Few Boxes"
throws = 3
[[box]]
category = "sixes"
label = "Six"
[[box]]
category = "choice"
label = "All"
[[box]]
category = "yacht"
label = "Yacht"
points = 50
"""
"""Of three boxes: all about it is worked out in a moment."""
