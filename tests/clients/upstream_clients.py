"""Builds upstream libalf's own programs against upstream and against the toolkit, runs both, prints a table.

  upstream_clients.py --sources DIR --prefix DIR --toolkit DIR --library FILE [--bridge DIR] [--only NAME] [--keep DIR]

  --sources  a checkout of upstream's repository (libalf, finite-automata-tool, libalf_interfaces, ...)
  --prefix   where upstream's libraries are installed (libalf, libAMoRE, libAMoRE++, liblangen, libmVCA)
  --toolkit  this project's toolkit/ folder;  --library  the library built from it
  --bridge   a checkout of LearnLib's native bridge to libalf, compiled but not run
  --keep     where to leave sources' objects, programs and outputs; else they are removed

Columns: does it compile against each, do both runs end well, and how do the outputs compare (stdout and
files written, without log lines):
  same        letter by letter
  isomorphic  the same automata, states numbered differently; all else the same
  result      the last automaton accepts the same language; on the way there queries or conjectures differ
  random      it draws random numbers, or upstream's own two runs differ: both end well, nothing more can be said
A run that ends by a signal, or not in two minutes, has not ended well; what upstream's does not is not counted.
Exit status 1 if something that compiles against upstream does not compile here, fails here alone, or
differs without being listed in EXPECTED.
"""
import argparse
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WORDS_OFFLINE = [("", 1), ("0", 1), ("1", 0), ("01", 0), ("11", 1), ("101", 1), ("10", 0), ("111", 0), ("0110", 1)]


def sample_dialogue():
    lines = ["2"]
    for i, (word, accepted) in enumerate(WORDS_OFFLINE):
        lines += [word or ".", str(accepted), "y" if i + 1 < len(WORDS_OFFLINE) else "n"]
    return "\n".join(lines) + "\n"


def even_ones(word):
    return word.count("1") % 2 == 0


class OnlineTeacher:
    """Answers the prompts of upstream's `online` program for the words with an even number of ones."""

    def __init__(self):
        self.wrong = None

    def reply(self, text):
        if text.endswith("(between 1 and 10): "):
            return "2"
        if text.endswith("' (0/1): "):
            return "1" if even_ones(text[text.rindex("word '") + 6:-9]) else "0"
        if text.endswith("equivalent (y/n): "):
            automaton = automata_in(text)[-1]
            self.wrong = next((w for w in words(2, 6) if automaton.accepts(w) != even_ones(w)), None)
            return "y" if self.wrong is None else "n"
        if text.endswith("as epsilon): "):
            return self.wrong or "."
        return None


class GenericTeacher:
    """Answers the prompts of upstream's `learn_generic` programs: a, b or c by the number of ones modulo three."""

    def __init__(self):
        self.letters = []

    def reply(self, text):
        if text.endswith("please enter alphabet size. "):
            return "2"
        if text.endswith(" [a..c] "):
            return self.answer(text[text.rindex("classify ") + 9:-8].replace(".", ""))
        if text.endswith("[Y/T/+ or N/F/-] "):
            machine = text[text.rindex("digraph moore_machine"):]
            output = dict(re.findall(r'label="q(\d+)\\n\[(\w)\]"', machine))
            state = re.search(r"iq\d+ -> q(\d+) ", machine).group(1)
            edges = {(s, a): t for s, t, a in re.findall(r"\tq(\d+) -> q(\d+) \[label=\"(\d)\"", machine)}
            for word in words(2, 6):
                reached = state
                for letter in word:
                    reached = edges[reached, letter]
                if output[reached] != self.answer(word):
                    self.letters = list(word) + ["2"]
                    return "n"
            return "y"
        if text.endswith("next letter "):
            return self.letters.pop(0)
        return None

    @staticmethod
    def answer(word):
        return "abc"[word.count("1") % 3]


def words(letters, longest):
    level = [""]
    for _ in range(longest + 1):
        yield from level
        level = [w + str(a) for w in level for a in range(letters)]


