#!/usr/bin/python3
"""Writes docs/networks.md from tests/data/ways/*.json, the tables that tests/unit/networks checks."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["pt", "module.pt", "script.pt", "scripted.pt", "safetensors", "9.onnx", "13.onnx", "17.onnx", "h5", "keras"]
TITLES = ["state_dict", "whole module", "traced", "scripted", "safetensors", "ONNX 9", "ONNX 13", "ONNX 17", "Keras .h5", "Keras .keras"]
OPTIONS = {"cell": "--cell", "head_from": "--head-from", "activation": "--activation"}

TEXT = """# Networks that were tried

%(networks)d networks in %(files)d files: %(read)d are read with the framework's answers on 200 random words (probabilities within 0.00002, with
the options named, which say what the file does not), %(refused)d are refused in words that say why, and %(probes)d are read with an assumption that is
wrong, which `rnnalf info` says and probes refuse. Made by `tests/data/ways_to_markdown.py` from the tables of
`tests/data/make_ways.py` (PyTorch 1.13 of Debian 12) and `tests/data/make_keras.py`; `tests/unit/networks/ways_test.cpp` checks every
cell. An empty cell: not tried, or the framework cannot write it (`GRUCell` and `RNNCell` in a scripted loop to ONNX). The scripts have
the Python of each network.

## Export to ONNX

What a file of tensors does not say, ONNX says: cells written by hand, two recurrent modules, layers in front of them, pooling. One call,
with a word of some letters as the example and the axis of time free:

```python
torch.onnx.export(model.eval(), torch.tensor([[0, 1, 0, 1, 1]]), "net.onnx", input_names=["x"], dynamic_axes={"x": {1: "T"}}, opset_version=17)
```

A model that takes its state as an argument gets it as a second one, `(x, torch.zeros(1, 1, hidden))`, and returns the state after the
scores. A Python loop over the letters stays a loop with `torch.jit.script(model)` as the model; traced, it is written out for words of
this length, which is read as well where every step does the same. Weights may lie in a file beside, `net.onnx.data`: it is read from
the folder of `net.onnx`, by its plain name, and from nowhere else. From Keras, tf2onnx makes such files (not tried here, as Debian does not
have it).

## What is read how

The rows "unrolled" are Python loops that the exporter traced with a word of five letters: the file has a copy of the step for each of
them. Where all copies do the same, they are read as one step, for words of every length; `rnnalf info` says that it is taken for granted.

ONNX that PyTorch 1.13 does not write is made with `onnx.helper`: `Scan`, recurrent nodes with other activations (HardSigmoid, ScaledTanh,
Affine, ...), weights in a file beside the model. Scripted files are without the code of torch's own modules, which nobody reads here.

The Keras files are written with h5py as Keras describes its files, not by Keras itself, which Debian does not have; their scores
are computed with NumPy. No file that Keras wrote was tried.

HDF5 is read by code of ours (`adapters/keras/rnnalf/keras/hdf5_file.hpp`), the part of it that h5py writes for Keras, and not by libhdf5:
Debian's libhdf5 1.10.8 crashed in 7 of 30 runs over ten small files with one to five changed bytes each, and a file from elsewhere may
be made to break its reader.

## Hostile files

Nothing in a file is run, and every reader's work is bounded by the size of its file: `tests/fuzz` holds that no input of 10 kB takes more
than 100 MB (larger ones in proportion), for every input of every corpus. Time is measured, not tested: the last line of
`build/default/tests/fuzz/fuzz_X_replay tests/fuzz/corpus/X` has the most memory and the longest time that an input of format X took.

Networks with more than two classes and names for these, tokens around words and large vocabularies: [classes.md](classes.md).

## The table

| network | %(titles)s |
|---|%(line)s
"""


def main():
    rows, refusals = {}, []
    counts = {"read": 0, "refused": 0, "probes": 0}
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
                counts["refused"] += 1
            elif "assumed_wrongly" in entry:
                cell = "probes refuse it"
                counts["probes"] += 1
            else:
                options = ["`%s %s`" % (OPTIONS[key], entry[key]) for key in OPTIONS if key in entry]
                cell = " ".join(["read"] + options)
                counts["read"] += 1
            rows.setdefault(name, {})[way] = cell
    text = TEXT % {"files": sum(counts.values()), "networks": len(rows), "titles": " | ".join(TITLES),
                   "line": "---|" * len(WAYS), **counts}
    for name, cells in rows.items():
        text += "| %s | %s |\n" % (name, " | ".join(cells.get(way, "") for way in WAYS))
    text += "\nRefusals, as far as they are the same for all files:\n\n"
    text += "".join("%d. `%s`\n" % (i + 1, refusal) for i, refusal in enumerate(refusals))
    with open(os.path.join(HERE, "..", "..", "docs", "networks.md"), "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
