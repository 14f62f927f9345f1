#!/usr/bin/env python3
"""What Python costs: numpy functions as the network against the same network in C++, and rnnalf.extract(file)
against the program.

  PYTHONPATH=build/default/python bench/python_overhead.py --rnnalf build/default/adapters/cli/rnnalf [NET.onnx]
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

import rnnalf

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "python"))
from conftest import NumpyGru  # noqa: E402


class Timed:
    """Functions with the CPU time spent in them."""

    def __init__(self, gru):
        self.gru, self.seconds, self.calls, self.rows = gru, 0.0, 0, 0

    def __call__(self, function, *arguments):
        start = time.thread_time()
        result = function(*arguments)
        self.seconds += time.thread_time() - start
        self.calls += 1
        return result

    def step(self, states, symbols):
        self.rows += len(states)
        return self(self.gru.step, states, symbols)

    def accepts(self, states):
        return self(self.gru.accepts, states)


def acceptor(hidden, oracle):
    """A row of the table: a run over a random GRU, which ends after three rounds."""
    gru = NumpyGru(np.random.default_rng(1), hidden=hidden, scale=2.1 / hidden**0.5)
    limits = dict(max_rounds=3, time_limit=100, progress="none", threads=1, oracle=oracle, exact=True)
    timed = Timed(gru)
    in_numpy = rnnalf.acceptor(np.zeros(hidden, np.float32), timed.step, timed.accepts, alphabet="ab")
    numpy_seconds = seconds_of(in_numpy, limits)
    with tempfile.TemporaryDirectory() as folder:
        in_cpp = rnnalf.load(gru.save(pathlib.Path(folder) / "gru.safetensors"), alphabet="ab", cell="gru")
        cpp_seconds = seconds_of(in_cpp, limits)
    overhead = max(0, numpy_seconds - timed.seconds - cpp_seconds)
    print(f"| {hidden} | {oracle} | {timed.rows:,} | {1e4 * timed.calls / timed.rows:.0f} | "
          f"{1e6 * timed.seconds / timed.rows:.2f} | {1e6 * overhead / timed.calls:.1f} | "
          f"{100 * overhead / numpy_seconds:.1f} % | {1e6 * cpp_seconds / timed.rows:.2f} |")


def seconds_of(network, limits):
    """CPU seconds of a run."""
    start = time.process_time()
    rnnalf.extract(network, **limits)
    return time.process_time() - start


def cpu(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def file_against_program(program, network, times=7):
    """CPU seconds of both, the least of several runs; they do the same work, which is checked."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run.json")
        theirs, ours = [], []
        for _ in range(times):
            start = cpu(resource.RUSAGE_CHILDREN)
            subprocess.run([program, "extract", network, "--quiet", "--json", out], check=False)
            theirs.append(cpu(resource.RUSAGE_CHILDREN) - start)
            start = cpu(resource.RUSAGE_SELF)
            run = rnnalf.extract(network, progress="none")
            run.save(os.path.join(folder, "ours.json"))
            ours.append(cpu(resource.RUSAGE_SELF) - start)
        with open(out) as file:
            steps = json.load(file)["statistics"]["rnn_steps"]
    assert steps == run.statistics["rnn_steps"]
    print(f"{os.path.basename(network)}: program {min(theirs):.3f} s of CPU, rnnalf.extract {min(ours):.3f} s: "
          f"{100 * (min(ours) / min(theirs) - 1):+.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rnnalf", required=True, help="the program")
    parser.add_argument("networks", nargs="*")
    arguments = parser.parse_args()
    print("| hidden | oracles | steps | calls per 10,000 steps | us per step in numpy | us of rnnalf per call "
          "| share of the run | us per step of the whole run in C++ |\n|---|---|---|---|---|---|---|---|")
    for hidden in (10, 50):
        for oracle in ("samples,abstraction", "samples,abstraction,random", "samples,abstraction,pumping"):
            acceptor(hidden, oracle)
    print()
    names = ("json_gru100", "rand10_3_s5_lstm100")
    for network in arguments.networks or [str(ROOT / "examples" / "networks" / f"{name}.onnx") for name in names]:
        file_against_program(arguments.rnnalf, network)


if __name__ == "__main__":
    main()
