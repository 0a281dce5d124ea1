"""Passes if a command ends by itself, soon, with a non-zero exit code and with a sentence on its standard error.

    expect_stop.py SECONDS SENTENCE COMMAND...
"""
import subprocess
import sys

seconds, sentence, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
except subprocess.TimeoutExpired:
    sys.exit(f"still running after {seconds} s: {' '.join(command)}")
if done.returncode == 0:
    sys.exit(f"ended with exit code 0: {' '.join(command)}")
if sentence not in done.stderr:
    sys.exit(f"exit code {done.returncode}, but no {sentence!r} in:\n{done.stderr}")