# How each program is started: lists of arguments. Others are started once, without any. {kb}: a
# serialised knowledgebase, {automaton}: a text file, {serial}: the same serialised.
ARGUMENTS = {
    "NLstar_count_eq_queries/count_eq_queries_random": [],  # never ends
    "NLstar_count_eq_queries/count_eq_queries": [],         # never ends
    "DeLeTe2/delete2_complete_sample_set": [["2", "(a|b)*a(a|b)"]],
    "DeLeTe2/delete2_regex": [["2", "(a|b)*a(a|b)"], ["1", "aaa*"]],
    "DeLeTe2/delete2_file": [["{kb}"]],
    "conjecture/finite_automaton_from_file": [["{serial}"]],
    "simple-example/learn_regex": [["2", "(a|b)*a(a|b)"], ["3", "(ab|c)*"]],
    "normalizer/normalizer": [["0", "1", "2", "3"], ["2", "0", "1", "3"], ["1", "0"], ["9"]],
    "RPNI/rpni_regex": [["2", "(a|b)*a(a|b)"], ["1", "aaa*"]],
    "RPNI/rpni_file": [["{kb}"]],
    "RPNI/rpni_angluin_tester": [["3", "2", "4"]],
    "biermann_original/learn_regex": [["2", "(a|b)*a", "2"]],
    "biermann/biermann_regex": [["2", "(a|b)*a"]],
    "finite-automata-tool/fat": [["-h", "-H"], ["-h", "-d", "-m", "-H"], ["-h", "-r", "-H"], ["-h", "-D"],
                                 ["-h", "-d", "-m", "-T", "rpni"], ["-h", "-T", "delete2"], ["-h", "-T", "depth:3"], ["-h", "-S", "depth:3"]],
    "finite-automata-tool/fateq": [["-h", "-1", "{automaton}", "-2", "{automaton}"]],
}
AUTOMATON = """[general]
\tis dfa = false;
\talphabet size = 2;
\tnumber of states = 3;
[initial states]
\t0;
[final states]
\t2;
[transitions]
\t0, 0, 0;
\t0, 1, 0;
\t0, 1, 1;
\t1, 0, 2;
\t1, 1, 2;
"""
GENERIC = "angluin_generic/learn_generic"  # one source, three programs
NOT_RUN = {"libalf_interfaces/dispatcher": "a network server", "libalf_interfaces/jalf": "a library for Java",
           "bridge": "a library for Java"}

# Seeded by the system's random numbers: two runs may happen to be alike.
RANDOM = {"RPNI/rpni_angluin_tester", "biermann_original/learn_generic"}

# What differs on purpose, and why; toolkit/README.md has the reasons at length.
EXPECTED = {
    "serialization/serialization_kearns_vazirani": "a learner prints its own data structure",
    "statistics/stat": "upstream loses the value of a serialised double",
}


class Automaton:
    """A finite automaton, read from the Graphviz text that libalf writes."""

    def __init__(self, text):
        self.final = set()
        for line in re.findall(r"shape=doublecircle[^\]]*\];([^;]*);", text):
            self.final.update(int(q[1:]) for q in line.split())
        self.initial = [int(q) for q in re.findall(r"iq\d+ -> q(\d+) ", text)]
        self.edges = {}
        for source, target, letter in re.findall(r"\tq(\d+) -> q(\d+) \[label=\"(-?\d+)\"", text):
            self.edges.setdefault((int(source), int(letter)), set()).add(int(target))
        self.letters = sorted({letter for _, letter in self.edges})

    def accepts(self, word):
        states = set(self.initial)
        for letter in word:
            states = {t for s in states for t in self.edges.get((s, int(letter)), ())}
        return bool(states & self.final)

    def numbered(self):
        """States numbered breadth first: equal for isomorphic deterministic automata."""
        order = list(self.initial)
        rows = []
        for state in order:
            row = [state in self.final]
            for letter in self.letters:
                targets = sorted(self.edges.get((state, letter), ()))
                order += [t for t in targets if t not in order]
                row.append(tuple(order.index(t) for t in targets))
            rows.append(tuple(row))
        return tuple(rows)

    def language(self):
        """The minimal DFA, as a partition of what words of up to so many letters tell apart."""
        letters = "".join(str(a) for a in self.letters)
        return tuple(self.accepts(w) for w in words(max(len(letters), 1), 8 if len(letters) < 3 else 5))


# libalf's automata and libAMoRE++'s, which look alike.
AUTOMATON_TEXT = re.compile(r"digraph (?:finite_automaton|\w*amore\w*|automaton)\s*\{.*?^\}", re.S | re.M)


def automata_in(text):
    return [Automaton(block) for block in AUTOMATON_TEXT.findall(text)]


def without_logs(text):
    """Log lines end with the reset of the colour; addresses and empty lines are no results."""
    text = re.sub(r"(?:\x1b\[[0-9;]*m)?[^\n\x1b]*\n?\x1b\[m", "", text)
    text = re.sub(r"(?:started|stopped) logger instance\n", "", text)
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", re.sub(r"\n\s*\n+", "\n", text))


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


