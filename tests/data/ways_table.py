"""The words that the networks of tests/data/ways are asked, and how their answers are written."""
import json
import random

LETTERS = 3


def words():
    rng = random.Random(14)
    return [[rng.randrange(LETTERS) for _ in range(rng.randrange(1, 16))] for _ in range(200)]


def write_table(table, path):
    """words, networks: name to probabilities, files: file, network and the options to read it with."""
    def packed(value):
        return json.dumps(value).replace(" ", "")

    with open(path, "w") as file:
        file.write('{"words": %s,\n "networks": {\n' % packed(table["words"]))
        file.write(",\n".join('  "%s": %s' % (name, packed(scores)) for name, scores in table["networks"].items()))
        file.write('},\n "files": [\n' + ",\n".join("  " + json.dumps(entry) for entry in table["files"]) + "]}\n")
