"""Small networks in files of torch.save, with the probabilities that PyTorch itself computes.

  /usr/bin/python3 tests/data/make_networks.py     (Debian's python3-torch; writes beside itself)

networks/NAME.pt are the files. networks/scores.tsv has a line for each file and word: file, --cell
("-": not given), --accept-class ("-": not given), probability of accept, word (symbol numbers with
commas; "-": the empty word). networks/refused/ has files that a reader must refuse in words.
"""
import collections
import copy
import os
import random
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "networks")
LETTERS, HIDDEN = 3, 4
warnings.filterwarnings("ignore")
LINES = []


class Net(nn.Module):
    """One-hot letters or an embedding, a recurrent module, a dense layer on its last state."""

    def __init__(self, rnn, outputs=1, embedding=None):
        super().__init__()
        self.emb = embedding
        self.rnn = rnn
        self.out = nn.Linear(HIDDEN, outputs)
        for parameter in self.parameters():          # wider than torch's own, so that scores differ
            nn.init.uniform_(parameter, -1.5, 1.5)

    def last_state(self, word):
        if not word:
            return torch.zeros(HIDDEN, dtype=self.out.weight.dtype)
        ids = torch.tensor(word)
        x = self.emb(ids) if self.emb else F.one_hot(ids, LETTERS).to(self.out.weight.dtype)
        if isinstance(self.rnn, nn.RNNBase):
            return self.rnn(x.unsqueeze(1))[0][-1, 0]
        state = None
        for row in x:
            state = self.rnn(row.unsqueeze(0), state)
        return (state[0] if isinstance(state, tuple) else state)[0]

    def probability(self, word, accept_class=None):
        with torch.no_grad():
            scores = self.out(self.last_state(word))
            if len(scores) == 1:
                return float(torch.sigmoid(scores[0]))
            return float(torch.softmax(scores, 0)[1 if accept_class is None else accept_class])


class ResetBefore(Net):
    """GRU whose reset gate is applied before the recurrent product (Cho et al. 2014)."""

    def last_state(self, word):
        (wr, wz, wn), (ur, uz, un) = self.rnn.weight_ih_l0.chunk(3), self.rnn.weight_hh_l0.chunk(3)
        (br, bz, bn), (cr, cz, cn) = self.rnn.bias_ih_l0.chunk(3), self.rnn.bias_hh_l0.chunk(3)
        h = torch.zeros(HIDDEN)
        for letter in word:
            x = F.one_hot(torch.tensor(letter), LETTERS).float()
            r = torch.sigmoid(wr @ x + br + ur @ h + cr)
            z = torch.sigmoid(wz @ x + bz + uz @ h + cz)
            n = torch.tanh(wn @ x + bn + un @ (r * h) + cn)
            h = (1 - z) * n + z * h
        return h


def words():
    rng = random.Random(1)
    return [[]] + [[rng.randrange(LETTERS) for _ in range(n)] for n in (1, 1, 2, 3, 5, 8, 13, 21)]


def save(name, net, content=None, cell="-", accept_class=None, **options):
    torch.save(net.state_dict() if content is None else content, os.path.join(HERE, name + ".pt"), **options)
    for word in words():
        LINES.append("%s.pt\t%s\t%s\t%.9g\t%s" % (name, cell, "-" if accept_class is None else accept_class,
                                                  net.probability(word, accept_class),
                                                  ",".join(map(str, word)) or "-"))


def refuse(name, content, **options):
    torch.save(content, os.path.join(HERE, "refused", name + ".pt"), **options)


def mapped(net, change):
    return collections.OrderedDict((k, change(v)) for k, v in net.state_dict().items())


def one_storage(net):
    """All tensors as views of one storage, one after another, as cuDNN keeps them."""
    tensors = net.state_dict()
    flat = torch.cat([torch.zeros(3)] + [v.flatten() for v in tensors.values()])
    views, at = collections.OrderedDict(), 3
    for key, value in tensors.items():
        views[key] = flat[at:at + value.numel()].view(value.shape)
        at += value.numel()
    return views


