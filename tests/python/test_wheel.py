"""The wheel: made of what is built, installed elsewhere, and used without this tree."""
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("pip", reason="pip is not installed")

from conftest import NETWORKS, ROOT  # noqa: E402

USE = """
import sys
import rnnalf
run = rnnalf.extract(sys.argv[1], progress="none")
print(run.dfa.size, rnnalf.__file__)
for line in open("/proc/self/maps"):
    if ".so" in line:
        print(line.split()[-1])
"""


def pip(*arguments, **more):
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}
    subprocess.run([sys.executable, "-m", "pip", *map(str, arguments)], check=True, env=environment)


@pytest.mark.skipif("RNNALF_BUILD" not in os.environ, reason="RNNALF_BUILD does not name the build folder")
def test_a_wheel_is_all_that_another_place_needs(tmp_path):
    built = os.environ["RNNALF_BUILD"]
    pip("wheel", "--no-deps", "--no-index", "--wheel-dir", tmp_path / "wheels", ROOT, RNNALF_PYTHON_BUILT=built)
    wheel, = (tmp_path / "wheels").glob("rnnalf-*.whl")
    pip("install", "--no-deps", "--no-index", "--target", tmp_path / "site", wheel)
    # Nothing of this tree is named in the environment, nor is it the folder.
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
    printed = subprocess.run([sys.executable, "-c", USE, NETWORKS / "tomita5_rnn30.onnx"], check=True, env=clean,
                             cwd=tmp_path, capture_output=True, text=True).stdout.splitlines()
    assert printed[0] == f"4 {tmp_path / 'site' / 'rnnalf' / '__init__.py'}"
    libraries = {pathlib.Path(path) for path in printed[1:]}
    assert not any(pathlib.Path(built) in path.parents for path in libraries)
    brought = {path.name.split(".")[0] for path in libraries if tmp_path in path.parents}
    assert {"_core", "libonnx_proto", "libprotobuf", "libsvm"} <= brought
