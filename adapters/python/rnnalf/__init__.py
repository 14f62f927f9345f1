"""Automata from recurrent networks.

    import rnnalf
    run = rnnalf.extract("network.onnx", time_limit=10)   # or a torch module, or rnnalf.acceptor(...)
    run.dfa.accepts("0110")
    run                                                   # the summary; in a notebook the page

`extract`, `evaluate`, `certify` and `compare` are the use cases; `load`, `network` and `acceptor` make
networks, `language_model` those that predict the next symbol; `Dfa` and `Pdfa` are automata. rnnalf.aalpy has what AALpy needs. docs/python.md is the guide.
"""
from rnnalf._automaton import Dfa
from rnnalf._core import version as __version__
from rnnalf._certification import Certification
from rnnalf._judgement import Comparison, Evaluation
from rnnalf._language_model import LanguageModel, LanguageModelRun, Pdfa, language_model
from rnnalf._networks import Network, acceptor, load, network
from rnnalf._run import Agreement, Evidence, Family, FoundWord, NotMeasured, Run
from rnnalf._use_cases import certify, compare, evaluate, extract, learners, oracles

__all__ = ["Agreement", "Certification", "Comparison", "Dfa", "Evaluation", "Evidence", "Family", "FoundWord",
           "LanguageModel", "LanguageModelRun", "Network", "NotMeasured", "Pdfa", "Run", "__version__", "acceptor",
           "certify", "compare", "evaluate", "extract", "language_model", "learners", "load", "network", "oracles"]
