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
