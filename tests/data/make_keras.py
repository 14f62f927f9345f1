#!/usr/bin/python3
"""Makes the Keras files of tests/data/ways, and keras.json with their scores.

  /usr/bin/python3 tests/data/make_keras.py     (Debian's python3-h5py and python3-numpy)

These files are NOT made by Keras, which Debian does not have. They are written with h5py, the library
that Keras uses, after Keras' own description of its formats: x.h5 has the attribute model_config and for
each layer a group in model_weights with the attribute weight_names; x.keras is a zip archive of
metadata.json, config.json and model.weights.h5. The scores are computed below with NumPy from the
formulas in Keras' documentation of its layers.
"""
import io
import json
import os
import sys
import zipfile

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ways_table import words, write_table  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ways")
LETTERS, UNITS = 3, 4


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def erf(x):
    from math import erf as one
    return np.vectorize(one)(x)


ACTIVATIONS = {
    "linear": lambda x: x, "relu": lambda x: np.maximum(x, 0), "tanh": np.tanh, "sigmoid": sigmoid,
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)), "gelu": lambda x: x * (1 + erf(x / np.sqrt(2))) / 2,
    "silu": lambda x: x * sigmoid(x), "softmax": lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "hard_sigmoid": lambda x: np.clip(HARD_SLOPE * x + 0.5, 0, 1),
}
HARD_SLOPE = 0.2  # of Keras 2; 1/6 in Keras 3


def function(activation):
    """What a configuration names: a text, or in Keras 3 the description of a function or layer."""
    if isinstance(activation, str):
        return ACTIVATIONS[activation]
    if activation["class_name"] == "function":
        return ACTIVATIONS[activation["config"]]
    return Layer(activation["class_name"], **activation["config"])


class Layer:
    """class_name and config as Keras writes them, weights in Keras' order, and what it computes."""

    def __init__(self, kind, weights=(), recurrent=False, **config):
        self.kind, self.weights, self.config, self.recurrent = kind, list(weights), config, recurrent

    def steps(self, x, mask):
        """The state after every row of x."""
        c = self.config
        kernel, recurrent = self.weights[:2]
        n = c["units"]
        bias = self.weights[2] if c.get("use_bias", True) else None
        h, cell, out = np.zeros(n), np.zeros(n), []
        for row, kept in zip(x, mask):
            if kept:
                h, cell = self.step(row, h, cell, kernel, recurrent, bias, n)
            out.append(h)
        return np.array(out)

    def step(self, x, h, cell, kernel, recurrent, bias, n):
        c = self.config
        if self.kind == "SimpleRNN":
            y = x @ kernel + h @ recurrent + (0 if bias is None else bias)
            return function(c["activation"])(y), cell
        gate, act = function(c["recurrent_activation"]), function(c["activation"])
        if self.kind == "LSTM":
            z = x @ kernel + h @ recurrent + (0 if bias is None else bias)
            i, f, g, o = (z[k * n:(k + 1) * n] for k in range(4))
            cell = gate(f) * cell + gate(i) * act(g)
            return gate(o) * act(cell), cell
        if c["reset_after"]:
            input_bias, recurrent_bias = (0, 0) if bias is None else bias
            a, b = x @ kernel + input_bias, h @ recurrent + recurrent_bias
            z, r = gate(a[:n] + b[:n]), gate(a[n:2 * n] + b[n:2 * n])
            candidate = act(a[2 * n:] + r * b[2 * n:])
        else:
            a = x @ kernel + (0 if bias is None else bias)
            z = gate(a[:n] + h @ recurrent[:, :n])
            r = gate(a[n:2 * n] + h @ recurrent[:, n:2 * n])
            candidate = act(a[2 * n:] + (r * h) @ recurrent[:, 2 * n:])
        return z * h + (1 - z) * candidate, cell

    def __call__(self, x):
        c, w = self.config, self.weights
        if self.kind == "Dense":
            return function(c["activation"])(x @ w[0] + (w[1] if c.get("use_bias", True) else 0))
        if self.kind == "Activation":
            return function(c["activation"])(x)
        if self.kind == "LeakyReLU":
            return np.where(x > 0, x, c.get("negative_slope", c.get("alpha")) * x)
        if self.kind == "BatchNormalization":
            return w[0] * (x - w[2]) / np.sqrt(w[3] + c["epsilon"]) + w[1]
        if self.kind == "LayerNormalization":
            return w[0] * (x - x.mean()) / np.sqrt(x.var() + c["epsilon"]) + w[1]
        return x  # Dropout


