"""extract: the same run as the program's, the right automaton, and values to go on with."""
import copy
import inspect
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import rnnalf
from conftest import NETWORKS, CodedDfa, random_dfa


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items()
                if "seconds" not in name and name != "peak_memory_bytes"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


@pytest.mark.skipif("RNNALF_PROGRAM" not in os.environ, reason="RNNALF_PROGRAM does not name the program")
@pytest.mark.parametrize("options, arguments", [
    ({}, []),
    ({"learner": "lstar", "oracle": "samples,abstraction:depth=10", "seed": 3, "samples": ["0110", "1"]},
     ["--learner", "lstar", "--oracle", "samples,abstraction:depth=10", "--seed", "3", "--sample", "0110", "--sample",
      "1"]),
    ({"learner": "lstar", "empty_word": False}, ["--learner", "lstar", "--empty-word", "reject"]),
    ({"max_states": 3, "tolerance": 0.25}, ["--max-states", "3", "--tolerance", "0.25"]),
    ({"method": "quantization:q=2"}, ["--method", "quantization:q=2"])])
def test_a_run_is_the_programs_run(options, arguments, tmp_path):
    network, target = "tomita3_gru100.onnx", "tomita3_gru100.target.dot"
    file = tmp_path / "run.json"
    subprocess.run([os.environ["RNNALF_PROGRAM"], "extract", NETWORKS / network, "--target", NETWORKS / target,
                    "--quiet", "--json", file, *arguments])
    run = rnnalf.extract(NETWORKS / network, target=NETWORKS / target, **options)
    assert without_times(run.to_dict()) == without_times(json.loads(file.read_text()))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_automaton_of_numpy_functions_is_found(random, kind):
    dfa = random_dfa(random)
    run = rnnalf.extract(CodedDfa(dfa, random, kind=kind).network(), target=dfa, oracle="samples,abstraction,random")
    assert run.dfa == dfa == run.target
    assert run.verdict == "none-found" and not run.is_refuted and run.exceptions == []
    assert run.agreement.overall == 1 and (run.agreement.shares == 1).all()
    assert any(evidence.oracle == "abstraction" for evidence in run.evidence)


def test_numpy_functions_give_the_same_run_twice():
    random = np.random.default_rng(1)
    network = CodedDfa(random_dfa(random), random).network()
    assert without_times(rnnalf.extract(network).to_dict()) == without_times(rnnalf.extract(network).to_dict())


def test_exceptions_are_words_on_which_network_and_result_differ():
    network = rnnalf.load(NETWORKS / "tomita6_gru100.onnx")
    run = rnnalf.extract(network, target=NETWORKS / "tomita6_gru100.target.dot")
    assert run.is_refuted and run.exceptions and run.families
    for found in run.exceptions + run.counterexamples:
        assert network.accepts(found.word) == found.network
        assert found.target == run.target.accepts(found.word)
    for found in run.exceptions:
        assert run.dfa.accepts(found.word) != found.network
        assert found.probability == pytest.approx(network.probability(found.word), abs=1e-6)
    rule = run.families[0]
    word = rule.prefix + rule.loop * rule.first + rule.suffix
    assert network.accepts(word) == rule.network != run.dfa.accepts(word)


def test_agreement_is_what_counting_gives():
    network = rnnalf.load(NETWORKS / "tomita6_gru100.onnx")
    run = rnnalf.extract(network)
    agreement = run.agreement
    assert agreement.lengths.tolist() == list(range(1, 101))
    random = np.random.default_rng(1)
    for length in (4, 20, 100):
        words = random.integers(2, size=(2000, length))
        same = np.mean(network.classify(list(words))[0] == [run.dfa.accepts(word) for word in words])
        assert agreement.shares[length - 1] == pytest.approx(same, abs=0.1)


def test_every_hypothesis_is_shown_as_it_comes(tomita5):
    seen = []
    run = rnnalf.extract(tomita5, on_hypothesis=lambda number, dfa, seconds: seen.append((number, dfa.size)))
    assert seen == [(number, dfa.size) for number, dfa in enumerate(run.hypotheses)]
    assert run.hypotheses[run.result] == run.dfa


