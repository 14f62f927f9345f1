#!/usr/bin/python3
"""Makes tests/data/onnx: small ONNX networks and the scores other programs compute for them.

Needs Debian's python3-torch and python3-onnx. NAME.onnx is the network; NAME.json says what it is and
gives words (as symbol indices) with the probability of accept. Networks torch can express are exported
by torch.onnx.export and scored by torch itself; those it cannot (layout 1, reset before the product) are
written node by node and scored with the reference cells of ONNX's own backend tests.
"""

import io
import json
import os
import random

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node.gru import GRU_Helper
from onnx.backend.test.case.node.lstm import LSTM_Helper
from onnx.backend.test.case.node.rnn import RNN_Helper
from torch import nn

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx")
SYMBOLS = 3
CELLS = {
    "elman-tanh": lambda i, h, **o: nn.RNN(i, h, nonlinearity="tanh", **o),
    "elman-relu": lambda i, h, **o: nn.RNN(i, h, nonlinearity="relu", **o),
    "gru": nn.GRU,
    "lstm": nn.LSTM,
}


def words(rng):
    short = [[]] + [[a] for a in range(SYMBOLS)]
    return short + [[rng.randrange(SYMBOLS) for _ in range(length)] for length in (2, 2, 3, 4, 5, 7, 9, 14)]


