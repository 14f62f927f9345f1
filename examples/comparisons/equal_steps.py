#!/usr/bin/env python3
"""The paper's method against learning from a sample, at the same number of steps of the network.

  equal_steps.py [NET...]

The published method runs first, for at most 20,000 steps; RPNI and the smallest consistent DFA then learn from as many random
words as the network can be asked about with as many steps, for five seeds each, and RPNI once more with ten times the steps.
Prints one table; half an hour for the networks of ../networks. RNNALF names the program if it is not installed; numpy and the
like are not needed.
"""
import csv
import io
import os
import statistics
import subprocess
import sys
from pathlib import Path

NETWORKS = Path(__file__).resolve().parent.parent / "networks"
NAMES = [f"tomita{n}_gru100" for n in range(1, 8)] + ["rand10_3_s1_gru100", "rand10_3_s5_lstm100", "bp_gru50", "bp_lstm50",
                                                      "emails_lstm100", "json_gru100"]
LENGTHS = (10, 50, 100)
MOST_STEPS, SEEDS, SMALLEST_WITHIN = 20_000, 5, "60s"


def cells(network, *options):
    """A dictionary for each extraction: the columns of --csv."""
    command = [os.environ.get("RNNALF", "rnnalf"), "compare", str(network), "--quiet", "--csv", "-", "--preset", "paper",
               "--lengths", ",".join(map(str, LENGTHS)), "--per-length", "1000", *options]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def median(values, form):
    """With the range, where there is one."""
    shown = [form(v) for v in (statistics.median_low(values), min(values), max(values))]
    return shown[0] if shown[1] == shown[2] else f"{shown[0]} ({shown[1]}-{shown[2]})"


def row(runs):
    agree = [median([float(run[f"agreement_{n}"]) for run in runs], lambda share: f"{100 * share:.1f}") for n in LENGTHS]
    verdicts = sorted({run["verdict"] for run in runs})
    equal = [run["equals_target"] for run in runs]
    return [" ".join(f"{v} {n}x" if len(verdicts) > 1 else v for v in verdicts for n in [sum(r["verdict"] == v for r in runs)]),
            median([int(run["rnn_steps"]) for run in runs], "{:,}".format), median([int(run["states"]) for run in runs], str), *agree,
            "-" if not any(equal) else f"{sum(e in ('yes', 'true') for e in equal)} of {len(equal)}"]


def main():
    networks = [Path(name) for name in sys.argv[1:]] or [NETWORKS / f"{name}.onnx" for name in NAMES]
    table = [["network", "method", "verdict", "steps", "states", *(f"agree {n} %" for n in LENGTHS), "target"]]
    for network in networks:
        published = cells(network, "--max-steps", str(MOST_STEPS), "--time-limit", "1h")
        table.append([network.stem, "published", *row(published)])
        for method, times in (("rpni", 1), ("biermann", 1), ("rpni", 10)):
            runs = cells(network, "--method", f"{method}:words=1000000", "--repeat", str(SEEDS),
                         "--max-steps", str(times * int(published[0]["rnn_steps"])),
                         "--time-limit", SMALLEST_WITHIN if method == "biermann" else "1h")
            table.append(["", method if times == 1 else f"{method}, {times} x", *row(runs)])
    widths = [max(len(line[c]) for line in table) for c in range(len(table[0]))]
    for line in table:
        print("  ".join(cell.ljust(w) if c < 3 else cell.rjust(w) for c, (cell, w) in enumerate(zip(line, widths))).rstrip())
    print(f"""
published: one run, seed 1, at most {MOST_STEPS:,} steps; rpni and biermann: median (least-most) of seeds 1 to {SEEDS},
random words of 1 to 20 symbols until the same steps (10 x: ten times as many) are spent. Where no smallest DFA is found
within {SMALLEST_WITHIN} (time-limit), biermann returns RPNI's.
agree: DFA and network agree, of 1,000 uniform words of that length. target: runs whose DFA is the language meant.""")


if __name__ == "__main__":
    main()
