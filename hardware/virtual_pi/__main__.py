"""Tries the station on a Raspberry Pi that is only simulated: `make virtual-pi`; see docs/virtual-pi.md."""

import sys

from hardware.virtual_pi.machine import main

sys.exit(main())
