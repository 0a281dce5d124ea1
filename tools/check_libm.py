#!/usr/bin/env python3
"""Checks that no result depends on the variant of libm. Exit 1 and one line a violation, or exit 0.

    tools/check_libm.py [--nm NM] LIBRARY.a...

libm has several variants of its transcendental functions and takes the one that suits the processor; they differ in the
last bit. So objects of the library call espalier/base/numbers.hpp instead, whatever header the call stands in (Eigen's
too). Pictures and pages may call libm: they hold no results.
"""
import re
import subprocess
import sys

REAL = (
    "sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p "
    "pow cbrt hypot erf erfc tgamma lgamma"
).split()
COMPLEX = "csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cexp clog cpow carg".split()
FORBIDDEN = {name + ending for name in REAL + COMPLEX for ending in ("", "f", "l")}
FORBIDDEN |= {f"__{name}_finite" for name in REAL}
PICTURES = {
    "chart_picture.cpp.o",
    "chart_axis.cpp.o",
    "picture.cpp.o",
    "plan_picture.cpp.o",
    "plan_page.cpp.o",
    "mode_page.cpp.o",
}


def calls(nm, library):
    """(object, symbol) of everything the objects of a library leave undefined."""
    listing = subprocess.run([nm, "-A", "-u", library], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        found = re.match(r".*?:(?P<object>[^:]+):\s+[UwW]\s+(?P<symbol>[^@\s]+)", line)
        if found:
            yield found["object"], found["symbol"]


def main(words):
    nm = "nm"
    if words[:1] == ["--nm"]:
        nm, words = words[1], words[2:]
    wrong = sorted({pair for library in words for pair in calls(nm, library) if pair[1] in FORBIDDEN})
    for name, symbol in wrong:
        if name in PICTURES:
            continue
        print(f"{name}: calls {symbol} of libm; use espalier/base/numbers.hpp")
    return 1 if any(name not in PICTURES for name, _ in wrong) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
