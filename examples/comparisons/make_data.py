#!/usr/bin/env python3
"""Writes what the comparisons need beside the networks; Python's own library is enough.

bp_depths/depth_NN.json   balanced parentheses up to nesting depth NN, as a minimal DFA
bp_words.txt              2000 words as the networks were trained with, half of them balanced
"""
import json
import pathlib
import random
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "train"))
import languages

bp = languages.LANGUAGES["bp"]()


def bounded(depth):
    def step(state, symbol):
        if state is None:
            return None
        level = state + {"(": 1, ")": -1}.get(symbol, 0)
        return level if 0 <= level <= depth else None
    return languages.dfa_from_machine(bp.alphabet, 0, step, lambda state: state == 0)


(here / "bp_depths").mkdir(exist_ok=True)
for depth in range(1, 21):
    dfa = bounded(depth)
    text = json.dumps({"alphabet": dfa["alphabet"], "initial": dfa["initial"], "accepting": dfa["accepting"],
                       "transitions": dfa["delta"]}, separators=(",", ":"))
    (here / "bp_depths" / ("depth_%02d.json" % depth)).write_text(text + "\n")
words = list(bp.test_set(random.Random(7)))
random.Random(8).shuffle(words)
(here / "bp_words.txt").write_text("".join(word + "\n" for word in words))
