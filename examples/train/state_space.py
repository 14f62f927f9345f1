"""Trains state-space models and gated linear recurrences, extracts from them, and writes a table.

  state_space.py --rnnalf build/default/adapters/cli/rnnalf --out FOLDER [--seconds 20] [LANGUAGE...] [--cells NAME...]

Each network becomes LANGUAGE.CELL.safetensors with alphabet, probes and cell in its metadata. The table is
printed as Markdown and kept in FOLDER/table.json; networks that are there already are not trained again.
docs/state-space-models.md says what the columns mean. Needs Debian's python3-torch.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from languages import DfaLanguage, LANGUAGES, dfa_from_machine, random_dfa, shallow_parentheses, write_dot

LONGEST = 20


def parity():
    dfa = dfa_from_machine("01", 0, lambda state, symbol: state ^ (symbol == "1"), lambda state: state == 1)
    return DfaLanguage(dfa, "an odd number of 1s", range(LONGEST + 1), 100)


TARGETS = {**{"tomita%d" % n: LANGUAGES["tomita%d" % n] for n in range(1, 8)}, "parity": parity,
           **{"dyck%d" % n: (lambda n=n: shallow_parentheses(n)) for n in (1, 2, 3)},
           "random10": lambda: random_dfa(10, 3, 1)}


# ------------------------------------------------------------------------------------------------ cells

def linear_scan(log_decay, added):
    """h_t = exp(log_decay_t) h_(t-1) + added_t for all t at once; both [words, length, n], decays up to 1."""
    total = log_decay.cumsum(1)
    between = total.unsqueeze(2) - total.unsqueeze(1)          # from s to t
    length = added.shape[1]
    later = torch.tril(torch.ones(length, length, dtype=torch.bool)).unsqueeze(-1)
    return (torch.where(later, between, between.new_tensor(-1e9)).exp() * added.unsqueeze(1)).sum(2)


class MinGRU(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.linear_z, self.linear_h = nn.Linear(inputs, hidden), nn.Linear(inputs, hidden)

    def forward(self, x):
        z = self.linear_z(x)
        return linear_scan(-F.softplus(z), torch.sigmoid(z) * self.linear_h(x))


class Diagonal(nn.Module):
    """h' = a h + B x, y = h'. The eigenvalues a are real, in (0, 1), or in (-1, 1) where they have signs."""

    def __init__(self, inputs, hidden, signed):
        super().__init__()
        self.signed = signed
        self.rate = nn.Parameter(torch.linspace(-3, 4, hidden))      # |a| = sigmoid(rate)
        self.sign = torch.tensor([1.0, -1.0] * hidden)[:hidden] if signed else torch.ones(hidden)
        self.B_re = nn.Parameter(torch.randn(hidden, inputs) / inputs ** 0.5)

    def forward(self, x):
        length = x.shape[1]
        away = (torch.arange(length)[:, None] - torch.arange(length)[None]).clamp(min=0)
        powers = torch.sigmoid(self.rate).pow(away.unsqueeze(-1)) * torch.where(
            away.unsqueeze(-1) % 2 == 1, self.sign, torch.ones_like(self.sign))
        kernel = powers * torch.tril(torch.ones(length, length)).unsqueeze(-1)
        return torch.einsum("tsn,bsn->btn", kernel, x @ self.B_re.t())

    def tensors(self):
        return {"A_re": torch.sigmoid(self.rate) * self.sign, "B_re": self.B_re}


class Mamba(nn.Module):
    """The tensors and formulas of mamba-ssm, small: a selective diagonal recurrence with eigenvalues in (0, 1)."""

    def __init__(self, inputs, hidden, states=4, filter_length=2, rank=4):
        super().__init__()
        self.rank, self.states, self.filter_length = rank, states, filter_length
        self.in_proj = nn.Linear(inputs, 2 * hidden, bias=False)
        self.conv1d = nn.Conv1d(hidden, hidden, filter_length, groups=hidden, padding=filter_length - 1)
        self.x_proj = nn.Linear(hidden, rank + 2 * states, bias=False)
        self.dt_proj = nn.Linear(rank, hidden)
        self.A_log = nn.Parameter(torch.log(torch.arange(1.0, states + 1)).repeat(hidden, 1))
        self.D = nn.Parameter(torch.ones(hidden))
        self.out_proj = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x):
        u, gate = self.in_proj(x).chunk(2, -1)
        u = F.silu(self.conv1d(u.transpose(1, 2))[..., :x.shape[1]].transpose(1, 2))
        step, b, c = self.x_proj(u).split([self.rank, self.states, self.states], -1)
        step = F.softplus(self.dt_proj(step))
        y = self.D * u
        for k in range(self.states):
            h = linear_scan(-step * self.A_log[:, k].exp(), step * u * b[..., k:k + 1])
            y = y + h * c[..., k:k + 1]
        return self.out_proj(y * F.silu(gate))


class SLSTM(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.weight_ih = nn.Parameter(torch.randn(4 * hidden, inputs) / inputs ** 0.5)
        self.weight_hh = nn.Parameter(torch.randn(4 * hidden, hidden) / hidden ** 0.5)
        self.bias = nn.Parameter(torch.cat([torch.zeros(hidden), torch.full((hidden,), 2.0), torch.zeros(2 * hidden)]))

    def forward(self, x):
        h = c = n = m = torch.zeros(len(x), self.hidden)
        all_h = []
        for at in (x @ self.weight_ih.t() + self.bias).unbind(1):
            i, f, z, o = (at + h @ self.weight_hh.t()).chunk(4, -1)
            kept = m - F.softplus(-f)
            m = torch.maximum(kept, i)
            forget, enter = torch.exp(kept - m), torch.exp(i - m)
            c, n = forget * c + enter * torch.tanh(z), forget * n + enter
            h = torch.sigmoid(o) * c / n
            all_h.append(h)
        return torch.stack(all_h, 1)


class Torch(nn.Module):
    def __init__(self, kind, inputs, hidden):
        super().__init__()
        self.rnn = kind(inputs, hidden, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]

    def tensors(self):
        return {"rnn." + name: value for name, value in self.rnn.state_dict().items()}


CELLS = {
    "mingru": ("mingru", MinGRU, 2),
    "lru-nonnegative": ("diagonal", lambda i, h: Diagonal(i, h, False), 2),
    "lru-signed": ("diagonal", lambda i, h: Diagonal(i, h, True), 2),
    "selective": ("mamba", Mamba, 2),
    "slstm": ("slstm", SLSTM, 1),
    "gru": (None, lambda i, h: Torch(nn.GRU, i, h), 1),
    "lstm": (None, lambda i, h: Torch(nn.LSTM, i, h), 1),
}


class Network(nn.Module):
    """One-hot symbols -> an embedding -> layers of a cell -> a head with one hidden layer -> the logit of accept."""

    def __init__(self, symbols, cell, hidden):
        super().__init__()
        _, make, layers = CELLS[cell]
        self.embedding = nn.Embedding(symbols, hidden)
        self.layers = nn.ModuleList([make(hidden, hidden) for _ in range(layers)])
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, words):
        """[words, length] -> logits after each symbol"""
        x = self.embedding(words)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)[..., 0]

    def tensors(self):
        found = {"embedding.weight": self.embedding.weight}
        for number, layer in enumerate(self.layers):
            own = layer.tensors() if hasattr(layer, "tensors") else layer.state_dict()
            found.update({"layers.%d.%s" % (number, name): value for name, value in own.items()})
        return {**found, **{"head." + name: value for name, value in self.head.state_dict().items()}}


# ------------------------------------------------------------------------------------------------ training

def labelled(dfa, words):
    """[words, length] of symbol numbers -> whether each prefix belongs to the language"""
    delta, accepting = torch.tensor(dfa["delta"]), torch.tensor(dfa["accepting"])
    state = torch.full((len(words),), dfa["initial"])
    labels = []
    for symbol in words.unbind(1):
        state = delta[state, symbol]
        labels.append(accepting[state])
    return torch.stack(labels, 1).float()


def sample(dfa, count, length, generator):
    """Words that mostly stay where both answers can still come: half of the symbols avoid a sink if they can."""
    delta, accepting = dfa["delta"], dfa["accepting"]
    sinks = [all(following == state for following in row) for state, row in enumerate(delta)]
    keep = torch.tensor([[not sinks[following] for following in row] for row in delta]).float()
    table, state = torch.tensor(delta), torch.full((count,), dfa["initial"])
    careful = torch.rand(count, generator=generator) < 0.7
    symbols = []
    for _ in range(length):
        weights = torch.where(careful[:, None], keep[state] + 1e-2, torch.ones(count, keep.shape[1]))
        symbol = torch.multinomial(weights, 1, generator=generator)[:, 0]
        symbols.append(symbol)
        state = table[state, symbol]
    return torch.stack(symbols, 1)


def train(net, dfa, seconds, seed):
    """Adam on fresh words, with the labels of all prefixes; until 300 words of the longest length have no wrong
    prefix, twice. Returns the share of right prefixes of words twice as long as any that it saw."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    start, step, perfect = time.process_time(), 0, 0

    def right(length):
        with torch.no_grad():
            words = sample(dfa, 300, length, generator)
            return float(((net(words) > 0) == (labelled(dfa, words) > 0)).float().mean())

    while time.process_time() - start < seconds and perfect < 2:
        length = min(LONGEST, 5 + step // 40)
        words = sample(dfa, 64, length, generator)
        loss = F.binary_cross_entropy_with_logits(net(words), labelled(dfa, words))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 400 == 0:
            optimizer.param_groups[0]["lr"] *= 0.7
        if length == LONGEST and step % 100 == 0 and float(loss.detach()) < 0.05:
            perfect = perfect + 1 if right(LONGEST) == 1 else 0
    return {"steps": step, "right": right(LONGEST), "right_longer": right(2 * LONGEST),
            "train_seconds": time.process_time() - start}


def write_safetensors(path, tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name, value in tensors.items():
        raw = value.detach().contiguous().float().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def probes(net, alphabet, seed):
    rng = random.Random(seed)
    words = [[rng.randrange(len(alphabet)) for _ in range(length)] for length in (1, 2, 3, 5, 8, 13, 20, 30)]
    with torch.no_grad():
        return [[[alphabet[s] for s in word], float(torch.sigmoid(net(torch.tensor([word]))[0, -1]))] for word in words]


# ------------------------------------------------------------------------------------------------ the table

def run(rnnalf, language, cell, out, seconds, limit):
    target = TARGETS[language]()
    base, target_file = os.path.join(out, "%s.%s" % (language, cell)), os.path.join(out, language + ".target.dot")
    facts = {"language": language, "cell": cell}
    write_dot(target.dfa, target_file)
    if os.path.exists(base + ".json"):
        facts = json.load(open(base + ".json"))
    else:
        torch.manual_seed(1)
        net = Network(len(target.alphabet), cell, 24)
        facts.update(train(net, target.dfa, seconds, 1))
        metadata = {"rnnalf.alphabet": json.dumps(target.alphabet), "rnnalf.probes": json.dumps(probes(net, target.alphabet, 1))}
        if CELLS[cell][0]:
            metadata["rnnalf.cell"] = CELLS[cell][0]
        write_safetensors(base + ".safetensors", net.tensors(), metadata)
        json.dump(facts, open(base + ".json", "w"), indent=1)
    if not rnnalf:
        return facts
    # The empty word, which no training word is, has the target's answer.
    empty = "accept" if target.dfa["accepting"][target.dfa["initial"]] else "reject"
    begin = time.time()
    given = [base + ".safetensors", "--activation", "relu", "--empty-word", empty]
    subprocess.run([rnnalf, "extract", given[0], *given[1:], "--time-limit", limit, "--json", base + ".extraction.json", "--dot", base + ".dot", "--quiet", "--progress", "none",
                    "--target", target_file], check=False, stdout=subprocess.DEVNULL)
    found = json.load(open(base + ".extraction.json"))
    facts["seconds"] = time.time() - begin
    facts["states"], facts["verdict"] = len(found["dfa"]["accepting"]), found["verdict"]
    same = found["dfa"]["accepting"] == target.dfa["accepting"] and found["dfa"]["transitions"] == target.dfa["delta"]
    facts["equal"] = same
    facts["star_free"] = is_star_free(found["dfa"])
    judged = subprocess.run([rnnalf, "evaluate", *given, target_file, "--json", "-", "--time-limit", limit], check=False,
                            stdout=subprocess.PIPE)  # what was found when a limit ends it counts
    wrong = sorted(len(one["word"]) for one in json.loads(judged.stdout)["disagreements"] + found["counterexamples"]
                   if one.get("target", None) is None or one["target"] != one["network"])
    facts["breaks"] = wrong[0] if wrong else None
    json.dump(facts, open(base + ".json", "w"), indent=1)
    return facts


def is_star_free(dfa, most=20000):
    """Whether no element of the automaton's transition monoid permutes states in a circle (Schuetzenberger 1965):
    each x has x^n = x^(n+1). None where the monoid has more than `most` elements."""
    letters = [tuple(column) for column in zip(*dfa["transitions"])]
    identity = tuple(range(len(dfa["transitions"])))
    seen, open_ = {identity}, [identity]
    while open_:
        element = open_.pop()
        for letter in letters:
            product = tuple(letter[state] for state in element)
            if product not in seen:
                if len(seen) == most:
                    return None
                seen.add(product)
                open_.append(product)

    def stops(element):
        power = element
        for _ in identity:
            power, before = tuple(element[state] for state in power), power
            if power == before:
                return True
        return False
    return all(stops(element) for element in seen)


def cell_text(facts):
    trained = "yes" if facts["right"] == 1 else "%.1f %%" % min(99.9, 100 * facts["right"])
    if "states" not in facts:
        return trained
    result = "equal" if facts["equal"] else "%d states%s" % (
        facts["states"], {True: ", star-free", False: ", counts", None: ""}[facts["star_free"]])
    return "%s; %s; %s; %.1f s" % (trained, result, facts["breaks"] if facts["breaks"] is not None else "–", facts["seconds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=list(TARGETS), metavar="LANGUAGE", help=", ".join(TARGETS))
    parser.add_argument("--cells", nargs="+", default=list(CELLS), choices=list(CELLS))
    parser.add_argument("--rnnalf", help="the program; without it, only training")
    parser.add_argument("--out", default=".")
    parser.add_argument("--seconds", type=float, default=20, help="CPU time of each training at most")
    parser.add_argument("--limit", default="20s", help="time limit of each extraction")
    given = parser.parse_args()
    torch.set_num_threads(1)
    os.makedirs(given.out, exist_ok=True)
    print("| language | %s |\n|---%s|" % (" | ".join(given.cells), "|---" * len(given.cells)), flush=True)
    table = []
    for language in given.languages or TARGETS:
        row = [run(given.rnnalf, language, cell, given.out, given.seconds, given.limit) for cell in given.cells]
        table += row
        print("| %s | %s |" % (language, " | ".join(cell_text(facts) for facts in row)), flush=True)
        json.dump(table, open(os.path.join(given.out, "table.json"), "w"), indent=1)


if __name__ == "__main__":
    main()
