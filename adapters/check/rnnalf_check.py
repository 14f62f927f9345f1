#!/usr/bin/env python3
"""Checks a proof that a recurrent network and an automaton agree, or that the network never (or always) accepts the
automaton's words: the same check as rnnalf-check, written again.

  rnnalf_check.py NETWORK AUTOMATON CERTIFICATE [--without AUTOMATON] [--alphabet SYMBOLS] [--cell KIND] [--accept-class N]

NETWORK is an ONNX file or a PyTorch state_dict (--alphabet and --cell say what is not in it), or the canonical form.
AUTOMATON is a DOT or JSON file; --without leaves out the words of another one. Exit 0: every obligation holds, the theorem is printed. Exit 1: one does not hold.

What a reader has to trust: this file; that the canonical form (whose SHA-256 the certificate has) is the network meant;
IEEE 754 arithmetic in double, in numpy too, whatever the order of its sums, and np.tanh within 2^-45; that rnnalf
executes the network as plugin/rnnalf/acceptor/kernels.inl says (every operation rounded once, products as chains of
fused operations), and the errors of its tanh and sigmoid, which bench/activations measures over all floats.
docs/certificates.md has the proof that the obligations imply the theorem, and derives the bounds.
"""
import argparse
import collections
import hashlib
import io
import json
import pickle
import re
import sys
import zipfile

import numpy as np

LARGEST = 2.0 ** 20   # no number of an enclosure is beyond this
TINY = 2.0 ** -100    # underflow of one executed operation
OWN = 2.0 ** -48      # our own rounding, relative to the sum of the magnitudes that went into a number
BAND = 2.0 ** -40     # of tanh x - slope x
SUMMED = 1 + 2.0 ** -36  # a sum of up to 2^14 positive numbers, rounded
ARITHMETIC = {"float32": (2.0 ** -24, 2.0 ** -22), "float64": (2.0 ** -53, 2.0 ** -47)}  # unit, error of activations
GATES = {"elman-tanh": 1, "elman-relu": 1, "gru": 3, "gru-reset-before": 3, "lstm": 4}


