"""Trains the networks of examples/networks, or one for a language of your own.

  train.py NAME...           networks of the table below, into the current folder (or --out DIR)
  train.py mine              your own language: the last line of languages.py
  train.py --list            names of all networks

Each network becomes NAME.onnx (with alphabet and probes in its metadata), NAME.pt (its state_dict),
NAME.train.txt (the words it was trained with, one per line), NAME.json (sizes and accuracies) and, where the
target is a known DFA, NAME.target.dot.
Needs Debian's python3-torch, python3-onnx and python3-numpy.
"""
import argparse
import dataclasses
import json
import os
import random
import time
import warnings

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F

from contract import train_to_contract
from languages import LANGUAGES, RANDOM_SIZES, words_of_length, write_dot

SHORT = (5, 7, 9, 11, 14, 18)      # lengths that training proceeds through, before all words
LONG = SHORT + (23, 29, 37, 47, 60)


@dataclasses.dataclass
class Settings:
    language: str                  # a name of languages.LANGUAGES
    cell: str = "gru"              # gru, lstm or rnn (Elman, tanh)
    layers: int = 2
    hidden: int = 50
    head: str = "sigmoid"          # one output with a sigmoid, or two with a softmax (1 accepts)
    seed: int = 1
    seconds: float = 400           # CPU time at most
    curriculum: tuple = None       # lengths to proceed through; None: SHORT, or none with the labels of prefixes
    rate: float = 2e-3             # of Adam; wide networks want less
    dev_goal: float = 0.999        # share of the dev words that must be right
    contraction: float = 0         # above 0: train to be proved, with boxes of this half width (contract.py)
    contraction_steps: int = 2500
    per_length: int = 0            # above 0: train words of each length at most, instead of the language's own
    prefixes: bool = False         # the prefixes of train words have labels, too: learned in a fraction of the time


NETWORKS = {
    **{"tomita%d_gru100" % n: Settings("tomita%d" % n, hidden=100, seed=n) for n in range(1, 8)},
    "tomita6_gru100": Settings("tomita6", hidden=100, seed=61),
    "tomita5_rnn30": Settings("tomita5", "rnn", 1, 30, seed=32),
    "rand10_3_s1_gru100": Settings("rand10_3_s1", hidden=100, seed=12, seconds=500, dev_goal=1),
    "rand10_3_s5_lstm100": Settings("rand10_3_s5", "lstm", hidden=100, head="softmax", seed=15, seconds=500),
    # The paper's random languages (../studies/random_languages.toml): three for every cell and size, each of
    # another DFA.
    **{"rand%d_%d_%s%d_%d" % (states, letters, cell, hidden, number):
       Settings("rand%d_%d_s%d" % (states, letters, 10 * row + number), cell, hidden=hidden, seed=10 * row + number,
                seconds=1500 if hidden == 500 else 500)
       for states, letters in RANDOM_SIZES
       for row, (cell, hidden) in enumerate([(c, h) for c in ("gru", "lstm") for h in (50, 100, 500)], 1)
       for number in (1, 2, 3)},
    "bp_gru50": Settings("bp", seed=21, seconds=900),
    "bp_lstm50": Settings("bp_small", "lstm", head="softmax", seed=22, seconds=900, curriculum=LONG),
    "emails_lstm100": Settings("emails", "lstm", hidden=100, seed=23, seconds=700),
    "json_gru100": Settings("json", hidden=100, seed=24, seconds=700),
    "counting_lstm100": Settings("counting", "lstm", hidden=100, seed=26, seconds=700, curriculum=LONG, prefixes=True),
    **{"tomita%d_proved" % n: Settings("tomita%d" % n, layers=1, hidden=20, seed=n, contraction=0.1)
       for n in range(1, 8)},
    "rand10_3_proved": Settings("rand10_3_s1", layers=1, hidden=32, contraction=0.1),
    "bp4_proved": Settings("bp4", layers=1, hidden=20, contraction=0.1),
    "dates_proved": Settings("dates", layers=1, hidden=16, contraction=0.1),
    "mine": Settings("mine"),
}

cpu_seconds = time.process_time    # not wall time: the machine may be shared


