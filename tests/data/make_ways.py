#!/usr/bin/python3
"""Makes tests/data/ways: small networks in every way that people build and save them.

  /usr/bin/python3 tests/data/make_ways.py [NETWORK...]    (Debian's python3-torch, python3-onnx and python3-h5py)

NAME.EXTENSION are the files; for each network there is a state_dict (.pt), the whole module
(.module.pt), TorchScript, traced (.script.pt) and scripted (.scripted.pt), safetensors, and ONNX at
operator sets 9, 13 and 17, where the framework can write it. ONNX that this PyTorch does not write (Scan,
cells with other activations, weights in a file beside) is made with onnx.helper. ways.json has 200 random words, for each network the probability of accept that
PyTorch computes for them, and for each file the options to read it with.

The Keras files (.h5, .keras) are NOT made by Keras, which Debian does not have: make_keras.py writes
them with h5py as Keras documents its files, and computes their scores with NumPy.
"""
import argparse
import io
import json
import os
import struct
import sys
import warnings
import zipfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ways_table import LETTERS, words, write_table  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ways")
HIDDEN = 4
OPSETS = (9, 13, 17)
warnings.filterwarnings("ignore")


def pool(x, how):
    """[batch, time, features] to [batch, features]."""
    return {"last": lambda: x[:, -1], "mean": lambda: x.mean(1), "max": lambda: x.max(1)[0],
            "sum": lambda: x.sum(1), "adaptive-max": lambda: F.adaptive_max_pool1d(x.transpose(1, 2), 1).squeeze(2),
            "adaptive-avg": lambda: F.adaptive_avg_pool1d(x.transpose(1, 2), 1).squeeze(2),
            "last+mean+max": lambda: torch.cat([x[:, -1], x.mean(1), x.max(1)[0]], 1),
            "max+last": lambda: torch.cat([x.max(1)[0], x[:, -1]], 1)}[how]()


class Net(nn.Module):
    """Embedding, recurrent module, pooling over time, head."""

    def __init__(self, rnn, head, how="last", before=None):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = rnn
        self.fc = head
        self.how, self.before = how, before

    def forward(self, x):
        out, _ = self.rnn(self.emb(x))
        out = pool(out, self.how)
        return self.fc(out if self.before is None else self.before(out))


class OneHot(nn.Module):
    """One-hot letters as floats, a recurrent module, a dense layer."""

    def __init__(self, rnn):
        super().__init__()
        self.rnn = rnn
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        return self.fc(self.rnn(x)[0][:, -1])


class FinalState(nn.Module):
    """The final state that the module returns, of the last of two layers."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.LSTM(3, HIDDEN, 2, batch_first=True)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(HIDDEN, 2)

    def forward(self, x):
        _, (h, _) = self.rnn(self.emb(x))
        return torch.log_softmax(self.fc(self.drop(h[-1])), 1)


class InputLayer(nn.Module):
    """A linear layer and an activation between embedding and recurrent module."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.proj = nn.Linear(3, 5)
        self.rnn = nn.GRU(5, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        return self.fc(self.rnn(F.relu(self.proj(self.emb(x))))[0][:, -1])


class TwoCells(nn.Module):
    """An LSTM, a layer normalisation and a GRU."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.lstm = nn.LSTM(3, HIDDEN, batch_first=True)
        self.norm = nn.LayerNorm(HIDDEN)
        self.gru = nn.GRU(HIDDEN, 5, batch_first=True)
        self.fc = nn.Linear(5, 1)

    def forward(self, x):
        return self.fc(self.gru(self.norm(self.lstm(self.emb(x))[0]))[0][:, -1])


class Siblings(nn.Module):
    """Two modules of one layer each, chained by hand; probabilities of a sigmoid and a softmax."""

    def __init__(self):
        super().__init__()
        self.parts = [nn.GRU(LETTERS, HIDDEN, batch_first=True), nn.GRU(HIDDEN, 5, batch_first=True)]
        for number, part in enumerate(self.parts):
            self.add_module("layer[%d]" % number, part)
        self.dense = nn.Sequential(nn.Linear(5, 3), nn.Linear(3, 2), nn.Sigmoid(), nn.Softmax(-1))

    def forward(self, x):
        for part in self.parts:
            x = part(x)[0]
        return self.dense(x[:, -1])


class BothEnds(nn.Module):
    """The states in which both directions of the second of two layers end."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.LSTM(3, HIDDEN, 2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * HIDDEN, 2)

    def forward(self, x):
        _, (h, _) = self.rnn(self.emb(x))
        return self.fc(torch.cat([h[-2], h[-1]], 1))


class Transformer(nn.Module):
    """Embedding, positions, one block of attention with two heads and a dense part, the mean over time."""

    def __init__(self, width=8):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, width)
        self.positions = nn.Parameter(torch.zeros(1, 64, width))
        self.queries, self.keys, self.values = (nn.Linear(width, width) for _ in range(3))
        self.norm, self.other_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dense = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.fc = nn.Linear(width, 1)

    def heads(self, x):
        return x.view(x.shape[0], x.shape[1], 2, -1).transpose(1, 2)

    def forward(self, x):
        x = self.emb(x) + self.positions[:, :x.shape[1]]
        q, k, v = (self.heads(part(x)) for part in (self.queries, self.keys, self.values))
        mixed = torch.softmax(q @ k.transpose(2, 3) / 2, -1) @ v
        x = self.norm(x + mixed.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))
        x = self.other_norm(x + self.dense(x))
        return self.fc(x.mean(1))


