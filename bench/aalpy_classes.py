"""Networks with five classes, learned by AALpy and by rnnalf: the same Moore machine? In what time?

  PYTHONPATH=AALPY_CHECKOUT /usr/bin/python3 bench/aalpy_classes.py --rnnalf build/default/adapters/cli/rnnalf

AALpy's side runs the network with NumPy, a step of the recurrent layer per symbol, and asks RandomWMethodEqOracle, its
usual choice; rnnalf's side is `extract` with its defaults. CPU seconds, of the learning in Python and of the whole program.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import tempfile
import time

import numpy
import torch
from aalpy.base import SUL
from aalpy.learning_algs import run_KV, run_Lstar
from aalpy.oracles import RandomWMethodEqOracle
from aalpy.utils import save_automaton_to_file

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "tests", "data", "classes")
LETTERS = "abc"


class Network(SUL):
    """An Elman network or a GRU, its state kept between symbols."""

    def __init__(self, file):
        super().__init__()
        # The recurrent module has another name in each file.
        weights = {name.split(".", 1)[1] if "_l0" in name else name: tensor.numpy()
                   for name, tensor in torch.load(file).items()}
        self.u, self.c = weights["weight_hh_l0"], weights["bias_hh_l0"]
        self.head, self.head_bias = weights["fc.weight"], weights["fc.bias"]
        self.size = self.u.shape[1]
        self.gated = self.u.shape[0] == 3 * self.size
        self.from_letter = {letter: weights["weight_ih_l0"][:, i] + weights["bias_ih_l0"] for i, letter in enumerate(LETTERS)}
        self.steps = 0

    def pre(self):
        self.state = numpy.zeros(self.size, dtype=numpy.float32)

    def post(self):
        pass

    def step(self, letter):
        if letter is not None:
            self.steps += 1
            x, h, n = self.from_letter[letter], self.u @ self.state + self.c, self.size
            if self.gated:
                r, z = 1 / (1 + numpy.exp(-(x[:n] + h[:n]))), 1 / (1 + numpy.exp(-(x[n:2 * n] + h[n:2 * n])))
                self.state = (1 - z) * numpy.tanh(x[2 * n:] + r * h[2 * n:]) + z * self.state
            else:
                self.state = numpy.tanh(x + h)
        return int(numpy.argmax(self.head @ self.state + self.head_bias))


def canonical(rnnalf, dot, folder):
    out = os.path.join(folder, "canonical.json")
    subprocess.check_call([rnnalf, "convert", dot, out])
    machine = json.load(open(out))
    order = sorted(range(len(machine["alphabet"])), key=lambda i: machine["alphabet"][i])
    assert [machine["alphabet"][i] for i in order] == list(LETTERS)
    return json.dumps([machine["outputs"], [[row[i] for i in order] for row in machine["transitions"]]])


def compare(rnnalf, file, options):
    network = os.path.join(DATA, file)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        target = canonical(rnnalf, os.path.join(DATA, "five.target.dot"), folder)
        for learner in ("ttt", "lstar", "observation-pack"):
            out, dot = os.path.join(folder, "run.json"), os.path.join(folder, "run.dot")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.check_call([rnnalf, "extract", network, *options, "--alphabet", LETTERS, "--learner", learner,
                                   "--threads", "1", "--json", out, "--dot", dot, "--quiet"])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            run = json.load(open(out))
            statistics = run["statistics"]
            rows.append(["rnnalf, " + learner, len(run["dfa"]["outputs"]), statistics["membership_queries"],
                         statistics["rnn_steps"] + statistics["rnn_steps_choosing"], seconds,
                         canonical(rnnalf, dot, folder) == target])
        for name, learn in (("L*", run_Lstar), ("KV", run_KV)):
            random.seed(1)  # the oracle's walks
            sul = Network(network)
            oracle = RandomWMethodEqOracle(list(LETTERS), sul, walks_per_state=200, walk_len=20)
            begun = time.process_time()
            model, info = learn(list(LETTERS), sul, oracle, automaton_type="moore", print_level=0, return_data=True)
            seconds = time.process_time() - begun
            dot = os.path.join(folder, "theirs")
            save_automaton_to_file(model, dot, "dot")
            rows.append(["AALpy, " + name, model.size, info["queries_learning"], sul.steps, seconds,
                         canonical(rnnalf, dot + ".dot", folder) == target])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rnnalf", required=True)
    rnnalf = parser.parse_args().rnnalf
    print("| network | learner | states | membership queries | network steps | CPU seconds | the target |\n|---|---|---|---|---|---|---|")
    for file, options in (("trained.pt", []), ("exact.pt", ["--cell", "elman-tanh"])):
        for name, states, queries, steps, seconds, same in compare(rnnalf, file, options):
            print("| %s | %s | %d | %s | %s | %.2f | %s |" % (file, name, states, format(queries, ","), format(steps, ","), seconds,
                                                            "yes" if same else "no"))


if __name__ == "__main__":
    main()
