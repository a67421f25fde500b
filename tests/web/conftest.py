from collections.abc import Iterator
from functools import cache

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from tests.conftest import ROOT
from tests.trials import copies_tried_here
from tests.web.helpers import Stage
from web.core import assets

__all__ = ["copies_tried_here"]


class KeptTemplates(BytecodeCache):
    """Compiled templates, in memory; jinja2 compiles again what was written otherwise."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def kept_pages() -> Iterator[None]:
    """What is worked out anew for each app, and is the same for all, is kept for the next tests."""
    compiled: dict[tuple[object, ...], Rule] = {}
    compile_ = Rule.compile

    def kept_compile(rule: Rule) -> None:
        same = compiled.setdefault((rule.rule, repr(rule.defaults), rule.subdomain, rule.merge_slashes), rule)
        if same is rule:
            compile_(rule)
            return
        rule._parts, rule._trace, rule._converters = same._parts, same._trace, same._converters
        rule.arguments |= same.arguments
        builders = (same._build, same._build_unknown)
        rule._build, rule._build_unknown = (each.__func__.__get__(rule, None) for each in builders)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", kept_compile)
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": KeptTemplates()})
        for each in ("_files", "_assets"):
            patch.setattr(assets, each, cache(getattr(assets, each)))
        named = assets.fingerprint(assets._assets(assets._files(ROOT / "web")))
        patch.setattr(assets, "fingerprint", lambda _: named)
        yield


@pytest.fixture
def stage() -> Stage:
    """The web room round an empty table."""
    return Stage()


@pytest.fixture
def game(stage: Stage) -> Stage:
    """The same, with Ana and Ben about to throw."""
    stage.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    return stage