class Net(nn.Module):
    """A classifier whose parts are written in the ways people write them."""

    def __init__(self, cell="gru", style="onehot", layers=1, hidden=4, batch_first=False, bias=True,
                 dropout=0.0, last="index", head=(1,), between="relu", final="sigmoid", initial="none",
                 shape="plain", log="with"):
        super().__init__()
        self.style, self.last, self.final, self.initial = style, last, final, initial
        self.batch_first, self.shape, self.cell, self.log = batch_first, shape, cell, log
        inputs = 2 if style in ("embed", "linear", "ids1") else SYMBOLS
        self.table = nn.Embedding(SYMBOLS, 2) if style in ("embed", "ids1") else None
        self.linear = nn.Linear(SYMBOLS, 2) if style == "linear" else None
        self.rnn = CELLS[cell](inputs, hidden, num_layers=layers, batch_first=batch_first, bias=bias,
                               dropout=dropout)
        parts, width = [], hidden
        if between == "leading-relu":
            parts.append(nn.ReLU())
        for i, outputs in enumerate(head):
            parts.append(nn.Linear(width, outputs))
            if i + 1 < len(head):
                parts.append({"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[between]())
                parts.append(nn.Dropout(0.5))
            width = outputs
        self.head = nn.Sequential(*parts)
        if initial != "none":
            self.h0 = nn.Parameter(torch.randn(layers, 1, hidden))
            self.c0 = nn.Parameter(torch.randn(layers, 1, hidden))

    def scores(self, hidden):
        y = self.head(hidden)
        if self.final == "sigmoid":
            y = torch.sigmoid(y)
        elif self.final == "softmax":
            y = torch.softmax(y, -1)
        elif self.final == "log-softmax":
            y = torch.log(torch.softmax(y, -1)) if self.log == "after" else torch.log_softmax(y, -1)
        return {"plain": lambda: y, "squeeze": lambda: y.squeeze(-1), "flat": lambda: y.view(-1)}[self.shape]()

    def symbols(self, x):
        if self.style in ("onehot", "unbatched"):
            return x
        if self.style == "onehotop":
            return nn.functional.one_hot(x, SYMBOLS).to(torch.float32)
        if self.style == "linear":
            return self.linear(x)
        if self.style == "ids1":
            return self.table(x).unsqueeze(1)
        return self.table(x)

    def forward(self, x):
        x = self.symbols(x)
        if self.initial == "none":
            out, state = self.rnn(x)
        else:
            batch = x.size(0 if self.batch_first else 1)
            h0, c0 = self.h0.expand(-1, batch, -1).contiguous(), self.c0.expand(-1, batch, -1).contiguous()
            out, state = self.rnn(x, (h0, c0) if self.cell == "lstm" else h0)
        if self.style == "unbatched":
            return self.scores(out[-1].unsqueeze(0))
        if self.last == "state":
            return self.scores((state[0] if self.cell == "lstm" else state)[-1])
        if self.last == "slice":
            return self.scores((out[:, -1:] if self.batch_first else out[-1:]).squeeze(1 if self.batch_first else 0))
        if self.last == "size":
            return self.scores(out[:, x.size(1) - 1] if self.batch_first else out[x.size(0) - 1])
        if self.last == "after-head":
            return self.scores(out)[-1]
        return self.scores(out[:, -1] if self.batch_first else out[-1])

    def example(self, word, dtype):
        ids = torch.tensor(word, dtype=torch.int64)
        if self.style == "ids1":
            return ids
        one_hot = nn.functional.one_hot(ids, SYMBOLS).to(dtype)
        if self.style == "unbatched":
            return one_hot
        x = ids if self.style in ("embed", "onehotop") else one_hot
        return x.unsqueeze(0 if self.batch_first else 1)

    def probability(self, word, accept, dtype):
        with torch.no_grad():
            if word:
                y = self(self.example(word, dtype)).flatten()
            else:  # torch refuses words of length 0: the head on the initial state
                h = self.h0[-1] if self.initial != "none" else torch.zeros(1, self.rnn.hidden_size, dtype=dtype)
                y = self.scores(h).flatten()
            if self.final == "raw":
                y = torch.sigmoid(y) if len(y) == 1 else torch.softmax(y, -1)
            if self.final == "log-softmax":
                y = torch.exp(y)
            return float(y[0] if len(y) == 1 else y[accept])


def write(name, model, facts, scored):
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, os.path.join(FOLDER, name + ".onnx"))
    with open(os.path.join(FOLDER, name + ".json"), "w", encoding="utf-8") as file:
        lines = ",\n  ".join(json.dumps(entry) for entry in scored)
        file.write(json.dumps(facts)[:-1] + ',\n "words": [\n  ' + lines + "]}\n")


def torch_network(name, opset=14, free=("time",), folding=True, double=False, accept=1, batch=1,
                  alphabet=None, **options):
    torch.manual_seed(sum(map(ord, name)))
    rng = random.Random(name)
    net = Net(**options).eval()
    for parameter in net.parameters():  # larger than torch's own, so that the scores differ visibly
        parameter.data *= 2.5
    dtype = torch.float64 if double else torch.float32
    net = net.to(dtype)
    example = net.example([0, 1, 2, 1, 0], dtype)
    time, batch_axis = (1, 0) if net.batch_first else (0, 1)
    if batch > 1:
        example = torch.cat([example] * batch, batch_axis)
    axes = {}
    if "time" in free:
        axes[time] = "T"
    if "batch" in free:
        axes[batch_axis] = "N"
    target = io.BytesIO()
    torch.onnx.export(net, (example,), target, opset_version=opset, input_names=["x"],
                      output_names=["score"], dynamic_axes={"x": axes} if axes else None,
                      do_constant_folding=folding)
    model = onnx.load_model_from_string(target.getvalue())
    scored = [[word, net.probability(word, accept, dtype)] for word in words(rng)]
    if alphabet:
        probes = [[[alphabet[a] for a in word], p] for word, p in scored]
        helper.set_model_props(model, {"rnnalf.alphabet": json.dumps(alphabet),
                                       "rnnalf.probes": json.dumps(probes)})
    write(name, model, {"made_by": "torch " + torch.__version__, "opset": opset, "cell": net.cell,
                        "layers": net.rnn.num_layers, "hidden": net.rnn.hidden_size, "symbols": SYMBOLS,
                        "embedding": net.table is not None or net.linear is not None,
                        "output": net.final, "accept_class": accept if accept != 1 else None}, scored)


def node_network(name, cell, layout, initial=False, float16=False, old_head=False):
    """One recurrent node between a one-hot input and a head, as the ONNX specification defines it."""
    rng = np.random.RandomState(sum(map(ord, name)))
    hidden = 4
    op, gates = {"elman-tanh": ("RNN", 1), "gru": ("GRU", 3), "gru-reset-before": ("GRU", 3), "lstm": ("LSTM", 4)}[cell]
    kind = np.float16 if float16 else np.float32

    def weights(*shape):
        return rng.uniform(-1.2, 1.2, shape).astype(kind)

    tensors = {"W": weights(1, gates * hidden, SYMBOLS), "R": weights(1, gates * hidden, hidden),
               "B": weights(1, 2 * gates * hidden), "V": weights(hidden, 2), "b": weights(2)}
    if initial:
        tensors["h"] = weights(1, 1, hidden)
        if op == "LSTM":
            tensors["c"] = weights(1, 1, hidden)
    nodes, names = [], {}
    for key in tensors:
        names[key] = key
        if float16:  # stored as float16, computed as float32
            nodes.append(helper.make_node("Cast", [key], [key + "_32"], to=TensorProto.FLOAT))
            names[key] = key + "_32"
    inputs = ["x", names["W"], names["R"], names["B"], "", names.get("h", ""), names.get("c", "")]
    while not inputs[-1]:
        inputs.pop()
    options = {"hidden_size": hidden, "layout": layout}
    if cell == "gru":
        options["linear_before_reset"] = 1
    nodes.append(helper.make_node(op, inputs, ["Y", "Y_h"], **options))
    nodes.append(helper.make_node("Flatten" if layout == 1 else "Reshape",
                                  ["Y_h"] if layout == 1 else ["Y_h", "rows"], ["last"]))
    if old_head:
        nodes.append(helper.make_node("Dropout", ["last"], ["kept", "mask"]))
        nodes.append(helper.make_node("MatMul", ["kept", names["V"]], ["product"]))
        nodes.append(helper.make_node("Add", [names["b"], "product"], ["sum"]))
    else:
        nodes.append(helper.make_node("Gemm", ["last", names["V"], names["b"]], ["sum"], alpha=0.5, beta=2.0))
    nodes.append(helper.make_node("Softmax", ["sum"], ["score"], axis=1))
    shape = ["N", "T", SYMBOLS] if layout == 1 else ["T", "N", SYMBOLS]
    stored = [numpy_helper.from_array(array, key) for key, array in tensors.items()]
    if layout == 0:
        stored.append(numpy_helper.from_array(np.array([-1, hidden], dtype=np.int64), "rows"))
    graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["N", 2])], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=7)
    onnx.checker.check_model(model)

    def last_hidden(word):
        exact = {key: array.astype(np.float64) for key, array in tensors.items()}
        if not word:
            return exact["h"].reshape(1, hidden) if initial else np.zeros((1, hidden))
        x = np.eye(SYMBOLS)[word].reshape(len(word), 1, SYMBOLS)
        params = {"X": x, "W": exact["W"], "R": exact["R"], "B": exact["B"]}
        if initial:
            params["initial_h"] = exact["h"]
            if op == "LSTM":
                params["initial_c"] = exact["c"]
        if cell == "gru":
            params["linear_before_reset"] = np.array([1])
        reference = {"RNN": RNN_Helper, "GRU": GRU_Helper, "LSTM": LSTM_Helper}[op](**params)
        return np.asarray(reference.step()[1]).reshape(1, hidden)

    def probability(word):
        product = last_hidden(word) @ tensors["V"].astype(np.float64)
        bias = tensors["b"].astype(np.float64)
        scores = (product + bias if old_head else 0.5 * product + 2.0 * bias).flatten()
        scores = np.exp(scores - scores.max())
        return float(scores[1] / scores.sum())

    scored = [[word, probability(word)] for word in words(random.Random(name))]
    write(name, model, {"made_by": "onnx " + onnx.__version__ + " reference cells", "opset": 14, "cell": cell,
                        "layers": 1, "hidden": hidden, "symbols": SYMBOLS, "embedding": False,
                        "output": "softmax", "accept_class": None}, scored)


