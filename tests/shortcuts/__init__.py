"""What spares the tests processor time at the price of reaching into the product; CONTRIBUTING.md lists it.

`YACHT_SHORTCUTS=0` runs the tests without.
"""

import os

SHORTCUTS = os.environ.get("YACHT_SHORTCUTS") != "0"
