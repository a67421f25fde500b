"""The types of the API for the scripts of the pages, made from its description for every `make check`."""

import json
from typing import Any

from tests.conftest import ROOT
from tests.web.helpers import Stage
from web.core import openapi

FILE = ROOT / "web" / "core" / "contract.d.ts"
HEAD = "// What the station says and hears. Made by `make check`; not kept.\n\ndeclare namespace Api {\n"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: dict[str, Any]) -> str:
    """A JSON schema as TypeScript has it.

    >>> type_of({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    >>> type_of({"enum": [0, "normal"]})
    '0 | "normal"'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(type_of(each) for each in schema.get("anyOf", schema.get("oneOf")))
    if schema.get("type") == "array":
        inner = [type_of(each) for each in schema.get("prefixItems", [schema.get("items", {})])]
        return f"[{', '.join(inner)}]" if "prefixItems" in schema else f"({inner[0]})[]"
    values = schema.get("additionalProperties")
    known = f"Record<string, {type_of(values)}>" if isinstance(values, dict) else "unknown"
    return SIMPLE.get(schema.get("type", ""), known)


def interface(name: str, schema: dict[str, Any]) -> str:
    """A model: its sentence, and a line for each field; a closed set of words is a type of its own."""
    told = " ".join(schema.get("description", name).split())
    if "properties" not in schema:
        return f"/** {told} */\ntype {name} = {type_of(schema)};\n"
    needed = schema.get("required", ())
    fields = "".join(
        f"  {each}{'' if each in needed else '?'}: {type_of(about)};\n"
        for each, about in schema["properties"].items()
    )
    return f"/** {told} */\ninterface {name} {{\n{fields}}}\n"


def written() -> str:
    """The whole file."""
    schemas = openapi.describe(Stage().app)["components"]["schemas"]
    told = (interface(name, schemas[name]) for name in sorted(schemas))
    return HEAD + "\n".join(told) + "}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