def probability(layers, word):
    x, mask = np.eye(LETTERS)[word], np.ones(len(word), bool)
    for layer in layers:
        if layer.kind == "Embedding":
            x = layer.weights[0][word]
            if layer.config.get("mask_zero"):
                mask = np.array(word) != 0
        elif layer.recurrent:
            x = layer.steps(x, mask)
            if not layer.config.get("return_sequences"):
                x = x[-1]
        elif layer.kind == "GlobalMaxPooling1D":
            x = x.max(0)
        elif layer.kind == "GlobalAveragePooling1D":
            x = x[mask].mean(0)
        else:
            x = layer(x)
    last = layers[-1].config.get("activation")
    last = last if isinstance(last, str) or last is None else last["config"]
    if len(x) == 1:
        return float(x[0] if last == "sigmoid" else sigmoid(x[0]))
    return float(x[1] if last == "softmax" else ACTIVATIONS["softmax"](x)[1])


def snake(kind):
    import re
    text = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", kind)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", text).lower()


def named(layers):
    """Layers with the names that Keras gives: the class in small letters, numbered."""
    seen = {}
    for layer in layers:
        base = snake(layer.kind)
        number = seen.get(base, 0)
        seen[base] = number + 1
        yield (base if number == 0 else "%s_%d" % (base, number)), layer


def description(layers, functional, keras3):
    entries, before = [], None
    if functional:
        entries.append({"class_name": "InputLayer", "config": {"name": "input_1", "dtype": "float32"},
                        "name": "input_1", "inbound_nodes": []})
        before = "input_1"
    for name, layer in named(layers):
        entry = {"class_name": layer.kind, "config": {"name": name, "trainable": True, **layer.config}}
        if functional:
            entry["name"] = name
            if keras3:
                tensor = {"class_name": "__keras_tensor__", "config": {"shape": [None], "dtype": "float32",
                                                                       "keras_history": [before, 0, 0]}}
                entry["inbound_nodes"] = [{"args": [tensor], "kwargs": {"training": False}}]
            else:
                entry["inbound_nodes"] = [[[before, 0, 0, {}]]]
            before = name
        entries.append(entry)
    return {"class_name": "Functional" if functional else "Sequential",
            "config": {"name": "sequential", "layers": entries}}


WEIGHT_NAMES = {"Embedding": ["embeddings"], "Dense": ["kernel", "bias"],
                "BatchNormalization": ["gamma", "beta", "moving_mean", "moving_variance"],
                "LayerNormalization": ["gamma", "beta"]}


def save_h5(path, layers, functional=False, text=bytes):
    with h5py.File(path, "w") as file:
        config = json.dumps(description(layers, functional, False))
        file.attrs["model_config"] = config.encode() if text is bytes else config
        file.attrs["backend"] = b"tensorflow"
        file.attrs["keras_version"] = b"2.11.0"
        group = file.create_group("model_weights")
        group.attrs["layer_names"] = [name.encode() for name, _ in named(layers)]
        for name, layer in named(layers):
            inside = group.create_group(name)
            cell = {"SimpleRNN": "simple_rnn_cell", "GRU": "gru_cell", "LSTM": "lstm_cell"}.get(layer.kind)
            parts = WEIGHT_NAMES.get(layer.kind, ["kernel", "recurrent_kernel", "bias"])
            names = ["%s/%s%s:0" % (name, cell + "/" if cell else "", part)
                     for part, _ in zip(parts, layer.weights)]
            inside.attrs["weight_names"] = [n.encode() for n in names]
            for n, weight in zip(names, layer.weights):
                inside.create_dataset(n, data=weight.astype("float32"))


def save_keras(path, layers, functional=False):
    weights = io.BytesIO()
    with h5py.File(weights, "w") as file:
        group = file.create_group("layers")
        for name, layer in named(layers):
            inside = group.create_group(name)
            inside.create_group("vars")
            place = inside.create_group("cell").create_group("vars") if layer.recurrent else inside["vars"]
            for i, weight in enumerate(layer.weights):
                place.create_dataset(str(i), data=weight.astype("float32"))
        file.create_group("vars")
    with zipfile.ZipFile(path, "w") as archive:
        def put(name, content):  # a fixed date, so that the same network makes the same file
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content)
        put("metadata.json", json.dumps({"keras_version": "3.3.3", "date_saved": "2024-01-01@00:00:00"}))
        put("config.json", json.dumps(description(layers, functional, True)))
        put("model.weights.h5", weights.getvalue())


def named_function(name):
    """As Keras 3 writes a function that is not one of its own activations by name."""
    return {"module": "builtins", "class_name": "function", "config": name, "registered_name": "function"}


