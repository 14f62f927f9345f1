"""A program of a user, for mypy --strict: options are keyword arguments with types."""
import numpy as np
from numpy.typing import NDArray

import rnnalf


def step(states: NDArray[np.float64], symbols: NDArray[np.int64]) -> NDArray[np.float64]:
    return states + symbols[:, None]


def even(states: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(states[:, 0] % 2 == 0)


def use() -> None:
    run = rnnalf.extract("network.onnx", alphabet="ab", time_limit=10, empty_word=False, max_states=40)
    size: int = run.dfa.size
    agreement = run.agreement
    if isinstance(agreement, rnnalf.Agreement):
        shares: NDArray[np.float64] = agreement.shares
    words: list[str] = [found.word for found in run.exceptions]
    network = rnnalf.acceptor([0.0], step, even, alphabet="ab")
    evaluation = rnnalf.evaluate(network, run.dfa, exhaustive=8, target=rnnalf.Dfa("ab", [[0, 0]], [True]))
    proved: bool = rnnalf.certify("network.onnx", run.dfa, time_limit=60.0).certified
    rnnalf.load("network.onnx", classes=["low", "middle", "high"], accept_class="high")
    rnnalf.load("network.onnx", classes="low middle high", accept_class=2)
    rnnalf.extract("network.onnx", learner=3)  # type: ignore[arg-type]
    rnnalf.extract("network.onnx", max_state=3)  # type: ignore[call-arg]
