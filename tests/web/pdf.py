"""What stands in a PDF."""

import re
import zlib

ESCAPED = {b"r": b"\r", b"n": b"\n"}


def written(pdf: bytes) -> str:
    """The text of a PDF's pages, found as a search does: by the tables that lead from glyphs to letters.

    Bytes of a string are two for each glyph; each font has a table of its own, chosen by Tf.
    """
    objects = dict(re.findall(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL))

    def stream(number: bytes) -> bytes:
        head, _, data = objects[number].partition(b"stream\n")
        data = data.removesuffix(b"\nendstream")
        return zlib.decompress(data) if b"FlateDecode" in head else data

    tables = {}
    for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", pdf):
        table = stream(re.search(rb"/ToUnicode (\d+)", objects[number])[1])
        tables[name] = {
            int(glyph, 16): bytes.fromhex(letter.decode()).decode("utf-16-be")
            for glyph, letter in re.findall(rb"<(\w{4})> <(\w+)>\n", table)
        }
    page = b"\n".join(stream(number) for number in re.findall(rb"/Contents (\d+)", pdf))
    told, font = "", b""
    for name, text in re.findall(rb"/(F\d+) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj", page, re.DOTALL):
        font = name or font
        plain = re.sub(rb"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), text, flags=re.DOTALL)
        glyphs = [plain[i] * 256 + plain[i + 1] for i in range(0, len(plain), 2)]
        told += "".join(tables[font][glyph] for glyph in glyphs) + "\n"
    return told
