"""Runs an example and compares what it prints with the block after "Prints:" in its head.

usage: check_example.py PROGRAM SOURCE
"""

import subprocess
import sys


def expected_output(source):
    lines = open(source, encoding="utf-8").read().splitlines()
    start = lines.index("// Prints:") + 1
    block = []
    for line in lines[start:]:
        if not line.startswith("//"):
            break
        block.append(line.removeprefix("//").removeprefix("   "))
    return block


def main():
    program, source = sys.argv[1:]
    wanted = expected_output(source)
    run = subprocess.run([program], capture_output=True, text=True, timeout=60)
    printed = run.stdout.rstrip("\n").split("\n")
    if run.returncode != 0 or printed != wanted:
        print(
            f"exit code {run.returncode}\n{run.stderr}--- printed\n"
            + "\n".join(printed)
            + "\n--- wanted\n"
            + "\n".join(wanted)
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
