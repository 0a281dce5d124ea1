"""What the pages of bench/ have in common: reading a table, and writing numbers, tables and prose as Markdown."""
import csv
import sys
import textwrap
from pathlib import Path

BENCH = Path(__file__).resolve().parent
EPYC, XEON = "amd-epyc-x2", "xeon-2100mhz-x16"
HEADS = ("scene,phase", "name", "part", "ranks", "experiment", "what", "model", "problem", "program", "shapes", "chain",
         "case")


def rows(machine, question):
    """The rows of a CSV as maps; what stands above its head is left out."""
    with open(BENCH / "results" / machine / f"{question}.csv", encoding="utf-8") as file:
        lines = [line for line in file if line.strip()]
    head = next(k for k, line in enumerate(lines) if line.strip('"').startswith(HEADS))
    return list(csv.DictReader(lines[head:]))


def pick(table, **wanted):
    """The rows whose columns have these values."""
    return [row for row in table if all(row[key] == str(value) for key, value in wanted.items())]


def one(table, column, **wanted):
    """The number in `column` of the only row with these values."""
    found = pick(table, **wanted)
    if len(found) != 1:
        sys.exit(f"{len(found)} rows with {wanted}")
    return float(found[0][column])


def number(value, digits=3):
    """Three digits, and no exponent where it can be avoided."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text and 1e-4 < abs(value) < 1e7:
        return f"{float(text):.0f}"
    return text


def listed(values, digits=3):
    """Numbers as words are listed."""
    texts = [number(value, digits) for value in values]
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + " and " + texts[-1]


def table_of(heads, lines):
    """A Markdown table."""
    body = [heads, ["---"] + ["--:"] * (len(heads) - 1), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in body)


def times(table):
    """Google Benchmark's medians: {(name, size): row}."""
    found = {}
    for row in table:
        name, _, rest = row["name"].partition("/")
        if rest.endswith("_median") or rest.endswith("repeats:1"):
            found[name, int(rest.replace("_median", "").split("/")[0])] = row
    return found


def ranks_of(values):
    """The rank of each value; equal values share the mean of theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def spearman(first, second):
    """Rank correlation of two lists, 1 where they order alike."""
    a, b = ranks_of(first), ranks_of(second)
    middle = (len(a) - 1) / 2
    both = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    return both / (sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)) ** 0.5


def wrap(text, width=118):
    """Prose on lines of at most `width` characters; tables stay as they are."""
    blocks = []
    for block in text.split("\n\n"):
        keep = block.startswith(("|", "#", "    "))
        blocks.append(
            block
            if keep
            else textwrap.fill(" ".join(block.split()), width, break_long_words=False, break_on_hyphens=False)
        )
    return "\n\n".join(blocks)