def test_a_run_writes_itself(tomita5, tmp_path):
    run = rnnalf.extract(tomita5)
    for name in ("run.html", "run.json", "dfa.dot", "dfa.alf"):
        run.save(tmp_path / name)
    assert rnnalf.Dfa.load(tmp_path / "run.json") == rnnalf.Dfa.load(tmp_path / "dfa.dot") == run.dfa
    page = (tmp_path / "run.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "rnnalf.extract(" in page
    assert run._repr_html_().startswith("<iframe sandbox") and repr(run).replace("\n", " ").startswith(run.finding)


@pytest.mark.parametrize("name, begins", [("run.pdf", b"%PDF"), ("run.png", b"\x89PNG"), ("run.svg", b"<?xml")])
def test_a_run_draws_its_automaton(tomita5, tmp_path, name, begins):
    if not shutil.which("dot"):
        pytest.skip("Graphviz is not installed")
    rnnalf.extract(tomita5).save(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


class Axes:
    """Of matplotlib, as far as plots call them."""

    def __init__(self):
        self.lines, self.images, self.labels = [], [], {}

    def plot(self, x, y, *style, label):
        self.lines.append((label, np.array(y)))

    def imshow(self, picture):
        self.images.append(picture)

    def __getattr__(self, name):
        return lambda *value: self.labels.update({name: value})


def test_the_plot_of_a_run_is_its_agreement_by_length(tomita5):
    run, ax = rnnalf.extract(tomita5), Axes()
    assert run.plot(ax) is ax and ax.labels["set_xlabel"] == ("word length",)
    label, shares = ax.lines[0]
    assert label == f"random words ({run.agreement.words.sum():,})" and (shares == 100).all()


def test_the_plot_of_an_automaton_is_graphvizs_picture(tomita5, monkeypatch):
    if not shutil.which("dot"):
        pytest.skip("Graphviz is not installed")
    image = types.ModuleType("matplotlib.image")
    image.imread = lambda file: file.read()
    monkeypatch.setitem(sys.modules, "matplotlib.image", image)
    ax = Axes()
    assert rnnalf.extract(tomita5).dfa.plot(ax) is ax
    assert ax.images[0].startswith(b"\x89PNG")


def test_without_matplotlib_plot_says_what_draws(tomita5, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'save\("automaton.pdf"\) draws without it'):
        rnnalf.extract(tomita5).plot()


def test_an_agreement_that_was_not_measured_has_a_reason(tomita5):
    run = rnnalf.extract(tomita5)
    kept = pickle.loads(pickle.dumps(run))
    kept._core._agreement = None
    assert not kept.agreement and "not measured" in kept.agreement.reason
    with pytest.raises(ValueError, match="^plot: .*not measured"):
        kept.plot()


def test_texts_name_options_as_python_writes_them():
    run = rnnalf.extract(NETWORKS / "tomita5_rnn30.onnx", max_rounds=1, progress="none")
    assert run.summary().endswith("raise the limit: max_rounds=2\n") and "--" not in run.summary()
    documented = inspect.getdoc(rnnalf.extract)
    assert "implies until='exact'" in documented and "(from 0 to 1024)" in documented and "--" not in documented


@pytest.mark.parametrize("options, message", [
    ({"learner": "best"}, "learner"), ({"oracle": "magic"}, "magic"), ({"time_limit": -1}, "time_limit: expected"),
    ({"tolerance": 2}, "tolerance: expected"), ({"max_states": 0}, "max_states: expected"),
    ({"preset": "paper", "learner": "ttt"}, "learner: expected lstar with preset paper, found 'ttt'"),
    ({"preset": "paper", "oracle_mode": "shortest"}, "oracle_mode: expected first with preset paper, found 'shortest'"),
    ({"exact": True, "until": "settled"}, "until: expected exact with exact, found 'settled'"),
    ({"method": "kmeans", "oracle": "random"}, "oracle: expected none with method kmeans"), ({"samples": ["2"]}, "unknown symbol '2'"),
    ({"progress": "loud"}, "progress: expected 'auto', 'none' or a function, found 'loud'")])
def test_options_that_cannot_be_used_are_value_errors_that_name_them(tomita5, options, message):
    with pytest.raises(ValueError) as error:
        rnnalf.extract(tomita5, **options)
    assert message in str(error.value)


def test_one_sample_is_a_text_and_no_sequence_of_letters(tomita5):
    options = dict(learner="lstar", oracle="samples", exact=True)
    one, same = (rnnalf.extract(tomita5, samples=samples, **options) for samples in ("0110", ["0110"]))
    assert without_times(one.to_dict()) == without_times(same.to_dict())
    with pytest.raises(TypeError, match="^samples: expected words, found 5$"):
        rnnalf.extract(tomita5, samples=5)


def test_a_run_can_be_sent_to_another_process():
    run = rnnalf.extract(NETWORKS / "tomita6_gru100.onnx", target=NETWORKS / "tomita6_gru100.target.dot")
    there = pickle.loads(pickle.dumps(run))
    assert there.dfa == run.dfa and there.hypotheses == run.hypotheses and there.target == run.target
    assert there.to_dict() == run.to_dict() and there.summary() == run.summary() and there.to_html() == run.to_html()
    assert there.exceptions == run.exceptions and there.families == run.families and there.evidence == run.evidence
    assert (there.agreement.shares == run.agreement.shares).all()
    assert (there.verdict, there.finding, there.is_refuted) == (run.verdict, run.finding, run.is_refuted)
    assert pickle.loads(pickle.dumps(there)).to_dict() == run.to_dict()
    assert copy.deepcopy(run) is run and copy.copy(run) is run


def test_an_ending_that_no_writer_knows_is_refused_with_those_that_are(tomita5, tmp_path):
    with pytest.raises(ValueError, match=r"x.foo: the extension selects the format: .html, .json, .dot, .alf, .svg, .pdf or .png"):
        rnnalf.extract(tomita5).save(tmp_path / "x.foo")


def test_a_target_over_other_symbols_is_refused(tomita5):
    with pytest.raises(ValueError, match="symbol"):
        rnnalf.extract(tomita5, target=rnnalf.Dfa("ab", [[0, 0]], [True]))


def test_ctrl_c_ends_with_the_result_so_far(endless):
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    run = rnnalf.extract(endless, until="exact", time_limit=60)
    assert run.verdict == "interrupted"
    assert run.dfa.size >= 1


def test_an_exception_in_progress_ends_the_run_and_is_raised(endless):
    def progress(now):
        assert now["states"] >= 0 and isinstance(now["activity"], str)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        rnnalf.extract(endless, until="exact", time_limit=60, progress=progress)


def test_other_threads_run_meanwhile():
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    rnnalf.extract(NETWORKS / "bp_gru50.onnx", until="exact", time_limit=1, progress="none")
    done.set()
    thread.join()
    assert counted[0] > 50


def test_the_signature_and_the_documentation_have_every_option():
    import inspect

    from rnnalf import _options
    parameters = inspect.signature(rnnalf.extract).parameters
    for option in _options.NETWORK + _options.EXTRACTION:
        assert option.name in parameters and f"{option.name}: {option.help}" in rnnalf.extract.__doc__
    assert parameters["time_limit"].default == 60 and parameters["max_states"].default is None