class Side:
    """One of the two libraries: how to compile against it."""

    def __init__(self, name, includes, libraries, prefix, work):
        self.name = name
        self.work = work / name
        self.flags = ["-w", "-O0", "-std=gnu++17", "-DVERSION=\"test\""] + [f"-I{d}" for d in includes]
        self.link = [str(x) for x in libraries] + [f"-L{prefix}/lib", "-llangen", "-lAMoRE++", "-lAMoRE", "-lmVCA", "-lm",
                                                   f"-Wl,--disable-new-dtags,-rpath={prefix}/lib"]

    def build(self, client):
        folder = self.work / client.name
        folder.mkdir(parents=True, exist_ok=True)
        objects = []
        for source in client.sources:
            target = folder / (source.stem + ".o")
            done = run(["g++", *self.flags, *client.flags, "-c", str(source), "-o", str(target)])
            if done.returncode != 0:
                (folder / "errors.txt").write_bytes(done.stdout)
                return None
            objects.append(str(target))
        if client.is_library:
            return folder
        program = folder / "program"
        done = run(["g++", *objects, *self.link, *client.link, "-o", str(program)])
        if done.returncode != 0:
            (folder / "errors.txt").write_bytes(done.stdout)
            return None
        return program


class Client:
    def __init__(self, name, sources, flags=(), link=(), is_library=False):
        self.name, self.sources, self.flags, self.link, self.is_library = name, sources, list(flags), list(link), is_library


def find_clients(sources, bridge, java):
    clients = []
    for source in sorted((sources / "libalf" / "testsuites").glob("*/*.cpp")):
        name = f"{source.parent.name}/{source.stem}"
        if name != GENERIC:
            clients.append(Client(name, [source]))
            continue
        for number, algorithm in enumerate(("simple", "columns", "rivest_schapire"), 1):
            clients.append(Client(f"{name}_{algorithm}", [source], [f"-DALGORITHM={number}"], ["-lreadline"]))
    fat = sources / "finite-automata-tool"
    clients.append(Client("finite-automata-tool/fat",
                          [fat / f"{n}.cpp" for n in ("fat", "input", "transformation", "output")]))
    clients.append(Client("finite-automata-tool/fateq", [fat / "fateq.cpp"]))
    server = sources / "libalf_interfaces" / "dispatcher"
    clients.append(Client("libalf_interfaces/dispatcher", sorted((server / "src").glob("*.cpp")),
                          [f"-I{server / 'include'}"], is_library=True))
    if java:
        jni = [f"-I{java}", f"-I{java / 'linux'}"]
        jalf = sources / "libalf_interfaces" / "jalf"
        clients.append(Client("libalf_interfaces/jalf", sorted((jalf / "src").glob("*.cpp")),
                              jni + [f"-I{jalf / 'include'}"], is_library=True))
        if bridge:
            clients.append(Client("bridge", sorted((bridge / "src").glob("*.cpp")), jni + [f"-I{bridge / 'include'}"],
                                  is_library=True))
    return clients


def converse(program, folder, teacher):
    """Runs a program that asks questions; returns status and everything it printed."""
    process = subprocess.Popen([str(program)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "dumb"})
    text = ""
    while True:
        if not select.select([process.stdout], [], [], 120)[0]:
            process.kill()
            process.wait()
            return "time", text
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            return process.wait(), text
        text += byte.decode("latin-1")
        answer = teacher.reply(text)
        if answer is not None:
            process.stdin.write((answer + "\n").encode())
            process.stdin.flush()


