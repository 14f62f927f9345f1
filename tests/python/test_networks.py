"""Networks from files and from functions."""
import itertools
import json

import numpy as np
import pytest

import rnnalf
from conftest import CodedDfa, NumpyGru, random_dfa


def test_a_file_answers_as_its_target_says(tomita5, tomita5_target):
    net, target = rnnalf.load(tomita5), rnnalf.Dfa.load(tomita5_target)
    words = ["".join(word) for n in range(9) for word in itertools.product("01", repeat=n)]
    accepted, probability = net.classify(words)
    assert accepted.tolist() == [target.accepts(word) for word in words]
    assert ((probability > 0.5) == accepted).all()
    assert net.accepts("0110") and net.probability("0110") > 0.5
    assert net.info["state_size"] == 30 and net.alphabet == ("0", "1")


def test_the_same_network_in_numpy_and_in_cpp_has_the_same_states_and_scores(random, tmp_path):
    gru = NumpyGru(random)
    ours = rnnalf.load(gru.save(tmp_path / "gru.safetensors"), alphabet="ab", cell="gru")
    theirs = gru.network()
    words = [tuple(random.integers(2, size=n)) for n in range(25)]
    np.testing.assert_allclose(ours.r_states(words), theirs.r_states(words), atol=1e-5)
    np.testing.assert_allclose(ours.classify(words)[1], theirs.classify(words)[1], atol=1e-5)


def test_errors_are_pythons(tmp_path, tomita5):
    with pytest.raises(FileNotFoundError):
        rnnalf.load(tmp_path / "none.onnx")
    with pytest.raises(IsADirectoryError):
        rnnalf.load(tmp_path)
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(ValueError, match="bad.onnx: expected"):
        rnnalf.load(tmp_path / "bad.onnx")
    with pytest.raises(ValueError, match="accept class: expected a number, as the classes have no names, found 'first'"):
        rnnalf.load(tomita5, accept_class="first")
    with pytest.raises(ValueError, match="accept_class: expected the number or the name of a class, found '-1'"):
        rnnalf.load(tomita5, accept_class=-1)
    with pytest.raises(FileNotFoundError):
        rnnalf.load(tomita5, vocabulary=tmp_path / "none.json")
    with pytest.raises(TypeError, match="unexpected keyword argument 'alphabt'; did you mean 'alphabet'"):
        rnnalf.load(tomita5, alphabt="ab")
    with pytest.raises(TypeError, match="^alphabet: expected symbols, found 5$"):
        rnnalf.acceptor([0.0], lambda s, a: s, lambda s: s[:, 0], alphabet=5)
    with pytest.raises(TypeError, match="expected a file name, a torch module or a Network .*found int"):
        rnnalf.extract(3)
    with pytest.raises(ValueError, match="alphabet: expected it where the network was made"):
        rnnalf.network(rnnalf.load(tomita5), alphabet="ab")


def test_an_option_says_what_the_file_does_not(tomita5):
    assert rnnalf.load(tomita5, alphabet=["zero", "one"]).accepts("zero one one zero")
    assert not rnnalf.load(tomita5, empty_word=False).accepts("")
    assert rnnalf.load(tomita5, empty_word=None).accepts("")
    assert rnnalf.load(tomita5, precision="double").info["precision"] == "double"


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_functions_get_batches_of_the_type_of_the_initial_state(kind):
    seen = []

    def step(states, symbols):
        seen.append((states.dtype, states.shape, symbols.dtype, symbols.shape))
        return states + 1

    net = rnnalf.acceptor(np.zeros(3, kind), step, lambda states: states[:, 0] % 2 == 0, alphabet="ab")
    assert net.classify(["a", "b", "ab"])[0].tolist() == [False, False, True]
    assert {(entry[0], entry[2]) for entry in seen} == {(np.dtype(kind), np.dtype(np.int64))}
    assert all(shape == (rows[0], 3) for _, shape, _, rows in seen)


