"""AALpy against us: it reads the DOT files we write, and we read the ones it writes.

Usage: aalpy_dot.py RNNALF SOURCE_TREE
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from aalpy.utils import load_automaton_from_file, save_automaton_to_file


def run(dfa, word):
    state = dfa["initial"]
    for symbol in word:
        state = dfa["transitions"][state][symbol]
    return said(dfa)[state]


def said(dfa):
    """What each state says: a boolean, the number of a class, or its name."""
    names = dfa.get("class_names")
    return dfa["accepting"] or [names[output] if names else output for output in dfa["outputs"]]


def check(rnnalf, target, folder):
    ours, values, theirs, back = (folder / name for name in ("ours.dot", "ours.json", "theirs.dot", "back.json"))
    subprocess.check_call([rnnalf, "convert", target, ours])
    subprocess.check_call([rnnalf, "convert", target, values])
    dfa = json.loads(values.read_text())

    moore = dfa["accepting"] is None
    learned = load_automaton_from_file(ours, "moore" if moore else "dfa")
    assert learned.is_input_complete(), target
    symbols = [int(name) if name.isdigit() else name for name in dfa["alphabet"]]  # as AALpy has them
    generator = random.Random(int(os.environ.get("RNNALF_TEST_SEED") or 1))
    for _ in range(500):
        word = [generator.randrange(len(symbols)) for _ in range(generator.randrange(20))]
        learned.reset_to_initial()
        for symbol in word:
            learned.step(symbols[symbol])
        state = learned.current_state
        assert (state.output if moore else state.is_accepting) == run(dfa, word), (target, word)

    save_automaton_to_file(learned, theirs.with_suffix(""), "dot")
    subprocess.check_call([rnnalf, "convert", theirs, back])
    again = json.loads(back.read_text())
    assert said(again) == said(dfa) and again["transitions"] == dfa["transitions"], target
    if "class_names" not in dfa:  # classes with names may be numbered otherwise
        assert again == dfa, target


def with_names(target, rnnalf, path):
    """The same Moore machine with names for its classes."""
    subprocess.check_call([rnnalf, "convert", target, path])
    dfa = json.loads(path.read_text())
    dfa["class_names"] = ["empty", "low", "[middle]", "größer", "un-labelled"]
    path.write_text(json.dumps(dfa))
    return path


def main():
    rnnalf, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    targets = sorted((tree / "examples/networks").glob("*.target.dot"))
    targets += sorted((tree / "tests/data/classes").glob("*.target.dot"))
    assert targets
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        targets.append(with_names(tree / "tests/data/classes/five.target.dot", rnnalf, folder / "named.json"))
        for target in targets:
            check(rnnalf, target, folder)
    print(f"{len(targets)} automata went both ways")


main()
