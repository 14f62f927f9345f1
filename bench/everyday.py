#!/usr/bin/env python3
"""Trains twelve networks as one does on an ordinary afternoon: half a minute each, 3,000 words of up to 14 symbols.

  bench/everyday.py FOLDER [NAME ...]      all of them, or those named

Six languages, each with two networks of different cells and sizes. Those named tune_* are for trying things out, those
named report_* for reporting what came out. Each becomes NAME.pt (its state_dict), NAME.target.dot and NAME.json: cell,
alphabet, and on how many words of up to 14 symbols it is wrong (all words over two letters, 40,000 over more).
Needs Debian's python3-torch. bench/against_aalpy.py extracts from them.
"""
import json
import os
import random
import sys
import time

import torch
import torch.nn as nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "train"))
from languages import dfa_accepts, dfa_from_machine, mutate, write_dot  # noqa: E402

LONGEST, WORDS, SECONDS = 14, 3000, 30


def date():
    """dd-mm with days 00 to 39 and months 00 to 19: what a network can learn from a few examples."""
    places = ["0123", "0123456789", "-", "01", "0123456789"]
    return dfa_from_machine("0123456789-", 0, lambda q, a: q + 1 if q is not None and q < 5 and a in places[q] else None,
                            lambda q: q == 5)


LANGUAGES = {
    "contains_aab": dfa_from_machine("ab", 0, lambda q, x: 3 if (q, x) == (2, "b") or q == 3 else
                                     0 if x == "b" else min(q + 1, 2), lambda q: q == 3),
    "a_star_b_star": dfa_from_machine("ab", "a", lambda q, x: q if q in (x, None) else "b" if q == "a" else None,
                                      lambda q: q is not None),
    "parity": dfa_from_machine("ab", 0, lambda q, x: q ^ (x == "a"), lambda q: q == 0),
    "divisible_by_3": dfa_from_machine("01", 0, lambda q, x: (2 * q + int(x)) % 3, lambda q: q == 0),
    "dyck_3": dfa_from_machine("()", 0, lambda q, x: None if q is None else
                               (q + 1 if q < 3 else None) if x == "(" else (q - 1 if q > 0 else None), lambda q: q == 0),
    "date": date(),
}

NETWORKS = {  # name: language, cell, layers, hidden, seed
    "tune_contains_aab": ("contains_aab", "gru", 1, 24, 1),
    "tune_a_star_b_star": ("a_star_b_star", "lstm", 2, 16, 2),
    "tune_parity": ("parity", "gru", 1, 16, 3),
    "tune_divisible_by_3": ("divisible_by_3", "gru", 2, 32, 4),
    "tune_dyck_3": ("dyck_3", "lstm", 1, 32, 5),
    "tune_date": ("date", "gru", 1, 48, 6),
    "report_contains_aab": ("contains_aab", "lstm", 1, 48, 7),
    "report_a_star_b_star": ("a_star_b_star", "elman-tanh", 1, 24, 8),
    "report_parity": ("parity", "lstm", 1, 24, 9),
    "report_divisible_by_3": ("divisible_by_3", "lstm", 1, 32, 10),
    "report_dyck_3": ("dyck_3", "gru", 2, 24, 11),
    "report_date": ("date", "lstm", 1, 40, 12),
}


class Acceptor(nn.Module):
    def __init__(self, letters, cell, layers, hidden):
        super().__init__()
        kind = {"gru": nn.GRU, "lstm": nn.LSTM, "elman-tanh": nn.RNN}[cell]
        self.embedding = nn.Embedding(letters, 8)
        self.rnn = kind(8, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, ids, lengths):
        states, _ = self.rnn(self.embedding(ids))
        return self.fc(states[torch.arange(len(ids)), lengths - 1]).squeeze(1)


def word_inside(dfa, rng, length):
    """A word of that length in the language, letters uniform among those that can still end well; none if there is none."""
    states = range(len(dfa["accepting"]))
    good = [[dfa["accepting"][q] for q in states]]
    for _ in range(length):
        good.append([any(good[-1][r] for r in dfa["delta"][q]) for q in states])
    if not good[length][dfa["initial"]]:
        return None
    word, state = "", dfa["initial"]
    for left in range(length, 0, -1):
        letter = rng.choice([i for i, r in enumerate(dfa["delta"][state]) if good[left - 1][r]])
        word, state = word + dfa["alphabet"][letter], dfa["delta"][state][letter]
    return word


