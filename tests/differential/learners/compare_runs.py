"""compare_runs.py TOOLKIT_PROGRAM UPSTREAM_PROGRAM: runs learner_runs over both providers and prints a table.

Cells are "toolkit / upstream", means over the runs. Exit status 1 unless every learner finds an automaton of the
same size and language over both. Of several smallest machines a SAT solver finds some: their language is not compared.
"""
import subprocess
import sys

ANY_OF_SEVERAL = ("dfa_inferring_MiniSat", "nfa_inferring_MiniSat")


def runs(program):
    lines = subprocess.run([program], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    table = {}
    for line in lines:
        fields = line.split(" ")
        if len(fields) != 7:
            sys.exit(f"{program}: {line}")
        table.setdefault(fields[0], {})[int(fields[1])] = [int(x) for x in fields[2:6]] + [fields[6]]
    return table


def main():
    ours, theirs = runs(sys.argv[1]), runs(sys.argv[2])
    if not ours or ours.keys() != theirs.keys():
        sys.exit("the two programs ran different learners")
    print("| learner | runs | words asked | equal | conjectures | equal | look-ups | equal | same size | same language |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    failed = False
    for learner, mine in ours.items():
        other = theirs[learner]
        if mine.keys() != other.keys():
            sys.exit(f"{learner}: different worlds")
        cells = [learner, str(len(mine))]
        for column in range(3):
            means = [sum(run[column] for run in table.values()) / len(table) for table in (mine, other)]
            cells += ["{:.1f} / {:.1f}".format(*means), str(sum(mine[w][column] == other[w][column] for w in mine))]
        sizes = sum(mine[w][3] == other[w][3] for w in mine)
        languages = sum(mine[w][4] == other[w][4] for w in mine)
        print("| " + " | ".join(cells + [str(sizes), str(languages)]) + " |")
        failed = failed or sizes < len(mine) or (learner not in ANY_OF_SEVERAL and languages < len(mine))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