class MinGru(nn.Module):
    """A gate and a candidate of the symbol alone; scores after every symbol."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.gate, self.candidate = nn.Linear(3, HIDDEN), nn.Linear(3, HIDDEN)
        self.fc = nn.Linear(HIDDEN, 2)

    def forward(self, x):
        x = self.emb(x)
        hidden = torch.zeros(x.shape[0], HIDDEN)
        states = []
        for i in range(x.shape[1]):
            z = torch.sigmoid(self.gate(x[:, i]))
            hidden = (1 - z) * hidden + z * self.candidate(x[:, i])
            states.append(hidden)
        return self.fc(torch.stack(states, 1))


class EverySymbol(nn.Module):
    """Scores after every symbol."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.GRU(3, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 2)

    def forward(self, x):
        return self.fc(self.rnn(self.emb(x))[0])


class Residual(nn.Module):
    """Each layer's output is added to its input."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, HIDDEN)
        self.first = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.second = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        e = self.emb(x)
        y = e + self.first(e)[0]
        return self.fc((y + self.second(y)[0])[:, -1])


class Packed(nn.Module):
    """Packed sequences: the final state at the length that is given."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.GRU(3, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        return self.fc(self.rnn(packed)[1][-1])


class ByLength(nn.Module):
    """The state at position length - 1, chosen by gather."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.LSTM(3, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x, lengths):
        out = self.rnn(self.emb(x))[0]
        at = (lengths - 1).view(-1, 1, 1).expand(-1, 1, HIDDEN)
        return self.fc(out.gather(1, at).squeeze(1))


class StateInOut(nn.Module):
    """The hidden state is an input and an output."""

    def __init__(self, layers=1):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.GRU(3, HIDDEN, layers, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.emb(x), hidden)
        return self.fc(out[:, -1]), hidden


class HandWritten(nn.Module):
    """The Elman cell of PyTorch's tutorial, one letter at a time; the state goes in and out."""

    def __init__(self):
        super().__init__()
        self.i2h = nn.Linear(LETTERS, HIDDEN)
        self.h2h = nn.Linear(HIDDEN, HIDDEN)
        self.h2o = nn.Linear(HIDDEN, 2)

    def forward(self, x, hidden):
        hidden = torch.tanh(self.i2h(x) + self.h2h(hidden))
        return torch.log_softmax(self.h2o(hidden), 1), hidden


class HandWrittenJoined(nn.Module):
    """The same with letter and state in one vector, and a leaky ReLU."""

    def __init__(self):
        super().__init__()
        self.i2h = nn.Linear(LETTERS + HIDDEN, HIDDEN)
        self.i2o = nn.Linear(HIDDEN, 1)

    def forward(self, x, hidden):
        hidden = F.leaky_relu(self.i2h(torch.cat((x, hidden), 1)), 0.2)
        return self.i2o(hidden), hidden


class CellLoop(nn.Module):
    """A cell in a loop over the letters; scripted, so that the loop is in the graph."""

    def __init__(self, cell):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.cell = cell
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        e = self.emb(x)
        h = torch.zeros(e.size(0), self.fc.in_features)
        for i in range(e.size(1)):
            h = self.cell(e[:, i], h)
        return self.fc(h)


class LstmCellLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.cell = nn.LSTMCell(3, HIDDEN)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        e = self.emb(x)
        h = torch.zeros(e.size(0), self.fc.in_features)
        c = torch.zeros(e.size(0), self.fc.in_features)
        for i in range(e.size(1)):
            h, c = self.cell(e[:, i], (h, c))
        return self.fc(h)


class ElmanLoop(nn.Module):
    """A hand-written cell in a loop."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.i2h = nn.Linear(3, HIDDEN)
        self.h2h = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        e = self.emb(x)
        h = torch.zeros(e.size(0), self.fc.in_features)
        for i in range(e.size(1)):
            h = torch.tanh(self.i2h(e[:, i]) + self.h2h(h))
        return self.fc(h)


class GruFormulas(nn.Module):
    """A GRU written out, in a loop."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.x2h = nn.Linear(3, 3 * HIDDEN)
        self.h2h = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        e = self.emb(x)
        h = torch.zeros(e.size(0), self.fc.in_features)
        for i in range(e.size(1)):
            a, b = self.x2h(e[:, i]), self.h2h(h)
            ar, az, an = a.chunk(3, 1)
            br, bz, bn = b.chunk(3, 1)
            z = torch.sigmoid(az + bz)
            h = (1 - z) * torch.tanh(an + torch.sigmoid(ar + br) * bn) + z * h
        return self.fc(h)


class Unrolled(ElmanLoop):
    """The same as ElmanLoop, traced: the graph has a copy of the cell for each of five letters."""


class WrittenOut(nn.Module):
    """Loops that are traced, so that the graph has a copy of the step for each of five letters."""

    def __init__(self, **parts):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        for name, part in parts.items():
            setattr(self, name, part)
        self.fc = nn.Linear(HIDDEN, 1)

    def zeros(self, x):
        return torch.zeros(x.size(0), HIDDEN)


class UnrolledCell(WrittenOut):
    def forward(self, x):
        e, h = self.emb(x), self.zeros(x)
        for i in range(x.size(1)):
            h = self.cell(e[:, i], h)
        return self.fc(h)


