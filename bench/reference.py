#!/usr/bin/python3
"""Compare rnnalf with the program of the method's authors: same networks, same samples, one run.

  bench/reference.py --ref FOLDER --rnnalf PROGRAM NET.onnx...

FOLDER is a checkout of tech-srl/lstar_extraction, which is read and never changed. Needs Debian's
python3-sklearn, python3-onnx and python3-numpy, thus /usr/bin/python3. bench/README.md explains the table.

Their program gets what it expects and today's Python no longer has (time.clock, SVC's old default
gamma = 1/features), stand-ins for drawing, and the network as a plain numpy stepper, one thread, that
passes R-states as lists as their own networks do. It iterates over sets of strings, so PYTHONHASHSEED is
fixed. Every run is a process of its own, and all times are CPU times, as time.clock() was.
"""
import argparse
import collections
import contextlib
import functools
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import types


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("networks", nargs="+", metavar="NET.onnx")
    p.add_argument("--ref", required=True, metavar="FOLDER", help="a checkout of tech-srl/lstar_extraction")
    p.add_argument("--rnnalf", metavar="PROGRAM", default="rnnalf")
    p.add_argument("--time-limit", type=float, default=30, metavar="S", help="CPU seconds for theirs (30)")
    p.add_argument("--our-limit", type=float, default=10, metavar="S", help="seconds for rnnalf (10)")
    p.add_argument("--runs", type=int, default=30, metavar="N",
                   help="runs of rnnalf, fewer where they take long; the fastest counts (30)")
    p.add_argument("--hash-seed", default="0", help="PYTHONHASHSEED of theirs (0)")
    p.add_argument("--json", metavar="FILE", help="all hypotheses of both with their times")
    p.add_argument("--theirs-only", action="store_true", help=argparse.SUPPRESS)  # how it starts itself
    return p.parse_args()


