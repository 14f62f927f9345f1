"""evaluate, certify and compare."""
import itertools
import json
import os
import pickle
import signal
import subprocess
import threading

import numpy as np
import pytest

import rnnalf
from conftest import NETWORKS, CodedDfa, random_dfa


def test_an_evaluation_counts_words(random):
    dfa, other = random_dfa(random), random_dfa(random)
    network = CodedDfa(dfa, random).network()
    found = rnnalf.evaluate(network, other, target=dfa, exhaustive=6, lengths=[1, 5], words=["a", "ab", "ab"])
    words = ["".join(word) for n in range(7) for word in itertools.product("ab", repeat=n)]
    same = np.mean([dfa.accepts(word) == other.accepts(word) for word in words])
    assert found.exhaustive == pytest.approx(same) and found.exhaustive_length == 6
    assert found.lengths.tolist() == [1, 5]
    assert (found.network_target == 1).all() and (found.shares == found.dfa_target).all()
    same_given = [dfa.accepts(word) == other.accepts(word) for word in ["a", "ab", "ab"]]
    assert found.given == pytest.approx(np.mean(same_given))
    assert found.equals_target == (dfa == other) and found.separating_word == other.separating_word(dfa)
    for one in found.disagreements:
        assert dfa.accepts(one.word) == one.network == one.target != other.accepts(one.word)


def test_an_evaluation_of_an_equal_automaton_finds_nothing(tomita5, tomita5_target):
    found = rnnalf.evaluate(tomita5, tomita5_target, exhaustive=8)
    assert found.exhaustive == 1 and found.disagreements == [] and found.complete and found.equals_target is None
    assert "no word found" in repr(found)


@pytest.mark.skipif("RNNALF_CHECK" not in os.environ, reason="RNNALF_CHECK does not name the checker")
def test_a_certificate_passes_the_checker(tmp_path):
    network, target = NETWORKS / "tomita4_proved.onnx", NETWORKS / "tomita4_proved.target.dot"
    found = rnnalf.certify(network, target)
    assert found.certified and found.verdict == "certified" and found.counterexample is None
    found.save(tmp_path / "proof.json")
    subprocess.run([os.environ["RNNALF_CHECK"], network, target, tmp_path / "proof.json"], check=True)


def test_an_extraction_can_look_for_a_proof_of_its_result(tomita5):
    run = rnnalf.extract(NETWORKS / "tomita4_proved.onnx", certify=True, time_limit=60)
    assert run.proof is not None and run.proof.certified and run.to_dict()["proof"]["verdict"] == "certified"
    assert rnnalf.extract(tomita5).proof is None


def test_a_wrong_automaton_is_refuted_by_a_word():
    network = rnnalf.load(NETWORKS / "tomita4_proved.onnx")
    target = rnnalf.Dfa.load(NETWORKS / "tomita4_proved.target.dot")
    wrong = rnnalf.Dfa(target.alphabet, target.transitions, ~target.accepting, target.initial)
    found = rnnalf.certify(network, wrong)
    assert found.verdict == "refuted" and network.accepts(found.counterexample) != wrong.accepts(found.counterexample)
    with pytest.raises(ValueError, match="expected one, found none"):
        found.save("proof.json")


def test_a_claim_about_fewer_words_says_so():
    network, target = NETWORKS / "tomita1_proved.onnx", NETWORKS / "tomita1_proved.target.dot"
    some = rnnalf.certify(network, target, max_run=3, letters=["0"], threads=1)
    assert json.loads(some.certificate)["words"] == {"letters": ["0"], "max_run": 3}
    assert json.loads(rnnalf.certify(network, target, max_run=0).certificate)["words"] == {}
    with pytest.raises(ValueError, match="max_run: expected a whole number from 1 to 1000, found '5000'"):
        rnnalf.certify(network, target, max_run=5000)
    with pytest.raises(ValueError, match="letters: expected symbols of the network, found 'x'"):
        rnnalf.certify(network, target, letters="x")


def test_functions_cannot_be_certified(random):
    dfa = random_dfa(random)
    with pytest.raises(ValueError, match="expected a network whose weights are known"):
        rnnalf.certify(CodedDfa(dfa, random).network(), dfa)
    with pytest.raises(ValueError, match="expected a network whose weights are known"):
        rnnalf.extract(CodedDfa(dfa, random).network(), certify=True)


