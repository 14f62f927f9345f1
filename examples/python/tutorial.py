# %% [markdown]
# # What did the network learn?
#
# A network is trained to tell binary numbers that are divisible by three. Then it teaches an automaton learner,
# we see on which words it leaves that language, and we prove of another network that it never does.
#
# `./quickstart tutorial` installs what is missing and runs it. Where the module is installed, run it as it is (`python3
# examples/python/tutorial.py`), or open it in an editor that knows `# %%` cells (VS Code, Spyder, Jupyter with jupytext).
# Without torch the network that ships beside it is used.

# %%
import os
import pathlib
import tempfile

import rnnalf

here = pathlib.Path(globals().get("__file__", "examples/python/tutorial.py")).resolve().parent
networks = here.parent / "networks"

try:
    import torch
except ImportError:
    torch = None

# %% [markdown]
# ## Train in a minute
#
# An embedding, a GRU and a dense layer, as anybody would write them. It sees words of up to ten digits.

# %%
if torch is not None:
    class Divisible(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = torch.nn.Embedding(2, 4)
            self.gru = torch.nn.GRU(4, 16, batch_first=True)
            self.head = torch.nn.Linear(16, 1)

        def forward(self, digits):
            states, _ = self.gru(self.embedding(digits))
            return self.head(states[:, -1])[:, 0]

    def train(steps=1500):
        torch.manual_seed(3)
        model = Divisible()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for step in range(steps):
            length = int(torch.randint(1, 11, ()))
            digits = torch.randint(0, 2, (128, length))
            value = (digits * 2 ** torch.arange(length - 1, -1, -1)).sum(dim=1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(digits), (value % 3 == 0).float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return model


# %%
shipped = here / "divisible.pt"  # made by the lines below
if torch is None:
    model = shipped
elif os.environ.get("RNNALF_TUTORIAL") == "test":
    model = Divisible()
    model.load_state_dict(torch.load(shipped))
else:
    model = train(int(os.environ.get("RNNALF_TUTORIAL_STEPS", 1500)))
    if os.environ.get("RNNALF_TUTORIAL") == "ship":
        torch.save(model.state_dict(), shipped)

# %% [markdown]
# ## Extract
#
# The target is optional: with it, every word says whether the network errs. The empty word was never trained,
# so its answer is ours to give.

# %%
divisible_by_three = rnnalf.Dfa("01", transitions=[[0, 1], [2, 0], [1, 2]], accepting=[True, False, False])
run = rnnalf.extract(model, alphabet="01", empty_word=True, target=divisible_by_three, time_limit=20)
print(run)

# %%
run.dfa  # draws itself in a notebook

# %% [markdown]
# ![the automaton](pictures/divisible.svg)

# %% [markdown]
# ## Where does the network leave its language?
#
# Every exception is a word that was run on both sides. Families are rules behind them: a loop walked often enough.

# %%
print("the automaton is the one that was meant:", run.dfa == divisible_by_three)
for found in run.exceptions[:5]:
    print(f"{found.word}: the network says {found.network}, p = {found.probability:.4f}")
for rule in run.families[:3]:
    print(f"{rule.prefix} ({rule.loop})^k {rule.suffix}: the network says {rule.network} from k = {rule.first} on")


# %% [markdown]
# Agreement by length is an array. A picture of it needs no library:

# %%
def picture(agreement, width=640, height=200):
    points = " ".join(f"{40 + (width - 60) * (n - 1) / 99:.1f},{20 + (height - 60) * (1 - share):.1f}"
                      for n, share in zip(agreement.lengths, agreement.shares))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
            f'<polyline points="{points}" fill="none" stroke="#1b6ca8" stroke-width="2"/>'
            f'<text x="4" y="24">1</text><text x="4" y="{height - 36}">0</text>'
            f'<text x="40" y="{height - 10}">1 symbol</text><text x="{width - 20}" y="{height - 10}" '
            f'text-anchor="end">100 symbols: agreement of network and automaton</text></svg>\n')


drawing = picture(run.agreement)
if os.environ.get("RNNALF_TUTORIAL") == "ship":
    (here / "pictures").mkdir(exist_ok=True)
    run.dfa.save(here / "pictures" / "divisible.svg")
    (here / "pictures" / "agreement.svg").write_text(drawing)

# %% [markdown]
# ![agreement by length](pictures/agreement.svg)
#
# ## Prove what can be proved
#
# Sampling never shows that two sides agree on *all* words. `certify` looks for a proof; for the network above it
# ends with a word that refutes it, or stays open:

# %%
print(rnnalf.certify(rnnalf.network(model, alphabet="01", empty_word=True), run.dfa, time_limit=5))

# %% [markdown]
# `tomita4_proved` was trained for contraction and margin (examples/train/contract.py). What is extracted from it is
# proved to be its language, for words of any length; `rnnalf-check` checks the certificate and shares no code with
# the search.

# %%
proved = rnnalf.extract(networks / "tomita4_proved.onnx")
proof = rnnalf.certify(networks / "tomita4_proved.onnx", proved.dfa)
print(proved.finding)
print(proof)
proof.save(pathlib.Path(tempfile.mkdtemp()) / "tomita4.certificate.json")
assert proof.certified and proved.dfa == rnnalf.Dfa.load(networks / "tomita4_proved.target.dot")