def execute(client, program, folder, inputs):
    """All runs of one program: how they ended, and what came out (None: it was not run)."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if client.name == "online/online":
        return converse(program, folder, OnlineTeacher())
    if client.name.startswith(GENERIC):
        return converse(program, folder, GenericTeacher())
    stdin = {"offline/offline": sample_dialogue().encode(), "finite-automata-tool/fat": AUTOMATON.encode()}.get(client.name, b"")
    text = ""
    status = 0
    for arguments in ARGUMENTS.get(client.name, [[]]):
        command = [str(program)] + [a.format(**inputs) for a in arguments]
        try:
            done = subprocess.run(command, cwd=folder, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
        except subprocess.TimeoutExpired:
            return "time", text
        status = done.returncode if done.returncode < 0 else status or done.returncode
        text += done.stdout.decode("latin-1")
    for written in sorted(folder.rglob("*")):
        if written.is_file():
            text += f"\n--- {written.name}\n" + written.read_bytes().decode("latin-1")
    return status, text


def compare(ours, theirs, theirs_again):
    ours, theirs, theirs_again = without_logs(ours), without_logs(theirs), without_logs(theirs_again)
    if theirs_again != theirs:
        return "random"
    if ours == theirs:
        return "same"
    a, b = automata_in(ours), automata_in(theirs)
    rest = AUTOMATON_TEXT.sub("", ours) == AUTOMATON_TEXT.sub("", theirs)
    if rest and [x.numbered() for x in a] == [x.numbered() for x in b]:
        return "isomorphic"
    if a and b and a[-1].language() == b[-1].language():
        return "result"
    return "differs"


def ends_well(status):
    return status != "time" and status >= 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("sources", "prefix", "toolkit", "library"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name in ("bridge", "keep"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    work = options.keep or Path(tempfile.mkdtemp(prefix="upstream-clients-"))
    work = work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    # Upstream's other libraries without its libalf, so that no header of that is found by accident.
    others = work / "include"
    shutil.rmtree(others, ignore_errors=True)
    others.mkdir()
    for entry in (options.prefix / "include").iterdir():
        if entry.name != "libalf" and not entry.name.endswith("_alf_glue.h"):
            (others / entry.name).symlink_to(entry.resolve())
    upstream = Side("upstream", [options.prefix / "include"], ["-L" + str(options.prefix / "lib"), "-lalf"] + ["-lz3"] * Path("/usr/include/z3++.h").exists(), options.prefix, work)
    toolkit = Side("toolkit", [options.toolkit.resolve(), others], [options.library.resolve(), "-lcadical"], options.prefix, work)

    (work / "automaton.txt").write_text(AUTOMATON)
    java = next((p.parent for p in sorted(Path("/usr/lib/jvm").glob("*/include/jni.h"))), None)
    clients = [c for c in find_clients(options.sources.resolve(), options.bridge and options.bridge.resolve(), java)
               if options.only in c.name]
    if not java:
        print("(no jni.h: the two bridges to Java are left out)")
    if not clients:
        sys.exit(f"no client's name contains '{options.only}'")

    with ThreadPoolExecutor(options.jobs) as pool:
        built = list(pool.map(lambda pair: pair[0].build(pair[1]), [(s, c) for c in clients for s in (upstream, toolkit)]))
    programs = {c.name: (built[2 * i], built[2 * i + 1]) for i, c in enumerate(clients)}

    # A knowledgebase and an automaton that upstream wrote: a sample of the automaton above, and itself.
    inputs = {"automaton": str(work / "automaton.txt"), "kb": str(work / "knowledgebase"), "serial": str(work / "automaton")}
    fat = programs.get("finite-automata-tool/fat") or (upstream.build(Client(
        "finite-automata-tool/fat", [options.sources.resolve() / "finite-automata-tool" / f"{n}.cpp"
                                     for n in ("fat", "input", "transformation", "output")])),)
    for name, arguments in (("kb", ["-S", "depth:4"]), ("serial", [])):
        with open(inputs[name], "wb") as target:
            subprocess.run([str(fat[0]), "-h", *arguments], input=AUTOMATON.encode(), stdout=target, check=True)

    rows, bad, both, unwell = [], [], 0, 0
    for client in clients:
        theirs, ours = programs[client.name]
        row = [client.name, "yes" if theirs else "no", "yes" if ours else "no", "", ""]
        rows.append(row)
        if theirs and not ours:
            bad.append(f"{client.name}: compiles against upstream alone; see {work}/toolkit/{client.name}/errors.txt")
        if not theirs or not ours:
            continue
        if client.is_library or ARGUMENTS.get(client.name, [[]]) == []:
            row[3] = "not run: " + NOT_RUN.get(client.name, "it does not end")
            continue
        results = [execute(client, program, work / side / client.name / "run", inputs)
                   for side, program in (("upstream", theirs), ("upstream-again", theirs), ("toolkit", ours))]
        for side, result in zip(("upstream", "upstream-again", "toolkit"), results):
            (work / side / client.name / "output.txt").write_text(result[1])
        row[3] = f"{results[0][0]} / {results[2][0]}"
        if not ends_well(results[0][0]):
            unwell += 1
            row[4] = "-"
            if not ends_well(results[2][0]):
                row[4] = "neither ends well"
            continue
        row[4] = "random" if client.name in RANDOM else compare(results[2][1], results[0][1], results[1][1])
        if results[2][0] != results[0][0]:
            bad.append(f"{client.name}: ends with {results[0][0]} on upstream, with {results[2][0]} here")
        elif row[4] == "differs" and client.name not in EXPECTED:
            bad.append(f"{client.name}: other output; see {work}/*/{client.name}/output.txt")
        else:
            both += 1
        if client.name in EXPECTED and row[4] not in ("same", "isomorphic"):
            row[4] += f": {EXPECTED[client.name]}"

    header = ["program", "compiles: upstream", "here", "ends with: upstream / here", "output"]
    for line in [header, ["---"] * 5] + rows:
        print("| " + " | ".join(line) + " |")
    compiled = [r for r in rows if r[1] == "yes"]
    print(f"\n{len(compiled)} compile against upstream; {sum(r[2] == 'yes' for r in compiled)} of these compile here; "
          f"{both} ran on both as they should; {unwell} do not end well on upstream")
    for line in bad:
        print("FAILED", line)
    if not options.keep:
        shutil.rmtree(work)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