def test_a_comparison_has_a_cell_for_each_way(tomita5, tmp_path):
    table = rnnalf.compare([tomita5], learners=["lstar", "ttt"], repeat=2, store=tmp_path / "cells",
                           methods=["abstraction-refinement", "quantization:q=2"])
    ways = [(cell["learner"], cell["method"].split(":")[0], cell["seed"]) for cell in table.cells]
    assert ways == [("lstar", "abstraction-refinement", 1), ("lstar", "abstraction-refinement", 2),
                    ("ttt", "abstraction-refinement", 1), ("ttt", "abstraction-refinement", 2),
                    ("", "quantization", 1), ("", "quantization", 2)]
    assert [cell["equals_target"] for cell in table.cells[:4]] == [True] * 4
    again = rnnalf.compare([tomita5], learners=["lstar"], repeat=2, store=tmp_path / "cells")
    assert [cell["seconds"] for cell in again.cells] == [cell["seconds"] for cell in table.cells[:2]]
    for name in ("table.csv", "table.tex", "table.json", "table.html"):
        table.save(tmp_path / name)
    assert (tmp_path / "table.csv").read_text().count("\n") == 7


def test_networks_without_a_file_are_compared_too(tomita5, tomita5_target, random):
    dfa = random_dfa(random)
    coded = CodedDfa(dfa, random).network()
    table = rnnalf.compare({"coded": coded, "even": rnnalf.load(tomita5)}, learners=["lstar", "ttt"],
                           targets={"even": tomita5_target}, lengths=[5])
    assert [cell["network"] for cell in table.cells] == ["coded", "coded", "even", "even"]
    assert [cell["states"] for cell in table.cells] == [dfa.minimised().size] * 2 + [4] * 2
    assert [cell["equals_target"] for cell in table.cells] == [None, None, True, True]
    assert rnnalf.compare([coded, tomita5], lengths=[5]).cells[1]["equals_target"] is True


def test_a_store_and_a_table_tell_networks_apart(tomita5, random, tmp_path):
    coded = CodedDfa(random_dfa(random), random).network()
    with pytest.raises(ValueError, match="store: expected network files alone"):
        rnnalf.compare([coded], store=tmp_path / "cells")
    with pytest.raises(ValueError, match="a dictionary gives them names"):
        rnnalf.compare([coded, coded])


def test_files_of_a_comparison_are_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        rnnalf.compare([tmp_path / "none.onnx"])


def test_one_value_is_as_good_as_a_list_of_one(tomita5, tomita5_target):
    table = rnnalf.compare(tomita5, learners="ttt", oracles="samples,random", methods="abstraction-refinement",
                           samples="0110")
    cell, = table.cells
    assert (cell["learner"], cell["oracle"], cell["equals_target"]) == ("ttt", "samples,random", True)
    assert table.complete and "states" in table.table("states")
    assert len(rnnalf.compare(rnnalf.load(tomita5), lengths=5)) == 1
    for name, wrong in (("learners", 3), ("oracles", 3), ("methods", 3), ("samples", 3), ("networks", 3)):
        with pytest.raises(TypeError, match=f"^{name}: expected .*, found 3$"):
            rnnalf.compare(**{"networks": tomita5, name: wrong})
    assert rnnalf.evaluate(tomita5, tomita5_target, words="0110").given == 1
    with pytest.raises(TypeError, match="^words: expected words, found 3$"):
        rnnalf.evaluate(tomita5, tomita5_target, words=3)


def test_an_interrupted_comparison_says_so(tomita5, endless):
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    table = rnnalf.compare({"even": rnnalf.load(tomita5), "endless": endless}, until="exact", time_limit=60, lengths=[5])
    assert not table.complete and [cell["network"] for cell in table.cells] == ["even"]
    assert repr(table).endswith("interrupted: 1 of 2 extractions")


def test_a_comparison_can_be_sent_to_another_process(tomita5):
    table = rnnalf.compare(tomita5)
    there = pickle.loads(pickle.dumps(table))
    assert there.cells == table.cells and there.to_csv() == table.to_csv() and there.complete