class Refused(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Refused(message)


# ------------------------------------------------------------------------------------------------ the network

class Network:
    """cell, letters, embedding or None, layers (hidden, W, U, b, c, h0, c0), head (W, b, activation), accept."""

    def canonical(self):
        def numbers(values):
            values = np.asarray(values, dtype="<f8")
            return np.where(np.abs(values) < 2.0 ** -126, 0.0, values).astype("<f8").tobytes() + b"\n"

        text = "rnnalf network 1\ncell %s\nletters %d\n" % (self.cell, len(self.letters))
        out = (text + "".join(letter + "\n" for letter in self.letters)).encode()
        if self.embedding is not None:
            out += b"embedding %d\n" % self.embedding.shape[1] + numbers(self.embedding)
        for layer in self.layers:
            out += b"layer %d\n" % layer[0] + b"".join(numbers(values) for values in layer[1:] if values is not None)
        for weights, bias, activation in self.head:
            out += b"dense %d %s\n" % (len(weights), activation.encode()) + numbers(weights) + numbers(bias)
        return out + b"accept %d\n" % self.accept


def read_canonical(data):
    at = 0

    def line():
        nonlocal at
        end = data.index(b"\n", at)
        text, at = data[at:end].decode(), end + 1
        return text

    def numbers(*shape):
        nonlocal at
        size = 8 * int(np.prod(shape))
        values = np.frombuffer(data[at:at + size], dtype="<f8").reshape(shape)
        at += size + 1
        return values

    network = Network()
    line()
    network.cell = line().split()[1]
    network.letters = [line() for _ in range(int(line().split()[1]))]
    network.embedding, network.layers, network.head = None, [], []
    inputs = len(network.letters)
    while True:
        words = line().split()
        if words[0] == "embedding":
            inputs = int(words[1])
            network.embedding = numbers(len(network.letters), inputs)
        elif words[0] == "layer":
            hidden, rows = int(words[1]), GATES[network.cell] * int(words[1])
            values = [numbers(rows, inputs), numbers(rows, hidden), numbers(rows), numbers(rows), numbers(hidden)]
            network.layers.append((hidden, *values, numbers(hidden) if network.cell == "lstm" else None))
            inputs = hidden
        elif words[0] == "dense":
            rows = int(words[1])
            network.head.append((numbers(rows, inputs), numbers(rows), words[2]))
            inputs = rows
        else:
            network.accept = int(words[1])
            return network


def read_state_dict(data, cell, letters, accept):
    """A zip file with a pickle of {name: tensor}; nothing in it is run."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    name = next(name for name in archive.namelist() if name.endswith("data.pkl"))
    kinds = {"FloatStorage": "<f4", "DoubleStorage": "<f8", "HalfStorage": "<f2", "LongStorage": "<i8"}

    def tensor(storage, offset, shape, stride, *_):
        return np.lib.stride_tricks.as_strided(storage[offset:], shape, [s * storage.itemsize for s in stride]).copy()

    class Reader(pickle.Unpickler):
        def find_class(self, module, attribute):
            if attribute == "_rebuild_tensor_v2":
                return tensor
            if attribute == "OrderedDict":
                return collections.OrderedDict
            need(attribute in kinds, "network: a pickle with %s.%s" % (module, attribute))
            return kinds[attribute]

        def persistent_load(self, saved):
            _, kind, key, _, _ = saved
            return np.frombuffer(archive.read(name[:-len("data.pkl")] + "data/" + key), dtype=kind)

    tensors = Reader(io.BytesIO(archive.read(name))).load()
    recurrent, dense = {}, []
    for key, value in tensors.items():
        found = re.search(r"(weight_ih|weight_hh|bias_ih|bias_hh)_l(\d+)$", key)
        if found:
            recurrent[found.group(1), int(found.group(2))] = value.astype(float)
        elif key.endswith("weight"):
            bias = tensors.get(key[:-len("weight")] + "bias", np.zeros(len(value)))
            dense.append((value.astype(float), bias.astype(float), "none"))
    network = Network()
    network.cell, network.embedding, network.head, network.layers = cell, None, dense, []
    for k in range(1 + max(number for _, number in recurrent)):
        weights = [recurrent["weight_ih", k], recurrent["weight_hh", k]]
        biases = [recurrent.get((kind, k), np.zeros(len(weights[0]))) for kind in ("bias_ih", "bias_hh")]
        hidden = weights[1].shape[1]
        network.layers.append((hidden, *weights, *biases, np.zeros(hidden), np.zeros(hidden) if cell == "lstm" else None))
    count = network.layers[0][1].shape[1]
    network.letters = letters or [str(i) for i in range(count)]
    network.accept = accept if accept is not None else min(1, len(dense[-1][0]) - 1)
    return network


def read_onnx(data, accept):
    """Weights of the recurrent and dense nodes in order. What else the graph does is not looked at: that this is the
    network meant shows in its hash."""
    def fields(message):
        at = 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = message[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        while at < len(message):
            key = varint()
            if key & 7 == 0:
                yield key >> 3, varint()
                continue
            size = varint() if key & 7 == 2 else 8 if key & 7 == 1 else 4
            yield key >> 3, message[at:at + size]
            at += size

    def all_of(message, number):
        return [value for key, value in fields(message) if key == number]

    def tensor(message):
        dims, raw = all_of(message, 1), all_of(message, 9)
        kind = {1: "<f4", 11: "<f8", 7: "<i8"}.get(all_of(message, 2)[0])
        if kind is None or not raw:
            return None
        return np.frombuffer(raw[0], dtype=kind).reshape(dims).astype(float)

    graph = all_of(data, 7)[0]
    values = {all_of(item, 8)[0]: tensor(item) for item in all_of(graph, 5)}
    meta = {all_of(item, 1)[0]: all_of(item, 2)[0] for item in all_of(data, 14)}
    network = Network()
    network.embedding, network.layers, network.head = None, [], []
    for node in all_of(graph, 1):
        kind, inputs = all_of(node, 4)[0].decode(), all_of(node, 1)
        attributes = {all_of(item, 1)[0]: item for item in all_of(node, 5)}
        if kind in ("GRU", "LSTM", "RNN"):
            hidden = all_of(attributes[b"hidden_size"], 3)[0]
            order = {"GRU": (1, 0, 2), "LSTM": (0, 2, 3, 1), "RNN": (0,)}[kind]  # ONNX: z r h; i o f c

            def sorted_gates(array):
                return np.concatenate([array[g * hidden:(g + 1) * hidden] for g in order])
            w, r, b = (values[name][0] for name in inputs[1:4])
            half = len(order) * hidden
            network.cell = {"GRU": "gru", "LSTM": "lstm", "RNN": "elman-tanh"}[kind]
            if kind == "GRU" and not (b"linear_before_reset" in attributes
                                      and all_of(attributes[b"linear_before_reset"], 3)[0]):
                network.cell = "gru-reset-before"
            if kind == "RNN" and b"Relu" in all_of(attributes.get(b"activations", b""), 9):
                network.cell = "elman-relu"
            network.layers.append((hidden, sorted_gates(w), sorted_gates(r), sorted_gates(b[:half]),
                                   sorted_gates(b[half:]), np.zeros(hidden),
                                   np.zeros(hidden) if kind == "LSTM" else None))
        elif kind == "Gemm":
            flag = attributes.get(b"transB")
            weights = values[inputs[1]]
            network.head.append((weights if flag is not None and all_of(flag, 3)[0] else weights.T,
                                 values[inputs[2]] if len(inputs) > 2 else np.zeros(len(weights)), "none"))
    need(network.layers and network.head, "network: no recurrent or no dense node; give the canonical form instead")
    shown = str.maketrans({" ": "\u2423", "\t": "\u2409", "\n": "\u2424"})  # white space has no place in a name
    network.letters = ([letter.translate(shown) for letter in json.loads(meta[b"rnnalf.alphabet"])]
                       if b"rnnalf.alphabet" in meta
                       else [str(i) for i in range(network.layers[0][1].shape[1])])
    network.accept = accept if accept is not None else min(1, len(network.head[-1][0]) - 1)
    return network


# ------------------------------------------------------------------------------------------------ the automaton

def read_automaton(text, letters):
    """(initial, accepting, transitions) over these letters."""
    if text.lstrip().startswith("{"):
        found = json.loads(text)
        found = found.get("dfa", found)
        column = [found["alphabet"].index(letter) for letter in letters]
        need(len(found["alphabet"]) == len(letters), "automaton: other letters than the network's")
        return found["initial"], found["accepting"], [[row[c] for c in column] for row in found["transitions"]]
    accepting, edges, initial = {}, {}, None
    name = r'("(?:[^"\\]|\\.)*"|[\w.]+)'
    for statement in re.split(r"[;\n]", text):
        edge = re.match(r"\s*%s\s*->\s*%s\s*(.*)" % (name, name), statement)
        node = re.match(r"\s*%s\s*\[(.*)\]" % name, statement)
        if edge and edge.group(1) == "__start0":
            initial = edge.group(2)
        elif edge:
            label = re.search(r"label\s*=\s*%s" % name, edge.group(3)).group(1)
            label = json.loads(label) if label.startswith('"') else label
            need(label in letters, "automaton: a letter that the network does not have")
            need((edge.group(1), label) not in edges, "automaton: not deterministic")
            edges[edge.group(1), label] = edge.group(2)
        elif node and node.group(1) != "__start0":
            accepting[node.group(1)] = "doublecircle" in node.group(2)
    need(initial in accepting, "automaton: no initial state")
    order = list(accepting)
    need(all((state, letter) in edges for state in order for letter in letters), "automaton: not total")
    return (order.index(initial), [accepting[state] for state in order],
            [[order.index(edges[state, letter]) for letter in letters] for state in order])


def difference(a, b):
    """The words of a that b does not accept."""
    pairs = {(a[0], b[0]): 0}
    order, rows = list(pairs), []
    for p, q in order:
        for pair in zip(a[2][p], b[2][q]):
            if pair not in pairs:
                pairs[pair] = len(order)
                order.append(pair)
        rows.append([pairs[pair] for pair in zip(a[2][p], b[2][q])])
    return 0, [a[1][p] and not b[1][q] for p, q in order], rows


def same_language(a, b):
    seen, todo = {(a[0], b[0])}, [(a[0], b[0])]
    for p, q in todo:
        if a[1][p] != b[1][q]:
            return False
        for pair in zip(a[2][p], b[2][q]):
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return True


# ------------------------------------------------------------------------------------------------ enclosures

class Form:
    """x = centre + part e + r for some e in [-1, 1]^m, of which the first `ball` have a length of at most 1, and
    |r| <= radius; and low <= x <= high. Executed numbers."""

    def __init__(self, centre, part, radius, low, high, terms, ball=0):
        """`terms`: the sum of the magnitudes that went into each row; adds our own rounding."""
        self.centre, self.part, self.ball = centre, part, ball
        self.radius = radius + OWN * terms
        self.spread = (np.sqrt(np.square(part[:, :ball]).sum(axis=1)) + self.beside) * SUMMED + TINY
        edge = OWN * np.abs(centre)
        self.low = np.maximum(low - OWN * terms, centre - self.spread - edge)
        self.high = np.minimum(high + OWN * terms, centre + self.spread + edge)
        # Written so that what is not a number fails, too.
        need(np.all((self.low <= self.high) & (np.abs(centre) + self.spread <= LARGEST) & (self.low >= -LARGEST)
                    & (self.high <= LARGEST)), "an enclosure is empty or has numbers beyond 2^20")

    def rows(self, first, count):
        some = object.__new__(Form)
        some.ball = self.ball
        for name in ("centre", "part", "radius", "spread", "low", "high"):
            setattr(some, name, getattr(self, name)[first:first + count])
        return some

    def fresh(self, first):
        """The radius of every row becomes a symbol of its own, numbered from `first` on."""
        size, old = self.part.shape
        part = np.zeros((size, first + size))
        part[:, :old] = self.part
        part[np.arange(size), first + np.arange(size)] = self.radius
        return Form(self.centre, part, np.zeros(size), self.low, self.high, 0.0, self.ball)

    # |x - centre| but for the ball, up to SUMMED
    beside = property(lambda self: np.abs(self.part[:, self.ball:]).sum(axis=1) + self.radius)
    largest = property(lambda self: np.maximum(np.abs(self.low), np.abs(self.high)))
    terms = property(lambda self: np.abs(self.centre) + self.spread + self.largest)
    middle = property(lambda self: 0.5 * (self.low + self.high))
    half_width = property(lambda self: np.maximum(self.high - self.middle, self.middle - self.low) * (1 + OWN))


def combined(forms, by, offset, error, low, high, bend=0.0):
    """sum_k by_k x_k + offset + something within bend + error, where the exact result is in [low, high]."""
    size, symbols = len(low), max(form.part.shape[1] for form in forms)
    part, centre, radius = np.zeros((size, symbols)), offset + np.zeros(size), error + bend + np.zeros(size)
    terms = np.abs(offset) + radius + np.maximum(np.abs(low), np.abs(high))
    for form, factor in zip(forms, by):
        factor = factor + np.zeros(size)
        centre = centre + factor * form.centre
        radius = radius + np.abs(factor) * form.radius
        terms = terms + (1 + np.abs(factor)) * form.terms
        part[:, :form.part.shape[1]] += factor[:, None] * form.part
    return Form(centre, part, radius, low - error, high + error, terms, max(form.ball for form in forms))


def longest(matrix, products=4):
    """Upper bound of |M e| over all e of a length of at most 1: the root of that of M^T M, and so on; at last the root
    of all squares. Every product is off by less than n 2^-50 of what went into it."""
    norm = float(np.sqrt(np.square(matrix).sum())) * SUMMED + TINY
    if products == 0 or matrix.size == 0:
        return norm
    scaled = matrix / norm
    return norm * (longest(scaled.T @ scaled, products - 1) + (len(matrix) + 1) * 2.0 ** -50) ** 0.5 * (1 + OWN)


def difference(a, b):
    return combined([a, b], [1.0, -1.0], 0.0, 0.0, a.low - b.high, a.high - b.low)


def top(low, high, slope):
    """Upper bound of tanh x - slope x on [low, high]. Below 0 tanh is convex: an end is the highest. Above 0 it is
    concave: no point is above the tangent at p, whatever p >= 0 is."""
    below = np.minimum(high, 0.0)
    left = np.maximum(np.tanh(low) - slope * low, np.tanh(below) - slope * below)
    first = np.maximum(low, 0.0)
    with np.errstate(divide="ignore"):
        p = np.minimum(np.maximum(np.arctanh(np.sqrt(1 - slope)), first), np.maximum(high, 0.0))
    value = np.tanh(p)
    tilt = 1 - value * value
    right = value - tilt * p + np.maximum((tilt - slope) * first, (tilt - slope) * high)
    highest = np.maximum(np.where(low < 0, left, -np.inf), np.where(high > 0, right, -np.inf))
    highest = np.where((low >= 0) & (high <= 0), 0.0, highest)  # the single number 0
    return highest + BAND * (1 + np.maximum(np.abs(low), np.abs(high)))


def tanh_band(low, high):
    at_low, wide = np.tanh(low), high - low > 1e-6
    chord = (np.tanh(high) - at_low) / np.where(wide, high - low, 1.0)
    slope = np.clip(np.where(wide, chord, 1 - at_low * at_low), 0.0, 1.0)
    return slope, -top(-high, -low, slope), top(low, high, slope)


class Enclosure:
    def __init__(self, network, arithmetic, slack, most):
        self.unit, self.error = ARITHMETIC[arithmetic]
        self.slack, self.most, self.cell, self.accept = slack, most, network.cell, network.accept
        rounded = (lambda x: x.astype(np.float32).astype(float)) if arithmetic == "float32" else (lambda x: x)
        self.layers, self.head, initial, offset = [], [], [], 0
        for hidden, w, u, b, c, h0, c0 in network.layers:
            joint = 2 * hidden if self.cell == "gru-reset-before" else len(u)
            w, u, b, c = (rounded(x) for x in (w, u, b, c))
            self.layers.append((hidden, offset, (w, b), (u[:joint], c[:joint]), (u[joint:], c[joint:])))
            initial += [rounded(h0)] + ([rounded(c0)] if c0 is not None else [])
            offset += hidden * (1 if c0 is None else 2)
        for weights, bias, activation in network.head:
            self.head.append((rounded(weights), rounded(bias), activation))
        self.initial_state, self.size = np.concatenate(initial), offset
        need(most + 3 * offset <= 16384 and max(len(layer[2][0]) for layer in self.layers) <= 4096,
             "sizes beyond 4096 rows or 16384 symbols")
        # First layer: W x + b of every letter, summed in double and rounded once, in whichever order.
        _, w, _, b, *_ = network.layers[0]
        x = np.eye(len(network.letters)) if network.embedding is None else network.embedding
        self.table = []
        for a in range(len(network.letters)):
            value, terms = w @ x[a] + b, np.abs(w) @ np.abs(x[a]) + np.abs(b)
            error = 1.01 * (self.unit + 4 * w.shape[1] * 2.0 ** -53) * terms + TINY
            self.table.append(Form(value, np.zeros((len(b), 0)), error, value - error, value + error, terms))

    def box(self, low, high):
        middle = 0.5 * (low + high)
        half = np.maximum(high - middle, middle - low) * (1 + OWN)
        return Form(middle, np.zeros((self.size, 0)), half, low, high, 0.0)

    def exactly(self, weights, bias, x):
        return self.apply(weights, bias, x, 0.0)

    def apply(self, weights, bias, x, unit=None):
        """One chain of fused operations in every row, a rounding each; unit 0: exact."""
        unit = self.unit if unit is None else unit
        n, size = weights.shape[1], np.abs(weights)
        positive, negative = np.maximum(weights, 0), np.minimum(weights, 0)
        error = 1.01 * n * (unit * (np.abs(bias) + size @ x.largest) + TINY)
        terms = (np.abs(bias) + size @ x.terms) * (1 + n * 2.0 ** -4)
        return Form(bias + weights @ x.centre, weights @ x.part, size @ x.radius + error,
                    bias + positive @ x.low + negative @ x.high - error,
                    bias + positive @ x.high + negative @ x.low + error, terms, x.ball)

    def sum(self, a, b):
        low, high = a.low + b.low, a.high + b.high
        error = 1.01 * self.unit * np.maximum(np.abs(low), np.abs(high)) + TINY
        return combined([a, b], [1.0, 1.0], 0.0, error, low, high)

    def product(self, a, b, unit):
        """a b = A b + a B - A B + (a - A) (b - B) for any A and B; they are the middles. unit 0: exact."""
        ends = np.array([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
        low, high, middle_a, middle_b = ends.min(axis=0), ends.max(axis=0), a.middle, b.middle
        error = 1.01 * unit * np.maximum(np.abs(low), np.abs(high)) + TINY
        return combined([a, b], [middle_b, middle_a], -middle_a * middle_b, error, low, high,
                        a.half_width * b.half_width)

    def blend(self, z, h, n):
        """n + z (h - n), two roundings: = Z h + (1 - Z) n + D (z - Z) + (z - Z) (d - D), d = h - n."""
        d = difference(h, n)
        ends = np.array([s * x + (1 - s) * y for s in (z.low, z.high) for x in (h.low, h.high) for y in (n.low, n.high)])
        error = 1.01 * self.unit * (2 * z.largest * d.largest + n.largest) + TINY
        return combined([z, h, n], [d.middle, z.middle, 1 - z.middle], -d.middle * z.middle, error,
                        ends.min(axis=0), ends.max(axis=0), z.half_width * d.half_width)

    def activated(self, x, activation):
        if activation == "none":
            return x
        if activation == "tanh":
            slope, low, high = tanh_band(x.low, x.high)
            error, ends = self.error + BAND, (np.tanh(x.low), np.tanh(x.high))
        elif activation == "sigmoid":  # (1 + tanh(x/2)) / 2
            slope, low, high = tanh_band(x.low / 2, x.high / 2)
            slope, low, high = slope / 4, 0.5 + low / 2, 0.5 + high / 2
            error, ends = self.error + BAND, (0.5 + 0.5 * np.tanh(x.low / 2), 0.5 + 0.5 * np.tanh(x.high / 2))
        else:  # relu: x or 0; between them f(x) - slope x is largest at an end and smallest at 0
            crossing = (x.low < 0) & (x.high > 0)
            slope = np.where(crossing, np.clip(x.high / np.where(crossing, x.high - x.low, 1.0), 0, 1), x.low >= 0)
            high = np.where(crossing, np.maximum(-slope * x.low, (1 - slope) * x.high) * (1 + OWN), 0.0)
            low, error, ends = 0.0 * high, 0.0, (np.maximum(x.low, 0.0), np.maximum(x.high, 0.0))
        offset = 0.5 * (low + high)
        return combined([x], [slope], offset, error, *ends, np.maximum(high - offset, offset - low))

    def slackened(self, x):
        return combined([x], [1.0], 0.0, self.slack, x.low, x.high)

    def prepare(self, state):
        part, radius, most = state.part, state.radius, state.ball + self.most
        if part.shape[1] > most:  # the smallest symbols go into the radius, none of the ball
            weight = np.abs(part).sum(axis=0)
            weight[:state.ball] = np.inf
            order = np.argsort(-weight, kind="stable")
            radius = (radius + np.abs(part[:, order[most:]]).sum(axis=1)) * SUMMED
            part = part[:, order[:most]]
        state = Form(state.centre, part, radius, state.low, state.high, 0.0, state.ball).fresh(part.shape[1])
        return state, [self.apply(*layer[3], state.rows(layer[1], layer[0])) for layer in self.layers]

    def step(self, prepared, letter):
        state, recurrent = prepared
        blocks, symbols, below = [], state.part.shape[1], None

        def named(x):  # errors that another block depends on become symbols
            nonlocal symbols
            x = self.slackened(x).fresh(symbols)
            symbols += len(x.centre)
            return x

        for number, (size, offset, from_below, _, candidate) in enumerate(self.layers):
            given = self.table[letter] if number == 0 else self.apply(*from_below, below)
            past, hidden = recurrent[number], state.rows(offset, size)

            def gate(g, activation):
                return self.activated(self.sum(given.rows(g * size, size), past.rows(g * size, size)), activation)

            if self.cell.startswith("elman"):
                below = gate(0, self.cell[len("elman-"):])
            elif self.cell == "lstm":
                keep, new, g = gate(1, "sigmoid"), gate(0, "sigmoid"), gate(2, "tanh")
                kept = self.product(keep, state.rows(offset + size, size), 0.0)
                cell = named(self.sum(kept, self.product(new, g, self.unit)))
                below = self.product(gate(3, "sigmoid"), self.activated(cell, "tanh"), self.unit)
            else:
                r, z = gate(0, "sigmoid"), gate(1, "sigmoid")
                reset = (self.product(r, past.rows(2 * size, size), 0.0) if self.cell == "gru"
                         else self.apply(*candidate, self.product(r, hidden, self.unit)))
                n = self.activated(self.sum(given.rows(2 * size, size), reset), "tanh")
                below = self.blend(z, hidden, n)
            below = named(below) if number + 1 < len(self.layers) else self.slackened(below)
            blocks += [below] + ([cell] if self.cell == "lstm" else [])
        part = np.zeros((self.size, symbols))
        first = 0
        for block in blocks:
            part[first:first + len(block.centre), :block.part.shape[1]] = block.part
            first += len(block.centre)
        centre, radius, low, high = (np.concatenate([getattr(block, name) for block in blocks])
                                     for name in ("centre", "radius", "low", "high"))
        return Form(centre, part, radius, low, high, 0.0, state.ball)

    def margin(self, state):
        """Accept is: the one score is above 0, or the accept class scores above every other."""
        size, offset = self.layers[-1][:2]
        scores = state.rows(offset, size)
        for weights, bias, activation in self.head:
            scores = self.activated(self.apply(weights, bias, scores), activation)
        if len(scores.centre) == 1:
            return scores.low[0], scores.high[0]
        leads = [difference(scores.rows(self.accept, 1), scores.rows(k, 1))
                 for k in range(len(scores.centre)) if k != self.accept]
        return min(lead.low[0] for lead in leads), min(lead.high[0] for lead in leads)


# ------------------------------------------------------------------------------------------------ the check

class Words:
    """Which words the claim is about, as an automaton; its state after a word, None once outside."""

    def __init__(self, claim, letters):
        need(isinstance(claim, dict) and set(claim) <= {"letters", "max_run", "max_length"}, "words: unknown claim")
        self.said = "every word"
        self.allowed = [True] * len(letters)
        if "letters" in claim:
            need(set(claim["letters"]) <= set(letters), "words: a symbol that the network does not have")
            self.allowed = [letter in claim["letters"] for letter in letters]
            self.said += " of the symbols " + " ".join(claim["letters"])
        self.run, self.length = claim.get("max_run"), claim.get("max_length")
        for limit in (self.run, self.length):
            need(limit is None or (type(limit) is int and 0 < limit < 10000), "words: expected a number above 0")
        if self.run:
            self.said += " with no symbol more than %d times in a row" % self.run
        if self.length:
            self.said += " of at most %d symbols" % self.length
        self.runs = 1 + len(letters) * (self.run or 0)

    def next(self, state, letter):
        length, run = divmod(state, self.runs)
        if not self.allowed[letter]:
            return None
        if self.length:
            length += 1
            if length > self.length:
                return None
        if self.run:
            count = (run - 1) % self.run + 1 if run > 0 and (run - 1) // self.run == letter else 0
            if count == self.run:
                return None
            run = 1 + letter * self.run + count
        return length * self.runs + run


class Box:
    def __init__(self, enclosure, low, high):
        need(len(low) == len(high) == enclosure.size and np.all(low <= high), "not a box")
        self.form, self.low, self.high = enclosure.box(low, high), low, high

    def contains(self, image):
        return np.all((self.low <= image.low) & (image.high <= self.high))


class Ellipsoid:
    """middle + shape e with e of a length of at most 1; `shape` is given as the rows of a lower triangle."""

    def __init__(self, enclosure, middle, shape):
        size = enclosure.size
        need(len(middle) == size and len(shape) == size * (size + 1) // 2, "not an ellipsoid")
        part = np.zeros((size, size))
        part[np.tril_indices(size)] = shape
        need(np.all(np.diag(part) > 0), "a flat ellipsoid")
        # With E = 1 - back shape, e = back (x - middle) + E e. If |E| < 1 there is such an e for every x, and
        # |e| <= |back (x - middle)| / (1 - |E|). |E| is bounded by the root of its squares.
        self.back, self.middle, one = np.linalg.inv(part), middle, np.eye(size)
        rounding = np.abs(self.back) @ np.abs(part) + one
        off = np.abs(one - self.back @ part) + size * 2.0 ** -50 * rounding
        self.most = (1 - float(np.sqrt(np.square(off).sum())) * SUMMED) * (1 - OWN)
        need(self.most > 0, "an ellipsoid that is too nearly flat")
        far = np.full(size, LARGEST)
        self.form = Form(middle, part, np.zeros(size), -far, far, 0.0, size)
        self.apply = enclosure.exactly

    def contains(self, image):
        away = combined([image], [1.0], -self.middle, 0.0, image.low - self.middle, image.high - self.middle)
        y = self.apply(self.back, np.zeros(len(self.middle)), away)
        rest = y.largest if y.ball == 0 else np.abs(y.centre) + y.beside * SUMMED
        length = float(np.sqrt(np.square(rest).sum())) + longest(y.part[:, :y.ball])
        return length * SUMMED + TINY <= self.most


def whole(value, below, what):
    need(type(value) is int and 0 <= value < below, "%s: expected a number below %d" % (what, below))
    return value


def real(text, what):
    need(isinstance(text, str) and re.fullmatch(r"-?0x[0-9a-f.]+p[+-]?\d+", text), what + ": expected a hexadecimal number")
    value = float.fromhex(text)
    need(abs(value) <= LARGEST, what + ": beyond 2^20")
    return value


SAID = {"equal": "accepts if and only if the automaton does", "never": "rejects what the automaton accepts",
        "always": "accepts what the automaton accepts"}


def demands(name, dfa):
    """What the network has to answer in each state of the automaton (None: either), and which states lead to a demand."""
    need(name in SAID, "property: expected never or always")
    accept = [inside if name == "equal" else (name == "always") if inside else None for inside in dfa[1]]
    live = {state for state, answer in enumerate(accept) if answer is not None}
    for _ in dfa[1]:
        live |= {state for state, row in enumerate(dfa[2]) if live & set(row)}
    return accept, live


class Walk:
    def __init__(self, enclosure, dfa, property, words, sets):
        self.enclosure, self.dfa, self.words, self.sets = enclosure, dfa, words, sets
        self.accept, self.live = demands(property, dfa)
        self.margin, self.images = float("inf"), 0

    def tree(self, form, state, monitor, entries, where):
        """For every symbol after which the claim still asks for something, in order: a set that contains the image, or
        -1 and then the image's own symbols."""
        need(isinstance(entries, list), where + ": expected a tree")
        self.entries, self.at, self.where = entries, 0, where
        self.descend(form, state, monitor, 0)
        need(self.at == len(entries), where + ": more entries than the tree has symbols")

    def side(self, form, state, where):
        if self.accept[state] is None:
            return
        low, high = self.enclosure.margin(form)
        distance = low if self.accept[state] else -high
        need(distance > 0, where + ": the margin may be on the wrong side of 0")
        self.margin = min(self.margin, distance)

    def descend(self, form, state, monitor, depth):
        need(depth <= 200, self.where + ": a tree deeper than 200 symbols")
        prepared = self.enclosure.prepare(form)
        for letter, following in enumerate(self.dfa[2][state]):
            beyond = self.words.next(monitor, letter)
            if beyond is None or following not in self.live:
                continue
            image = self.enclosure.step(prepared, letter)
            self.images += 1
            where = "%s, entry %d" % (self.where, self.at)
            self.side(image, following, where)
            need(self.at < len(self.entries), where + ": fewer entries than the tree has symbols")
            entry = self.entries[self.at]
            self.at += 1
            if type(entry) is int and entry == -1:
                self.descend(image, following, beyond, depth + 1)
                continue
            leaf = self.sets[whole(entry, len(self.sets), where)]
            need(leaf[:2] == (following, beyond), where + ": a leaf of another state")
            need(leaf[2].contains(image), where + ": the image is not in the set")


def check(network, automaton, text):
    try:
        file = json.loads(text)
        need(file["format"] in ["rnnalf certificate %d" % n for n in (1, 2, 3)], "certificate: unknown format")
        property = file["property"] if file["format"][-1] == "3" else "equal"
        found = hashlib.sha256(network.canonical()).hexdigest()
        need(file["network"] == found, "network: a certificate for other weights; this network is " + found)
        need(file["arithmetic"] in ARITHMETIC, "arithmetic: expected float32 or float64")
        words = Words(file["words"], network.letters)
        dfa = file["dfa"]
        need(dfa["alphabet"] == network.letters, "dfa: expected the network's letters, in its order")
        states = len(dfa["transitions"])
        need(len(dfa["accepting"]) == states and all(type(x) is bool for x in dfa["accepting"]), "dfa: accepting")
        for row in dfa["transitions"]:
            need(len(row) == len(network.letters), "dfa: not total")
            for target in row:
                whole(target, states, "dfa: transitions")
        dfa = whole(dfa["initial"], states, "dfa: initial"), dfa["accepting"], dfa["transitions"]
        need(same_language(automaton, dfa), "dfa: a certificate for another language")
        slack = real(file["slack"], "slack")
        need(slack >= 0, "slack: below 0")
        enclosure = Enclosure(network, file["arithmetic"], slack, whole(file["generators"], 10000, "generators"))
        sets = []
        for number, item in enumerate(file["sets"]):
            where = "set %d" % number
            kind, *keys = (Ellipsoid, "middle", "shape") if "shape" in item else (Box, "low", "high")
            region = kind(enclosure, *(np.array([real(x, where) for x in item[key]]) for key in keys))
            sets.append((whole(item["state"], states, where), whole(item["monitor"], 1 << 40, where), region))
        walk = Walk(enclosure, dfa, property, words, sets)
        initial = enclosure.box(enclosure.initial_state, enclosure.initial_state)
        need(type(file["empty_word"]) is bool, "empty_word: expected true or false")
        if file["empty_word"]:
            walk.side(initial, dfa[0], "empty word")
        walk.tree(initial, dfa[0], 0, file["start"], "start")
        for number, (state, monitor, region) in enumerate(sets):
            walk.tree(region.form, state, monitor, file["sets"][number]["tree"], "set %d" % number)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise Refused("not a certificate: %s %s" % (type(error).__name__, error)) from error
    return ("For %s over {%s}, the empty word %s, the network as rnnalf executes it in %s %s. The smallest margin is %.3g; "
            "the same holds for any implementation that is off by at most %.2g in every component of the state in every "
            "step.\n%d sets, %d images, every one inside."
            % (words.said, " ".join(network.letters), "included" if file["empty_word"] else "left out",
               file["arithmetic"], SAID[property], walk.margin, slack, len(sets), walk.images))


def read_network(data, alphabet, cell, accept):
    if data.startswith(b"rnnalf network 1\n"):
        return read_canonical(data)
    if data.startswith(b"PK"):
        need(cell in GATES, "network: a state_dict does not say its cell; give --cell")
        letters = alphabet.split() if alphabet and " " in alphabet else list(alphabet or "")
        return read_state_dict(data, cell, letters, accept)
    return read_onnx(data, accept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("network", "automaton", "certificate"):
        parser.add_argument(name)
    parser.add_argument("--alphabet")
    parser.add_argument("--cell")
    parser.add_argument("--accept-class", type=int)
    parser.add_argument("--without", metavar="AUTOMATON")
    options = parser.parse_args()
    try:
        with open(options.network, "rb") as file:
            data = file.read()
        try:
            network = read_network(data, options.alphabet, options.cell, options.accept_class)
        except (KeyError, TypeError, ValueError, IndexError, StopIteration, AttributeError, zipfile.BadZipFile,
                pickle.UnpicklingError) as error:
            raise Refused("network: %s %s" % (type(error).__name__, error)) from error
        with open(options.automaton, encoding="utf-8") as file:
            automaton = read_automaton(file.read(), network.letters)
        if options.without:
            with open(options.without, encoding="utf-8") as file:
                automaton = difference(automaton, read_automaton(file.read(), network.letters))
        with open(options.certificate, encoding="utf-8") as file:
            print(check(network, automaton, file.read()))
    except (Refused, OSError, ValueError) as refused:
        sys.exit("rnnalf_check: %s: refused: %s" % (options.certificate, refused))


if __name__ == "__main__":
    main()
