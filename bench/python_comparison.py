#!/usr/bin/env python3
"""The same networks in AALpy alone, in AALpy with rnnalf's oracle, and in rnnalf.extract, as a Markdown table.

  PYTHONPATH=build/default/python:AALPY bench/python_comparison.py [--time-limit 60] [NET.onnx ...]

AALPY is a checkout of AALpy. All three run the network by rnnalf's inference, since AALpy has none; "alone" is its learner
with its own state-prefix oracle as it is by default, 25 walks of 12 symbols from every state. Lines are those
of the functions below, without blank lines. Seconds are processor time in one process for each cell; "right": the automaton
is the target, but for the empty word, which no network was trained on; else the share of 20,000 words (lengths 1 to 30,
half of them in the target's language where it is rare) on which automaton and network agree.
"""
import argparse
import inspect
import multiprocessing
import pathlib
import resource
import time

import rnnalf

NETWORKS = pathlib.Path(__file__).resolve().parent.parent / "examples" / "networks"
CHOSEN = ["tomita3_gru100", "tomita5_rnn30", "tomita7_gru100", "rand10_3_s1_gru100", "rand10_3_s5_lstm100",
          "json_gru100"]


def aalpy_alone(file):
    from aalpy.learning_algs import run_KV
    from aalpy.oracles import StatePrefixEqOracle
    from rnnalf.aalpy import NetworkSUL
    sul = NetworkSUL(file)
    oracle = StatePrefixEqOracle(sul.alphabet, sul)
    return rnnalf.Dfa.from_aalpy(run_KV(sul.alphabet, sul, oracle, "dfa", print_level=0), sul.alphabet)


def aalpy_with_our_oracle(file):
    from aalpy.learning_algs import run_KV
    from rnnalf.aalpy import NetworkOracle, NetworkSUL
    sul = NetworkSUL(file)
    return rnnalf.Dfa.from_aalpy(run_KV(sul.alphabet, sul, NetworkOracle(sul), "dfa", print_level=0), sul.alphabet)


def ours(file):
    return rnnalf.extract(file).dfa


def timed(function, file, limit, answer):
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + limit) + 1,) * 2)
    start = time.process_time()
    dfa = function(str(file))
    answer.send((time.process_time() - start, dfa.to_text("json")))


def run(function, file, limit):
    """Seconds and automaton; None when the time was over."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=timed, args=(function, file, limit, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return None
    finally:
        process.join()


def judged(dfa, file):
    target = rnnalf.Dfa.load(file.with_suffix("").with_suffix(".target.dot"))
    word = dfa.separating_word(target)
    if word is None or (word == "" and without_empty_word(dfa, target)):
        return "right"
    found = rnnalf.evaluate(file, dfa, lengths=list(range(1, 31)), per_length=600, pumped=2000)
    counts = found.to_dict()
    parts = counts["by_length"] + [counts["pumped"]]
    share = sum(part["network_dfa"] for part in parts) / sum(part["words"] for part in parts)
    return f"not the target, first on `{word}`; {100 * share:.2f} % like the network"


def without_empty_word(one, other):
    """Whether the two agree on all other words: both with a new initial state that rejects."""
    def fresh(dfa):
        table = [*dfa.transitions.tolist(), dfa.transitions[dfa.initial].tolist()]
        return rnnalf.Dfa(dfa.alphabet, table, [*dfa.accepting.tolist(), False], dfa.size)
    return fresh(one) == fresh(other)


def lines(function):
    return sum(1 for line in inspect.getsource(function).splitlines() if line.strip()) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time-limit", type=float, default=60, help="processor seconds for each")
    parser.add_argument("networks", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files = arguments.networks or [NETWORKS / f"{name}.onnx" for name in CHOSEN]
    ways = {"AALpy alone": aalpy_alone, "AALpy with our oracle": aalpy_with_our_oracle, "rnnalf.extract": ours}
    print("| network | " + " | ".join(f"{name}, {lines(way)} lines" for name, way in ways.items()) + " |")
    print("|---|" + "---|" * len(ways))
    for file in files:
        cells = []
        for way in ways.values():
            found = run(way, file, arguments.time_limit)
            if found is None:
                cells.append(f"none within {arguments.time_limit:g} s")
                continue
            dfa = rnnalf.Dfa.parse(found[1], "json")
            cells.append(f"{found[0]:.2f} s, {dfa.size} states: {judged(dfa, file)}")
        print(f"| {file.stem} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