def main():
    os.makedirs(os.path.join(HERE, "refused"), exist_ok=True)
    torch.manual_seed(7)
    old = {"_use_new_zipfile_serialization": False}
    cells = [("elman_tanh", "elman-tanh", lambda layers: nn.RNN(LETTERS, HIDDEN, layers)),
             ("elman_relu", "elman-relu", lambda layers: nn.RNN(LETTERS, HIDDEN, layers, nonlinearity="relu")),
             ("gru", "-", lambda layers: nn.GRU(LETTERS, HIDDEN, layers)),
             ("lstm", "-", lambda layers: nn.LSTM(LETTERS, HIDDEN, layers))]
    for name, cell, make in cells:
        one, two = Net(make(1)), Net(make(2), outputs=2)
        save(name + "_1", one, cell=cell)
        save(name + "_1_legacy", one, cell=cell, **old)
        save(name + "_2", two, cell=cell)
        save(name + "_2_legacy", two, cell=cell, **old)
    save("gru_reset_before", ResetBefore(nn.GRU(LETTERS, HIDDEN)), cell="gru-reset-before")
    save("rnn_cell", Net(nn.RNNCell(LETTERS, HIDDEN)), cell="elman-tanh")
    save("gru_cell", Net(nn.GRUCell(LETTERS, HIDDEN)))
    save("lstm_cell", Net(nn.LSTMCell(LETTERS, HIDDEN)))

    # the function
    save("gru_no_bias", Net(nn.GRU(LETTERS, HIDDEN, bias=False)))
    three = Net(nn.LSTM(LETTERS, HIDDEN), outputs=3)
    save("lstm_three_classes", three, accept_class=2)
    save("gru_class_0", Net(nn.GRU(LETTERS, HIDDEN), outputs=2), accept_class=0)
    save("gru_embedding", Net(nn.GRU(2, HIDDEN), embedding=nn.Embedding(LETTERS, 2)))
    # here the dense layer could be the embedding by its shape: the order of the modules decides
    save("lstm_embedding_by_order",
         Net(nn.LSTM(HIDDEN, HIDDEN), outputs=2, embedding=nn.Embedding(LETTERS, HIDDEN)))

    # how the same tensors lie in a file
    gru = Net(nn.GRU(LETTERS, HIDDEN, 2))
    state = gru.state_dict()
    save("gru_prefix", gru, {"model.encoder." + k: v for k, v in state.items()})
    save("gru_transposed", gru, mapped(gru, lambda t: t.t().contiguous().t() if t.dim() == 2 else t))
    save("gru_one_storage", gru, one_storage(gru))
    save("gru_one_storage_legacy", gru, one_storage(gru), **old)
    save("gru_parameters", gru, gru.state_dict(keep_vars=True))
    save("gru_protocol_4", gru, pickle_protocol=4)
    save("gru_protocol_4_legacy", gru, pickle_protocol=4, **old)
    save("gru_with_counter", gru, {**state, "seen": torch.tensor(12), "mask": torch.ones(3, dtype=torch.bool)})
    optimizer = torch.optim.Adam(gru.parameters())
    gru.out(gru.rnn(torch.zeros(1, 1, LETTERS))[0][-1]).sum().backward()
    before = copy.deepcopy(state)
    optimizer.step()
    gru.load_state_dict(before)
    save("gru_checkpoint", gru, {"epoch": 3, "loss": 0.25, "best": None, "done": False, "device": torch.device("cpu"),
                                 "model_state_dict": gru.state_dict(), "optimizer": optimizer.state_dict()})
    double = Net(nn.LSTM(LETTERS, HIDDEN)).double()
    save("lstm_float64", double)
    half = mapped(double, lambda t: t.half())
    double.load_state_dict(half)                     # scores of the rounded weights, in double
    save("lstm_float16", double, half)
    bfloat = mapped(double, lambda t: t.bfloat16())
    double.load_state_dict(bfloat)
    save("lstm_bfloat16", double, bfloat)
    save("lstm_bfloat16_legacy", double, bfloat, **old)

    # what cannot be read, or must not be
    refuse("bidirectional", nn.GRU(LETTERS, HIDDEN, bidirectional=True).state_dict())
    refuse("projection", nn.LSTM(LETTERS, HIDDEN, proj_size=2).state_dict())
    refuse("weight_norm", nn.utils.weight_norm(nn.GRU(LETTERS, HIDDEN), "weight_hh_l0").state_dict())
    refuse("no_dense_layer", nn.GRU(LETTERS, HIDDEN).state_dict())
    refuse("no_recurrent_layer", nn.Linear(2, 1).state_dict())
    refuse("a_tensor", torch.zeros(3))
    refuse("batch_norm", {**state, **{"bn." + k: v for k, v in nn.BatchNorm1d(HIDDEN).state_dict().items()}})
    refuse("initial_state", {**state, "h0": torch.zeros(2, 1, HIDDEN)})
    refuse("two_dense_layers", {**state, "second.weight": torch.zeros(2, 1), "second.bias": torch.zeros(2)})
    refuse("two_heads", {**state, "value.weight": torch.zeros(1, HIDDEN)})
    refuse("two_recurrent_modules", {**state, "rnn2.weight_ih_l0": torch.zeros(3, 3)})
    refuse("two_state_dicts", {"model": state, "ema": mapped(gru, torch.clone)})
    refuse("square_embedding", {"lookup.weight": torch.eye(LETTERS), **state})
    refuse("not_a_number", mapped(gru, lambda t: t / 0 if t.dim() == 2 else t))
    refuse("missing_layer", {k: v for k, v in state.items() if "_l0" not in k})
    refuse("missing_recurrent_weights", {k: v for k, v in state.items() if k != "rnn.weight_hh_l1"})
    refuse("missing_bias", {k: v for k, v in state.items() if k != "rnn.bias_hh_l1"})
    refuse("elman", Net(nn.RNN(LETTERS, HIDDEN)).state_dict())
    refuse("whole_numbers", {k: v.long() if k == "rnn.weight_ih_l0" else v for k, v in state.items()})

    with open(os.path.join(HERE, "scores.tsv"), "w") as file:
        file.write("\n".join(LINES) + "\n")


if __name__ == "__main__":
    main()
