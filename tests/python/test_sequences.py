"""Random sequences of calls in one process give what a fresh process gives for each of them."""
import json
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np

import rnnalf
from conftest import NETWORKS
from test_extract import without_times

FILES = ["tomita5_rnn30.onnx", "tomita3_proved.onnx", "bp_gru50.onnx"]
WALK = "samples,abstraction:depth=6,pumping:words=100"
RANDOM = "samples,random:per-length=50:max-length=12"
OPTIONS = [{"learner": "lstar", "oracle": RANDOM, "max_steps": 20000, "threads": 1},
           {"learner": "ttt", "oracle": WALK, "max_steps": 20000, "seed": 7},
           {"learner": "kearns-vazirani", "oracle": WALK, "max_steps": 20000},
           {"oracle": WALK, "max_states": 3, "threads": 2, "exact": True},
           {"method": "quantization:q=2", "max_steps": 20000}]
CALLS = 40

FRESH = """
import json, sys
import rnnalf
from test_extract import without_times
from test_sequences import evaluated
for file, options in json.load(sys.stdin):
    found = evaluated(file) if options is None else rnnalf.extract(file, progress="none", **options).to_dict()
    print(json.dumps(without_times(found)))
"""


def evaluated(model):
    """Against the automaton that rejects every word."""
    network = model if isinstance(model, rnnalf.Network) else rnnalf.load(model)
    rejects = rnnalf.Dfa(network.alphabet, [[0] * len(network.alphabet)], [False])
    return rnnalf.evaluate(network, rejects, per_length=50, pumped=50, progress="none").to_dict()


def in_fresh_processes(calls):
    """The answers, each by a process that does nothing else."""
    answers = []
    for call in calls:
        done = subprocess.run([sys.executable, "-c", FRESH], input=json.dumps([call]), capture_output=True, text=True,
                              cwd=os.path.dirname(__file__), check=True)
        answers.append(json.loads(done.stdout))
    return answers


class Enough(Exception):
    pass


def interrupted(network, options, by):
    """An extraction that ends at its first hypothesis: by Ctrl-C, or by an exception of the caller's own."""
    def end(*_):
        if by == "signal":
            os.kill(os.getpid(), signal.SIGINT)
        else:
            raise Enough()

    try:
        rnnalf.extract(network, progress="none", on_hypothesis=end, **options)
    except (Enough, KeyboardInterrupt):
        pass


def in_threads(*calls):
    found = [None] * len(calls)

    def run(i):
        found[i] = calls[i]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_every_call_of_a_sequence_gives_what_a_fresh_process_gives():
    files = [str(NETWORKS / file) for file in FILES]
    calls = [(file, options) for file in files for options in [*OPTIONS, None]]
    fresh = dict(zip([(file, str(options)) for file, options in calls], in_fresh_processes(calls)))
    random = np.random.default_rng(int(os.environ.get("RNNALF_TEST_SEED", 62)))
    networks = {file: rnnalf.load(file) for file in files}    # used again and again

    def run(file, options):
        return rnnalf.extract(networks[file], progress="none", **options)

    for number in range(CALLS):
        file, options = files[random.integers(len(files))], OPTIONS[random.integers(len(OPTIONS))]
        other = OPTIONS[random.integers(len(OPTIONS))]
        kind = random.choice(["extract", "interrupt", "evaluate", "pickle", "threads"])
        where = f"call {number}: {kind}, {file}, {options}"
        if kind == "interrupt":
            interrupted(networks[file], options, random.choice(["signal", "exception"]))
        if kind == "evaluate":
            assert without_times(evaluated(networks[file])) == fresh[file, "None"], where
            continue
        if kind == "threads":
            first, second, third = in_threads(lambda: run(file, options), lambda: run(file, other),
                                              lambda: evaluated(networks[file]))
            assert without_times(second.to_dict()) == fresh[file, str(other)], where
            assert without_times(third) == fresh[file, "None"], where
        else:
            first = run(file, options)
        if kind == "pickle":
            first = pickle.loads(pickle.dumps(first))
        assert without_times(first.to_dict()) == fresh[file, str(options)], where
