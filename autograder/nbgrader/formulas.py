"""TeX formulas as MathML, which browsers show without a script."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html import escape, unescape

from latex2mathml.converter import convert_to_element

_MAX_LENGTH = 2_000
_ELEMENTS = frozenset([
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "msub", "msup", "msubsup", "mfrac",
    "msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mpadded", "mstyle",
    "mphantom", "menclose"
])  # fmt: skip
_ATTRIBUTES = frozenset([
    "xmlns", "display", "mathvariant", "stretchy", "fence", "form", "width", "height", "depth",
    "lspace", "rspace", "minsize", "maxsize", "largeop", "movablelimits", "accent", "linethickness",
    "columnalign", "columnspacing", "rowspacing", "displaystyle", "scriptlevel", "separator"
])  # fmt: skip


def formula_html(tex: str, *, block: bool = False) -> str:
    """Return a formula as MathML, or its source as code if it cannot be converted.

    A student may have written the formula. So no other element is kept, and no attribute that could
    lead away or run something.
    """
    tex = tex.strip()
    if len(tex) > _MAX_LENGTH:
        return _source(tex)
    try:
        root = convert_to_element(tex, display="block" if block else "inline")
        return ET.tostring(_harmless(root), encoding="unicode")
    except Exception:  # noqa: BLE001 - the library raises many types, and the source is readable
        return _source(tex)


def _source(tex: str) -> str:
    return f"<code>{escape(tex)}</code>"


def _harmless(root: ET.Element) -> ET.Element:
    for element in root.iter():
        # The library writes entities into its texts, and leaves commands that it does not know.
        element.text = unescape(element.text or "")
        if element.tag not in _ELEMENTS or element.text.startswith(("\\", "&")):
            raise ValueError(f"{element.tag} {element.text}")
        for name in element.attrib.keys() - _ATTRIBUTES:
            del element.attrib[name]
    return root
