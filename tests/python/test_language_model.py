"""Language models in Python: of functions, of files, and the automata made of them."""
import math

import numpy as np
import pytest

import rnnalf

ROWS = np.array([[0.2, 0.6, 0.2], [0.6, 0.2, 0.2], [0.4, 0.4, 0.2]])


def last_symbol(rows=ROWS, **options):
    """What is likely depends on the last symbol alone."""
    with np.errstate(divide="ignore"):
        logs = np.log(rows)
    return rnnalf.language_model([2.0], lambda states, symbols: symbols[:, None].astype(float),
                                 lambda states: logs[states[:, 0].astype(int)], **{"alphabet": "ab", **options})


def test_a_language_model_gives_words_the_product_of_its_rows():
    model = last_symbol()
    assert model.probability("ab") == pytest.approx(0.4 * 0.6 * 0.2)
    assert model.log_probabilities(["", "b"]) == pytest.approx([math.log(0.2), math.log(0.4 * 0.2)])


def test_an_extraction_returns_a_pdfa_that_is_close():
    run = rnnalf.extract(last_symbol(), max_states=4, progress="none", samples=["abab"])
    assert len(run.pdfa) <= 4
    assert run.judgement["sampled"]["decades"] < 0.05
    assert run.judgement["given"]["words"] == 1
    assert run.pdfa.probability("ab") == pytest.approx(0.048, rel=0.2)
    assert run.pdfa.next("a")["b"] == pytest.approx(0.6, rel=0.2)
    assert sum(run.pdfa.next("abb").values()) == pytest.approx(1)
    assert run.pdfa.sample(5, seed=3) == run.pdfa.sample(5, seed=3)
    assert run.pdfa.perplexity(["ab", ""]) > 1
    assert "decades" in repr(run)
    assert run.data["dfa"] is None and run.data["pdfa"]["alphabet"] == ["a", "b"]


def test_what_is_impossible_stays_impossible():
    rows = np.array([[0, 0.8, 0.2], [0.8, 0, 0.2], [0.4, 0.4, 0.2]])
    pdfa = rnnalf.extract(last_symbol(rows), max_states=6, progress="none").pdfa
    assert pdfa.probability("aa") == 0
    assert pdfa.probability("ab") > 0.01


@pytest.mark.parametrize("rows, message", [
    (np.full((3, 3), 0.5), "exponentials sum to 1, found one with the sum 1.5"),
    (np.full((3, 3), np.nan), "sum nan"),
    (np.full((3, 2), 0.5), "language model over 2 symbols: expected 3 outputs"),
])
def test_what_is_no_distribution_is_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        last_symbol(rows)


def test_a_classifier_is_no_language_model():
    with pytest.raises(ValueError, match="accepts and rejects"):
        rnnalf.load("examples/networks/tomita5_rnn30.onnx", language_model=True)


def test_the_method_of_a_classifier_is_refused():
    with pytest.raises(ValueError, match="for a language model, found 'rpni'"):
        rnnalf.extract(last_symbol(), method="rpni", progress="none")


def test_files_keep_a_pdfa(tmp_path):
    pdfa = rnnalf.Pdfa("01", [[1, 0], [0, 1]], [[0.25, 0.25, 0.5], [0.5, 0.375, 0.125]])
    for name in ("p.json", "p.pautomac"):
        pdfa.save(tmp_path / name)
        read = rnnalf.Pdfa.load(tmp_path / name)
        assert read.transitions.tolist() == pdfa.transitions.tolist()
        assert read.probabilities == pytest.approx(pdfa.probabilities)
    pdfa.save(tmp_path / "p.dot")
    assert "penwidth" in (tmp_path / "p.dot").read_text()
    assert last_symbol(alphabet="01").compare_with(pdfa, n=50)["sampled"]["words"] == 50
