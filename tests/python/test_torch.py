"""Live torch modules: taken over where the library answers as they do, else called."""
import runpy

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import rnnalf  # noqa: E402
from conftest import ROOT, random_dfa  # noqa: E402

nn = torch.nn


class Model(nn.Module):
    """A recurrent classifier in one of the ways people write them."""

    def __init__(self, cell="GRU", embed=True, pool="last", hidden=6, layers=1, batch_first=True, head="linear",
                 classes=1, **more):
        super().__init__()
        self.embedding = nn.Embedding(2, 4) if embed else None
        self.rnn = getattr(nn, cell)(4 if embed else 2, hidden, num_layers=layers, batch_first=batch_first, **more)
        self.head = nn.Linear(hidden, classes) if head == "linear" else None
        if head == "two":
            self.first, self.second = nn.Linear(hidden, 5), nn.Linear(5, classes)
        self.drop = nn.Dropout(0.5)
        self.pool, self.batch_first, self.after = pool, batch_first, head

    def forward(self, words):
        states, _ = self.rnn(self.embedding(words) if self.embedding is not None else words)
        states = states if self.batch_first else states.transpose(0, 1)
        state = {"last": lambda: states[:, -1], "mean": lambda: states.mean(dim=1),
                 "max": lambda: states.max(dim=1).values, "sum": lambda: states.sum(dim=1)}[self.pool]()
        state = self.drop(state)
        if self.after == "two":
            return self.second(torch.relu(self.first(state)))
        return self.head(state)


class Wrapped(nn.Module):
    def __init__(self, inner, after):
        super().__init__()
        self.inner, self.after = inner, after

    def forward(self, words):
        return self.after(self.inner(words))


def spread(model, seed=1):
    """Weights large enough that states and answers vary."""
    torch.manual_seed(seed)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.8)
    return model.train()  # networks are usually left so


def answers(model, words):
    """By the module itself, a word at a time."""
    model.eval()
    with torch.no_grad():
        return [model(words_of(model, word)).reshape(-1).double().numpy() for word in words]


def words_of(model, word):
    while hasattr(model, "inner"):
        model = model.inner
    words = torch.tensor([word])
    if getattr(model, "embedding", None) is None:
        words = nn.functional.one_hot(words, 2).float()
    return words if model.batch_first else words.transpose(0, 1)


def random_words(seed=5):
    random = np.random.default_rng(seed)
    return [tuple(map(int, random.integers(2, size=length))) for length in range(1, 30) for _ in range(4)]


TAKEN = {
    "gru": {}, "lstm": {"cell": "LSTM"}, "elman": {"cell": "RNN"},
    "elman relu": {"cell": "RNN", "nonlinearity": "relu"},
    "one-hot": {"embed": False}, "two layers": {"layers": 2}, "time first": {"batch_first": False},
    "one-hot, time first": {"embed": False, "batch_first": False}, "mean": {"pool": "mean"}, "max": {"pool": "max"},
    "sum": {"pool": "sum"}, "two dense layers with relu between": {"head": "two"}, "two classes": {"classes": 2},
    "no biases": {"bias": False}}


@pytest.mark.parametrize("way", TAKEN)
def test_weights_are_taken_over_with_the_modules_scores(way):
    model = spread(Model(**TAKEN[way]))
    network = rnnalf.network(model, alphabet="ab")
    assert not network.info["calls_python"], network.info["cell"]
    assert model.training
    words = random_words()
    accepted, probability = network.classify(words)
    for word, ours, share, scores in zip(words, accepted, probability, answers(model, words)):
        theirs = torch.softmax(torch.tensor(scores), 0)[1] if len(scores) == 2 else torch.sigmoid(torch.tensor(scores))
        assert share == pytest.approx(float(theirs), abs=1e-5)
        assert ours == (scores[1] > scores[0] if len(scores) == 2 else scores[0] > 0)


@pytest.mark.parametrize("after", [torch.sigmoid, lambda scores: (scores, "and more"), lambda scores: scores[:, 0]])
def test_a_score_is_a_logit_or_a_probability_in_any_wrapping(after):
    network = rnnalf.network(spread(Wrapped(Model(), after)), alphabet="ab")
    plain = rnnalf.network(spread(Model()), alphabet="ab")
    assert not network.info["calls_python"]
    np.testing.assert_allclose(network.classify(random_words())[1], plain.classify(random_words())[1], atol=1e-6)


