"""Three networks with five classes, and the Moore machine they are meant to be, for the tests.

  /usr/bin/python3 tests/data/make_classes.py     (Debian's python3-torch and python3-onnx; writes tests/data/classes)

The machine counts: a goes up to 4, b down to 0, c turns the scale round and back. Its class is the count, or 4 minus the
count while the scale is turned: 10 states, 5 classes (five.target.dot). Where classes have names (five.onnx), they are levels: empty, low,
middle, high, full.

five.pt and five.onnx are a GRU that was trained to be it for a short time, and errs on some words; five.json has the
classes and probabilities of 200 random words, PyTorch's own. trained.pt is the same GRU, trained on words of all kinds
until it is right on all prefixes of 100 of them, of 100 letters each. exact.pt is an Elman network whose weights are made from the machine: a
unit for every transition, 1 where it was the last one taken and -1 where not.
"""
import json
import os
import random

import onnx
import torch

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "classes")
LETTERS = "abc"
LEVELS = ["empty", "low", "middle", "high", "full"]


def step(state, letter):
    count, turned = state
    if letter == 2:
        return count, not turned
    return (min(count + 1, 4) if letter == 0 else max(count - 1, 0)), turned


def class_of(state):
    count, turned = state
    return 4 - count if turned else count


def classes_along(word):
    state, classes = (0, False), [0]
    for letter in word:
        state = step(state, letter)
        classes.append(class_of(state))
    return classes


def write_target():
    """DOT in breadth-first order, letters in order, as `rnnalf convert` numbers states."""
    start = (0, False)
    order, number = [start], {start: 0}
    for state in order:
        for letter in range(3):
            after = step(state, letter)
            if after not in number:
                number[after] = len(order)
                order.append(after)
    with open(os.path.join(HERE, "five.target.dot"), "w") as file:
        file.write("digraph moore {\n")
        for state in order:
            name = "s%d" % number[state]
            file.write('  %s [label="%s|%d" shape="record" style="rounded" label="%s / %d"];\n' % (
                name, name, class_of(state), name, class_of(state)))
        file.write('  __start0 [label="" shape="none"];\n  __start0 -> s0;\n')
        for state in order:
            for letter in range(3):
                file.write('  s%d -> s%d [label="%s"];\n' % (number[state], number[step(state, letter)], LETTERS[letter]))
        file.write("}\n")


def exact_network():
    """With one unit at 1 and all others at -1, f_p is 1 where that unit's transition leads to p, else 0; with all units
    at 0, as a word begins, it is 1 for the initial state alone. A unit for p and a letter goes up where both are there."""
    start = (0, False)
    states = [start]
    for state in states:
        states += [after for after in {step(state, letter): 0 for letter in range(3)} if after not in states]
    units = [(p, letter) for p in states for letter in range(3)]
    size, gain = len(units), 8.0
    w, u, b = torch.zeros(size, 3), torch.zeros(size, size), torch.zeros(size)
    head, head_bias = torch.zeros(5, size), torch.zeros(5)
    for i, (p, letter) in enumerate(units):
        into = [step(*unit) == p for unit in units]
        all_at_zero = ((p == start) - sum(into) / 2) / (size - 2)
        w[i, letter] = gain
        u[i] = gain * (torch.tensor(into).float() / 2 + all_at_zero)
        b[i] = gain * (sum(into) / 2 + all_at_zero * (size - 2) - 1.5)
    for c in range(5):
        of_class = [class_of(step(*unit)) == c for unit in units]
        all_at_zero = (2 * (class_of(start) == c) - sum(of_class)) / (size - 2)
        head[c] = torch.tensor(of_class).float() + all_at_zero
        head_bias[c] = sum(of_class) + all_at_zero * (size - 2)
    return {"rnn.weight_ih_l0": w, "rnn.weight_hh_l0": u, "rnn.bias_ih_l0": b, "rnn.bias_hh_l0": torch.zeros(size),
            "fc.weight": 4 * head, "fc.bias": 4 * head_bias}


class Classes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(3, 24, batch_first=True)
        self.fc = torch.nn.Linear(24, 5)

    def forward(self, letters):
        states, _ = self.gru(torch.nn.functional.one_hot(letters, 3).float())
        return self.fc(states[:, -1])

    def along(self, letters):
        """The scores after every prefix, the empty one first."""
        states = self.gru(torch.nn.functional.one_hot(letters, 3).float())[0]
        return self.fc(torch.cat([torch.zeros_like(states[:, :1]), states], 1))