@pytest.mark.parametrize("initial, step, accepts, message", [
    ([0.0], lambda s, a: s[:, :0], lambda s: s[:, 0] > 0, r"step: expected an array of shape \(1, 1\), found shape"),
    ([0.0], lambda s, a: "no", lambda s: s[:, 0] > 0, "step: expected an array"),
    ([0.0], lambda s, a: s + np.nan, lambda s: s[:, 0] > 0, "step: expected finite numbers"),
    ([0.0], lambda s, a: s, lambda s: s, "accepts: expected 1 booleans or numbers, or as many rows of scores, found shape"),
    ([0.0], lambda s, a: s, lambda s: s[:, :0], "accepts: expected 1 booleans or numbers"),
    ([0.0], lambda s, a: s + 1, lambda s: np.zeros((len(s), 3 if s[0, 0] == 0 else 4)),
     "accepts: expected 3 numbers for each state, as for the initial one, found 4"),
    ([0.0], lambda s, a: s, lambda s: s[:, 0] + np.inf, "accepts: expected finite numbers"),
    ([[0.0]], lambda s, a: s, lambda s: s[:, 0] > 0, r"initial: expected an array of shape \(d,\)"),
    ([np.nan], lambda s, a: s, lambda s: s[:, 0] > 0, "initial: expected finite numbers")])
def test_functions_that_return_something_else_are_refused(initial, step, accepts, message):
    with pytest.raises(ValueError, match=message):
        rnnalf.acceptor(initial, step, accepts, alphabet="ab").answer("a")


def test_what_a_function_raises_is_raised():
    def step(states, symbols):
        raise KeyError("mine")

    net = rnnalf.acceptor([0.0], step, lambda states: states[:, 0] > 0, alphabet="ab")
    with pytest.raises(KeyError, match="mine"):
        net.accepts("a")
    with pytest.raises(KeyError, match="mine"):
        rnnalf.extract(net)


def test_functions_are_called_seldom_with_many_rows(random):
    coded = CodedDfa(random_dfa(random), random)
    rnnalf.extract(coded.network(), oracle="samples,abstraction,random", exact=True)
    assert coded.rows > 10_000
    assert coded.calls * 50 < coded.rows


def test_answers_after_each_symbol_of_few_long_words_are_asked_for_together(random):
    coded = CodedDfa(random_dfa(random), random)
    rnnalf.extract(coded.network(), oracle="samples,abstraction,pumping", exact=True)
    assert coded.asked_rows > 10_000
    assert coded.asked * 50 < coded.asked_rows


def test_words_are_shown_with_tokens_around_them():
    seen = []

    def step(states, symbols):
        seen.append(symbols.tolist())
        return states * 4 + symbols[:, None]

    def accepts(states):  # the last symbol is E, the one before it b
        return states[:, 0] % 16 == 1 * 4 + 3

    net = rnnalf.acceptor([0.0], step, accepts, alphabet="abBE", begin="B", end="E")
    assert net.alphabet == ("a", "b") and net.info["begin"] == ["B"] and net.info["end"] == ["E"]
    assert net.classify(["b", "ab", "ba", ""])[0].tolist() == [True, True, False, False]
    assert seen[0] == [2]
    only = rnnalf.acceptor([0.0], step, lambda states: states[:, 0] % 4 == 1, alphabet="abBE", over=["b", "a"])
    assert only.alphabet == ("b", "a") and only.info["left_out"] == ["B", "E"]
    assert only.accepts("ab") and not only.accepts("ba")


def test_a_network_of_three_classes_has_answers(random, tmp_path):
    gru = NumpyGru(random, classes=3)
    net = rnnalf.load(gru.save(tmp_path / "gru.safetensors"), alphabet="ab", cell="gru")
    words = [tuple(random.integers(2, size=n)) for n in range(1, 12)]
    state = np.zeros((len(words), gru.hidden), np.float32)
    for i, word in enumerate(words):
        for symbol in word:
            state[i] = gru.step(state[i:i + 1], np.array([symbol]))[0]
    scores = state @ gru.weights["fc.weight"].T + gru.weights["fc.bias"]
    assert net.classes == 3 and net.classify(words)[0].tolist() == scores.argmax(axis=1).tolist()
    with pytest.raises(ValueError, match="found one of 3 classes"):
        net.accepts("a")
    one = rnnalf.load(tmp_path / "gru.safetensors", alphabet="ab", cell="gru", accept_class=2)
    assert one.classify(words)[0].tolist() == (scores.argmax(axis=1) == 2).tolist()
    run = rnnalf.extract(net, max_rounds=3)
    assert run.dfa.classes == 3
    for found in run.counterexamples:
        assert net.answer(found.word) == found.network