class UnrolledLstm(WrittenOut):
    """The state is given to the cell as it comes, None at first."""

    def forward(self, x):
        state = None
        for letter in self.emb(x).unbind(1):
            state = self.cell(letter, state)
        return self.fc(state[0])


class UnrolledLearnedState(WrittenOut):
    """A trained initial state; the embedding is in the loop."""

    def __init__(self):
        super().__init__(cell=nn.LSTMCell(3, HIDDEN), h0=nn.Parameter(torch.zeros(HIDDEN)),
                         c0=nn.Parameter(torch.zeros(1, HIDDEN)))

    def forward(self, x):
        h, c = self.h0.expand(x.size(0), -1), self.c0.expand(x.size(0), -1)
        for i in range(x.size(1)):
            h, c = self.cell(self.emb(x[:, i]), (h, c))
        return self.fc(h)


class UnrolledTwoLayers(WrittenOut):
    """A GRU cell and an LSTM cell, step by step."""

    def __init__(self):
        super().__init__(first=nn.GRUCell(3, 5), second=nn.LSTMCell(5, HIDDEN))

    def forward(self, x):
        e, a, h, c = self.emb(x), torch.zeros(x.size(0), 5), self.zeros(x), self.zeros(x)
        for letter in e.split(1, 1):
            a = self.first(letter[:, 0], a)
            h, c = self.second(a, (h, c))
        return self.fc(h)


class UnrolledLayerByLayer(WrittenOut):
    """A whole layer, then the next; the last state is chosen from all of them."""

    def __init__(self):
        super().__init__(first=nn.GRUCell(3, HIDDEN), second=nn.RNNCell(HIDDEN, HIDDEN))

    def forward(self, x):
        e = self.emb(x)
        letters = [e[:, i] for i in range(x.size(1))]
        for cell in (self.first, self.second):
            h, states = self.zeros(x), []
            for letter in letters:
                h = cell(letter, h)
                states.append(h)
            letters = states
        return self.fc(torch.stack(letters, 1)[:, -1])


class UnrolledPool(WrittenOut):
    """The mean or maximum of the states of all steps."""

    def __init__(self, how):
        super().__init__(cell=nn.GRUCell(3, HIDDEN))
        self.how = how

    def forward(self, x):
        e, h, states = self.emb(x), self.zeros(x), []
        for i in range(x.size(1)):
            h = self.cell(e[:, i], h)
            states.append(h.unsqueeze(1))
        return self.fc(pool(torch.cat(states, 1), self.how))


class UnrolledModule(WrittenOut):
    """nn.GRU with two layers, called with one letter after another."""

    def __init__(self):
        super().__init__(rnn=nn.GRU(3, HIDDEN, 2, batch_first=True))

    def forward(self, x):
        e, h = self.emb(x), torch.zeros(2, x.size(0), HIDDEN)
        for i in range(x.size(1)):
            out, h = self.rnn(e[:, i:i + 1], h)
        return self.fc(out[:, -1])


class UnrolledLstmModule(WrittenOut):
    """nn.LSTM, called with one letter after another; a normalisation in the loop."""

    def __init__(self):
        super().__init__(rnn=nn.LSTM(3, HIDDEN), norm=nn.LayerNorm(3))

    def forward(self, x):
        e, state = self.emb(x.t()), None
        for letter in e:
            out, state = self.rnn(self.norm(letter).unsqueeze(0), state)
        return self.fc(out[0])


class UnrolledOneHot(nn.Module):
    """Letter and state in one vector, leaky state, one-hot letters of five positions."""

    def __init__(self):
        super().__init__()
        self.step = nn.Linear(LETTERS + HIDDEN, HIDDEN)
        self.fc = nn.Linear(HIDDEN, 2)

    def forward(self, x):
        h = torch.zeros(x.size(0), HIDDEN)
        for i in range(x.size(1)):
            h = 0.7 * h + 0.3 * torch.tanh(self.step(torch.cat((x[:, i], h), 1)))
        return torch.log_softmax(self.fc(h), 1)


class UnrolledOtherFirst(WrittenOut):
    """The first step is another one."""

    def forward(self, x):
        e = self.emb(x)
        h = torch.relu(self.start(e[:, 0]))
        for i in range(1, x.size(1)):
            h = self.cell(e[:, i], h)
        return self.fc(h)


class UnrolledOtherWeights(WrittenOut):
    """Every second letter is read by another cell."""

    def forward(self, x):
        e, h = self.emb(x), self.zeros(x)
        for i in range(x.size(1)):
            h = (self.other if i % 2 else self.cell)(e[:, i], h)
        return self.fc(h)


class UnrolledByPosition(WrittenOut):
    """The position of the letter is part of the step."""

    def forward(self, x):
        e, h = self.emb(x), self.zeros(x)
        for i in range(x.size(1)):
            h = self.cell(e[:, i] / (i + 1), h)
        return self.fc(h)


class UnrolledLookBack(WrittenOut):
    """Each step reads the state of the one before the last, too."""

    def forward(self, x):
        e, h, g = self.emb(x), self.zeros(x), self.zeros(x)
        for i in range(x.size(1)):
            h, g = self.cell(e[:, i], h + g), h
        return self.fc(h)


