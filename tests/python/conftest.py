"""What the tests share: networks that ship, and small networks whose language is known exactly."""
import json
import pathlib
import time

import numpy as np
import pytest

import rnnalf

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = ROOT / "examples" / "networks"


def random_dfa(random, states=5, symbols=2, classes=2):
    """A minimal automaton with at least two states; of more than two classes, a Moore machine."""
    while True:
        dfa = rnnalf.Dfa([chr(97 + a) for a in range(symbols)], random.integers(states, size=(states, symbols)),
                         random.integers(classes, size=states), classes=classes).minimised()
        if dfa.size > 1:
            return dfa


class CodedDfa:
    """A network whose language is exactly that of an automaton: each state is a random point, and a state vector is
    that point with a little noise that depends on the whole path."""

    def __init__(self, dfa, random, dimensions=6, kind=np.float64):
        self.dfa = dfa
        self.points = random.normal(size=(dfa.size, dimensions))
        self.table, self.answers = dfa.transitions, dfa.answers
        self.kind = kind
        self.calls, self.rows = 0, 0    # of step
        self.asked, self.asked_rows = 0, 0    # of accepts

    def _states(self, vectors):
        return ((vectors[:, None] - self.points) ** 2).sum(axis=2).argmin(axis=1)

    def step(self, vectors, symbols):
        self.calls, self.rows = self.calls + 1, self.rows + len(vectors)
        noise = 1e-3 * np.sin(1000 * vectors + symbols[:, None])
        return (self.points[self.table[self._states(vectors), symbols]] + noise).astype(self.kind)

    def accepts(self, vectors):
        """Booleans, or of more than two classes a score for each."""
        self.asked, self.asked_rows = self.asked + 1, self.asked_rows + len(vectors)
        answers = self.answers[self._states(vectors)]
        return answers == 1 if self.dfa.classes == 2 else 3.0 * (answers[:, None] == np.arange(self.dfa.classes))

    def network(self, **options):
        return rnnalf.acceptor(self.points[self.dfa.initial].astype(self.kind), self.step, self.accepts,
                               alphabet=self.dfa.alphabet, name="coded DFA", **options)


class NumpyGru:
    """A GRU of one layer as torch computes it, in numpy: with a dense head, on one-hot symbols."""

    def __init__(self, random, hidden=7, symbols=2, classes=1, scale=0.8):
        def draw(*shape):
            return random.normal(scale=scale, size=shape).astype(np.float32)
        self.weights = {"rnn.weight_ih_l0": draw(3 * hidden, symbols), "rnn.weight_hh_l0": draw(3 * hidden, hidden),
                        "rnn.bias_ih_l0": draw(3 * hidden), "rnn.bias_hh_l0": draw(3 * hidden),
                        "fc.weight": draw(classes, hidden), "fc.bias": draw(classes)}
        self.hidden, self.symbols = hidden, symbols

    def step(self, states, symbols):
        w = {name.split(".")[1].replace("_l0", ""): value for name, value in self.weights.items()}
        given = w["weight_ih"].T[symbols] + w["bias_ih"]
        recurrent = states @ w["weight_hh"].T + w["bias_hh"]
        (ri, zi, ni), (rh, zh, nh) = np.split(given, 3, axis=1), np.split(recurrent, 3, axis=1)
        reset, update = (1 / (1 + np.exp(-(i + h))) for i, h in ((ri, rh), (zi, zh)))
        return ((1 - update) * np.tanh(ni + reset * nh) + update * states).astype(np.float32)

    def accepts(self, states):
        scores = states @ self.weights["fc.weight"].T + self.weights["fc.bias"]
        return scores if scores.shape[1] > 1 else scores[:, 0]

    def network(self, alphabet="ab"):
        return rnnalf.acceptor(np.zeros(self.hidden, np.float32), self.step, self.accepts, alphabet=alphabet)

    def save(self, path, metadata=None):
        """As a safetensors file: a header in JSON, then the numbers."""
        header, at = {"__metadata__": metadata or {}}, 0
        for name, value in self.weights.items():
            header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + value.nbytes]}
            at += value.nbytes
        text = json.dumps(header).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text
                         + b"".join(value.tobytes() for value in self.weights.values()))
        return path


@pytest.fixture
def endless():
    """A network that no automaton explains: it counts, and each step takes a while."""
    def step(states, symbols):
        time.sleep(0.001)
        return states + np.where(symbols == 0, 1.0, -1.0)[:, None]

    return rnnalf.acceptor([0.0], step, lambda states: states[:, 0] == 0, alphabet="ab", name="endless")


@pytest.fixture
def tomita5():
    return str(NETWORKS / "tomita5_rnn30.onnx")


@pytest.fixture
def tomita5_target():
    return str(NETWORKS / "tomita5_rnn30.target.dot")


@pytest.fixture(params=range(5))
def random(request):
    return np.random.default_rng(request.param)
