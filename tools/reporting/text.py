"""Numbers and HTML as text."""

import html

import numpy as np

from plotting.base import scaled

NARROW = "\u202f"  # between a number and its unit


def sentence(text):
    """A message with its first letter in capitals, or with an abbreviation: PEC group .."""
    word = text.split(" ", 1)[0]
    return (word.upper() if word in ("pec", "pmc") else word[:1].upper() + word[1:]) + text[len(word) :]


def escape(text):
    return html.escape(str(text), quote=True)


def short(value, digits=4):
    """`digits` significant digits without a needless exponent: 0.0123, 51.98, 1.2e-07."""
    if value is None or not np.isfinite(value):
        return "–"
    text = f"{value:.{digits}g}"
    if "e" in text:
        exponent = int(text.split("e")[1])
        if 0 < exponent < 9:
            return grouped(round(value))
        return f"{text.split('e')[0]}e{exponent}".replace("-", "−")
    return text.replace("-", "−")


def grouped(value):
    """12 002 256, by narrow spaces."""
    if not np.isfinite(value):
        return "–"
    return f"{int(value):,}".replace(",", NARROW).replace("-", "−")


def engineering(value, unit, digits=4):
    """2.45 GHz."""
    if value is None or not np.isfinite(value):
        return "–"
    if value == 0:
        return f"0{NARROW}{unit}"
    factor, prefixed = scaled(abs(value), unit)
    return f"{short(value * factor, digits)}{NARROW}{prefixed}"


def memory(value):
    for factor, unit in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if value >= factor:
            return f"{value / factor:.3g}{NARROW}{unit}"
    return f"{int(value)}{NARROW}B"


def duration(seconds):
    """2 h 15 min, 12.3 s, 3.1 ms."""
    if seconds is None or not np.isfinite(seconds):
        return "–"
    if seconds < 120:
        return engineering(seconds, "s", 3)
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes}{NARROW}min"
    return f"{minutes // 60}{NARROW}h {minutes % 60}{NARROW}min"


def percent(share):
    return f"{short(100 * share, 3)}{NARROW}%"


class Table:
    """Rows of cells; the first column and those in `texts` are text, the others numbers, aligned to the right."""

    def __init__(self, *heads, texts=(0,), kind=""):
        self.heads, self.texts, self.kind, self.rows = heads, set(texts), kind, []

    def add(self, *cells, kind=""):
        """Cells are HTML already where they are of type Markup, else text."""
        self.rows.append((cells, kind))

    def cell(self, tag, index, content):
        inner = content if isinstance(content, Markup) else escape(content)
        return f"<{tag}>{inner}</{tag}>" if index in self.texts else f'<{tag} class="n">{inner}</{tag}>'

    def html(self):
        if not self.rows:
            return ""
        head = "".join(self.cell("th", k, text) for k, text in enumerate(self.heads))
        body = "".join(
            f'<tr class="{kind}">' + "".join(self.cell("td", k, cell) for k, cell in enumerate(cells)) + "</tr>" for cells, kind in self.rows
        )
        head = f"<thead><tr>{head}</tr></thead>" if any(self.heads) else ""
        return f'<div class="scroll"><table class="{self.kind}">{head}<tbody>{body}</tbody></table></div>'


class Markup(str):
    """HTML, not to be escaped again."""
