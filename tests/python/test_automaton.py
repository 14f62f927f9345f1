"""Dfa: a value with words in and out, files, and equality of languages."""
import copy
import itertools
import pickle

import numpy as np
import pytest

import rnnalf
from conftest import random_dfa


def all_words(alphabet, length):
    return ["".join(word) for n in range(length + 1) for word in itertools.product(alphabet, repeat=n)]


def walk(dfa, word):
    """By the table alone."""
    state = dfa.initial
    for symbol in word:
        state = dfa.transitions[state, dfa.alphabet.index(symbol)]
    return bool(dfa.accepting[state])


def test_accepts_what_its_table_says(random):
    dfa = random_dfa(random)
    for word in all_words("ab", 6):
        assert dfa.accepts(word) == walk(dfa, word)


def test_a_word_is_a_text_or_its_symbols_or_their_positions():
    dfa = rnnalf.Dfa("ab", [[1, 0], [0, 1]], [True, False])
    for word in ("aba", ["a", "b", "a"], (0, 1, 0), np.array([0, 1, 0])):
        assert dfa.accepts(word)
        assert dfa.run(word) == 0
        assert dfa.symbols(word) == ("a", "b", "a")


def test_longer_symbols_are_written_with_blanks():
    dfa = rnnalf.Dfa(["get", "put"], [[1, 0], [0, 1]], [True, False])
    assert dfa.accepts("get put get") and not dfa.accepts(["get"])
    assert dfa.access_words() == ["", "get"]


@pytest.mark.parametrize("word, message", [
    ("abc", "symbol 3: unknown symbol 'c'. The alphabet is: a b"),
    ((0, 2), "symbol 2: expected one of the 2 symbols of the alphabet or its position, found 2"),
    ((-1,), "found -1"), ((1.5,), "found 1.5"), (7, "expected a text or a sequence of symbols, found 7")])
def test_a_word_over_other_symbols_is_a_value_error_that_names_it(word, message):
    dfa = rnnalf.Dfa("ab", [[1, 0], [0, 1]], [True, False])
    with pytest.raises(ValueError) as error:
        dfa.accepts(word)
    assert message in str(error.value)


@pytest.mark.parametrize("transitions, accepting, initial, message", [
    ([], [], 0, "expected at least one state"),
    ([[0]], [True], 0, "state 0: expected 2 transitions, found 1"),
    ([[0, 3]], [True], 0, "state 0, symbol 'b': expected a state below 1, found 3"),
    ([[0, 0]], [True, False], 0, "expected 1 answers, found 2"),
    ([[0, 0]], [True], 4, "expected an initial state below 1, found 4")])
def test_a_table_that_is_no_automaton_is_refused(transitions, accepting, initial, message):
    with pytest.raises(ValueError) as error:
        rnnalf.Dfa("ab", transitions, accepting, initial)
    assert message in str(error.value)


@pytest.mark.parametrize("extension", ["dot", "json", "alf"])
def test_what_is_saved_is_read_back(random, tmp_path, extension):
    dfa = random_dfa(random)
    dfa.save(tmp_path / f"dfa.{extension}")
    read = rnnalf.Dfa.load(tmp_path / f"dfa.{extension}")
    if extension == "alf":  # it has no names
        read = rnnalf.Dfa("ab", read.transitions, read.accepting, read.initial)
    assert read == dfa


def test_equal_means_the_same_language_whatever_the_states_and_the_order_of_symbols(random):
    dfa = random_dfa(random)
    doubled = rnnalf.Dfa("ab", np.concatenate([dfa.transitions + dfa.size, dfa.transitions]),
                         np.concatenate([dfa.accepting, dfa.accepting]), dfa.initial)
    assert doubled == dfa and hash(doubled) == hash(dfa)
    assert dfa.over("ba") == dfa and hash(dfa.over("ba")) == hash(dfa)
    assert doubled.minimised().size == dfa.size
    other = rnnalf.Dfa("ab", dfa.transitions, ~dfa.accepting, dfa.initial)
    assert other != dfa and dfa.separating_word(other) == ""


def test_the_separating_word_is_the_first_on_which_they_differ(random):
    one, other = random_dfa(random), random_dfa(random)
    different = [word for word in all_words("ab", 8) if walk(one, word) != walk(other, word)]
    assert one.separating_word(other) == (different[0] if different else None)


