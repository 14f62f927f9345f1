"""Languages to train networks on: which words belong, and which words to train with.

Words are Python strings of one-character symbols. Everything is deterministic by seed.
Your own language is one line at the end of this file.
"""
import random
import string


# ------------------------------------------------------------------------------------------- DFAs

def dfa_from_machine(alphabet, start, step, accept):
    """The minimal DFA of step(state, symbol) -> state, for states that are any hashable values."""
    order, numbers, delta = [start], {start: 0}, []
    for state in order:
        row = []
        for symbol in alphabet:
            following = step(state, symbol)
            if following not in numbers:
                numbers[following] = len(order)
                order.append(following)
            row.append(numbers[following])
        delta.append(row)
    return minimise({"alphabet": list(alphabet), "initial": 0,
                     "accepting": [bool(accept(state)) for state in order], "delta": delta})


def minimise(dfa):
    """Moore's partition refinement on the reachable part; states numbered breadth first."""
    reachable, seen = [dfa["initial"]], {dfa["initial"]}
    for state in reachable:
        for following in dfa["delta"][state]:
            if following not in seen:
                seen.add(following)
                reachable.append(following)
    block = {state: int(dfa["accepting"][state]) for state in reachable}
    while True:
        blocks, finer = {}, {}
        for state in reachable:
            signature = (block[state],) + tuple(block[following] for following in dfa["delta"][state])
            finer[state] = blocks.setdefault(signature, len(blocks))
        if len(blocks) == len(set(block.values())):
            break
        block = finer
    member = {}
    for state in reachable:
        member.setdefault(block[state], state)
    order, numbers = [block[dfa["initial"]]], {block[dfa["initial"]]: 0}
    for current in order:
        for following in dfa["delta"][member[current]]:
            if block[following] not in numbers:
                numbers[block[following]] = len(order)
                order.append(block[following])
    return {"alphabet": list(dfa["alphabet"]), "initial": 0,
            "accepting": [bool(dfa["accepting"][member[current]]) for current in order],
            "delta": [[numbers[block[following]] for following in dfa["delta"][member[current]]]
                      for current in order]}


def dfa_accepts(dfa, word):
    index = {symbol: i for i, symbol in enumerate(dfa["alphabet"])}
    state = dfa["initial"]
    for symbol in word:
        state = dfa["delta"][state][index[symbol]]
    return dfa["accepting"][state]


def write_dot(dfa, path):
    """The DOT form that rnnalf, Graphviz, AutomataLib and AALpy read."""
    lines = ["digraph target {"]
    for state, accepting in enumerate(dfa["accepting"]):
        lines.append('  s%d [shape="%s" label="s%d"];' % (state, "doublecircle" if accepting else "circle", state))
    lines += ['  __start0 [shape="none" label=""];', "  __start0 -> s%d;" % dfa["initial"]]
    for state, row in enumerate(dfa["delta"]):
        for symbol, following in zip(dfa["alphabet"], row):
            quoted = symbol.replace("\\", "\\\\").replace('"', '\\"')
            lines.append('  s%d -> s%d [label="%s"];' % (state, following, quoted))
    with open(path, "w") as file:
        file.write("\n".join(lines + ["}", ""]))


# ---------------------------------------------------------------------------------------- sampling

