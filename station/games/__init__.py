"""Games of the family that come as rule files (docs/house-rules.md), each from published rules it names."""

from functools import cache
from importlib.resources import files


@cache
def texts() -> dict[str, str]:
    """Their texts by id, which is what each file is called."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(".toml"))
    return {
        file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
        for file in sorted(found, key=lambda file: file.name)
    }