def random_word(length):
    # Runs, so that the ends of the scale are met; turns are rare enough to be seen apart.
    word = []
    while len(word) < length:
        letter = random.choice([0, 0, 1, 1, 2])
        word += [letter] * (1 if letter == 2 else random.choice([1, 1, 2, 3, 6]))
    return word[:length]


def any_word(length):
    """Of all kinds: as above, letters at random, and short words repeated, which are what networks err on."""
    kind = random.randrange(4)
    if kind == 0:
        return random_word(length)
    if kind == 1:
        return [random.randrange(3) for _ in range(length)]
    word = [random.randrange(3) for _ in range(random.randrange(12))]
    while len(word) < length:
        loop = [random.randrange(3) for _ in range(random.randint(1, 6))]
        word += loop * (length if kind == 2 else random.randint(3, 15))
    return word[:length]


def descend(model, optimizer, words):
    """One step of training on words of the same length; the loss."""
    wanted = torch.tensor([classes_along(word) for word in words])
    loss = torch.nn.functional.cross_entropy(model.along(torch.tensor(words)).flatten(0, 1), wanted.flatten())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss


def train_on(model):
    """Longer words of all kinds, and smaller steps in the end, until no prefix of 100 of them is wrong."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for batch in range(20000):
        optimizer.param_groups[0]["lr"] = max(0.005 * 0.9995 ** batch, 0.0003)
        length = random.choice([30, 60])
        words = [any_word(length) for _ in range(32)]
        loss = descend(model, optimizer, words)
        if batch % 200 == 199:
            wrong = errors(model, 100)
            print("trained on:", batch, float(loss), wrong, flush=True)
            if wrong == 0 and float(loss) < 5e-4:
                return


def errors(model, count):
    """Prefixes of so many random words of 100 letters on which network and machine differ."""
    wrong = 0
    with torch.no_grad():
        for _ in range(count):
            word = any_word(100)
            found = model.along(torch.tensor([word]))[0].argmax(1)
            wrong += int((found != torch.tensor(classes_along(word))).sum())
    return wrong


def train(model):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for batch in range(1200):
        length = random.choice([8, 16, 30])
        words = [random_word(length) for _ in range(64)]
        loss = descend(model, optimizer, words)
        if batch == 800:
            for group in optimizer.param_groups:
                group["lr"] = 0.002
        if batch % 200 == 0:
            print(batch, float(loss), flush=True)


def name_classes(path):
    """In the metadata, where rnnalf reads them; nothing else of the file changes."""
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {"rnnalf.classes": json.dumps(LEVELS)})
    onnx.save(model, path)


def main():
    torch.manual_seed(5)
    random.seed(5)
    torch.set_num_threads(1)
    os.makedirs(HERE, exist_ok=True)
    write_target()
    torch.save(exact_network(), os.path.join(HERE, "exact.pt"))
    model = Classes()
    train(model)
    model.eval()
    torch.save(model.state_dict(), os.path.join(HERE, "five.pt"))
    example = torch.tensor([[0, 1, 2]])
    torch.onnx.export(model, (example,), os.path.join(HERE, "five.onnx"), opset_version=13,
                      input_names=["letters"], dynamic_axes={"letters": {1: "length"}})
    name_classes(os.path.join(HERE, "five.onnx"))
    words, wrong = [], 0
    with torch.no_grad():
        for i in range(200):
            word = [random.randrange(3) for _ in range(1 + i % 20)]
            scores = torch.softmax(model(torch.tensor([word]))[0], 0)
            wrong += int(scores.argmax()) != classes_along(word)[-1]
            words.append([word, int(scores.argmax()), [float(p) for p in scores]])
    print("words of 200 on which network and machine differ:", wrong)
    with open(os.path.join(HERE, "five.json"), "w") as file:
        file.write("[" + ",\n ".join(json.dumps([w, c, [round(p, 6) for p in ps]]) for w, c, ps in words) + "]\n")
    torch.manual_seed(6)
    random.seed(6)
    train_on(model)
    print("prefixes of 50 new words of 100 letters on which the trained network errs:", errors(model.eval(), 50))
    torch.save(model.state_dict(), os.path.join(HERE, "trained.pt"))


if __name__ == "__main__":
    main()