# ---------------------------------------------------------------- the network, for their program
class Network:
    """What their program asks of a network, over a numpy step of the ONNX files that ship: one-hot
    letters, layers that start in zero, one dense layer."""

    GATES = {"GRU": 3, "LSTM": 4, "RNN": 1}

    def __init__(self, file):
        import numpy as np
        import onnx
        from onnx import numpy_helper
        model = onnx.load(file)
        data = {p.key: p.value for p in model.metadata_props}
        self.alphabet = json.loads(data["rnnalf.alphabet"])
        if any(len(a) != 1 for a in self.alphabet):
            sys.exit(f"{file}: their program needs symbols of one character")
        self.index = {a: i for i, a in enumerate(self.alphabet)}
        self.probes = [("".join(word), score) for word, score in json.loads(data["rnnalf.probes"])]
        tensors = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        cells = [n for n in model.graph.node if n.op_type in self.GATES]
        self.cell, self.layers = cells[0].op_type, len(cells)
        self.np, self.input, self.recurrent, self.bias, self.recurrent_bias = np, [], [], [], []
        for n in cells:
            w, r, b = (tensors[name][0] for name in n.input[1:4])
            self.hidden = r.shape[1]
            bw, br = b[:len(b) // 2].copy(), b[len(b) // 2:].copy()
            # A GRU's reset gate multiplies the recurrent bias of the new state; all else folds into one bias.
            folded = (2 if self.cell == "GRU" else self.GATES[self.cell]) * self.hidden
            bw[:folded] += br[:folded]
            self.input.append(w)
            self.recurrent.append(r)
            self.bias.append(bw)
            self.recurrent_bias.append(br[folded:])
        self.letters = [self.input[0][:, i] + self.bias[0] for i in range(len(self.alphabet))]
        gemm = next(n for n in model.graph.node if n.op_type == "Gemm")
        out, bias = tensors[gemm.input[1]], tensors[gemm.input[2]]
        self.out = out[0] if len(out) == 1 else out[1] - out[0]
        self.out_bias = bias[0] if len(out) == 1 else bias[1] - bias[0]
        self.step = {"GRU": self.gru, "LSTM": self.lstm, "RNN": self.elman}[self.cell]
        self.parts = self.layers * (2 if self.cell == "LSTM" else 1)
        self.zero = [np.zeros(self.hidden, np.float32)] * self.parts
        for word, score in self.probes:
            found = 1 / (1 + np.exp(-float(self.logit(self.run(word)))))
            if abs(found - score) > 1e-4:
                sys.exit(f"{file}: probe {word!r}: expected {score:.6f}, this script's step gives {found:.6f}")

    def sigmoid(self, x):
        x *= 0.5
        self.np.tanh(x, x)
        x += 1
        x *= 0.5
        return x

    def below(self, layer, x):
        return x if layer == 0 else self.input[layer].dot(x) + self.bias[layer]

    def gru(self, state, x):  # gates in ONNX's order: update, reset, new
        H, after = self.hidden, []
        for i, h in enumerate(state):
            x = self.below(i, x)
            g = self.recurrent[i].dot(h)
            zr = self.sigmoid(x[:2 * H] + g[:2 * H])
            new = self.np.tanh((g[2 * H:] + self.recurrent_bias[i]) * zr[H:] + x[2 * H:])
            x = (h - new) * zr[:H] + new
            after.append(x)
        return after

    def lstm(self, state, x):  # gates in ONNX's order: input, output, forget, cell
        H, hs, cs = self.hidden, [], []
        for i in range(self.layers):
            g = self.below(i, x) + self.recurrent[i].dot(state[i])
            iof = self.sigmoid(g[:3 * H])
            c = iof[2 * H:] * state[self.layers + i] + iof[:H] * self.np.tanh(g[3 * H:])
            x = iof[H:2 * H] * self.np.tanh(c)
            hs.append(x)
            cs.append(c)
        return hs + cs

    def elman(self, state, x):
        after = []
        for i, h in enumerate(state):
            x = self.np.tanh(self.below(i, x) + self.recurrent[i].dot(h))
            after.append(x)
        return after

    def run(self, word):
        state = self.zero
        for a in word:
            state = self.step(state, self.letters[self.index[a]])
        return state

    def logit(self, state):
        return self.out.dot(state[self.layers - 1]) + self.out_bias

    def accepts(self, state):
        return bool(self.logit(state) > 0)

    def vector(self, state):
        return self.np.concatenate(state).tolist()

    # their interface
    def classify_word(self, word):
        return self.accepts(self.run(word))

    def get_first_RState(self):
        return self.vector(self.zero), self.accepts(self.zero)

    def get_next_RState(self, vector, letter):
        parts = self.np.split(self.np.asarray(vector, self.np.float32), self.parts)
        state = self.step(parts, self.letters[self.index[letter]])
        return self.vector(state), self.accepts(state)

    def samples(self, most=2000):
        """As rnnalf's own: the first accepted and the first rejected word in shortlex order, the empty word
        left out (L* asks it anyway). For lack of one, a probe."""
        found, queue = {}, collections.deque([("", self.zero)])
        for _ in range(most):
            word, state = queue.popleft()
            if word:
                found.setdefault(self.accepts(state), word)
            if len(found) == 2:
                break
            queue.extend((word + a, self.step(state, x)) for a, x in zip(self.alphabet, self.letters))
        for word, _ in sorted(self.probes, key=lambda probe: len(probe[0])):
            found.setdefault(self.classify_word(word), word)
        return sorted(found.values(), key=len)


# ---------------------------------------------------------------- theirs
class LimitReached(Exception):
    pass


def import_theirs(folder):
    time.clock = time.process_time
    for name, members in (("graphviz", ["Digraph", "Graph"]), ("IPython", []), ("IPython.display", ["Image", "display"])):
        module = types.ModuleType(name)
        for member in members:
            setattr(module, member, lambda *a, **k: None)
        sys.modules[name] = module
    from sklearn import svm
    svm.SVC = functools.partial(svm.SVC, gamma="auto")
    sys.path.insert(0, folder)
    import DFA
    import Lstar
    import Teacher
    from ObservationTable import TableTimedOut
    DFA.DFA.draw_nicely = lambda *a, **k: None
    return Lstar.run_lstar, Teacher.Teacher, TableTimedOut


def run_theirs(a):
    """Runs their program on one network and prints a JSON object."""
    network = Network(a.networks[0])
    run_lstar, Teacher, TableTimedOut = import_theirs(a.ref)
    samples = network.samples()
    teacher = Teacher(network, num_dims_initial_split=10, starting_examples=samples)
    hypotheses, ask, look = [], teacher.equivalence_query, teacher.counterexample_generator.counterexample
    messages = []

    def stamped(dfa):
        hypotheses.append((dfa, time.process_time() - start))
        return ask(dfa)

    def noted(dfa):
        result = look(dfa)
        messages.append(result[1])
        return result

    def ring(*_):
        raise LimitReached

    teacher.equivalence_query, teacher.counterexample_generator.counterexample = stamped, noted
    # Their own limit is looked at rarely; the alarm ends the run soon after it.
    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, a.time_limit + 1)
    start, verdict = time.process_time(), "time limit"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            run_lstar(teacher, a.time_limit)
        if "ran out of time" not in messages[-1]:
            verdict = "equivalent"
    except (TableTimedOut, LimitReached):
        pass
    seconds = time.process_time() - start
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps({"verdict": verdict, "seconds": seconds, "samples": samples,
                      "hypotheses": [{"at_seconds": at, "dfa": their_table(dfa, network.alphabet)} for dfa, at in hypotheses]}))