def words_of_length(rng, count, length, alphabet):
    """Up to `count` different uniform words; all words of that length if there are no more."""
    if length * len(bin(len(alphabet))) < 40 and len(alphabet) ** length <= count:
        words = [""]
        for _ in range(length):
            words = [word + symbol for word in words for symbol in alphabet]
        return words
    words, seen = [], set()
    for _ in range(20 * count):
        if len(words) == count:
            break
        word = "".join(rng.choices(alphabet, k=length))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def balanced_by_length(rng, accept, alphabet, lengths, most, pool=20000):
    """{word: belongs}, as Weiss, Goldberg & Yahav (2018) describe it: for each length as many words
    that belong as others where possible, else at most 50 for each of the rarer kind; 50 words of a
    length whose words are all of one kind."""
    words = {}
    for length in lengths:
        candidates = words_of_length(rng, pool, length, alphabet)
        rng.shuffle(candidates)
        inside = [word for word in candidates if accept(word)]
        outside = [word for word in candidates if not accept(word)]
        rare, common = (inside, outside) if len(inside) <= len(outside) else (outside, inside)
        if rare:
            rare = rare[:most // 2]
            common = common[:min(most - len(rare), 49 * len(rare))]
        else:
            common = common[:50]
        for word in rare + common:
            words[word] = accept(word)
    return words


def mutate(rng, word, alphabet, most=9):
    """The word after 1 to `most` edits: a symbol added, removed, changed or moved."""
    symbols = list(word)
    for _ in range(rng.randint(1, most)):
        edit = rng.randrange(4)
        if edit == 0 or not symbols:
            symbols.insert(rng.randint(0, len(symbols)), rng.choice(alphabet))
        elif edit == 1:
            symbols.pop(rng.randrange(len(symbols)))
        elif edit == 2:
            symbols[rng.randrange(len(symbols))] = rng.choice(alphabet)
        else:
            moved = symbols.pop(rng.randrange(len(symbols)))
            symbols.insert(rng.randint(0, len(symbols)), moved)
    return "".join(symbols)


# --------------------------------------------------------------------------------------- languages

class Language:
    """A language that uniform random words hit often enough to learn from.

    accept(word) says what belongs; words of `lengths` are drawn for training, at most `most` each.
    """
    dfa = None  # the target, where it is known and regular

    def __init__(self, alphabet, accept, description="", lengths=(*range(16), 18, 20, 22, 24), most=1000):
        self.alphabet, self.accept, self.description = list(alphabet), accept, description
        self.lengths, self.most = lengths, most

    def train_set(self, rng):
        return balanced_by_length(rng, self.accept, self.alphabet, self.lengths, self.most)

    def test_set(self, rng):
        """Words drawn like those of the train set; none where the dev set covers that."""
        return {}

    def dev_set(self, rng):
        """Up to 1000 uniform words of each length 1, 4, 7, ... 28."""
        return {word: self.accept(word) for length in range(1, 29, 3)
                for word in words_of_length(rng, 1000, length, self.alphabet)}


class DfaLanguage(Language):
    def __init__(self, dfa, description, lengths, most):
        self.dfa = dfa
        super().__init__(dfa["alphabet"], lambda word: dfa_accepts(dfa, word), description, lengths, most)


class GeneratedLanguage(Language):
    """A language that random words do not hit: positive(rng) makes words that belong, and mutated
    ones that no longer do are the others."""

    def __init__(self, alphabet, accept, description, positive, size, positives, longest, seeds, dfa=None):
        super().__init__(alphabet, accept, description)
        self.positive, self.size, self.positives, self.longest = positive, size, positives, longest
        self.seeds, self.dfa = seeds, dfa

    def train_set(self, rng, size=None, positives=None):
        size, positives = size or self.size, positives or self.positives
        inside = {word: True for word in self.seeds if self.accept(word)}
        outside = {word: False for word in self.seeds if not self.accept(word)}
        while len(inside) < positives:
            word = self.positive(rng)
            assert self.accept(word), word
            inside[word] = True
        examples = list(inside)
        while len(outside) < size - positives:
            word = mutate(rng, rng.choice(examples), self.alphabet)
            if len(word) <= self.longest and not self.accept(word):
                outside[word] = False
        return {**inside, **outside}

    def test_set(self, rng):
        return self.train_set(rng, 2000, 1000)


def tomita(number):
    """The seven languages of Tomita (1982) over 0 and 1."""
    def third(state, symbol):
        # "even": no odd run of 1s is complete (with the parity of the current one); "zeros": behind
        # such a run, in a run of 0s (with its parity); "ones": behind, in a run of 1s.
        kind, parity = state
        if kind == "dead":
            return state
        if kind == "even":
            if symbol == "1":
                return ("even", parity ^ 1)
            return ("zeros", 1) if parity else ("even", 0)
        if kind == "zeros":
            if symbol == "0":
                return ("zeros", parity ^ 1)
            return ("dead", 0) if parity else ("ones", 0)
        return ("ones", 0) if symbol == "1" else ("zeros", 1)

    start, step, accept, description = {
        1: (0, lambda s, a: 0 if s == 0 and a == "1" else 1, lambda s: s == 0, "1*"),
        2: (0, lambda s, a: {(0, "1"): 1, (1, "0"): 0}.get((s, a), 2), lambda s: s == 0, "(10)*"),
        3: (("even", 0), third, lambda s: s not in (("zeros", 1), ("dead", 0)),
            "no odd run of 1s is later followed by an odd run of 0s"),
        4: (0, lambda s, a: 3 if s == 3 else (s + 1 if a == "0" else 0), lambda s: s < 3, "no 000"),
        5: ((0, 0), lambda s, a: (s[0] ^ (a == "0"), s[1] ^ (a == "1")), lambda s: s == (0, 0),
            "even number of 0s and even number of 1s"),
        6: (0, lambda s, a: (s + (1 if a == "0" else 2)) % 3, lambda s: s == 0, "#0 - #1 = 0 mod 3"),
        7: (0, lambda s, a: s if s == 4 or (s % 2 == 0) == (a == "0") else s + 1, lambda s: s < 4, "0*1*0*1*"),
    }[number]
    lengths = [*range(14), *([15, 16, 17, 18, 19, 20] if number == 6 else [16, 19, 22])]
    return DfaLanguage(dfa_from_machine("01", start, step, accept), description, lengths, 300)


def random_dfa(states, letters, seed):
    """A minimal random DFA that accepts 30 to 70 % of the words of length 20. Its train sets do not
    contain the empty word."""
    alphabet = "abcdefghij"[:letters]
    rng = random.Random(1000003 * seed + 101 * states + letters)
    while True:
        dfa = minimise({"alphabet": list(alphabet), "initial": 0,
                        "accepting": [rng.random() < 0.5 for _ in range(states)],
                        "delta": [[rng.randrange(states) for _ in range(letters)] for _ in range(states)]})
        if len(dfa["delta"]) != states:
            continue
        share = sum(dfa_accepts(dfa, rng.choices(alphabet, k=20)) for _ in range(1000)) / 1000
        if 0.3 <= share <= 0.7:
            break
    return DfaLanguage(dfa, "random minimal DFA, %d states, %d letters, seed %d" % (states, letters, seed),
                       [*range(1, 17), 18, 20, 22, 24, 26], 1000)


def balanced_parentheses(size, positives, longest):
    """Balanced parentheses between letters; train sets go to depth 11. Not regular."""
    letters = string.ascii_lowercase

    def accept(word):
        depth = 0
        for symbol in word:
            depth += {"(": 1, ")": -1}.get(symbol, 0)
            if depth < 0:
                return False
        return depth == 0

    def positive(rng):
        length, share, top = rng.randint(0, longest - 12), rng.choice([0.2, 0.35, 0.5, 0.8]), rng.randint(1, 11)
        word, depth = [], 0
        while len(word) < length:
            if rng.random() >= share:
                word.append(rng.choice(letters))
            elif depth < top and (depth == 0 or rng.random() < 0.55):
                word.append("(")
                depth += 1
            elif depth > 0:
                word.append(")")
                depth -= 1
        while depth:
            if len(word) + depth < longest and rng.random() > share:
                word.append(rng.choice(letters))
            else:
                word.append(")")
                depth -= 1
        return "".join(word)

    return GeneratedLanguage("()" + letters, accept, "balanced parentheses, depth up to 11 in the train set",
                             positive, size, positives, longest, ["", "(", ")"])


def shallow_parentheses(deepest):
    """Balanced parentheses and a letter, nested up to some depth: a regular language."""
    def step(depth, symbol):
        if depth is None or symbol == "a":
            return depth
        depth += 1 if symbol == "(" else -1
        return depth if 0 <= depth <= deepest else None

    dfa = dfa_from_machine("()a", 0, step, lambda depth: depth == 0)
    return DfaLanguage(dfa, "balanced parentheses, nested up to %d deep" % deepest, [*range(16), 18, 20, 22], 500)


def emails(size, positives):
    letters, digits = string.ascii_lowercase, string.digits
    ends = {("dot", "c"): "c", ("c", "o"): "co", ("co", "m"): "end", ("co", "."): "co.",
            ("dot", "n"): "n", ("n", "e"): "ne", ("ne", "t"): "end"}

    def step(state, symbol):
        if state == "start":
            return "user" if symbol in letters else "dead"
        if state == "user":
            return "user" if symbol in letters + digits else "at" if symbol == "@" else "dead"
        if state in ("at", "host"):
            if symbol in letters + digits:
                return "host"
            return "dot" if symbol == "." and state == "host" else "dead"
        if (state, symbol) in ends:
            return ends[state, symbol]
        if state == "co." and symbol in letters:
            return "co.x"
        return "end" if state == "co.x" and symbol in letters else "dead"

    def positive(rng):
        user = rng.choice(letters) + "".join(rng.choices(letters + digits, k=rng.randint(1, 7)))
        host = "".join(rng.choices(letters + digits, k=rng.randint(2, 8)))
        country = ".co." + "".join(rng.choices(letters, k=2))
        return user + "@" + host + rng.choice([".com", ".net", country])

    dfa = dfa_from_machine(letters + digits + "@.", "start", step, lambda state: state == "end")
    return GeneratedLanguage(dfa["alphabet"], lambda word: dfa_accepts(dfa, word),
                             r"[a-z][a-z0-9]*@[a-z0-9]+\.(com|net|co\.[a-z][a-z])",
                             positive, size, positives, 34, [""], dfa)


def json_lists():
    items = "S0NTF"

    def step(state, symbol):
        following = {("start", "["): "open", ("open", "]"): "end", ("item", ","): "comma", ("item", "]"): "end"}
        if symbol in items:
            return "item" if state in ("open", "comma") else "dead"
        return following.get((state, symbol), "dead")

    dfa = dfa_from_machine("[]S0NTF,", "start", step, lambda state: state == "end")
    return GeneratedLanguage(dfa["alphabet"], lambda word: dfa_accepts(dfa, word),
                             r"\[\] or \[[S0NTF](,[S0NTF])*\]",
                             lambda rng: "[" + ",".join(rng.choices(items, k=rng.randint(1, 34))) + "]",
                             20000, 10000, 74, ["", "[]"], dfa)


def dates():
    """Days, months and years: 3/11/2018, 03/11/2018. No calendar."""
    digits = string.digits

    def step(state, symbol):
        if state is None:
            return None
        field, seen = state
        if symbol in digits:
            return (field, seen + 1) if seen < (2, 2, 4)[field] else None
        return (field + 1, 0) if field < 2 and seen > 0 else None

    def positive(rng):
        day, month, year = rng.randint(0, 99), rng.randint(0, 99), rng.randint(0, 9999)
        return (rng.choice(["%d/", "%02d/"]) % day) + (rng.choice(["%d/", "%02d/"]) % month) + "%04d" % year

    dfa = dfa_from_machine(digits + "/", (0, 0), step, lambda state: state == (2, 4))
    return GeneratedLanguage(dfa["alphabet"], lambda word: dfa_accepts(dfa, word), r"\d{1,2}/\d{1,2}/\d{4}", positive,
                             12000, 6000, 24, [""], dfa)


def counting():
    """1, 2, 3, 4, 5 in this order, each once or more often, between letters."""
    letters, longest = string.ascii_lowercase, 43

    def step(last, symbol):
        if last is None or symbol in letters:
            return last
        return int(symbol) if int(symbol) in (last, last + 1) else None

    def positive(rng):
        length = rng.randint(5, longest)  # short words too, to begin with
        first = sorted(rng.sample(range(length), 5))
        word = rng.choices(letters, k=first[0])
        for digit, begin, end in zip("12345", first, first[1:] + [length]):
            word += [digit] + rng.choices(letters + digit, [1] * 26 + [8], k=end - begin - 1)
        return "".join(word)

    dfa = dfa_from_machine(letters + "12345", 0, step, lambda last: last == 5)
    return GeneratedLanguage(dfa["alphabet"], lambda word: dfa_accepts(dfa, word),
                             "[a-z]*1[a-z1]*2[a-z2]*3[a-z3]*4[a-z4]*5[a-z5]*", positive, 20000, 10000, longest,
                             ["", "12345"], dfa)


# The sizes of the paper's random languages: states and letters.
RANDOM_SIZES = ((5, 3), (5, 5), (10, 3))

LANGUAGES = {
    **{"tomita%d" % number: (lambda number=number: tomita(number)) for number in range(1, 8)},
    **{"rand%d_%d_s%d" % (states, letters, seed):
       (lambda states=states, letters=letters, seed=seed: random_dfa(states, letters, seed))
       for states, letters in RANDOM_SIZES for seed in (*range(1, 10), *range(11, 100))},
    "bp": lambda: balanced_parentheses(44697, 25243, 73),         # as many words as in the paper
    "bp_small": lambda: balanced_parentheses(12000, 7000, 50),
    "bp4": lambda: shallow_parentheses(4),
    "emails": lambda: emails(40000, 20000),
    "json": json_lists,
    "counting": counting,
    "dates": dates,

    # Your own language: its alphabet and a test for membership. Then: train.py mine
    "mine": lambda: Language("ab", lambda word: word.count("ab") % 2 == 0, "an even number of ab"),
}