class AfterEach(Model):
    """Scores after every symbol, of which the last counts."""

    def forward(self, words):
        states, _ = self.rnn(self.embedding(words))
        return self.head(states)


class AfterEachFlat(AfterEach):
    def forward(self, words):
        return super().forward(words)[..., 0]


@pytest.mark.parametrize("kind, batch_first", [(AfterEach, True), (AfterEach, False), (AfterEachFlat, True)])
def test_of_scores_after_every_symbol_the_last_counts(kind, batch_first):
    network = rnnalf.network(spread(kind(batch_first=batch_first)), alphabet="ab")
    plain = rnnalf.network(spread(Model()), alphabet="ab")
    assert not network.info["calls_python"]
    np.testing.assert_allclose(network.classify(random_words())[1], plain.classify(random_words())[1], atol=1e-6)


class Odd(Model):
    """What no state_dict says: the last state squared, and a skip from the first symbol."""

    def forward(self, words):
        inputs = self.embedding(words)
        states, _ = self.rnn(inputs)
        return 3 * self.head(states[:, -1] ** 2) + inputs[:, 0, :self.head.out_features]


class Squared(Model):
    """What no state_dict says either, but nothing of it looks back."""

    def forward(self, words):
        states, _ = self.rnn(self.embedding(words))
        return 3 * self.head(states[:, -1] ** 2) + 0.3


class Begins(Squared):
    """Starts its layers in a state of its own."""

    def forward(self, words):
        begin = torch.full((1, len(words), 6), 0.5, dtype=self.head.weight.dtype)
        states, _ = self.rnn(self.embedding(words), begin)
        return 3 * self.head(states[:, -1] ** 2) + 0.3


