"""How the cost of an extraction grows with the vocabulary: 10 to 1,000 symbols that behave in three ways.

  /usr/bin/python3 bench/vocabulary.py --rnnalf build/default/adapters/cli/rnnalf

The network is tests/data/classes/exact.pt, whose letters become an embedding: each symbol of the vocabulary has the
row of a letter, with noise. Its machine has 10 states, 5 classes and 3 classes of symbols, whatever the vocabulary.
Learned over representatives, which is the default for more than 40 symbols, and over all symbols. CPU seconds are of the
whole program.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile

import torch

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "classes")
NOISE = 0.05


def write_network(symbols, file):
    generator = torch.Generator().manual_seed(symbols)
    weights = torch.load(os.path.join(DATA, "exact.pt"))
    letters = torch.randint(0, 3, (symbols,), generator=generator)
    letters[:3] = torch.arange(3)
    embedding = torch.nn.functional.one_hot(letters, 3).float()
    weights["emb.weight"] = embedding + NOISE * torch.randn(embedding.shape, generator=generator)
    torch.save(weights, file)
    return letters


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rnnalf", required=True)
    parser.add_argument("--time-limit", default="60s")
    parser.add_argument("--sizes", default="10,30,100,300,1000")
    options = parser.parse_args()
    print("| symbols | learned over | verdict | states | classes of symbols | right | membership queries | network steps | CPU seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for symbols in map(int, options.sizes.split(",")):
            network, out = os.path.join(folder, "net.pt"), os.path.join(folder, "run.json")
            letters = write_network(symbols, network)
            for over, alike in (("representatives", "1"), ("all symbols", "0")):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.call([options.rnnalf, "extract", network, "--cell", "elman-tanh", "--alike-symbols", alike, "--threads", "1", "--json", out,
                                 "--time-limit", options.time_limit, "--quiet"])
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                run = json.load(open(out))
                classes = run["symbol_classes"] or [[name] for name in run["network"]["alphabet"]]
                # Right: symbols are together iff they have the row of one letter.
                right = sorted(sorted(map(int, c)) for c in classes) == sorted(
                    [i for i in range(symbols) if letters[i] == letter] for letter in range(3))
                statistics = run["statistics"]
                print("| %s | %s | %s | %d | %d | %s | %s | %s | %.2f |" % (
                    format(symbols, ","), over, run["verdict"], len(run["dfa"]["outputs"]), len(classes), "yes" if right else "no",
                    format(statistics["membership_queries"], ","),
                    format(statistics["rnn_steps"] + statistics["rnn_steps_choosing"], ","),
                    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), flush=True)


if __name__ == "__main__":
    main()
