"""AALpy both ways."""
import pytest

pytest.importorskip("aalpy", reason="AALpy is not installed (or set AALPY_ROOT)")

from aalpy.learning_algs import run_KV, run_Lstar  # noqa: E402
from aalpy.oracles import RandomWordEqOracle  # noqa: E402

import rnnalf  # noqa: E402
from conftest import NETWORKS, CodedDfa, random_dfa  # noqa: E402
from rnnalf.aalpy import NetworkOracle, NetworkSUL  # noqa: E402


def test_an_automaton_comes_back_from_aalpy(random):
    dfa = random_dfa(random)
    machine = dfa.to_aalpy()
    assert rnnalf.Dfa.from_aalpy(machine) == dfa
    for word in ("", "a", "abba", "bbbab"):
        machine.reset_to_initial()
        answers = [machine.step(None), *(machine.step(letter) for letter in word)]
        assert answers[-1] == dfa.accepts(word)


def test_a_moore_machine_comes_back_from_aalpy():
    machine = rnnalf.Dfa("ab", [[1, 2], [2, 0], [0, 0]], [2, 0, 1], classes=3)
    there = machine.to_aalpy()
    assert rnnalf.Dfa.from_aalpy(there) == machine
    for word in ("", "a", "abba", "bbbab"):
        there.reset_to_initial()
        answers = [there.step(None), *(there.step(letter) for letter in word)]
        assert answers[-1] == machine.answer(word)
    del there.initial_state.transitions["b"]
    with pytest.raises(ValueError, match="a transition for every symbol"):
        rnnalf.Dfa.from_aalpy(there, "ab")


def test_names_of_classes_come_back_from_aalpy():
    machine = rnnalf.Dfa("ab", [[1, 2], [2, 0], [0, 0]], [2, 0, 1], classes="low middle high")
    there = machine.to_aalpy()
    assert there.initial_state.output == "high"
    back = rnnalf.Dfa.from_aalpy(there)
    assert back == machine and sorted(back.class_names) == ["high", "low", "middle"]


def test_missing_transitions_of_aalpy_lead_to_rejection():
    machine = rnnalf.Dfa("ab", [[0, 1], [1, 1]], [True, False]).to_aalpy()
    del machine.initial_state.transitions["b"]
    dfa = rnnalf.Dfa.from_aalpy(machine, "ab")
    assert dfa.accepts("aa") and not dfa.accepts("ab")


@pytest.mark.parametrize("learner", [run_KV, run_Lstar])
def test_aalpys_learners_find_the_automaton_with_our_oracle(random, learner):
    dfa = random_dfa(random)
    sul = NetworkSUL(CodedDfa(dfa, random).network(), oracle="samples,abstraction,random")
    found = learner(sul.alphabet, sul, NetworkOracle(sul), "dfa", print_level=0)
    assert rnnalf.Dfa.from_aalpy(found, sul.alphabet) == dfa


def test_aalpys_learner_ends_on_a_network_that_is_odd_on_long_words():
    """Pumping refutes the language of this network on words of 27 symbols and more."""
    sul = NetworkSUL(NETWORKS / "tomita3_gru100.onnx")
    found = run_KV(sul.alphabet, sul, NetworkOracle(sul), "dfa", print_level=0)
    assert rnnalf.Dfa.from_aalpy(found) == rnnalf.Dfa.load(NETWORKS / "tomita3_gru100.target.dot")


def test_aalpys_own_oracles_ask_the_network(tomita5, tomita5_target):
    sul = NetworkSUL(tomita5)
    oracle = RandomWordEqOracle(sul.alphabet, sul, num_walks=500, min_walk_len=1, max_walk_len=12)
    found = run_Lstar(sul.alphabet, sul, oracle, "dfa", print_level=0)
    assert rnnalf.Dfa.from_aalpy(found) == rnnalf.Dfa.load(tomita5_target)


def test_the_oracle_can_be_the_published_one():
    sul = NetworkSUL(NETWORKS / "tomita3_proved.onnx", oracle="samples,abstraction:depth=10")
    found = run_KV(sul.alphabet, sul, NetworkOracle(sul, time_limit=20), "dfa", print_level=0)
    assert rnnalf.Dfa.from_aalpy(found) == rnnalf.Dfa.load(NETWORKS / "tomita3_proved.target.dot")


def test_the_sul_answers_step_by_step_and_at_once(tomita5):
    sul = NetworkSUL(tomita5)
    sul.pre()
    steps = [sul.step(letter) for letter in "0110"]
    sul.post()
    assert steps == sul.query(tuple("0110")) and sul.query(()) == [True]
    with pytest.raises(TypeError, match="unexpected keyword argument 'learner'"):
        NetworkSUL(tomita5, learner="ttt")


def test_aalpys_learners_find_the_machine_of_many_classes_with_our_oracle():
    sul = NetworkSUL(NETWORKS.parents[1] / "tests/data/classes/exact.pt", cell="elman-tanh", alphabet="a b c",
                     oracle="samples,abstraction,random")
    found = run_KV(sul.alphabet, sul, NetworkOracle(sul), "moore", print_level=0)
    machine = rnnalf.Dfa.from_aalpy(found, sul.alphabet)
    assert machine.classes == 5
    assert machine == rnnalf.extract(sul.network).dfa