class Opaque(nn.Module):
    """Leaves torch for a moment, so that it can be called but not traced."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, words):
        return self.inner(torch.from_numpy(words.numpy().copy()))


class Bidirectional(Model):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 1)


def test_both_directions_behind_something_else_are_run_on_whole_words():
    model = spread(Opaque(Bidirectional()))
    network = rnnalf.network(model, alphabet="ab", empty_word=False)
    assert not network.info["calls_python"] and network.info["cell"] == "whole words"
    words = random_words()
    scores = [float(score[0]) for score in answers(model, words)]
    np.testing.assert_allclose(network.classify(words)[1], 1 / (1 + np.exp(-np.array(scores))), atol=1e-6)


@pytest.mark.parametrize("kind, more, how", [
    (Odd, {}, "from its start"), (Squared, {}, "symbol by symbol"),
    (Squared, {"cell": "LSTM", "layers": 2}, "symbol by symbol"), (Begins, {}, "symbol by symbol"),
    (Squared, {"pool": "mean", "cell": "RNN"}, "symbol by symbol")])
def test_a_module_that_says_something_else_and_cannot_be_traced_is_called(kind, more, how):
    model = spread(Opaque(kind(**more)))
    network = rnnalf.network(model, alphabet="ab", empty_word=False)
    assert network.info["calls_python"] and how in network.info["cell"]
    words = random_words()
    accepted, probability = network.classify(words)
    scores = [float(score[0]) for score in answers(model, words)]
    np.testing.assert_allclose(probability, 1 / (1 + np.exp(-np.array(scores))), atol=1e-6)
    assert accepted.tolist() == [score > 0 for score in scores]


class Exact(nn.Module):
    """Computes an automaton, with no layer that anybody knows."""

    def __init__(self, dfa):
        super().__init__()
        table = torch.zeros(2, dfa.size, dfa.size)
        for state in dfa.states:
            for symbol in range(2):
                table[symbol, state, dfa.transitions[state, symbol]] = 1
        self.table = nn.Parameter(table)
        self.initial, self.accepting = dfa.initial, torch.tensor(dfa.accepting)

    def forward(self, words):
        state = torch.zeros(len(words), self.table.shape[1])
        state[:, self.initial] = 1
        for symbols in words.unbind(dim=1):
            state = torch.einsum("ns,nst->nt", state, self.table[symbols])
        self.state = state
        return 8.0 * (state @ self.accepting.float()) - 4


def test_the_automaton_of_a_called_module_is_found(random):
    dfa = random_dfa(random, states=4)
    run = rnnalf.extract(Exact(dfa), alphabet="ab", oracle="samples,abstraction", exact=True, max_rounds=50)
    assert run.dfa == dfa and run.verdict == "none-found"
    assert any(evidence.oracle == "abstraction" for evidence in run.evidence)


def test_the_empty_word_of_a_module_that_cannot_be_run_on_it_must_be_said():
    with pytest.raises(ValueError, match="empty_word: expected True or False"):
        rnnalf.network(spread(Opaque(Odd())), alphabet="ab")


def test_a_score_between_0_and_1_that_could_be_both_must_be_said():
    model = spread(Wrapped(Opaque(Odd()), torch.sigmoid))
    with pytest.raises(ValueError, match="output: expected 'logit' or 'probability'"):
        rnnalf.network(model, alphabet="ab", empty_word=True)
    network = rnnalf.network(model, alphabet="ab", empty_word=True, output="probability")
    words = random_words()
    np.testing.assert_allclose(network.classify(words)[1], np.concatenate(answers(model, words)), atol=1e-6)


def test_forward_may_take_anything_with_call():
    class Texts(Model):
        def forward(self, texts):
            return super().forward(torch.tensor([["ab".index(letter) for letter in text] for text in texts]))

    model = spread(Texts())
    with pytest.raises(ValueError, match="It raises .*Pass call="):
        rnnalf.network(model, alphabet="ab")
    network = rnnalf.network(
        model, alphabet="ab", call=lambda words: model(["".join("ab"[s] for s in word) for word in words]))
    assert not network.info["calls_python"]


def test_symbols_have_numbers_without_an_alphabet():
    assert rnnalf.network(spread(Model())).alphabet == ("0", "1")


@pytest.mark.parametrize("called", [False, True])
def test_tokens_stand_around_words(called):
    def model():
        made = Odd() if called else Model()
        made.embedding = nn.Embedding(4, 4)
        return spread(Opaque(made) if called else made)

    network = rnnalf.network(model(), alphabet="abBE", begin="B", end="E")
    assert network.info["calls_python"] == called and network.alphabet == ("a", "b")
    words = random_words()
    shown = [(2, *word, 3) for word in words]
    scores = [float(score[0]) for score in answers(model(), shown)]
    np.testing.assert_allclose(network.classify(words)[1], 1 / (1 + np.exp(-np.array(scores))), atol=1e-5)


def test_one_of_named_classes_of_a_module_accepts():
    model = spread(Model(classes=3))
    named = rnnalf.network(model, alphabet="ab", classes=["low", "middle", "high"], accept_class="high")
    plain = rnnalf.network(model, alphabet="ab", accept_class=2)
    assert named.classify(random_words())[1].tolist() == plain.classify(random_words())[1].tolist()
    with pytest.raises(ValueError, match="classes: expected 3 names, one for each score, found 2"):
        rnnalf.network(model, alphabet="ab", classes="low high", accept_class="high")
    with pytest.raises(ValueError, match="accept_class: expected a class below 3, found 'over'"):
        rnnalf.network(model, alphabet="ab", classes="low middle high", accept_class="over")
    with pytest.raises(ValueError, match="classes: expected several scores of each word to name, found one"):
        rnnalf.network(spread(Model()), alphabet="ab", classes="low high")


def scores_of(model, words):
    return np.array(answers(model, words))


def without_favourite(model):
    """No class is preferred whatever the word."""
    for part in model.modules():
        if isinstance(part, nn.Linear):
            nn.init.zeros_(part.bias)
    return model


@pytest.mark.parametrize("more", [{}, {"cell": "LSTM", "layers": 2}, {"head": "two", "embed": False}])
@pytest.mark.parametrize("after", [lambda scores: scores, lambda scores: torch.softmax(scores, dim=1)])
def test_weights_of_a_module_with_several_classes_are_taken_over(more, after):
    model = without_favourite(spread(Wrapped(Model(classes=4, **more), after)))
    network = rnnalf.network(model, alphabet="ab", classes="low middle high over")
    assert not network.info["calls_python"] and network.class_names == ("low", "middle", "high", "over")
    words = random_words()
    ours, shares = network.classify(words)
    scores = scores_of(model.inner, words)
    assert len(set(ours)) > 1 and ours.tolist() == scores.argmax(axis=1).tolist()
    np.testing.assert_allclose(shares, torch.softmax(torch.tensor(scores), dim=1).max(dim=1).values, atol=1e-5)


@pytest.mark.parametrize("kind, how", [(Odd, "from its start"), (Squared, "symbol by symbol")])
@pytest.mark.parametrize("after", [lambda scores: scores, lambda scores: torch.softmax(scores, dim=1)])
def test_a_module_with_several_classes_is_called_where_it_must_be(kind, how, after):
    model = without_favourite(spread(Wrapped(Opaque(kind(classes=3)), after), seed=4))
    network = rnnalf.network(model, alphabet="ab", empty_word=2, classes=["low", "middle", "high"])
    assert network.info["calls_python"] and how in network.info["cell"] and network.class_names == ("low", "middle", "high")
    words = random_words()
    ours, shares = network.classify(words)
    scores = scores_of(model.inner, words)
    assert len(set(ours)) > 1 and ours.tolist() == scores.argmax(axis=1).tolist() and network.answer("") == 2
    np.testing.assert_allclose(shares, torch.softmax(torch.tensor(scores), dim=1).max(dim=1).values, atol=1e-5)
    one = rnnalf.network(model, alphabet="ab", empty_word=False, classes="low middle high", accept_class="high")
    assert one.classes == 2 and one.classify(words)[0].tolist() == (scores.argmax(axis=1) == 2).tolist()


class ExactClasses(Exact):
    """Computes a Moore machine."""

    def __init__(self, machine):
        super().__init__(rnnalf.Dfa(machine.alphabet, machine.transitions, machine.answers > 0, machine.initial))
        self.answers = torch.nn.functional.one_hot(torch.tensor(machine.answers)).float()

    def forward(self, words):
        super().forward(words)
        return 8.0 * (self.state @ self.answers)


def test_the_moore_machine_of_a_module_is_found(random):
    machine = random_dfa(random, states=4, classes=3)
    if len(set(machine.answers)) < 3:
        pytest.skip("two classes alone")
    run = rnnalf.extract(ExactClasses(machine), alphabet="ab", oracle="samples,abstraction", exact=True, max_rounds=50)
    assert run.verdict == "none-found" and run.dfa == machine


def test_an_alphabet_that_the_module_does_not_have_is_named():
    with pytest.raises(ValueError, match="alphabet: 3 symbols, but the module's embedding takes at most 2"):
        rnnalf.network(spread(Model()), alphabet="abc")
    with pytest.raises(ValueError, match="the module's first recurrent layer takes at most 2"):
        rnnalf.network(spread(Model(embed=False)), alphabet="abc")


def test_the_tutorial_trains(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RNNALF_TUTORIAL_STEPS", "20")
    runpy.run_path(str(ROOT / "examples" / "python" / "tutorial.py"))
    assert "the automaton is the one that was meant:" in capsys.readouterr().out


def spoiled(change):
    model = spread(Model())
    change(model)
    return model


def set_nan(model):
    with torch.no_grad():
        model.head.weight[0, 0] = float("nan")


class Failing(Model):
    def forward(self, words):
        raise KeyError("no such vocabulary")


class Noisy(Model):
    def forward(self, words):
        return super().forward(words) + torch.rand(len(words), 1)


class ByBatch(Model):
    def forward(self, words):
        scores = super().forward(words)
        return scores - scores.mean()


@pytest.mark.parametrize("model, message", [
    (spoiled(set_nan), "parameter 'head.weight' contains NaN or infinity"),
    (spoiled(lambda model: model.half()), r"parameter 'embedding.weight' has type torch.float16.*model.float\(\)"),
    (spoiled(lambda model: model.to("meta")), "parameter 'embedding.weight' is on the meta device"),
    (spread(Failing()), "It raises KeyError: 'no such vocabulary'"),
    (spread(Noisy()), "gives the same words different scores"),
    (spread(ByBatch()), "A word has other scores alone than in a batch"),
])
def test_a_module_that_cannot_be_used_is_refused_with_its_own_cause(model, message):
    with pytest.raises(ValueError, match=message):
        rnnalf.network(model, alphabet="ab")


def test_the_exception_of_forward_is_the_cause_of_the_refusal():
    with pytest.raises(ValueError) as caught:
        rnnalf.network(spread(Failing()), alphabet="ab")
    assert isinstance(caught.value.__cause__, KeyError)


class WithLengths(Model):
    """Pads and packs, as many tutorials do."""

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(words), lengths, batch_first=True, enforce_sorted=False)
        state = self.rnn(packed)[1]
        return self.head(state[-1])


class WithState(Model):
    def forward(self, words, state):
        return self.head(self.rnn(self.embedding(words), state)[0][:, -1])


@pytest.mark.parametrize("model", [WithLengths(), WithState(), WithLengths(cell="RNN")])
def test_lengths_and_an_initial_state_are_passed_where_forward_requires_them(model):
    plain = spread(Model(cell=type(model.rnn).__name__))
    model.load_state_dict(plain.state_dict())
    words = random_words()
    network = rnnalf.network(model, alphabet="ab")
    assert not network.info["calls_python"]
    np.testing.assert_allclose(network.classify(words)[1], rnnalf.network(plain, alphabet="ab").classify(words)[1])


class Tutorial(nn.Module):
    """A cell written by hand that reads one symbol at a time."""

    def __init__(self):
        super().__init__()
        self.hidden_size = 5
        self.to_hidden, self.to_scores = nn.Linear(2 + 5, 5), nn.Linear(2 + 5, 2)

    def forward(self, symbol, hidden):
        both = torch.cat([symbol, hidden], 1)
        return self.to_scores(both), torch.tanh(self.to_hidden(both))


class MinGru(nn.Module):
    """A gate and a candidate of the symbol alone; scores after every symbol."""

    def __init__(self):
        super().__init__()
        self.embedding, self.gate, self.candidate = nn.Embedding(2, 3), nn.Linear(3, 4), nn.Linear(3, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, words):
        inputs = self.embedding(words)
        state, states = torch.zeros(len(words), 4), []
        for i in range(words.shape[1]):
            gate = torch.sigmoid(self.gate(inputs[:, i]))
            state = (1 - gate) * state + gate * self.candidate(inputs[:, i])
            states.append(state)
        return self.head(torch.stack(states, 1))


class Attention(nn.Module):
    """One head of attention and the mean over time."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(2, 4)
        self.positions = nn.Parameter(torch.zeros(1, 100, 4))
        self.queries, self.keys, self.values = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, words):
        x = self.embedding(words) + self.positions[:, :words.shape[1]]
        shares = torch.softmax(self.queries(x) @ self.keys(x).transpose(1, 2), -1)
        return self.head((x + shares @ self.values(x)).mean(1))