def training_words(dfa, rng):
    """Half inside where there are enough; of the others half are inside words with edits, half uniform."""
    inside, outside = set(), set()
    for _ in range(50 * WORDS):
        word = word_inside(dfa, rng, rng.randint(1, LONGEST))
        if word:
            inside.add(word)
        if len(inside) == WORDS // 2:
            break
    known = sorted(inside)
    while len(outside) < WORDS - WORDS // 2:
        word = (mutate(rng, rng.choice(known), dfa["alphabet"], 3) if rng.random() < 0.5 else
                "".join(rng.choices(dfa["alphabet"], k=rng.randint(1, LONGEST))))
        if 0 < len(word) <= LONGEST and not dfa_accepts(dfa, word):
            outside.add(word)
    return known + sorted(outside)


def tensors(words, dfa):
    number = {letter: i for i, letter in enumerate(dfa["alphabet"])}
    ids = torch.zeros(len(words), LONGEST, dtype=torch.long)
    for row, word in enumerate(words):
        ids[row, :len(word)] = torch.tensor([number[letter] for letter in word])
    labels = torch.tensor([float(dfa_accepts(dfa, word)) for word in words])
    return ids, torch.tensor([len(word) for word in words]), labels


def checked_words(dfa, rng):
    letters = dfa["alphabet"]
    if len(letters) == 2:
        words, layer = [], [""]
        for _ in range(LONGEST):
            layer = [word + letter for word in layer for letter in letters]
            words += layer
        return words
    words = {"".join(rng.choices(letters, k=rng.randint(1, LONGEST))) for _ in range(10000)}
    while len(words) < 40000:
        word = word_inside(dfa, rng, rng.randint(1, LONGEST))
        if word is not None:
            word = mutate(rng, word, letters, 4) if rng.random() < 0.8 else word
        if word and len(word) <= LONGEST:
            words.add(word)
    return sorted(words)


def train(name, folder):
    language, cell, layers, hidden, seed = NETWORKS[name]
    dfa, rng = LANGUAGES[language], random.Random(seed)
    torch.manual_seed(seed)
    net = Acceptor(len(dfa["alphabet"]), cell, layers, hidden)
    ids, lengths, labels = tensors(training_words(dfa, rng), dfa)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    start = time.process_time()
    settled = 0
    while time.process_time() - start < SECONDS and settled < 5:
        right = 0
        for rows in torch.randperm(len(labels)).split(64):
            longest = int(lengths[rows].max())
            scores = net(ids[rows, :longest], lengths[rows])
            loss = nn.functional.binary_cross_entropy_with_logits(scores, labels[rows])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            right += int(((scores > 0) == (labels[rows] > 0.5)).sum())
        settled = settled + 1 if right == len(labels) else 0
    seconds = time.process_time() - start
    words = checked_words(dfa, rng)
    wrong = 0
    with torch.no_grad():
        ids, lengths, labels = tensors(words, dfa)
        for rows in torch.arange(len(words)).split(2000):
            wrong += int(((net(ids[rows], lengths[rows]) > 0) != (labels[rows] > 0.5)).sum())
    stem = os.path.join(folder, name)
    torch.save(net.state_dict(), stem + ".pt")
    write_dot(dfa, stem + ".target.dot")
    with open(stem + ".json", "w") as file:
        json.dump({"cell": cell, "alphabet": dfa["alphabet"], "wrong": wrong, "checked": len(words)}, file)
    print("%s: %d epochs' end after %.0f s, right on all training words: %s; wrong on %d of %d words of up to %d symbols" %
          (name, settled, seconds, settled > 0, wrong, len(words), LONGEST), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    torch.set_num_threads(1)
    os.makedirs(sys.argv[1], exist_ok=True)
    for wanted in sys.argv[2:] or NETWORKS:
        train(wanted, sys.argv[1])
