#!/usr/bin/python3
"""Writes docs/networks.md from tests/data/ways/*.json, the tables that tests/unit/networks checks."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["pt", "module.pt", "script.pt", "scripted.pt", "safetensors", "9.onnx", "13.onnx", "17.onnx", "h5", "keras"]
TITLES = ["state_dict", "whole module", "traced", "scripted", "safetensors", "ONNX 9", "ONNX 13", "ONNX 17", "Keras .h5", "Keras .keras"]
OPTIONS = {"cell": "--cell", "head_from": "--head-from", "activation": "--activation"}

TEXT = """# Which networks are read

%(networks)d networks were saved in %(files)d files, in every way people save them. Of these files,

- %(read)d are read, and the answers on 200 random words match the framework's (probabilities within 0.00002); options in the table supply what the file does
  not say;
- %(refused)d are refused with a message that states the reason;
- %(probes)d are read with a wrong assumption, which `rnnalf info` prints and probes refute.

`tests/data/make_ways.py` (PyTorch 1.13 of Debian 12) and `tests/data/make_keras.py` make the files and contain the Python source of each network.
`tests/unit/networks/ways_test.cpp` checks every cell of the table. `tests/data/ways_to_markdown.py` writes this page. An empty cell means that this way was not
tried, or that the framework cannot write it (`GRUCell` and `RNNCell` in a scripted loop to ONNX).

Several classes, tokens around words and large vocabularies are in [classes.md](classes.md).

## Export to ONNX

ONNX says what a file of tensors leaves out: cells written by hand, two recurrent modules, layers in front of them, pooling. One call is enough. The example
word has a few symbols, and the time axis stays dynamic:

```python
torch.onnx.export(model.eval(), torch.tensor([[0, 1, 0, 1, 1]]), "net.onnx", input_names=["x"], dynamic_axes={"x": {1: "T"}}, opset_version=17)
```

- A model that takes its state as an argument receives it as the second one, `(x, torch.zeros(1, 1, hidden))`, and returns the new state after the scores.
- A Python loop over the symbols stays a loop if you export `torch.jit.script(model)`. A traced loop is unrolled to the length of the example word. rnnalf
  folds it back into one step if all copies of the step are the same, and `rnnalf info` mentions the assumption.
- Weights may be in a second file, `net.onnx.data`. It is read only from the folder of `net.onnx` and only by its plain name.
- From Keras, tf2onnx makes such files. This was not tried, because Debian does not package it.

## Networks that read whole words

Layers that read a word from both ends, and attention, have no state after a prefix from which the answer follows. rnnalf reads such networks from ONNX, and
from PyTorch files where the layers are `nn.RNN`, `nn.GRU` or `nn.LSTM` with `bidirectional=True`. Every answer runs the whole word from its start, so it
costs as many steps as the word has symbols; the summary of `extract` says so. Learners and oracles that need words alone work as usual. What compares
states is not available: the oracle `abstraction`, `--method quantization` and `kmeans`, proofs, and the network inside the page.

- A PyTorch file does not say what the head reads of a bidirectional layer. By default it is the state in which each direction ends, `torch.cat([h[-2], h[-1]])`.
  For `out[:, -1]` give `--head-from last`; for a mean over time `--head-from mean`. Probes check it.
- An ONNX graph is read in this way if it cannot be read as a step. `rnnalf info` then calls the cell `whole words`.
- A word has at most 1,024 symbols. A graph that cannot be run on a word (because it has fewer positions, say) gives no answer to it.

## Several recurrent modules

Modules whose names differ only by numbers (`mach[0]`, `mach[1]`; `rnn.0`, `rnn.1`) are taken to stand one behind the other in the order in which the model
registers them. Other modules are refused unless probes are given, which must agree. `rnnalf info` prints what is assumed.

## Padding

An embedding in which exactly one row is zero has a symbol for padding, as `nn.Embedding(padding_idx=0)` keeps it. It is left out of the alphabet of words, and
`rnnalf info` says so. `--over` names the symbols of words and overrides this. A padding symbol that no embedding shows is left out with `--over`, too.

## Scores after every symbol

Where an ONNX graph returns scores after every symbol, those after the last symbol are the answer.

## Notes on the table

The rows "unrolled" are Python loops that the exporter traced with a word of five symbols.

ONNX files that PyTorch 1.13 cannot write are made with `onnx.helper`: `Scan`, recurrent nodes with other activations (HardSigmoid, ScaledTanh, Affine, ...),
weights in a second file. Scripted files come without the code of torch's own modules, which rnnalf does not read.

The Keras files are written with h5py according to Keras's description of its format, and their scores are computed with NumPy. Debian does not package Keras, so
no file written by Keras itself was tried.

rnnalf reads HDF5 with its own reader for the part that h5py writes (`adapters/keras/rnnalf/keras/hdf5_file.hpp`). Debian's libhdf5 1.10.8 crashed in 7 of 30 runs
over ten small files with one to five changed bytes each.

## Hostile files

Nothing in a file is executed, and the size of a file bounds the work of its reader. `tests/fuzz` checks that no input of 10 kB takes more than 100 MB (larger
inputs in proportion), for every input of every corpus. The last line of `build/default/tests/fuzz/fuzz_X_replay tests/fuzz/corpus/X` prints the most memory and
the longest time that an input of format X took.

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
