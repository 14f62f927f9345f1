#!/usr/bin/env python3
"""How far beyond its limits a run goes, with every output written, as a Markdown table.

  bench/limits.py --rnnalf build/default/adapters/cli/rnnalf [--runs 20] [--limits 1,5,30] [--memory 500] [NET.onnx ...]

`--until exact`, so that no run ends by itself before its limit unless nothing refutes the result; JSON, DOT, SVG, page and
trace are written. Networks are taken in turn with seeds 1, 2, ... Seconds are wall time of the whole process beyond the time
limit, memory its peak. On a busy machine wall time says little alone, so CPU seconds (with those of Graphviz) and the processes
that wanted a core (the load average, before and after) stand beside it.
"""
import argparse
import glob
import os
import statistics
import subprocess
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rnnalf", required=True, help="the program")
parser.add_argument("--runs", type=int, default=20, help="for each limit")
parser.add_argument("--limits", default="1,5,30", help="seconds")
parser.add_argument("--memory", type=int, default=500, help="--memory-limit in MB")
parser.add_argument("networks", nargs="*")
arguments = parser.parse_args()
networks = arguments.networks or sorted(glob.glob(os.path.join(here, "..", "examples", "networks", "*[0-9].onnx")))

print("| time limit | runs | at the limit | longest beyond it | median | its CPU seconds | network | largest peak memory | network | load, %d cores |"
      % os.cpu_count())
print("|---|---|---|---|---|---|---|---|---|---|")
for limit in map(float, arguments.limits.split(",")):
    beyond, memory, at_limit, load = [], [], 0, [os.getloadavg()[0]]
    for number in range(arguments.runs):
        network = networks[number % len(networks)]
        name = os.path.basename(network)
        with tempfile.TemporaryDirectory() as folder:
            outputs = [word for kind in ("json", "dot", "svg", "report", "trace")
                       for word in ("--" + kind, os.path.join(folder, "run." + kind))]
            start = time.monotonic()
            process = subprocess.Popen([arguments.rnnalf, "extract", network, "--until", "exact", "--quiet", "--seed",
                                        str(1 + number // len(networks)), "--time-limit", "%gs" % limit, "--memory-limit",
                                        "%dMB" % arguments.memory, *outputs])
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 3):
                raise SystemExit("%s: exit code %d" % (network, process.returncode))
            at_limit += process.returncode == 3
            beyond.append((time.monotonic() - start - limit, usage.ru_utime + usage.ru_stime, name))
            memory.append((usage.ru_maxrss / 1024, name))
            load.append(os.getloadavg()[0])
    longest, cpu, name = max(beyond)
    # Runs that ended by themselves are not beyond it.
    median = statistics.median(max(0, seconds) for seconds, _, _ in beyond)
    print("| %g s | %d | %d | %.2f s | %.2f s | %.2f | %s | %.0f MB | %s | %.1f to %.1f |" % (
        limit, len(beyond), at_limit, longest, median, cpu, name, *max(memory), min(load), max(load)), flush=True)