def test_functions_may_give_a_score_for_each_of_several_classes(random, tmp_path):
    gru = NumpyGru(random, classes=4)
    theirs = gru.network()
    ours = rnnalf.load(gru.save(tmp_path / "gru.safetensors"), alphabet="ab", cell="gru")
    words = [tuple(random.integers(2, size=n)) for n in range(25)]
    assert theirs.classes == 4 and theirs.classify(words)[0].tolist() == ours.classify(words)[0].tolist()
    np.testing.assert_allclose(theirs.classify(words)[1], ours.classify(words)[1], atol=1e-5)
    two = NumpyGru(random, classes=2)
    in_numpy, in_cpp = two.network(), rnnalf.load(two.save(tmp_path / "two.safetensors"), alphabet="ab", cell="gru")
    assert in_numpy.classes == 2 and in_numpy.classify(words)[0].tolist() == in_cpp.classify(words)[0].tolist()
    np.testing.assert_allclose(in_numpy.classify(words)[1], in_cpp.classify(words)[1], atol=1e-5)


@pytest.mark.parametrize("tokens", [{}, {"over": ["b", "a"]}])
def test_the_machine_of_functions_with_several_classes_is_found(random, tokens):
    machine = random_dfa(random, classes=3)
    names = ["low", "middle", "high"]
    network = CodedDfa(machine, random).network(classes=names, **tokens)
    assert network.class_names == tuple(names)
    run = rnnalf.extract(network, oracle="samples,abstraction,random")
    named = rnnalf.Dfa(machine.alphabet, machine.transitions, machine.answers, machine.initial, classes=names)
    assert run.verdict == "none-found" and run.dfa == named
    with pytest.raises(ValueError, match="classes: expected 3 names, one for each answer, found 2"):
        CodedDfa(machine, random).network(classes="low high")
    with pytest.raises(ValueError, match="empty_word: expected a class below 3, found 3"):
        CodedDfa(machine, random).network(empty_word=3)
    assert CodedDfa(machine, random).network(empty_word=2).answer("") == 2


def test_classes_have_the_names_of_the_file_or_of_the_option(random, tmp_path):
    plain = NumpyGru(random, classes=3)
    file = plain.save(tmp_path / "gru.safetensors", {"rnnalf.classes": json.dumps(["low", "middle", "high"])})
    net = rnnalf.load(file, alphabet="ab")
    assert net.class_names == ("low", "middle", "high") and net.info["class_names"] == ["low", "middle", "high"]
    other = rnnalf.load(file, alphabet="ab", classes=["x", "y", "z"])
    assert other.class_names == ("x", "y", "z")
    one = rnnalf.load(file, alphabet="ab", accept_class="high")
    assert one.class_names == () and one.classes == 2
    words = [tuple(random.integers(2, size=n)) for n in range(1, 12)]
    assert one.classify(words)[0].tolist() == (net.classify(words)[0] == 2).tolist()
    with pytest.raises(ValueError, match="gru.safetensors: classes: expected 3 names, one for each output, found 2"):
        rnnalf.load(file, alphabet="ab", classes="low high")
    with pytest.raises(ValueError, match="^classes: class 2: expected a name that no other class has, found 'a'"):
        rnnalf.load(file, alphabet="ab", classes="a b a")
    run = rnnalf.extract(net, max_rounds=2)
    assert run.dfa.class_names == net.class_names
    # By name, whatever the order; with names that the network does not have, not at all.
    turned = rnnalf.Dfa("ab", run.dfa.transitions, [(answer + 1) % 3 for answer in run.dfa.answers],
                        run.dfa.initial, classes="high low middle")
    assert turned == run.dfa and hash(turned) == hash(run.dfa)
    assert rnnalf.evaluate(net, turned, exhaustive=6).exhaustive == rnnalf.evaluate(net, run.dfa, exhaustive=6).exhaustive
    with pytest.raises(ValueError, match="dfa: expected the classes x y z, found '(low|middle|high)'"):
        rnnalf.evaluate(other, run.dfa)