class LooseSigmoid(nn.Module):
    """The sigmoid at the end is a module of its own."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.GRU(3, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        return self.sigmoid(self.fc(self.rnn(self.emb(x))[0][:, -1]))


class PoolModule(nn.Module):
    """Pooling over time by a module."""

    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = nn.GRU(3, HIDDEN, batch_first=True)
        self.pool = nn.AdaptiveMaxPool1d(1)
        self.fc = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        return self.fc(self.pool(self.rnn(self.emb(x))[0].transpose(1, 2)).squeeze(2))


class Scripted(nn.Module):
    """Net for the last state, without what TorchScript cannot say."""

    def __init__(self, net):
        super().__init__()
        self.emb, self.rnn, self.fc = net.emb, net.rnn, net.fc

    def forward(self, x):
        return self.fc(self.rnn(self.emb(x))[0][:, -1])


class OtherActivations(nn.Module):
    """A recurrent node of ONNX with activations that torch's modules do not have, computed step by step from ONNX's
    formulas. `names` as in the node, `functions` what they are."""

    def __init__(self, rnn, names, functions, alpha=(), beta=()):
        super().__init__()
        self.emb = nn.Embedding(LETTERS, 3)
        self.rnn = rnn
        self.fc = nn.Linear(HIDDEN, 1)
        self.names, self.functions, self.alpha, self.beta = names, functions, alpha, beta

    def forward(self, x):
        h = c = torch.zeros(x.size(0), HIDDEN)
        w, r = self.rnn.weight_ih_l0, self.rnn.weight_hh_l0
        for letter in self.emb(x).unbind(1):
            a, b = letter @ w.T + self.rnn.bias_ih_l0, h @ r.T + self.rnn.bias_hh_l0
            f, g = self.functions[0], self.functions[-1]
            if isinstance(self.rnn, nn.LSTM):  # torch: i, f, g, o
                i, forget, cell, o = (a + b).chunk(4, 1)
                c = f(forget) * c + f(i) * self.functions[1](cell)
                h = f(o) * g(c)
            elif isinstance(self.rnn, nn.GRU):  # torch: r, z, n
                (ar, az, an), (br, bz, bn) = a.chunk(3, 1), b.chunk(3, 1)
                z = f(az + bz)
                h = (1 - z) * g(an + f(ar + br) * bn) + z * h
            else:
                h = f(a + b)
        return self.fc(h)


def hard_sigmoid(alpha=0.2, beta=0.5):
    return lambda x: torch.clamp(alpha * x + beta, 0, 1)


def gru(inputs=3, **options):
    return nn.GRU(inputs, HIDDEN, batch_first=True, **options)


def fc(outputs=1, inputs=HIDDEN):
    return nn.Linear(inputs, outputs)


def head(*between):
    return nn.Sequential(nn.Linear(HIDDEN, 5), *between, nn.Linear(5, 1))


NETWORKS = {
    "gru": lambda: Net(gru(), fc()),
    "lstm": lambda: Net(nn.LSTM(3, HIDDEN, batch_first=True), fc()),
    "rnn-tanh": lambda: Net(nn.RNN(3, HIDDEN, batch_first=True), fc()),
    "rnn-relu": lambda: Net(nn.RNN(3, HIDDEN, batch_first=True, nonlinearity="relu"), fc()),
    "one-hot": lambda: OneHot(nn.GRU(LETTERS, HIDDEN, batch_first=True)),
    "final-state": FinalState,
    "mean": lambda: Net(gru(), fc(), "mean"),
    "max": lambda: Net(nn.LSTM(3, HIDDEN, batch_first=True), fc(), "max"),
    "sum": lambda: Net(gru(), fc(), "sum"),
    "adaptive-max": lambda: Net(gru(num_layers=2), fc(2), "adaptive-max"),
    "adaptive-avg": lambda: Net(gru(), fc(2), "adaptive-avg"),
    "last-mean-max": lambda: Net(gru(), fc(1, 3 * HIDDEN), "last+mean+max"),
    "relu-before-head": lambda: Net(gru(), fc(), before=F.relu),
    "head-relu": lambda: Net(gru(), head(nn.ReLU(), nn.Dropout(0.5))),
    "head-leaky": lambda: Net(gru(), head(nn.LeakyReLU(0.1))),
    "head-elu": lambda: Net(gru(), head(nn.ELU(1.5))),
    "head-gelu": lambda: Net(gru(), head(nn.GELU())),
    "head-gelu-tanh": lambda: Net(gru(), head(nn.GELU(approximate="tanh"))),
    "head-silu": lambda: Net(gru(), head(nn.SiLU())),
    "head-linear": lambda: Net(gru(), head()),
    "head-layer-norm": lambda: Net(gru(), head(nn.LayerNorm(5), nn.Tanh())),
    "head-batch-norm": lambda: Net(gru(), head(nn.BatchNorm1d(5), nn.ReLU())),
    "layer-norm-first": lambda: Net(gru(), nn.Sequential(nn.LayerNorm(HIDDEN), fc())),
    "layer-norm-epsilon": lambda: Net(gru(), nn.Sequential(nn.LayerNorm(HIDDEN, eps=1e-2), fc())),
    "batch-norm-first": lambda: Net(gru(), nn.Sequential(nn.BatchNorm1d(HIDDEN), nn.ReLU(), fc())),
    "input-layer": InputLayer,
    "two-cells": TwoCells,
    "residual": Residual,
    "siblings": Siblings,
    "every-symbol": EverySymbol,
    "both-ends": BothEnds,
    "transformer": Transformer,
    "min-gru": MinGru,
    "packed": Packed,
    "by-length": ByLength,
    "state-in-out": StateInOut,
    "state-in-out-two-layers": lambda: StateInOut(2),
    "hand-written": HandWritten,
    "hand-written-joined": HandWrittenJoined,
    "gru-cell-loop": lambda: CellLoop(nn.GRUCell(3, HIDDEN)),
    "rnn-cell-loop": lambda: CellLoop(nn.RNNCell(3, HIDDEN)),
    "lstm-cell-loop": LstmCellLoop,
    "elman-loop": ElmanLoop,
    "gru-formulas-loop": GruFormulas,
    "unrolled": Unrolled,
    "unrolled-gru-cell": lambda: UnrolledCell(cell=nn.GRUCell(3, HIDDEN)),
    "unrolled-rnn-cell": lambda: UnrolledCell(cell=nn.RNNCell(3, HIDDEN, nonlinearity="relu")),
    "unrolled-lstm-cell": lambda: UnrolledLstm(cell=nn.LSTMCell(3, HIDDEN)),
    "unrolled-learned-state": UnrolledLearnedState,
    "unrolled-two-layers": UnrolledTwoLayers,
    "unrolled-layer-by-layer": UnrolledLayerByLayer,
    "unrolled-mean": lambda: UnrolledPool("mean"),
    "unrolled-max": lambda: UnrolledPool("max"),
    "unrolled-module": UnrolledModule,
    "unrolled-lstm-module": UnrolledLstmModule,
    "unrolled-one-hot": UnrolledOneHot,
    "unrolled-look-back": lambda: UnrolledLookBack(cell=nn.GRUCell(3, HIDDEN)),
    "unrolled-other-first": lambda: UnrolledOtherFirst(cell=nn.GRUCell(3, HIDDEN), start=nn.Linear(3, HIDDEN)),
    "unrolled-other-weights": lambda: UnrolledOtherWeights(cell=nn.GRUCell(3, HIDDEN), other=nn.GRUCell(3, HIDDEN)),
    "unrolled-by-position": lambda: UnrolledByPosition(cell=nn.GRUCell(3, HIDDEN)),
    "unrolled-two-letters": lambda: UnrolledCell(cell=nn.GRUCell(3, HIDDEN)),
    "bidirectional": lambda: Net(gru(bidirectional=True), fc(1, 2 * HIDDEN)),
    "max-last": lambda: Net(nn.LSTM(3, HIDDEN, batch_first=True), fc(2, 2 * HIDDEN), "max+last"),
    "pool-module": PoolModule,
    "head-relu-norm": lambda: Net(gru(), head(nn.ReLU(), nn.BatchNorm1d(5))),
    "dropout-first": lambda: Net(gru(), nn.Sequential(nn.Dropout(0.5), fc())),
    "head-sigmoid": lambda: Net(gru(), nn.Sequential(nn.Linear(HIDDEN, 5), nn.ReLU(), fc(1, 5), nn.Sigmoid())),
    "head-softmax": lambda: Net(gru(), nn.Sequential(fc(2), nn.Softmax(1))),
    "head-log-softmax": lambda: Net(gru(), nn.Sequential(fc(2), nn.LogSoftmax(1))),
    "head-sigmoid-softmax": lambda: Net(gru(), nn.Sequential(fc(2), nn.Sigmoid(), nn.Softmax(1))),
    "head-tanh-last": lambda: Net(gru(), nn.Sequential(fc(), nn.Tanh())),
    "loose-sigmoid": LooseSigmoid,
    "gru-hard-sigmoid": lambda: OtherActivations(gru(), ["HardSigmoid", "Tanh"], [hard_sigmoid(), torch.tanh]),
    "gru-scaled": lambda: OtherActivations(
        gru(), ["HardSigmoid", "ScaledTanh"], [hard_sigmoid(0.3, 0.4), lambda x: 0.8 * torch.tanh(0.6 * x)],
        (0.3, 0.8), (0.4, 0.6)),
    "lstm-relu": lambda: OtherActivations(nn.LSTM(3, HIDDEN, batch_first=True), ["Sigmoid", "Softsign", "Relu"],
                                          [torch.sigmoid, F.softsign, torch.relu]),
    "rnn-elu": lambda: OtherActivations(nn.RNN(3, HIDDEN, batch_first=True), ["Elu"], [lambda x: F.elu(x, 0.5)], (0.5,)),
    "rnn-affine": lambda: OtherActivations(nn.RNN(3, HIDDEN, batch_first=True), ["Affine"],
                                           [lambda x: 0.25 * x - 0.1], (0.25,), (-0.1,)),
    "scan": lambda: ElmanLoop(),
    "gru-external": lambda: Net(gru(), fc()),
}
# Scores that are probabilities already.
PROBABILITIES = ("head-sigmoid", "head-softmax", "head-sigmoid-softmax", "loose-sigmoid", "siblings")
# Tensors of these are those of networks above.
ONNX_ALONE = ("gru-hard-sigmoid", "gru-scaled", "lstm-relu", "rnn-elu", "rnn-affine", "scan", "gru-external")
# Saved with torch.jit.script as they are; those of class Net through Scripted.
SCRIPTED = ("gru", "lstm", "rnn-tanh", "rnn-relu", "head-relu", "head-layer-norm", "head-sigmoid", "input-layer", "two-cells",
            "state-in-out", "hand-written", "gru-cell-loop", "rnn-cell-loop", "lstm-cell-loop", "elman-loop")

# What the file does not say, for formats that hold tensors alone.
TENSOR_OPTIONS = {
    "rnn-tanh": {"cell": "elman-tanh"}, "rnn-relu": {"cell": "elman-relu"},
    "rnn-cell-loop": {"cell": "elman-tanh"},
    "mean": {"head_from": "mean"}, "max": {"head_from": "max"}, "sum": {"head_from": "sum"},
    "adaptive-max": {"head_from": "max"}, "adaptive-avg": {"head_from": "mean"},
    "relu-before-head": {"activation": "relu"}, "head-relu": {"activation": "relu"},
    "head-leaky": {"activation": "leaky-relu:0.1"}, "head-elu": {"activation": "elu:1.5"},
    "head-gelu": {"activation": "gelu"}, "head-gelu-tanh": {"activation": "gelu-tanh"},
    "head-silu": {"activation": "silu"}, "head-layer-norm": {"activation": "tanh"},
    "head-batch-norm": {"activation": "relu"}, "batch-norm-first": {"activation": "relu"},
    "last-mean-max": {"head_from": "last+mean+max"}, "max-last": {"head_from": "max+last"},
    "pool-module": {"head_from": "max"}, "head-relu-norm": {"activation": "relu"},
    "head-sigmoid": {"activation": "relu"}, "bidirectional": {"head_from": "last"},
}
# A whole module says what stands in an nn.Sequential, the cell and the constants.
MODULE_OPTIONS = {name: options for name, options in TENSOR_OPTIONS.items()
                  if "head_from" in options or name == "relu-before-head"}
MODULE_OPTIONS["loose-sigmoid"] = {"activation": "none"}

EXPORT = "export the network to ONNX, which describes it (torch.onnx.export; docs/networks.md has the call), or pass the live module to rnnalf.extract in Python"

NO_NAMES = ("expected recurrent weights (weight_ih_l0, weight_hh_l0, ... under any prefix), found none; if its cell has "
            "other names, " + EXPORT)
TWO_MODULES = "does not say how they are connected: if they stand one behind the other, give `probes`, which show it"
STEPS_DIFFER = "expected every step to do the same with its symbol and the state that the step before left, found step 3 to differ"
# What a file does not say or no automaton can do, and the words that say so: by network and kind of file.
REFUSALS = {
    ("input-layer", "tensors"): "'emb.weight': expected an embedding or a dense layer with 4 inputs, found 3 x 3; if it "
                                "is something else, " + EXPORT,
    ("input-layer", "safetensors"): "expected one order in which the modules of the head fit together, found 0; a "
                                    "safetensors file has no order: save a state_dict, or " + EXPORT,
    ("two-cells", "tensors"): TWO_MODULES, ("residual", "tensors"): TWO_MODULES,
    ("hand-written", "tensors"): NO_NAMES, ("hand-written-joined", "tensors"): NO_NAMES,
    ("transformer", "tensors"): NO_NAMES, ("min-gru", "tensors"): NO_NAMES,
    ("elman-loop", "tensors"): NO_NAMES, ("gru-formulas-loop", "tensors"): NO_NAMES, ("unrolled", "tensors"): NO_NAMES,
    ("unrolled-other-first", "onnx"): "expected a first step like the others, from a constant state, found one that "
                                      "computes something else",
    ("unrolled-other-weights", "onnx"): STEPS_DIFFER, ("unrolled-by-position", "onnx"): STEPS_DIFFER,
    ("unrolled-look-back", "onnx"): STEPS_DIFFER,
    ("unrolled-two-letters", "onnx"): "expected 3 symbols or more, as the first step is not like the others, found 2; "
                                      "export it with a longer word",
    ("by-length", "9.onnx"): "a state chosen by its position with OneHot is not supported because older operator sets "
                             "write it in many ways; export the network with operator set 11 or later (opset_version=17)",
}
# Read with torch's default epsilon, as nothing in the file says another: probes tell.
ASSUMED_WRONGLY = [("layer-norm-epsilon", "tensors"), ("head-tanh-last", "tensors"),
                   ("head-sigmoid-softmax", "tensors"), ("siblings", "tensors")]


def kinds(file):
    parts = file.split(".")
    if parts[-1] == "onnx":
        return {"onnx", ".".join(parts[1:])}
    return {"tensors", ".".join(parts[1:])}


def randomise(net):
    for name, parameter in net.named_parameters():  # wider than torch's own, so that scores differ
        nn.init.uniform_(parameter, -1.3, 1.3)
    for module in net.modules():
        if isinstance(module, nn.BatchNorm1d):
            nn.init.uniform_(module.running_mean, -0.5, 0.5)
            nn.init.uniform_(module.running_var, 0.3, 2.0)
    return net.eval()


def inputs(net, word, batch=1):
    ids = torch.tensor([word] * batch)
    one_hot = F.one_hot(ids, LETTERS).float()
    if isinstance(net, (OneHot, UnrolledOneHot, Siblings)):
        return (one_hot,)
    if isinstance(net, (Packed, ByLength)):
        return ids, torch.tensor([len(word)] * batch)
    if isinstance(net, StateInOut):
        return ids, torch.zeros(net.rnn.num_layers, batch, HIDDEN)
    return (ids,)


def probability(net, word, is_probability=False):
    with torch.no_grad():
        if isinstance(net, (HandWritten, HandWrittenJoined)):
            hidden = torch.zeros(1, HIDDEN)
            for letter in word:
                y, hidden = net(F.one_hot(torch.tensor([letter]), LETTERS).float(), hidden)
        else:
            y = net(*inputs(net, word))
            y = y[0] if isinstance(y, tuple) else y
            y = y[:, -1] if y.dim() == 3 else y
        y = y.flatten()
        if is_probability:
            return float(y[-1])
        return float(torch.sigmoid(y[0]) if len(y) == 1 else torch.softmax(y, 0)[1])


def save_safetensors(tensors, path):
    """As the safetensors library lays files out: names sorted, header padded with blanks."""
    header, data = {}, b""
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        raw = tensor.numpy().tobytes()
        kind = {torch.float32: "F32", torch.int64: "I64"}[tensor.dtype]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def export(net, opset, path, word=(0, 1, 2, 1, 0)):
    """Writes ONNX; returns what torch says when it cannot."""
    try:
        from onnx import load_model_from_string  # noqa: F401: tests/data/onnx is no module
        import onnx
    except ImportError:
        onnx = None
    names, axes = ["x"], {"x": {1: "T"}}
    if isinstance(net, (HandWritten, HandWrittenJoined)):
        example, names, axes = (torch.zeros(1, LETTERS), torch.zeros(1, HIDDEN)), ["x", "hidden"], None
    else:
        example = inputs(net, word)
        if isinstance(net, (Packed, ByLength)):
            names, axes = ["x", "lengths"], {"x": {0: "N", 1: "T"}, "lengths": {0: "N"}}
        if isinstance(net, StateInOut):
            names = ["x", "hidden"]
        if isinstance(net, WrittenOut):
            axes = {"x": {0: "N", 1: "T"}}
        if isinstance(net, (UnrolledOneHot, UnrolledPool)):  # the length is in the file
            axes = None
    outputs = ["score", "state"] if len(names) == 2 and names[1] == "hidden" else ["score"]
    if isinstance(net, (CellLoop, LstmCellLoop, ElmanLoop, GruFormulas)) and not isinstance(net, Unrolled):
        net = torch.jit.script(net)
    target = io.BytesIO()
    try:
        torch.onnx.export(net, example, target, opset_version=opset, input_names=names, output_names=outputs,
                          dynamic_axes=axes, do_constant_folding=True)
    except Exception as error:  # torch's own limits, such as GELU before operator set 9 or loops
        return str(error).split("\n")[0]
    if onnx is None:
        assert os.getcwd().encode() not in target.getvalue() and b"/usr/" not in target.getvalue()
        with open(path, "wb") as file:
            file.write(target.getvalue())
        return None
    model = onnx.load_model_from_string(target.getvalue())
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, path)
    return None


def no_source(*_):
    """In place of what the old form looks up: it would put torch's source code and paths into the file."""
    raise OSError("left out")


