#!/usr/bin/env python3
"""rnnalf beside AALpy on state_dicts with a known language, as a Markdown table.

  PYTHONPATH=path/to/AALpy bench/against_aalpy.py --rnnalf build/quickstart/adapters/cli/rnnalf NAME.pt ...

Beside each NAME.pt: NAME.target.dot, the language, and NAME.json with "cell" and "alphabet" (bench/everyday.py writes all
three). "equal" leaves the empty word out, which networks are not trained on. "wrong" counts words of up to 14 symbols on
which the network itself leaves the language, where NAME.json says so.

rnnalf: the default run, the whole process. AALpy: Kearns-Vazirani with its state-prefix oracle (25 walks of 12 symbols
from every state, the defaults), the network as numpy products with the state kept from step to step; imports and reading
are not counted. One network after the other; the table has CPU seconds, the last line also those on the clock, and what
Python's start and imports take. AALpy is stopped after --most seconds. Needs python3-torch, python3-numpy.
"""
import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402
import torch  # noqa: E402


class Network:
    """A state_dict of (embedding,) recurrent layers and a linear head, one symbol at a time."""

    def __init__(self, path, cell):
        weights = {name: tensor.numpy() for name, tensor in torch.load(path, map_location="cpu").items()}
        ending = lambda text: [value for name, value in sorted(weights.items()) if name.endswith(text)]  # noqa: E731
        self.cell, self.layers = cell, []
        while ending("weight_hh_l%d" % len(self.layers)):
            n = len(self.layers)
            self.layers.append([ending("%s_l%d" % (kind, n))[0] for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")])
        self.hidden = self.layers[0][1].shape[1]
        embedding = [value for name, value in weights.items() if "emb" in name]
        self.inputs = embedding[0] if embedding else np.eye(self.layers[0][0].shape[1], dtype=np.float32)
        head = [name for name in weights if "_l" not in name and "emb" not in name]
        self.head = [weights[next(name for name in head if name.endswith(kind))] for kind in ("weight", "bias")]
        self.reset()

    def reset(self):
        self.h = [np.zeros(self.hidden, np.float32) for _ in self.layers]
        self.c = [np.zeros(self.hidden, np.float32) for _ in self.layers]

    def step(self, symbol):
        x = self.inputs[symbol]
        sigmoid = lambda v: 1 / (1 + np.exp(-v))  # noqa: E731
        for i, (wi, wh, bi, bh) in enumerate(self.layers):
            a, b = wi @ x + bi, wh @ self.h[i] + bh
            if self.cell == "gru":
                (ar, az, an), (br, bz, bn) = np.split(a, 3), np.split(b, 3)
                z = sigmoid(az + bz)
                self.h[i] = (1 - z) * np.tanh(an + sigmoid(ar + br) * bn) + z * self.h[i]
            elif self.cell == "lstm":
                gi, gf, gg, go = np.split(a + b, 4)
                self.c[i] = sigmoid(gf) * self.c[i] + sigmoid(gi) * np.tanh(gg)
                self.h[i] = sigmoid(go) * np.tanh(self.c[i])
            else:
                self.h[i] = np.maximum(a + b, 0) if self.cell == "elman-relu" else np.tanh(a + b)
            x = self.h[i]

    def accepts(self):
        scores = self.head[0] @ self.h[-1] + self.head[1]
        return bool(scores[0] > 0 if len(scores) == 1 else scores[1] > scores[0])


def read_dfa(program, path):
    out = subprocess.run([program, "convert", path, "-", "--to", "json"], capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def equal_but_empty(a, b):
    letters = [b["alphabet"].index(letter) for letter in a["alphabet"]]
    todo = [(a["transitions"][a["initial"]][i], b["transitions"][b["initial"]][j]) for i, j in enumerate(letters)]
    seen = set()
    while todo:
        pair = todo.pop()
        if pair in seen:
            continue
        seen.add(pair)
        if a["accepting"][pair[0]] != b["accepting"][pair[1]]:
            return False
        todo += [(a["transitions"][pair[0]][i], b["transitions"][pair[1]][j]) for i, j in enumerate(letters)]
    return True


def run_rnnalf(program, path, facts):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "extract", path, "--cell", facts["cell"], "--alphabet", " ".join(facts["alphabet"]),
                           "--json", "-", "--progress", "none"], capture_output=True, text=True)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    run = json.loads(done.stdout)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return run["dfa"], (spent, end - start), run["verdict"]


def run_aalpy(path, facts, most):
    from aalpy.base import SUL
    from aalpy.learning_algs import run_KV
    from aalpy.oracles import StatePrefixEqOracle
    network, alphabet = Network(path, facts["cell"]), list(range(len(facts["alphabet"])))

    class NetworkSul(SUL):
        def pre(self):
            network.reset()

        def post(self):
            pass

        def step(self, letter):
            if letter is not None:
                network.step(letter)
            return network.accepts()

    def stop(*_):
        raise TimeoutError

    sul = NetworkSul()
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(most)
    start = time.process_time(), time.monotonic()
    spent = lambda: (time.process_time() - start[0], time.monotonic() - start[1])  # noqa: E731
    try:
        machine = run_KV(alphabet, sul, StatePrefixEqOracle(alphabet, sul), automaton_type="dfa", print_level=0)
    except TimeoutError:
        return None, spent(), "stopped"
    finally:
        signal.alarm(0)
    took = spent()
    number = {state: i for i, state in enumerate(machine.states)}
    dfa = {"alphabet": facts["alphabet"], "initial": number[machine.initial_state],
           "accepting": [bool(state.is_accepting) for state in machine.states],
           "transitions": [[number[state.transitions[letter]] for letter in alphabet] for state in machine.states]}
    return dfa, took, "done"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rnnalf", required=True, help="the program")
    parser.add_argument("--most", type=int, default=30, help="seconds for AALpy")
    parser.add_argument("networks", nargs="+")
    arguments = parser.parse_args()
    print("| network | wrong, up to 14 | states of the language | rnnalf: verdict | states | equal | CPU s | AALpy: states "
          "| equal | CPU s |\n|---|---|---|---|---|---|---|---|---|---|")
    times, right = ([], []), [0, 0]
    for path in arguments.networks:
        stem = path[: -len(".pt")]
        with open(stem + ".json") as file:
            facts = json.load(file)
        target = read_dfa(arguments.rnnalf, stem + ".target.dot")
        cells = [os.path.basename(stem), str(facts.get("wrong", "")), str(len(target["accepting"]))]
        for i, (dfa, seconds, verdict) in enumerate((run_rnnalf(arguments.rnnalf, path, facts),
                                                     run_aalpy(path, facts, arguments.most))):
            same = dfa is not None and equal_but_empty(dfa, target)
            times[i].append(seconds)
            right[i] += same
            cells += [verdict] if i == 0 else []
            cells += [str(len(dfa["accepting"])) if dfa else verdict, "yes" if same else "no", "%.2f" % seconds[0]]
        print("| " + " | ".join(cells) + " |", flush=True)
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", "import aalpy, numpy, torch"], check=True)
    imports = time.monotonic() - start
    cpu, clock = ([[seconds[kind] for seconds in side] for side in times] for kind in (0, 1))
    print("\nEqual: rnnalf %d, AALpy %d of %d. Median CPU seconds: %.2f and %.2f; largest: %.2f and %.2f. Median seconds on the "
          "clock: %.3f and %.3f; largest: %.2f and %.2f. Python's start and imports: %.2f s." % (
              *right, len(cpu[0]), *map(statistics.median, cpu), *map(max, cpu), *map(statistics.median, clock),
              *map(max, clock), imports))


if __name__ == "__main__":
    main()
