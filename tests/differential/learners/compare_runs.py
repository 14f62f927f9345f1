"""compare_runs.py TOOLKIT_PROGRAM UPSTREAM_PROGRAM: runs learner_runs over both providers and prints a table.

Cells are "toolkit / upstream", means over the runs; look-ups are count_resolved_queries. Exit status 1 unless every learner
finds an automaton of the same size and language over both, and isomorphic to the other's, nondeterministic ones included.
Of several smallest machines a SAT solver finds some: only their size is compared, and ours is never larger.
"""
import subprocess
import sys

# Those that find a smallest machine, of several any.
ANY_OF_SEVERAL = {"MiniSat_biermann", "dfa_inferring_MiniSat", "deterministic_inferring_MiniSat",
                  "deterministic_inferring_csp_MiniSat", "nfa_inferring_MiniSat"}
# Upstream's are often larger than needed.
NO_LARGER = {"MiniSat_biermann"}


class Automaton:
    def __init__(self, states, text):
        initial, accepting, transitions = text.split("|")
        numbers = [{int(q) for q in part.split(",") if q} for part in (initial, accepting)]
        self.kind = [(q in numbers[0], q in numbers[1]) for q in range(states)]
        self.out = [{} for _ in range(states)]  # letter -> targets
        self.into = [{} for _ in range(states)]
        for entry in transitions.split(","):
            if entry:
                source, letter, target = map(int, entry.split("."))
                self.out[source].setdefault(letter, set()).add(target)
                self.into[target].setdefault(letter, set()).add(source)

    def signature(self, colour, state):
        edges = [tuple(sorted((a, tuple(sorted(colour[t] for t in ts))) for a, ts in way[state].items()))
                 for way in (self.out, self.into)]
        return (colour[state], *edges)


def refined(a, b, colours):
    """Colours of both automata's states, as fine as the colours of neighbours make them; None if they do not match."""
    while True:
        signatures = [[m.signature(c, q) for q in range(len(c))] for m, c in zip((a, b), colours)]
        if sorted(signatures[0]) != sorted(signatures[1]):
            return None
        names = {s: i for i, s in enumerate(sorted(set(signatures[0])))}
        finer = [[names[s] for s in of_one] for of_one in signatures]
        if len(names) == len(set(colours[0])):
            return finer
        colours = finer


def is_isomorphic(a, b):
    def search(colours):
        colours = refined(a, b, colours)
        if colours is None:
            return False
        several = [c for c in set(colours[0]) if colours[0].count(c) > 1]
        if not several:  # one state of each colour: the signatures were equal, so this is an isomorphism
            return True
        colour, fresh = several[0], len(colours[0])
        chosen = list(colours[0])
        chosen[colours[0].index(colour)] = fresh
        for q, c in enumerate(colours[1]):
            if c == colour:
                other = list(colours[1])
                other[q] = fresh
                if search([chosen, other]):
                    return True
        return False

    if len(a.kind) != len(b.kind) or sorted(a.kind) != sorted(b.kind):
        return False
    names = {k: i for i, k in enumerate(sorted(set(a.kind)))}
    return search([[names[k] for k in m.kind] for m in (a, b)])


class Run:
    def __init__(self, fields):
        self.counts = [int(x) for x in fields[:3]]  # words asked, conjectures, look-ups
        self.states = int(fields[3])
        self.language = fields[4]
        self.automaton = Automaton(self.states, fields[5])


def runs(program):
    lines = subprocess.run([program], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    table = {}
    for line in lines:
        fields = line.split(" ")
        if len(fields) != 8:
            sys.exit(f"{program}: {line}")
        table.setdefault(fields[0], {})[int(fields[1])] = Run(fields[2:])
    return table


def main():
    ours, theirs = runs(sys.argv[1]), runs(sys.argv[2])
    if not ours or ours.keys() != theirs.keys():
        sys.exit("the two programs ran different learners")
    print("| learner | runs | words asked | equal | conjectures | equal | look-ups | equal | same size | same language | isomorphic |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    failed = False
    for learner, mine in ours.items():
        other = theirs[learner]
        if mine.keys() != other.keys():
            sys.exit(f"{learner}: different worlds")
        cells = [learner, str(len(mine))]
        for column in range(3):
            means = [sum(run.counts[column] for run in table.values()) / len(table) for table in (mine, other)]
            cells += ["{:.1f} / {:.1f}".format(*means), str(sum(mine[w].counts[column] == other[w].counts[column] for w in mine))]
        sizes = sum(mine[w].states == other[w].states for w in mine)
        languages = sum(mine[w].language == other[w].language for w in mine)
        same = sum(is_isomorphic(mine[w].automaton, other[w].automaton) for w in mine)
        print("| " + " | ".join(cells + [str(sizes), str(languages), str(same)]) + " |")
        if learner in NO_LARGER:
            failed = failed or any(mine[w].states > other[w].states for w in mine)
        elif learner in ANY_OF_SEVERAL:
            failed = failed or sizes < len(mine)
        else:
            failed = failed or min(sizes, languages, same) < len(mine)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