def main():
    for cell in CELLS:
        for style in ("onehot", "embed", "onehotop"):
            torch_network(cell + "-" + style, cell=cell, style=style)
    # Ways to take the last step, in every operator set torch writes.
    torch_network("opset11-batch-first", opset=11, cell="gru", layers=2, batch_first=True)
    torch_network("opset12-final-state", opset=12, cell="lstm", layers=2, last="state")
    torch_network("opset13-slice", opset=13, cell="lstm", layers=2, last="slice", batch_first=True)
    torch_network("opset15-computed-index", opset=15, cell="gru", last="size", free=("time", "batch"))
    torch_network("opset16-final-state-one-layer", opset=16, cell="gru", last="state", batch_first=True)
    torch_network("opset17-head-on-every-step", opset=17, cell="gru", last="after-head")
    torch_network("opset9-final-state", opset=9, cell="gru", layers=2, last="state")
    # Heads.
    torch_network("head-three-layers", head=(5, 3, 2), between="relu", final="softmax")
    torch_network("head-tanh", head=(3, 1), between="tanh", final="raw")
    torch_network("head-sigmoid-inside", head=(3, 2), between="sigmoid", final="log-softmax")
    torch_network("head-log-after-softmax", head=(2,), final="log-softmax", log="after")
    torch_network("head-relu-first", head=(1,), between="leading-relu")
    torch_network("head-old-softmax", opset=11, head=(2,), final="softmax")
    torch_network("head-raw-classes", head=(2,), final="raw")
    torch_network("head-four-classes", head=(4,), final="softmax", accept=2)
    torch_network("head-squeezed", shape="squeeze")
    torch_network("head-flat", shape="flat", free=("time", "batch"))
    # Initial states, inputs and weights.
    for cell in ("elman-tanh", "gru", "lstm"):
        torch_network("initial-" + cell, cell=cell, layers=2, initial="learned", free=("time", "batch"))
    torch_network("fixed-sizes", cell="gru", layers=2, free=())
    torch_network("fixed-batch-of-two", cell="lstm", layers=2, initial="learned", batch=2, batch_first=True)
    torch_network("free-batch", cell="lstm", layers=2, free=("time", "batch"), batch_first=True)
    torch_network("linear-embedding", style="linear")
    torch_network("unbatched", style="unbatched")
    torch_network("row-of-symbols", style="ids1")
    torch_network("no-bias", cell="lstm", bias=False)
    torch_network("dropout-between", cell="gru", layers=3, dropout=0.5)
    torch_network("double", cell="lstm", double=True)
    for cell in ("gru", "lstm", "elman-relu"):
        torch_network("unfolded-" + cell, cell=cell, layers=2, folding=False, opset=13)
    torch_network("metadata", alphabet=["a", "bb", "ü"])
    # What torch cannot express.
    for layout in (0, 1):
        for cell in ("elman-tanh", "gru", "gru-reset-before", "lstm"):
            node_network(f"layout{layout}-{cell}", cell, layout)
            node_network(f"layout{layout}-{cell}-initial", cell, layout, initial=True, old_head=True)
    node_network("float16", "gru-reset-before", 0, initial=True, float16=True)


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    main()