class Acceptor(nn.Module):
    """One-hot letters -> recurrent layers from the zero state -> a dense layer on the last state.
    A word is accepted when its score is above 0.5; the empty word's is the zero state's."""

    def __init__(self, letters, settings):
        super().__init__()
        self.letters, self.hidden, self.head = letters, settings.hidden, settings.head
        kind = {"gru": nn.GRU, "lstm": nn.LSTM, "rnn": nn.RNN}[settings.cell]
        self.rnn = kind(letters, settings.hidden, settings.layers)
        self.out = nn.Linear(settings.hidden, 1 if settings.head == "sigmoid" else 2)

    def prefix_logits(self, ids):
        """ids [words, longest] -> log odds of accept after each of their symbols [words, longest]"""
        states, _ = self.rnn(F.one_hot(ids.t(), self.letters).float())
        return self.margin(states).t()

    def logits(self, ids, lengths):
        """ids [words, longest] (padded), lengths [words] -> log odds of accept [words]"""
        count, longest = ids.shape
        last = torch.zeros(count, self.hidden)
        if longest:
            states, _ = self.rnn(F.one_hot(ids.t(), self.letters).float())
            last = states[(lengths - 1).clamp(min=0), torch.arange(count)]
            last = torch.where((lengths > 0).unsqueeze(1), last, torch.zeros_like(last))
        return self.margin(last)

    def margin(self, hidden):
        """Log odds of accept in hidden states [words, hidden]."""
        scores = self.out(hidden)
        return scores[..., 0] if self.head == "sigmoid" else scores[..., 1] - scores[..., 0]


class Data:
    """Words as padded rows of letter numbers, with their labels."""

    def __init__(self, words, alphabet):
        number = {letter: i for i, letter in enumerate(alphabet)}
        self.lengths = np.array([len(word) for word in words])
        self.ids = np.zeros((len(words), max(1, self.lengths.max())), dtype=np.int64)
        for row, word in enumerate(words):
            self.ids[row, :len(word)] = [number[letter] for letter in word]
        self.labels = np.array(list(words.values()), dtype=np.float32)

    def prefix_labels(self, words, accept):
        """A row for each word: the labels of its prefixes, shortest first, and NaN behind its end."""
        labels = np.full(self.ids.shape, np.nan, dtype=np.float32)
        for row, word in zip(labels, words):
            row[:len(word)] = [accept(word[:i + 1]) for i in range(len(word))]
        return labels

    def batches(self, size, rng, longest=None, prefix_labels=None):
        """All words (up to a length) once, words of similar length together; with the labels of their prefixes
        instead of their own, where these are given."""
        rows = rng.permutation(len(self.lengths))
        if longest is not None:
            rows = rows[self.lengths[rows] <= longest]
        rows = rows[np.argsort(self.lengths[rows] + rng.uniform(0, 3, len(rows)), kind="stable")]
        chunks = [rows[i:i + size] for i in range(0, len(rows), size)]
        rng.shuffle(chunks)
        for chunk in chunks:
            longest = self.lengths[chunk].max()
            labels = self.labels[chunk] if prefix_labels is None else prefix_labels[chunk][:, :longest]
            yield (torch.from_numpy(self.ids[chunk][:, :longest]), torch.from_numpy(self.lengths[chunk]),
                   torch.from_numpy(labels))


def accuracy(net, data):
    net.eval()
    right = 0
    with torch.no_grad():
        for ids, lengths, labels in data.batches(1000, np.random.RandomState(0)):
            right += int(((net.logits(ids, lengths) > 0).float() == labels).sum())
    net.train()
    return right / len(data.lengths)


