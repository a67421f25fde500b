"""Tries the station on a Raspberry Pi that is only simulated: `make virtual-pi` (lab/docs/virtual-pi.md)."""

import sys

from lab.virtual_pi.machine import main

sys.exit(main())
