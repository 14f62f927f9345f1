"""replay_certificates.py FOLDER_OF_THE_CHECKER CORPUS: the network of tests/support/certified_networks.hpp, and every file of
the corpus as a certificate. A text is refused, or it is the proof; nothing else may happen. Then the proof with one byte changed,
at every place."""
import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import hashlib  # noqa: E402

import rnnalf_check  # noqa: E402

network = rnnalf_check.Network()
network.cell, network.letters, network.embedding, network.accept = "elman-tanh", ["0", "1"], None, 0
network.layers = [(1, np.array([[-2.0, 2.0]]), np.array([[0.5]]), np.zeros(1), np.zeros(1), np.zeros(1), None)]
network.head = [(np.array([[4.0]]), np.array([-0.5]), "none")]
automaton = 0, [False, True], [[0, 1], [0, 1]]
hash_of = hashlib.sha256(network.canonical()).hexdigest()


def accepted(text):
    try:
        rnnalf_check.check(network, automaton, text)
        return True
    except rnnalf_check.Refused as refused:
        assert "\n" not in str(refused), refused
        return False


found = {}
for name in sorted(os.listdir(sys.argv[2])):
    with open(os.path.join(sys.argv[2], name), "rb") as file:
        found[name] = accepted(file.read().decode("utf-8", "replace").replace("HASH", hash_of))
for name, value in found.items():  # proof*.json are proofs, in both formats; nothing else is
    assert value == name.startswith("proof"), name

changed = 0
for name in ("proof.json", "proof_box_and_ellipsoid.json"):
    with open(os.path.join(sys.argv[2], name), encoding="utf-8") as file:
        proof = file.read().replace("HASH", hash_of)
    for at in range(len(proof)):
        for other in "0-\"}x":
            accepted(proof[:at] + other + proof[at + 1:])
            changed += 1
print("%d files, %d changed proofs" % (len(found), changed))
