"""Trains a network so that it can be proved to equal its DFA: `rnnalf certify` finds such proofs quickly.

A proof is sets of hidden states that the network maps into each other. So that is what is trained, with the sets chosen
beforehand: one for every pair of a DFA state and the letter that led there, or all letters that the DFA treats alike. It is a box around a code; in the code of a
pair its own unit is high, the units of other pairs are low, and spare units are high (after the empty word all are 0,
so they tell the network that it has read something).
  contraction   for every pair and every letter, bounds of what the GRU makes of the pair's box are computed (interval
                arithmetic, with gradients), and what sticks out of the next pair's box is punished. Boxes begin tiny
                and become wider as training continues;
  margin        the score must be on its side by a clear margin everywhere in those bounds.
"""
import numpy as np
import torch
import torch.nn.functional as F

CODE = 0.95         # a unit is high or low: this or its negative
INSIDE = 0.8        # share of the half width that images may use


def gru_bounds(gru, inputs, low, high):
    """Bounds of the next hidden states of all hidden states in boxes [rows, hidden], a letter for each row."""
    middle, half = (low + high) / 2, (high - low) / 2
    given = inputs @ gru.weight_ih_l0.t() + gru.bias_ih_l0
    past = middle @ gru.weight_hh_l0.t() + gru.bias_hh_l0
    spread = half @ gru.weight_hh_l0.abs().t()
    (r, z, n), (past_r, past_z, past_n), (off_r, off_z, off_n) = (x.chunk(3, 1) for x in (given, past, spread))
    r_low, r_high = torch.sigmoid(r + past_r - off_r), torch.sigmoid(r + past_r + off_r)
    z_low, z_high = torch.sigmoid(z + past_z - off_z), torch.sigmoid(z + past_z + off_z)
    n_low = torch.tanh(n + torch.minimum(r_low * (past_n - off_n), r_high * (past_n - off_n)))
    n_high = torch.tanh(n + torch.maximum(r_low * (past_n + off_n), r_high * (past_n + off_n)))
    return (torch.minimum(n_low + z_low * (low - n_low), n_low + z_high * (low - n_low)),
            torch.maximum(n_high + z_low * (high - n_high), n_high + z_high * (high - n_high)))


def train_to_contract(net, dfa, settings, log):
    """Leaves the trained network in `net`; returns steps and the share of boxes whose image is where it should be."""
    if settings.cell != "gru" or settings.layers != 1:
        raise SystemExit("training for a proof: expected one GRU layer, found %d of %s" % (settings.layers, settings.cell))
    delta, steps, hidden = np.array(dfa["delta"]), settings.contraction_steps, net.hidden
    letters = range(delta.shape[1])
    kind = [min(b for b in letters if (delta[:, a] == delta[:, b]).all()) for a in letters]
    pairs = sorted({(int(row[a]), kind[a]) for row in delta for a in letters})
    if len(pairs) >= hidden:
        raise SystemExit("training for a proof: expected more than %d hidden units, found %d" % (len(pairs), hidden))
    codes = torch.full((len(pairs), hidden), -CODE)
    codes[:, len(pairs):] = CODE
    codes.fill_diagonal_(CODE)

    # One row for every pair and letter; then the empty word's hidden state, a point, with every letter.
    states = [state for state, _ in pairs for _ in letters] + [dfa["initial"] for _ in letters]
    reads = [a for _ in pairs for a in letters] + list(letters)
    after = [(int(delta[state, a]), kind[a]) for state, a in zip(states, reads)]
    goal = codes[[pairs.index(pair) for pair in after]]
    sign = torch.tensor([1.0 if dfa["accepting"][state] else -1.0 for state, _ in after])
    start_sign = 1.0 if dfa["accepting"][dfa["initial"]] else -1.0
    inputs = F.one_hot(torch.tensor(reads), net.letters).float()
    centre = torch.cat([codes.repeat_interleave(len(letters), 0), torch.zeros(len(letters), hidden)])
    wide = torch.cat([torch.ones(len(pairs) * len(letters), 1), torch.zeros(len(letters), 1)])

    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, steps)
    least = np.log((1 + CODE - INSIDE * settings.contraction) / 2)
    for step in range(steps):
        half = settings.contraction * min(1.0, max(0.02, 2 * step / steps - 0.3))
        low, high = gru_bounds(net.rnn, inputs, centre - half * wide, centre + half * wide)
        # How far every unit is on its side at worst, from -1 to 1; as a logarithm, which has a slope even at -1.
        worst = torch.where(goal > 0, low, -high)
        outside = F.relu(least - torch.log((1 + worst).clamp(min=1e-6) / 2)).sum(1)
        margin = net.margin((low + high) / 2) * sign - (high - low) / 2 @ net.out.weight[0].abs()
        start = net.margin(torch.zeros(1, hidden)) * start_sign
        loss = outside.mean() + 0.2 * F.softplus(3 - margin).mean() + 0.1 * F.softplus(3 - start).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % (steps // 8) == 0 or step + 1 == steps:
            inside = float((outside == 0).float().mean())
            log("  step %d loss %.4f, boxes of half width %.3f: %.0f %% of the images inside, smallest margin %.2f"
                % (step, float(loss), half, 100 * inside, float(torch.minimum(margin.min(), start.min()))))
    return steps, inside
