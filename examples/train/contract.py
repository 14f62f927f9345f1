"""Trains a network so that it can be proved to equal its DFA: `rnnalf certify` finds such proofs quickly.

A proof needs two things of a network, and both are trained for here:
  contraction   the hidden state is disturbed after every letter, and what is left of the disturbance after the next
                letter is punished: so disturbances die out, and long words are as safe as short ones;
  margin        the score after *every* prefix has to be on its side by a clear margin.
Words follow the DFA: letters are uniform, but a state that cannot be left is entered late.
"""
import numpy as np
import torch
import torch.nn.functional as F


def words_along(dfa, count, length, rng):
    """Letters [length, count] and the states after each [length, count]."""
    delta = np.array(dfa["delta"])
    states, letters = delta.shape
    sink = np.array([np.all(delta[state] == state) for state in range(states)])
    at = np.full(count, dfa["initial"])
    word, path = np.zeros((length, count), dtype=np.int64), np.zeros((length, count), dtype=np.int64)
    last = rng.randint(letters, size=count)
    sticky = rng.rand(count) < 0.3      # some words have long runs of a letter, others repeat a short word
    loop, period, turns = rng.randint(letters, size=(4, count)), rng.randint(1, 5, size=count), rng.rand(count) < 0.3
    for t in range(length):
        letter = np.where(sticky & (rng.rand(count) < 0.7), last, rng.randint(letters, size=count))
        letter = np.where(turns & (t >= 3), loop[t % period, np.arange(count)], letter)
        for _ in range(3):              # think again before falling into a sink
            falls = sink[delta[at, letter]] & ~sink[at] & (rng.rand(count) < 0.6)
            letter = np.where(falls, rng.randint(letters, size=count), letter)
        at = delta[at, letter]
        word[t], path[t], last = letter, at, letter
    return word, path


def train_to_contract(net, dfa, settings, log):
    """Leaves the trained network in `net`; returns steps and the share of prefixes that were right at the end."""
    rng = np.random.RandomState(settings.seed)
    accepting = torch.tensor(np.array(dfa["accepting"], dtype=np.float32))
    optimizer = torch.optim.Adam(net.parameters())
    steps, count, right, strength = settings.contraction_steps, 64, 0.0, 0.0
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, steps)
    lstm = settings.cell == "lstm"
    for step in range(steps):
        length = 6 + min(18, step * 40 // steps)
        word, path = words_along(dfa, count, length, rng)
        inputs = F.one_hot(torch.from_numpy(word), net.letters).float()
        labels = accepting[torch.from_numpy(path)]
        # First the language, then its stability: disturb as much as the answers stand.
        strength = min(1.0, strength + 0.004) if right > 0.99 else max(0.0, strength - 0.004)
        state = torch.zeros(1, count, net.hidden)
        state = (state, state.clone()) if lstm else state
        start = accepting[dfa["initial"]].expand(count)
        scores, left = [net.margin(torch.zeros(count, net.hidden))], 0.0
        for t in range(length):
            _, following = net.rnn(inputs[t:t + 1], state)
            parts = state if lstm else (state,)
            noise = [settings.disturbance * strength * torch.randn_like(part) for part in parts]
            disturbed = [part + one for part, one in zip(parts, noise)]
            _, moved = net.rnn(inputs[t:t + 1], tuple(disturbed) if lstm else disturbed[0])
            new, old = (moved, following) if lstm else ((moved,), (following,))
            left = left + sum(((a - b) ** 2).mean() for a, b in zip(new, old)) / sum((n ** 2).mean() + 1e-6 for n in noise)
            state = moved
            scores.append(net.margin((moved[0] if lstm else moved)[0]))
        scores = torch.stack(scores)
        signs = 2 * torch.cat([start.unsqueeze(0), labels]) - 1
        miss, inside = F.softplus(4.0 - scores * signs), signs > 0
        margin = 0.5 * (miss[inside].mean() + miss[~inside].mean())  # both kinds count the same
        loss = margin + settings.contraction * strength * F.relu(left / length - 0.02)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        right = float((scores * signs > 0).float().mean())
        if step % (steps // 8) == 0 or step + 1 == steps:
            log("  step %d margin loss %.4f, disturbed by %.2f, of which %.3f is left, right %.4f"
                % (step, float(margin), settings.disturbance * strength, float(left) / length, right))
    return steps, right
