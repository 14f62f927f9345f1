"""Tables as data frames."""
import pytest

pytest.importorskip("pandas", reason="pandas is not installed")

import rnnalf  # noqa: E402


def test_a_comparison_becomes_a_data_frame(tomita5):
    frame = rnnalf.compare(tomita5, learners=["lstar", "ttt"]).to_pandas()
    assert frame["learner"].tolist() == ["lstar", "ttt"] and frame["states"].tolist() == [4, 4]
