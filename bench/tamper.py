#!/usr/bin/python3
"""tamper.py NETWORK AUTOMATON LINES [--alphabet L] [--cell C]: asks the Python checker about the tampered certificates that
bench_tamper --lines wrote. It must accept none of them."""
import argparse
import collections
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters", "check"))
import rnnalf_check  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("network")
parser.add_argument("automaton")
parser.add_argument("lines")
parser.add_argument("--alphabet")
parser.add_argument("--cell")
options = parser.parse_args()
with open(options.network, "rb") as file:
    network = rnnalf_check.read_network(file.read(), options.alphabet, options.cell, None)
with open(options.automaton, encoding="utf-8") as file:
    automaton = rnnalf_check.read_automaton(file.read(), network.letters)
tried, accepted = collections.Counter(), collections.Counter()
with open(options.lines, encoding="utf-8") as file:
    for line in file:
        kind, text = line.rstrip("\n").split("\t")
        other = automaton
        if kind == "automaton":  # the automaton was changed in the same way
            dfa = json.loads(text)["dfa"]
            other = dfa["initial"], dfa["accepting"], dfa["transitions"]
        tried[kind] += 1
        try:
            rnnalf_check.check(network, other, text)
            accepted[kind] += 1
        except rnnalf_check.Refused:
            pass
print(", ".join("%s %d" % item for item in sorted(tried.items())) + ", in all %d tampered, %d accepted"
      % (sum(tried.values()), sum(accepted.values())))
sys.exit(1 if accepted else 0)
