#!/usr/bin/python3
"""Writes docs/networks.md from tests/data/ways/*.json, the tables that tests/unit/networks checks."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["pt", "module.pt", "script.pt", "safetensors", "9.onnx", "13.onnx", "17.onnx", "h5", "keras"]
TITLES = ["state_dict", "whole module", "TorchScript", "safetensors", "ONNX 9", "ONNX 13", "ONNX 17", "Keras .h5", "Keras .keras"]
OPTIONS = {"cell": "--cell", "head_from": "--head-from", "activation": "--activation"}


def main():
    rows, refusals = {}, []
    for table in ("ways.json", "keras.json"):
        with open(os.path.join(HERE, "ways", table)) as file:
            entries = json.load(file)["files"]
        for entry in entries:
            name, way = entry["file"].split(".", 1)
            if way not in WAYS:
                name, way = name + " (before torch 1.6)", "module.pt"
            if "refusal" in entry:
                if entry["refusal"] not in refusals:
                    refusals.append(entry["refusal"])
                cell = "refused (%d)" % (refusals.index(entry["refusal"]) + 1)
            elif "assumed_wrongly" in entry:
                cell = "probes refuse it"
            else:
                options = ["`%s %s`" % (OPTIONS[key], entry[key]) for key in OPTIONS if key in entry]
                cell = " ".join(["read"] + options)
            rows.setdefault(name, {})[way] = cell
    text = """# Networks that were tried

Made by `tests/data/ways_to_markdown.py` from the tables of `tests/data/make_ways.py` (PyTorch 1.13 of Debian 12) and
`tests/data/make_keras.py`; `tests/unit/networks/ways_test.cpp` checks every cell. "read": the answers are those of the framework on 200
random words, probabilities within 0.00002, with the options named, which say what the file does not. An empty cell: not tried, or the
framework cannot write it (`GRUCell` and `RNNCell` in a scripted loop to ONNX). The script has the Python of each network.

The rows "unrolled" are Python loops that the exporter traced with a word of five letters: the file has a copy of the step for each of
them. Where all copies do the same, they are read as one step, for words of every length; `rnnalf info` says that it is taken for granted.

The Keras files are written with h5py as Keras describes its files, not by Keras itself, which Debian does not have; their scores
are computed with NumPy.

Networks with more than two classes, tokens around words and large vocabularies: [classes.md](classes.md).

| network | %s |
|---|%s
""" % (" | ".join(TITLES), "---|" * len(WAYS))
    for name, cells in rows.items():
        text += "| %s | %s |\n" % (name, " | ".join(cells.get(way, "") for way in WAYS))
    text += "\nRefusals, as far as they are the same for all files:\n\n"
    text += "".join("%d. `%s`\n" % (i + 1, refusal) for i, refusal in enumerate(refusals))
    with open(os.path.join(HERE, "..", "..", "docs", "networks.md"), "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