@pytest.mark.parametrize("make, whole_words", [
    (Squared, False), (Bidirectional, True), (Tutorial, False), (MinGru, False), (Attention, True)])
def test_a_module_that_can_be_traced_is_not_called(make, whole_words):
    model = spread(make())
    network = rnnalf.network(model, alphabet="ab", empty_word=False)
    assert not network.info["calls_python"] and (network.info["cell"] == "whole words") == whole_words
    words = random_words()

    def score(word):
        with torch.no_grad():
            if make is not Tutorial:
                last = model.eval()(torch.tensor([word]))
                return float(last[0, -1] if last.dim() == 3 else last[0])
            hidden = torch.zeros(1, 5)
            for symbol in word:
                scores, hidden = model(nn.functional.one_hot(torch.tensor([symbol]), 2).float(), hidden)
            return float(scores[0, 1] - scores[0, 0])

    margins = np.array([score(word) for word in words])
    np.testing.assert_allclose(network.classify(words)[1], 1 / (1 + np.exp(-margins)), atol=1e-5)
    assert network.classify(words)[0].tolist() == (margins > 0).tolist()


@pytest.mark.parametrize("kind", [Model, Squared])
def test_padding_is_no_symbol_of_words(kind):
    model = spread(kind())
    model.embedding = nn.Embedding(3, 4, padding_idx=0)
    assert rnnalf.network(model, alphabet="-ab").alphabet == ("a", "b")
    assert rnnalf.network(model, alphabet="-ab", over="-ab").alphabet == ("-", "a", "b")