def main():
    global HARD_SLOPE

    def weight(*shape):
        return rng.uniform(-1.3, 1.3, shape).astype("float32").astype("float64")

    def embedding(width=3, **config):
        return Layer("Embedding", [weight(LETTERS, width)], input_dim=LETTERS, output_dim=width, **config)

    def rnn(kind, inputs=3, **config):
        gates = {"SimpleRNN": 1, "GRU": 3, "LSTM": 4}[kind]
        settings = {"units": UNITS, "activation": "tanh", "use_bias": True, "return_sequences": False, **config}
        if kind != "SimpleRNN":
            settings.setdefault("recurrent_activation", "sigmoid")
        bias = [weight(2, 3 * UNITS) if kind == "GRU" and config["reset_after"] else weight(gates * UNITS)]
        return Layer(kind, [weight(inputs, gates * UNITS), weight(UNITS, gates * UNITS)] +
                     (bias if settings["use_bias"] else []), True, **settings)

    def dense(inputs, units, activation="linear", **config):
        weights = [weight(inputs, units)] + ([weight(units)] if config.get("use_bias", True) else [])
        return Layer("Dense", weights, units=units, activation=activation, **config)

    def norm(kind, size):
        more = [weight(size), abs(weight(size)) + 0.3] if kind == "BatchNormalization" else []
        return Layer(kind, [weight(size), weight(size)] + more, epsilon=1e-3, scale=True, center=True)

    networks = {
        "keras-simple-rnn": lambda: [embedding(), rnn("SimpleRNN"), dense(UNITS, 1, "sigmoid")],
        "keras-simple-rnn-relu": lambda: [rnn("SimpleRNN", activation="relu"), dense(UNITS, 1, "sigmoid")],
        "keras-gru-after": lambda: [embedding(), rnn("GRU", reset_after=True), dense(UNITS, 1, "sigmoid")],
        "keras-gru-before": lambda: [embedding(), rnn("GRU", reset_after=False), dense(UNITS, 1, "sigmoid")],
        "keras-lstm-one-hot": lambda: [rnn("LSTM"), dense(UNITS, 2, "softmax")],
        "keras-lstm-two-layers": lambda: [embedding(), rnn("LSTM", return_sequences=True), rnn("LSTM", UNITS),
                                          Layer("Dropout", rate=0.5), dense(UNITS, 1)],
        "keras-gru-no-bias": lambda: [embedding(), rnn("GRU", reset_after=True, use_bias=False),
                                      dense(UNITS, 1, "sigmoid", use_bias=False)],
        "keras-max": lambda: [embedding(), rnn("GRU", reset_after=True, return_sequences=True),
                              Layer("GlobalMaxPooling1D"), dense(UNITS, 1, "sigmoid")],
        "keras-mean": lambda: [embedding(), rnn("LSTM", return_sequences=True), Layer("GlobalAveragePooling1D"),
                               dense(UNITS, 1, "sigmoid")],
        "keras-mask": lambda: [embedding(mask_zero=True), rnn("GRU", reset_after=True), dense(UNITS, 1, "sigmoid")],
        "keras-head": lambda: [embedding(), rnn("LSTM"), dense(UNITS, 5, "relu"), norm("BatchNormalization", 5),
                               dense(5, 4, "gelu"), norm("LayerNormalization", 4), Layer("LeakyReLU", alpha=0.3),
                               dense(4, 3, "silu"), Layer("Activation", activation="tanh"), dense(3, 2, "softmax")],
        "keras-hard-sigmoid-2": lambda: [embedding(), rnn("GRU", reset_after=False, recurrent_activation="hard_sigmoid"),
                                         dense(UNITS, 1, "sigmoid")],
        "keras-hard-sigmoid-3": lambda: [embedding(), rnn("LSTM", recurrent_activation="hard_sigmoid"),
                                         dense(UNITS, 1, "sigmoid")],
        "keras-other-activations": lambda: [
            embedding(), rnn("LSTM", activation="relu", return_sequences=True),
            rnn("LSTM", UNITS, activation="softsign"), dense(UNITS, 1, "sigmoid")],
        "keras-simple-rnn-elu": lambda: [embedding(), rnn("SimpleRNN", activation="elu"), dense(UNITS, 1, "sigmoid")],
        "keras-objects": lambda: [embedding(), rnn("SimpleRNN", activation=named_function("tanh")),
                                  dense(UNITS, 5, {"module": "keras.layers", "class_name": "LeakyReLU",
                                                   "config": {"negative_slope": 0.25}, "registered_name": None}),
                                  dense(5, 1, named_function("sigmoid"))],
    }
    # A hard sigmoid is another function in Keras 3, and descriptions of activations are new there.
    only = {"keras-hard-sigmoid-2": ".h5", "keras-hard-sigmoid-3": ".keras", "keras-objects": ".keras"}
    table = {"words": words(), "networks": {}, "files": []}
    for name, make in networks.items():
        rng = np.random.RandomState(sum(map(ord, name)))
        layers = make()
        HARD_SLOPE = 1 / 6 if name == "keras-hard-sigmoid-3" else 0.2
        table["networks"][name] = [float("%.7g" % probability(layers, word)) for word in table["words"]]
        functional = name in ("keras-gru-after", "keras-head")
        extensions = [extension for extension in (".h5", ".keras") if only.get(name, extension) == extension]
        if ".h5" in extensions:
            save_h5(os.path.join(HERE, name + ".h5"), layers, functional, str if name == "keras-max" else bytes)
        if ".keras" in extensions:
            save_keras(os.path.join(HERE, name + ".keras"), layers, functional)
        table["files"] += [{"file": name + extension, "network": name} for extension in extensions]
    write_table(table, os.path.join(HERE, "keras.json"))


if __name__ == "__main__":
    main()