def their_table(dfa, alphabet):
    index = {q: i for i, q in enumerate(dfa.Q)}
    return {"initial": index[dfa.q0], "accepting": [q in dfa.F for q in dfa.Q],
            "transitions": [[index[dfa.delta[q][a]] for a in alphabet] for q in dfa.Q]}


# ---------------------------------------------------------------- both
def canonical(dfa):
    """Minimal, reachable, numbered breadth-first: equal languages give equal values."""
    delta, accepting = dfa["transitions"], dfa["accepting"]
    block, count = [int(x) for x in accepting], len(set(accepting))
    while True:
        names = {}
        refined = [names.setdefault((block[s], *(block[t] for t in row)), len(names)) for s, row in enumerate(delta)]
        if len(names) == count:
            break
        block, count = refined, len(names)
    order, number, rows = [dfa["initial"]], {block[dfa["initial"]]: 0}, []
    for s in order:
        for t in delta[s]:
            if block[t] not in number:
                number[block[t]] = len(order)
                order.append(t)
        rows.append((bool(accepting[s]), tuple(number[block[t]] for t in delta[s])))
    return tuple(rows)


def run_ours(a, net, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run.json")
        done = subprocess.run([a.rnnalf, "extract", net, "--preset", "paper", "--threads", "1", "--time-limit", f"{a.our_limit}s",
                               "--quiet", "--json", out, *options], stdout=subprocess.DEVNULL)
        if done.returncode not in (0, 3):
            sys.exit(f"{a.rnnalf}: failed on {net} with exit code {done.returncode}")
        with open(out) as f:
            return json.load(f)


def compare(a, net):
    env = {**os.environ, "PYTHONHASHSEED": a.hash_seed, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    theirs = json.loads(subprocess.run(
        [sys.executable, os.path.abspath(__file__), "--theirs-only", "--ref", a.ref, "--time-limit", str(a.time_limit),
         net], env=env, check=True, stdout=subprocess.PIPE).stdout)
    ours = run_ours(a, net)
    their_dfas = [canonical(h["dfa"]) for h in theirs["hypotheses"]]
    our_dfas = [canonical(h["dfa"]) for h in ours["hypotheses"]]
    if theirs["verdict"] == "equivalent" and ours["verdict"] == "none-found":
        same = "same DFA" if their_dfas[-1] == our_dfas[-1] else "different DFAs"
        rows = [(f"the end, {same}", theirs["seconds"],
                 fastest(a, net))]
    else:
        # One of the two does not end: the last hypothesis that both come to, and as many counterexamples.
        points = []
        common = [(i, our_dfas.index(dfa)) for i, dfa in enumerate(their_dfas) if dfa in our_dfas]
        if common:
            i, j = common[-1]
            points.append((f"the last same hypothesis, {len(their_dfas[i])} states", i, j))
        k = min(len(their_dfas), len(our_dfas)) - 1
        if (k, k) not in common:
            points.append((f"after {k} counterexamples, {len(their_dfas[k])} and {len(our_dfas[k])} states", k, k))
        rows = [(at, theirs["hypotheses"][i]["at_seconds"],
                 fastest(a, net, "--max-rounds", str(max(j, 1))))  # stops when it has hypothesis j
                for at, i, j in points]
    return {"theirs": theirs, "ours": ours, "their_states": len(their_dfas[-1]), "our_states": len(our_dfas[-1]),
            "rows": rows}


def fastest(a, net, *options):
    """CPU seconds of the extraction, loading the network not counted: the least of several runs."""
    times = []
    while len(times) < a.runs and (len(times) < 3 or sum(times) < 10):
        times.append(run_ours(a, net, *options)["statistics"]["seconds_cpu"])
    return min(times)


def main():
    a = parse_arguments()
    if a.theirs_only:
        return run_theirs(a)
    print("| network | their verdict | our verdict | their states | our states | compared at | theirs, CPU s | ours, CPU s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    everything = {}
    for net in a.networks:
        name = os.path.basename(net).rsplit(".", 1)[0]
        r = everything[name] = compare(a, net)
        for at, theirs, ours in r["rows"]:
            print(f"| {name} | {r['theirs']['verdict']} | {r['ours']['verdict']} | {r['their_states']} | {r['our_states']} "
                  f"| {at} | {theirs:.3f} | {ours:.5f} | {theirs / ours:.0f} |", flush=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(everything, f)


main()
