#!/usr/bin/env python3
"""What the documents show of the program at work: the recording of a run in README.md, and the table in docs/results.md.

  docs/readme.py --rnnalf build/quickstart/adapters/cli/rnnalf            writes both between their marks
  docs/readme.py --rnnalf build/quickstart/adapters/cli/rnnalf --check    fails where they differ, but for times

A run that a clock ended is not the same on every machine: of the published method, where it reaches its time limit,
the number of states counts as a time.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))
import survey  # noqa: E402

NETWORK = "examples/networks/tomita7_gru100"
COMMAND = ["extract", NETWORK + ".onnx", "--target", NETWORK + ".target.dot"]
FILES = {"recording": "README.md", "table": "docs/results.md"}
MARKS = {"recording": ("<!-- recording: made by docs/readme.py -->\n", "<!-- end of recording -->"),
         "table": ("<!-- table: made by docs/readme.py -->\n", "<!-- end of table -->")}


def recording(rnnalf):
    done = subprocess.run([rnnalf, *COMMAND], cwd=ROOT, env=dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="100"),
                          stdout=subprocess.PIPE, check=True, text=True)
    head = "".join(done.stdout.splitlines(keepends=True)[:10]).rstrip("\n") + "\n"
    return "```console\n$ rnnalf %s | head\n%s```\n" % (" ".join(COMMAND), head)


def table(rnnalf, shown, check):
    """A row per network: at most 10 s for the published method, 60 s for the default run. A check waits longer, so that
    a busy machine changes nothing, but not where the limit was reached in the document."""
    def published(network):
        if not check:
            return "10s"
        return "2s" if stopped(shown, network) else "300s"
    rows = [survey.row(rnnalf, network, published(network), "300s" if check else "60s") for network in survey.shipped()]
    return "\n".join([survey.HEADER, *rows]) + "\n"


def stopped(shown, network):
    """Whether the table has a time limit for the published method on this network."""
    return "| %s | time-limit," % os.path.basename(network)[: -len(".onnx")] in shown


def without_times(text):
    """Durations become T, and columns as wide as they are no longer count.

    >>> without_times("  work     2.0 s: 6,332 queries  40 ms\\n| bp | time-limit, 35 | settled, 13 | 100 | 0.74 | 0 |")
    'work T: 6,332 queries T\\n| bp | time-limit, N | settled, 13 | 100 | T | 0 |'
    """
    text = re.sub(r"\b\d[\d,.]* (ms|s|min|h)\b", "T", text)
    text = re.sub(r"time-limit, \d+", "time-limit, N", text)
    text = re.sub(r"\| \d+\.\d\d \|", "| T |", text)
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def between(readme, name):
    begin, end = MARKS[name]
    return readme.index(begin) + len(begin), readme.index(end)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rnnalf", required=True, help="the program")
    parser.add_argument("--file", help="instead of the document of this part; with --part")
    parser.add_argument("--part", choices=MARKS, help="this part alone")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    rnnalf = os.path.abspath(arguments.rnnalf)
    different = False
    for name in [arguments.part] if arguments.part else MARKS:
        path = arguments.file or os.path.join(ROOT, FILES[name])
        with open(path, encoding="utf-8") as file:
            readme = file.read()
        begin, end = between(readme, name)
        shown = readme[begin:end]
        made = recording(rnnalf) if name == "recording" else table(rnnalf, shown, arguments.check)
        if arguments.check:
            lines = list(difflib.unified_diff(without_times(shown).split("\n"), without_times(made).split("\n"),
                                              FILES[name], "the program", lineterm=""))
            print("\n".join(lines), end="\n" if lines else "")
            different = different or bool(lines)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(readme[:begin] + made + readme[end:])
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
