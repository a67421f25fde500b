"""`python -m lab.bench [SECTION…] [OPTION…]`: as `python -m bench`, of the workshop's own sections."""

from bench.__main__ import main

SECTIONS = {
    name: f"lab.bench.{name}"
    for name in ("sweep", "simulated", "strengths", "calibration", "buttons", "board", "phone", "moves")
}
OPTIONED = {"simulated": "lab.bench.simulated", "board": "lab.bench.board"}

if __name__ == "__main__":
    main(SECTIONS, OPTIONED)
