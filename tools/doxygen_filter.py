#!/usr/bin/env python3
"""Turns the plain comments of a header into those that Doxygen reads, and writes the result to standard output.

    tools/doxygen_filter.py HEADER

A comment on lines of its own belongs to the declaration below it, one behind code to that code. The first comment,
between #pragma once and the includes, describes the file.
"""
import re
import sys

from check_layers import TOKEN

SPECIAL = re.compile(r"[\\@<>#%&\"]|::|[*_`~|\[\]]|^(\s*)[-+] ")

EIGEN = re.compile(r"^template <>\nstruct Eigen::.*?^\};", re.DOTALL | re.MULTILINE)


def escaped(text):
    """Plain text: nothing in it is a command, a tag, a link or Markdown."""
    def escape(match):
        if match[0] in ("<", ">", "&"):
            return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[match[0]]
        if match[0] == "::" or match[0] in '\\@#%"':
            return "\\" + match[0]
        return match[0] if match[0].strip() in ("-", "+") else f"&#{ord(match[0])};"

    return SPECIAL.sub(escape, text)


def filtered(text):
    """The header with other comment signs, and without what is told to Eigen about our numbers."""
    text = EIGEN.sub("", text)
    out, end = [], 0
    first_include = text.find("#include")
    in_file_comment = False
    for token in TOKEN.finditer(text):
        if token["comment"] is None or not token[0].startswith("//"):
            continue
        line_start = text.rfind("\n", 0, token.start()) + 1
        alone = not text[line_start : token.start()].strip()
        words = token[0][2:]
        out.append(text[end : token.start()])
        describes_file = alone and token.start() < max(first_include, 0)
        if describes_file and not in_file_comment:
            out.append("/// \\file\n/// \\verbatim\n")
        in_file_comment = describes_file
        out.append(f"/// {words}" if describes_file else ("///" if alone else "///<") + escaped(words))
        end = token.end()
        last_line = not re.match(r"\n[ \t]*//", text[end:])
        if describes_file and last_line:
            out.append("\n/// \\endverbatim")
            in_file_comment = False
    out.append(text[end:])
    return "".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(filtered(file.read()))
