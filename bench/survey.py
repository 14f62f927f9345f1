#!/usr/bin/env python3
"""What extraction finds in the networks that ship, as a Markdown table.

  bench/survey.py --rnnalf build/quickstart/adapters/cli/rnnalf [--time-limit 10s] [NET.onnx ...]

For each network: the published method alone (--preset paper) and the default, both with the time limit. "states" is
the size of the result, "explains up to" its horizon in symbols; errors are counterexamples and exceptions on which
network and target differ, with the shortest of them. CPU seconds are those of learning and measuring.
"""
import argparse
import glob
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = ("| network | published method: verdict, states | default: verdict, states | explains up to | CPU seconds "
          "| errors of the network found | shortest |\n|---|---|---|---|---|---|---|")


def shipped():
    """The networks that ship."""
    return sorted(glob.glob(os.path.join(HERE, "..", "examples", "networks", "*.onnx")))


def extract(rnnalf, network, time_limit, *options):
    target = network[: -len(".onnx")] + ".target.dot"
    if os.path.exists(target):
        options += ("--target", target)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run.json")
        done = subprocess.run([rnnalf, "extract", network, "--quiet", "--time-limit", time_limit, "--json", out, *options])
        if done.returncode not in (0, 3):
            raise SystemExit("%s: exit code %d" % (network, done.returncode))
        with open(out) as file:
            return json.load(file)


def shown(word):
    """A long word by its ends and its length."""
    text = "".join(word)
    return "`%s`" % text if len(text) <= 40 else "`%s...%s`, %d symbols" % (text[:12], text[-8:], len(word))


def row(rnnalf, network, paper_limit, limit):
    """A line of the table; the published method and the default each have their time limit."""
    paper, run = extract(rnnalf, network, paper_limit, "--preset", "paper"), extract(rnnalf, network, limit)
    words = run["counterexamples"] + [dict(e, target=e.get("target")) for e in run["exceptions"]]
    errors = sorted({tuple(c["word"]) for c in words if c["target"] not in (None, c["network"])},
                    key=lambda word: (len(word), word))
    known = os.path.exists(network[: -len(".onnx")] + ".target.dot")
    return "| %s | %s, %d | %s, %d | %s | %.2f | %s | %s |" % (
        os.path.basename(network)[: -len(".onnx")], paper["verdict"], len(paper["dfa"]["accepting"]), run["verdict"],
        len(run["dfa"]["accepting"]), run["ladder"][run["result"]]["horizon"] if run["ladder"] else "",
        run["statistics"]["seconds_cpu"], len(errors) if known else "no target", shown(errors[0]) if errors else "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rnnalf", required=True, help="the program")
    parser.add_argument("--time-limit", default="10s")
    parser.add_argument("networks", nargs="*")
    arguments = parser.parse_args()
    print(HEADER)
    for one in arguments.networks or shipped():
        print(row(arguments.rnnalf, one, arguments.time_limit, arguments.time_limit))
