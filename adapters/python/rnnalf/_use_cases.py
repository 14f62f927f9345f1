"""One function for each use case: extract, evaluate, certify, compare."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from rnnalf import _core, _display, _options
from rnnalf._automaton import Dfa, Path, Word
from rnnalf._certification import Certification
from rnnalf._language_model import LanguageModel, extract_pdfa, load_language_model
from rnnalf._judgement import Comparison, Evaluation
from rnnalf._networks import Model, Network, is_model, network
from rnnalf._run import Run

PLOTTED_R_STATES = 2500  # on the page of a notebook
NOT_COMPARED = ("learner", "oracle", "method", "certify", "plotted_r_states")

Automaton = Union[Dfa, Path]


def _dfa(automaton: Automaton) -> Dfa:
    return automaton if isinstance(automaton, Dfa) else Dfa.load(automaton)


def _network(function: str, model: Model, options: dict[str, object], *others: Iterable[_options.Option]) -> Network:
    """The network of a model and those of the options that are about it."""
    known = _options.names(_options.NETWORK, *others)
    _options.refuse_unknown(function, options, known | {"call", "output"})
    about = {name: value for name, value in options.items()
             if name in _options.names(_options.NETWORK) or name in ("call", "output")}
    return network(model, **about)  # type: ignore[arg-type]


@_options.takes_options(_options.NETWORK, _options.EXTRACTION)
def extract(model: Model, *, target: Optional[Automaton] = None, samples: Union[str, Iterable[Word]] = (),
            progress: object = "auto", on_hypothesis: Optional[Callable[[int, Dfa, float], object]] = None,
            **options: object) -> Any:
    """Learns the automaton that a network has learned.

    model: the name of a network file, a torch module, a Network (`load`, `network`, `acceptor`), or a
        LanguageModel (`language_model`); for the last, and with language_model=True for a file, the result is a
        LanguageModelRun with a `pdfa`
    target: the language that it was meant to learn; a Dfa or a file. The network's errors are marked then
    samples: words that are tried at every equivalence query, or one as a text
    progress: "auto" shows it on terminals and in notebooks; "none"; or a function of a dictionary
    on_hypothesis: is called with number, automaton and seconds of each hypothesis as it comes

    Ctrl-C ends the run with the result so far; its verdict is `interrupted` then.

    >>> run = extract("examples/networks/tomita5_rnn30.onnx", time_limit=10)
    >>> run.dfa.accepts("0011"), run.dfa.accepts("001")
    (True, False)
    """
    if isinstance(model, LanguageModel) or options.get("language_model"):
        _options.refuse_unknown("extract", options, _options.names(_options.NETWORK, _options.EXTRACTION))
        if target is not None or on_hypothesis is not None:
            raise ValueError("target, on_hypothesis: expected neither for a language model")
        if not isinstance(model, (LanguageModel, str, os.PathLike)):
            raise TypeError(f"language_model: expected a file name, found {type(model).__name__}; "
                            "rnnalf.language_model makes a language model of functions or a module")
        lm = model if isinstance(model, LanguageModel) else load_language_model(
            model, _options.chosen(options, _options.NETWORK))
        return extract_pdfa(lm, _options.chosen(options, _options.EXTRACTION), samples, progress)
    net = _network("extract", model, options, _options.EXTRACTION)
    chosen = _options.chosen(options, _options.EXTRACTION)
    meant = _dfa(target)._core if target is not None else None
    seen = None
    if on_hypothesis is not None:
        tell = on_hypothesis

        def seen(number: int, dfa: _core.Dfa, seconds: float) -> object:
            return tell(number, Dfa._of(dfa), seconds)

    if _display.notebook() is not None:
        chosen.setdefault("plotted_r_states", PLOTTED_R_STATES)
    with _display.ShownProgress(progress) as shown:
        core = _core.extract(net._core, _options.texts(chosen), _options.listed("samples", samples, "words"), meant,
                             shown.callback, seen)
    return Run(core, net._core, _call("extract", net, options))


def _call(function: str, net: Network, options: dict[str, object]) -> str:
    """What to write to do it again."""
    model = repr(net._file) if net._file is not None else "model"
    given = [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"rnnalf.{function}({', '.join([model, *given])})"


@_options.takes_options(_options.NETWORK, _options.EVALUATION)
def evaluate(model: Model, dfa: Automaton, *, target: Optional[Automaton] = None,
             words: Union[str, Iterable[Word]] = (), progress: object = "auto", **options: object) -> Evaluation:
    """Compares a network and an automaton: on uniform words by length, on given words, on pumped words and on
    all words up to a length. With a target, all three distances.

    time_limit=None: as long as it takes

    >>> found = evaluate("examples/networks/tomita5_rnn30.onnx", "examples/networks/tomita5_rnn30.target.dot")
    >>> float(found.shares.min()), found.disagreements
    (1.0, [])
    """
    net = _network("evaluate", model, options, _options.EVALUATION)
    chosen = _options.chosen(options, _options.EVALUATION)
    if "time_limit" in chosen and chosen["time_limit"] is None:
        chosen["time_limit"] = "none"
    meant = _dfa(target)._core if target is not None else None
    with _display.ShownProgress(progress) as shown:
        return Evaluation(_core.evaluate(net._core, _dfa(dfa)._core, meant, _options.texts(chosen),
                                         _options.listed("words", words, "words"), shown.callback))


@_options.takes_options(_options.NETWORK, _options.CERTIFICATION)
def certify(model: Model, dfa: Automaton, *, progress: object = "auto", **options: object) -> Certification:
    """Looks for a proof that network and automaton agree on all words: sets of R-states that the network maps
    into each other (docs/certificates.md). `rnnalf-check` checks the certificate.

    max_run, max_length, letters: a proof about these words alone; None: about all words
    time_limit=None: as long as it takes

    >>> certify("examples/networks/tomita1_proved.onnx", "examples/networks/tomita1_proved.target.dot")
    Certification(certified: network and automaton agree on all words of the claim)
    """
    net = _network("certify", model, options, _options.CERTIFICATION)
    chosen = _options.chosen(options, _options.CERTIFICATION)
    for name in ("max_run", "max_length"):  # 0 means all words, too
        if chosen.get(name) == 0:
            del chosen[name]
    with _display.ShownProgress(progress) as shown:
        return Certification(**_core.certify(net._core, _dfa(dfa)._core, _options.texts(chosen), shown.callback))


@_options.takes_options(_options.COMPARISON, _options.NETWORK, _options.EXTRACTION,
                        without=NOT_COMPARED)
def compare(networks: Union[Model, Iterable[Model], Mapping[str, Model]], *, learners: Union[str, Sequence[str]] = (),
            oracles: Union[str, Sequence[str]] = (), methods: Union[str, Sequence[str]] = (),
            targets: Optional[Mapping[str, Path]] = None, samples: Union[str, Iterable[str]] = (), store: Optional[Path] = None, progress: object = "auto",
            **options: object) -> Comparison:
    """Extracts from every network with every learner and every chain of oracles, then with every baseline among
    the methods, and measures all results alike. Where NAME.target.dot stands beside NAME.onnx, it says whether
    the result is that language.

    networks: as for `extract`, one or several; a dictionary gives them the names that the table has
    learners, oracles, methods: what is compared, one or several; none: the default alone
    targets: automaton files of the languages that networks were meant to learn, by the networks' names
    store: a file to which finished extractions are added; what it has is not run again. Of network files alone

    Ctrl-C ends it with the extractions that were finished; `complete` says so.

    >>> compare(["examples/networks/tomita5_rnn30.onnx"], learners=["lstar", "ttt"]).cells[1]["states"]
    4
    """
    tables = (_options.COMPARISON, _options.NETWORK, _options.EXTRACTION)
    known = _options.names(*tables) - set(NOT_COMPARED)
    _options.refuse_unknown("compare", options, known | {"call", "output"})
    about = {name: value for name, value in options.items()
             if name in _options.names(_options.NETWORK) or name in ("call", "output")}
    names, at_hand = _named(networks, about)
    if store is not None and at_hand:
        raise ValueError(f"store: expected network files alone, found {next(iter(at_hand))!r}, which a store could "
                         "not tell from another network of that name")
    chosen = _options.texts({name: value for name, value in options.items() if name not in ("call", "output")})
    meant = {name: os.fsdecode(file) for name, file in (targets or {}).items()}
    with _display.ShownProgress(progress) as shown:
        return Comparison(*_core.compare(
            names, at_hand, meant, chosen, _options.listed("learners", learners, "names"),
            _options.listed("oracles", oracles, "chains of oracles"), _options.listed("methods", methods, "names"),
            _options.listed("samples", samples, "words"), os.fsdecode(store) if store is not None else "",
            shown.callback))


def _named(networks: Union[Model, Iterable[Model], Mapping[str, Model]],
           options: dict[str, object]) -> tuple[list[str], dict[str, _core.Network]]:
    """The networks' names, and those of them that are no files."""
    models = [networks] if is_model(networks) else networks
    given = models.items() if isinstance(models, Mapping) else (
        (None, model) for model in _options.listed("networks", models, "file names, torch modules or Networks"))
    names: list[str] = []
    at_hand: dict[str, _core.Network] = {}
    for name, model in given:
        if name is None and isinstance(model, (str, os.PathLike)):
            open(model, "rb").close()  # Python's own error where there is no such file
            name = os.fsdecode(model)
        else:
            made = model if isinstance(model, Network) else network(model, **options)  # type: ignore[arg-type]
            name = str(made.info["name"]) if name is None else name
            at_hand[name] = made._core
        if name in names:
            raise ValueError(f"networks: expected different names, found {name!r} twice; a dictionary gives them names")
        names.append(name)
    return names, at_hand


def learners() -> dict[str, str]:
    """The learners by name.

    >>> "ttt" in learners()
    True
    """
    return dict(_core.learners())


def oracles() -> dict[str, str]:
    """The oracles by name; a chain is written such as "samples,abstraction:depth=10,pumping".

    >>> list(oracles())[:3]
    ['samples', 'abstraction', 'pumping']
    """
    described = {}
    for name, summary, parameters in _core.oracles():
        shown = "; ".join(f"{key}={default}: {meaning}" for key, (default, meaning) in parameters.items())
        described[name] = f"{summary} ({shown})" if shown else summary
    return described