def train(net, data, dev, settings, curriculum, log, prefix_labels=None):
    """Adam, short words first, until every train word is right, dev as right as wanted and
    the loss is small, or the time is up. Leaves the best network met on the way in `net`."""
    rng = np.random.RandomState(settings.seed)
    batch = 32 if len(data.lengths) < 5000 else 128
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.rate)
    start = cpu_seconds()
    spent = lambda: cpu_seconds() - start  # noqa: E731
    epochs = 0

    def epoch(longest=None):
        total = right = count = 0
        for ids, lengths, labels in data.batches(batch, rng, longest, prefix_labels):
            if prefix_labels is None:
                logits = net.logits(ids, lengths)
            else:
                there = ~labels.isnan()
                logits, labels = net.prefix_logits(ids)[there], labels[there]
            loss = F.binary_cross_entropy_with_logits(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += float(loss.detach()) * len(labels)
            right += int(((logits > 0).float() == labels).sum())
            count += len(labels)
            if spent() > settings.seconds:
                break
        return total / count, right / count

    for longest in [length for length in curriculum if length < data.lengths.max()]:
        steps = max(1, int((data.lengths <= longest).sum()) // batch)
        for _ in range(max(25, 1500 // steps)):
            loss, share = epoch(longest)
            epochs += 1
            if share > 0.995 or spent() > settings.seconds * 0.5:
                break
        log("  length <= %d: epoch %d loss %.4f right %.4f  %.0f s" % (longest, epochs, loss, share, spent()))

    goal = 1e-3 + 0.7 / len(data.lengths)  # the empty word alone has 0.7 until the bias moves
    least_loss, stalled, best, best_state = 9.0, 0, (-1, -1), None
    while spent() < settings.seconds:
        loss, share = epoch()
        epochs += 1
        stalled = 0 if loss < least_loss * 0.9 else stalled + 1
        least_loss = min(least_loss, loss)
        if stalled >= 6 and optimizer.param_groups[0]["lr"] > 2e-4:
            optimizer.param_groups[0]["lr"] *= 0.5
            stalled = 0
        if share == 1 or loss < goal or (share > 0.9985 and epochs % 4 == 0):
            on_train = accuracy(net, data)
            may_end = loss < goal or spent() > settings.seconds * 0.6
            on_dev = accuracy(net, dev) if may_end and on_train > 0.9998 else 0
            if (on_train, on_dev) > best:
                best = (on_train, on_dev)
                best_state = {name: value.clone() for name, value in net.state_dict().items()}
            log("  epoch %d loss %.5f train %.6f dev %.5f  %.0f s" % (epochs, loss, on_train, on_dev, spent()))
            if may_end and on_train == 1 and on_dev >= settings.dev_goal:
                return epochs, spent()
        elif epochs % 10 == 0:
            log("  epoch %d loss %.5f right %.5f  %.0f s" % (epochs, loss, share, spent()))
    if best_state is not None and (accuracy(net, data), accuracy(net, dev)) < best:
        net.load_state_dict(best_state)
    return epochs, spent()


def probes(net, language, words, seed):
    """About 30 words with PyTorch's own probability: the empty word, a few of length 1 and 2, a
    dozen of the train set that belong and a dozen that do not."""
    rng = random.Random(seed + 8000)
    chosen = [""] + [word for length in (1, 2) for word in words_of_length(rng, 4, length, language.alphabet)[:4]]
    for label in (True, False):
        candidates = sorted(word for word in words if words[word] == label)
        rng.shuffle(candidates)
        chosen += candidates[:12]
    number = {letter: i for i, letter in enumerate(language.alphabet)}

    def probability(word):
        ids = torch.tensor([[number[letter] for letter in word]], dtype=torch.long).reshape(1, len(word))
        with torch.no_grad():
            return float(torch.sigmoid(net.logits(ids, torch.tensor([len(word)])))[0])
    return [[list(word), probability(word)] for word in dict.fromkeys(chosen)]


class Exported(nn.Module):
    """The score of one word as a whole. The input is, by style: `onehot` floats [length, 1, letters];
    `embed` numbers [length, 1] looked up in an embedding; `onehotop` numbers made one-hot inside."""

    def __init__(self, net, style):
        super().__init__()
        self.rnn, self.out, self.style, self.letters = net.rnn, net.out, style, net.letters
        self.score = nn.Sigmoid() if net.head == "sigmoid" else nn.Softmax(dim=-1)
        if style == "embed":
            self.emb = nn.Embedding(net.letters, net.letters)
            self.emb.weight.data = torch.eye(net.letters)

    def forward(self, x):
        if self.style == "embed":
            x = self.emb(x)
        elif self.style == "onehotop":
            x = F.one_hot(x, self.letters).float()
        states, _ = self.rnn(x)
        return self.score(self.out(states[-1]))


def export_onnx(net, path, style, metadata):
    """Writes the network and puts into its metadata what rnnalf reads there."""
    if style == "onehot":
        name, example = "x", F.one_hot(torch.zeros(3, 1, dtype=torch.long), net.letters).float()
    else:
        name, example = "ids", torch.zeros(3, 1, dtype=torch.long)
    torch.onnx.export(Exported(net, style).eval(), example, path, input_names=[name], output_names=["score"],
                      dynamic_axes={name: {0: "T"}}, opset_version=14)
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {key: json.dumps(value) for key, value in metadata.items()})
    onnx.checker.check_model(model)
    onnx.save(model, path)


def build(name, settings, start, out, styles, log):
    language = LANGUAGES[settings.language]()
    if settings.per_length:
        language.most = settings.per_length
    words = language.train_set(random.Random(settings.seed))
    dev_words = language.dev_set(random.Random(settings.seed + 5000))
    test_words = language.test_set(random.Random(settings.seed + 9000))
    positives = sum(words.values())
    log("%s: %d words to train with, %d of them in the language" % (name, len(words), positives))
    if positives < len(words) / 100:
        log("  fewer than 1 in 100: a GeneratedLanguage (languages.py) makes words that belong")
    data, dev = Data(words, language.alphabet), Data(dev_words, language.alphabet)

    torch.manual_seed(settings.seed)
    net = Acceptor(len(language.alphabet), settings)
    if start:  # a network that has seen long words needs no short ones first
        net.load_state_dict(torch.load(start))
    if settings.contraction > 0:
        began = cpu_seconds()
        epochs, _ = train_to_contract(net, language.dfa, settings, log)
        seconds = cpu_seconds() - began
    else:
        prefix_labels = data.prefix_labels(words, language.accept) if settings.prefixes else None
        curriculum = settings.curriculum
        if curriculum is None:
            curriculum = () if settings.prefixes else SHORT
        epochs, seconds = train(net, data, dev, settings, () if start else curriculum, log, prefix_labels)
    net.eval()

    base = os.path.join(out, name)
    metadata = {"rnnalf.alphabet": language.alphabet, "rnnalf.probes": probes(net, language, words, settings.seed)}
    for style in styles:
        export_onnx(net, base + ("" if style == "onehot" else "." + style) + ".onnx", style, metadata)
    torch.save(net.state_dict(), base + ".pt")
    if language.dfa:
        write_dot(language.dfa, base + ".target.dot")
    with open(base + ".train.txt", "w") as file:
        file.writelines(word + "\n" for word in words)
    summary = {**dataclasses.asdict(settings), "target": language.description, "alphabet": language.alphabet,
               "train_size": len(words), "train_positive": positives, "train_accuracy": accuracy(net, data),
               "dev_size": len(dev_words), "dev_accuracy": accuracy(net, dev),
               "test_size": len(test_words),
               "test_accuracy": accuracy(net, Data(test_words, language.alphabet)) if test_words else None,
               "epochs": epochs, "train_seconds": round(seconds, 1), "torch": torch.__version__}
    with open(base + ".json", "w") as file:
        json.dump(summary, file, indent=1)
    log("%s: train %.6f dev %.5f test %s, %d epochs, %.0f s" % (
        name, summary["train_accuracy"], summary["dev_accuracy"], summary["test_accuracy"], epochs, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", default=".", help="folder to write to")
    parser.add_argument("--list", action="store_true", help="print the names of all networks")
    parser.add_argument("--seed", type=int, help="instead of the one in the table")
    parser.add_argument("--seconds", type=float, help="CPU time at most, instead of the table's")
    parser.add_argument("--per-length", type=int, help="train words of each length at most, instead of the language's")
    parser.add_argument("--prefixes", action="store_true", default=None,
                        help="the prefixes of train words have labels, too: learned in a fraction of the time")
    parser.add_argument("--curriculum", type=lambda text: tuple(map(int, text.split(","))), metavar="N,N...",
                        help="lengths of words to proceed through before all words are trained with")
    parser.add_argument("--rate", type=float, help="of Adam, instead of the table's")
    parser.add_argument("--start", metavar="FILE.pt", help="go on from the state_dict of an earlier run")
    parser.add_argument("--styles", default="onehot", help="ONNX inputs: onehot, embed, onehotop, with commas")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NETWORKS]
    if unknown:
        parser.error("unknown network %s; --list prints all" % unknown[0])
    if options.list or not options.names:
        print("\n".join(NETWORKS))
        return
    styles = options.styles.split(",")
    for style in styles:
        if style not in ("onehot", "embed", "onehotop"):
            parser.error("unknown style %s" % style)

    warnings.filterwarnings("ignore", module="torch")
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)  # saturated gates make denormal gradients, some ten times slower
    os.makedirs(options.out, exist_ok=True)
    for name in options.names:
        given = {key: value for key in ("seed", "seconds", "per_length", "prefixes", "curriculum", "rate")
                 if (value := getattr(options, key)) is not None}
        build(name, dataclasses.replace(NETWORKS[name], **given), options.start, options.out, styles,
              lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