def save_script(net, example, path):
    """torch.jit.trace."""
    whole = io.BytesIO()
    torch.jit.save(torch.jit.trace(net, example), whole)
    copy_archive(whole, path)


def copy_archive(whole, path, without=".debug_pkl"):
    """Without the entries that hold paths of this machine for error messages, and others."""
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            if not name.endswith(".debug_pkl") and without not in name:
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = source.getinfo(name).compress_type
                target.writestr(entry, source.read(name))


def save_scripted(net, path):
    """torch.jit.script, without the code of torch's own modules."""
    whole = io.BytesIO()
    torch.jit.save(torch.jit.script(Scripted(net) if isinstance(net, Net) else net), whole)
    copy_archive(whole, path, "/code/__torch__/torch/")


def with_other_activations(net, path):
    """The node of the usual module, with other activations."""
    import onnx
    usual = Net(net.rnn, net.fc)
    usual.emb = net.emb
    export(usual.eval(), 13, path)
    model = onnx.load(path)
    node = next(node for node in model.graph.node if node.op_type in ("RNN", "GRU", "LSTM"))
    kept = [attribute for attribute in node.attribute if attribute.name != "activations"]
    del node.attribute[:]
    node.attribute.extend(kept + [onnx.helper.make_attribute("activations", net.names)])
    for name, values in (("activation_alpha", net.alpha), ("activation_beta", net.beta)):
        if values:
            node.attribute.append(onnx.helper.make_attribute(name, [float(value) for value in values]))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def save_scan(net, opset, path):
    """The hand-written cell of ElmanLoop as the body of a Scan over the letters: x is [length], int64."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    def constant(name, tensor):
        return numpy_helper.from_array(numpy.ascontiguousarray(tensor.detach().numpy()), name)

    body = helper.make_graph(
        [helper.make_node("Gemm", ["letter", "i2h", "bias"], ["from_letter"], transB=1),
         helper.make_node("MatMul", ["h", "h2h"], ["from_state"]),
         helper.make_node("Add", ["from_letter", "from_state"], ["sum"]),
         helper.make_node("Tanh", ["sum"], ["next"])], "step",
        [helper.make_tensor_value_info("h", TensorProto.FLOAT, [1, HIDDEN]),
         helper.make_tensor_value_info("letter", TensorProto.FLOAT, [1, 3])],
        [helper.make_tensor_value_info("next", TensorProto.FLOAT, [1, HIDDEN])])
    graph = helper.make_graph(
        [helper.make_node("Gather", ["emb", "x"], ["letters"]),
         helper.make_node("Scan", ["zero", "letters"], ["last"], num_scan_inputs=1, body=body),
         helper.make_node("Gemm", ["last", "fc", "fc_bias"], ["score"], transB=1)], "net",
        [helper.make_tensor_value_info("x", TensorProto.INT64, ["T", 1])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, [1, 1])],
        [constant("emb", net.emb.weight), constant("i2h", net.i2h.weight), constant("bias", net.i2h.bias),
         constant("h2h", net.h2h.weight.T), constant("fc", net.fc.weight), constant("fc_bias", net.fc.bias),
         constant("zero", torch.zeros(1, HIDDEN))])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=7)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def save_external(net, path):
    """FILE.onnx with the graph and FILE.onnx.data with the weights, as newer exporters write it."""
    import onnx
    export(net, 13, path)
    model = onnx.load(path)
    data = os.path.basename(path) + ".data"
    if os.path.exists(path + ".data"):
        os.remove(path + ".data")
    onnx.save(model, path, save_as_external_data=True, all_tensors_to_one_file=True, location=data, size_threshold=0)


class Trained:
    """Something beside the weights, of a class that only the trainer has."""


def main():
    os.makedirs(HERE, exist_ok=True)
    asked = sys.argv[1:]  # networks to be made anew; none: all
    table = {"words": words(), "networks": {}, "files": []}
    if asked:
        with open(os.path.join(HERE, "ways.json")) as file:
            table = json.load(file)
        table["files"] = [one for one in table["files"] if one["network"] not in asked]

    def add(file, name, **options):
        for kind in sorted(kinds(file), key=lambda kind: kind != "tensors"):  # the more special one wins
            if (name, kind) in REFUSALS:
                options = {**options, "refusal": REFUSALS[name, kind]}
            if (name, kind) in ASSUMED_WRONGLY and ".module." not in file:
                options = {**options, "assumed_wrongly": True}
        table["files"].append({"file": file, "network": name, **options})

    for name, make in NETWORKS.items():
        if asked and name not in asked:
            continue
        torch.manual_seed(sum(map(ord, name)))
        net = randomise(make())
        scores = [probability(net, word, name in PROBABILITIES) for word in table["words"]]
        table["networks"][name] = [float("%.7g" % score) for score in scores]
        path = os.path.join(HERE, name)
        if not name.startswith("unrolled-") and name not in ONNX_ALONE:
            torch.save(net.state_dict(), path + ".pt")
            add(name + ".pt", name, **TENSOR_OPTIONS.get(name, {}))
            save_safetensors(net.state_dict(), path + ".safetensors")
            add(name + ".safetensors", name, **TENSOR_OPTIONS.get(name, {}))
            torch.save(net, path + ".module.pt")
            add(name + ".module.pt", name, **MODULE_OPTIONS.get(name, {}))
        if name in ("gru", "lstm", "head-leaky", "layer-norm-first", "rnn-tanh", "two-cells"):
            save_script(net, inputs(net, [0, 1, 2]), path + ".script.pt")
            add(name + ".script.pt", name, **TENSOR_OPTIONS.get(name, {}))
        if name in SCRIPTED:
            save_scripted(net, path + ".scripted.pt")
            add(name + ".scripted.pt", name, **TENSOR_OPTIONS.get(name, {}))
        if isinstance(net, OtherActivations):
            with_other_activations(net, path + ".13.onnx")
            add(name + ".13.onnx", name)
            continue
        if name == "gru-external":
            save_external(net, path + ".13.onnx")
            add(name + ".13.onnx", name)
            continue
        for opset in OPSETS:
            if name == "scan":
                save_scan(net, opset, "%s.%d.onnx" % (path, opset))
                add("%s.%d.onnx" % (name, opset), name)
                continue
            file = "%s.%d.onnx" % (name, opset)
            word = (0, 1) if name == "unrolled-two-letters" else (0, 1, 2, 1, 0)
            said = export(net, opset, os.path.join(HERE, file), word)
            if said is None:
                add(file, name)
            else:
                print("%s: torch cannot write it: %s" % (file, said))

    if asked:
        write_table(table, os.path.join(HERE, "ways.json"))
        return
    # Checkpoints with other things beside the weights.
    torch.manual_seed(3)
    net = randomise(Net(gru(), fc()))
    table["networks"]["checkpoint"] = [float("%.7g" % probability(net, word)) for word in table["words"]]
    args = argparse.Namespace(lr=0.1, layers=[1, 2], name="a", device=torch.device("cpu"))
    other = Trained()
    other.best, other.seen = 0.5, {1, 2, 3}
    import numpy
    beside = {"args": args, "other": other, "loss": numpy.float64(0.25), "history": numpy.arange(3)}
    torch.save({"model": net.state_dict(), **beside}, os.path.join(HERE, "checkpoint.pt"))
    add("checkpoint.pt", "checkpoint")
    torch.save({"net": net, **beside}, os.path.join(HERE, "checkpoint.module.pt"))
    add("checkpoint.module.pt", "checkpoint")
    torch.serialization.get_source_lines_and_file = no_source
    torch.save(net, os.path.join(HERE, "checkpoint.old.module.pt"), _use_new_zipfile_serialization=False)
    add("checkpoint.old.module.pt", "checkpoint")

    write_table(table, os.path.join(HERE, "ways.json"))


if __name__ == "__main__":
    main()
