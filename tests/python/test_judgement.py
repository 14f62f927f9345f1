"""evaluate, certify and compare."""
import itertools
import os
import subprocess

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


def test_a_wrong_automaton_is_refuted_by_a_word():
    network = rnnalf.load(NETWORKS / "tomita4_proved.onnx")
    target = rnnalf.Dfa.load(NETWORKS / "tomita4_proved.target.dot")
    wrong = rnnalf.Dfa(target.alphabet, target.transitions, ~target.accepting, target.initial)
    found = rnnalf.certify(network, wrong)
    assert found.verdict == "refuted" and network.accepts(found.counterexample) != wrong.accepts(found.counterexample)
    with pytest.raises(ValueError, match="expected one, found none"):
        found.save("proof.json")


def test_functions_cannot_be_certified(random):
    dfa = random_dfa(random)
    with pytest.raises(ValueError, match="expected a network whose weights are known"):
        rnnalf.certify(CodedDfa(dfa, random).network(), dfa)


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


def test_a_comparison_becomes_a_data_frame(tomita5):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = rnnalf.compare([tomita5], learners=["lstar", "ttt"]).to_pandas()
    assert frame["learner"].tolist() == ["lstar", "ttt"] and frame["states"].tolist() == [4, 4]


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