def test_missing_transitions_lead_to_rejection_with_a_warning():
    text = 'digraph { __start0 [label=""]; q [shape=doublecircle]; __start0 -> q; q -> q [label="a"]; ' \
           'q -> r [label="b"]; r [shape=circle]; }'
    with pytest.warns(UserWarning, match="transition"):
        dfa = rnnalf.Dfa.parse(text)
    assert dfa.accepts("aa") and not dfa.accepts("b") and not dfa.accepts("ba")


def test_files_that_are_not_there_or_no_automata_have_pythons_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        rnnalf.Dfa.load(tmp_path / "none.dot")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ValueError, match="bad.json"):
        rnnalf.Dfa.load(tmp_path / "bad.json")
    with pytest.raises(ValueError, match=r"expected the extension .dot, .json or .alf, found '.txt'"):
        rnnalf.Dfa.load(tmp_path / "bad.txt")


def test_a_moore_machine_has_answers_and_accepts_nothing(tmp_path):
    machine = rnnalf.Dfa("ab", [[1, 0], [2, 1], [0, 2]], [0, 1, 2], classes=3)
    assert [machine.answer(word) for word in ("", "a", "aab", "aaa")] == [0, 1, 2, 0]
    assert machine.answers.tolist() == [0, 1, 2] and repr(machine) == "Dfa(3 states, 3 classes, over a b)"
    with pytest.raises(ValueError, match="found one of 3 classes"):
        machine.accepts("a")
    machine.save(tmp_path / "machine.dot")
    assert rnnalf.Dfa.load(tmp_path / "machine.dot") == machine
    assert machine.class_names == ()
    assert machine != rnnalf.Dfa("ab", [[1, 0], [2, 1], [0, 2]], [0, 1, 1])


def test_a_moore_machine_keeps_the_names_of_its_classes(tmp_path):
    machine = rnnalf.Dfa("ab", [[1, 0], [2, 1], [0, 2]], [0, 1, 2], classes=["low", "middle", "high"])
    assert machine.class_names == ("low", "middle", "high") and machine.classes == 3
    assert machine.minimised().class_names == machine.over("ba").class_names == machine.class_names
    assert "middle" in machine.table() and "<b>high</b>" in machine._core.picture_dot()
    for file in ("machine.dot", "machine.json"):
        machine.save(tmp_path / file)
        assert rnnalf.Dfa.load(tmp_path / file) == machine
        assert rnnalf.Dfa.load(tmp_path / file).class_names == machine.class_names
    other = rnnalf.Dfa("ab", [[1, 0], [2, 1], [0, 2]], [0, 1, 2], classes="low mean high")
    assert machine != other and machine.separating_word(other) == "a"
    assert machine == rnnalf.Dfa("ab", [[1, 0], [2, 1], [0, 2]], [0, 1, 2], classes=3)
    with pytest.raises(ValueError, match="class 1: expected a name that no other class has, found 'low'"):
        rnnalf.Dfa("ab", [[0, 0]], [0], classes="low low high")
    with pytest.raises(ValueError, match="dfa: expected names of three classes or more, found 2"):
        rnnalf.Dfa("ab", [[0, 0]], [0], classes="no yes")


def test_an_automaton_comes_back_from_a_pickle_and_a_copy(random):
    for dfa in (random_dfa(random), rnnalf.Dfa("ab", [[1, 2], [2, 0], [0, 0]], [2, 0, 1], 1, classes="low middle high")):
        for there in (pickle.loads(pickle.dumps(dfa)), copy.copy(dfa), copy.deepcopy(dfa)):
            assert there == dfa and there.to_text() == dfa.to_text() and there.initial == dfa.initial
            assert there.class_names == dfa.class_names


@pytest.mark.parametrize("transitions, accepting, message", [
    ([[0, 0]], [0.7], "accepting: expected whole numbers from 0 on, found 0.7"),
    ([[0, 0.5]], [1], "transitions: expected whole numbers from 0 on, found 0.5"),
    ([[0, -1]], [1], "transitions: expected whole numbers from 0 on, found -1"),
    ([[0, 0]], ["yes"], "accepting: expected whole numbers from 0 on, found 'yes'")])
def test_nothing_is_rounded(transitions, accepting, message):
    with pytest.raises(ValueError, match=message):
        rnnalf.Dfa("ab", transitions, accepting)
    assert rnnalf.Dfa("ab", np.zeros((1, 2), np.float32), np.array([1.0])).accepts("a")
