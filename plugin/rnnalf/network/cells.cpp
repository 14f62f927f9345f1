// The formulas of the cells, as their papers have them. x is what a layer reads, h its state.

#include "rnnalf/network/cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <utility>

namespace rnnalf {

using Op = StepOperation;

Vector combine(StepOperation operation, Vector a, Vector b) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
    throw std::length_error(
        fmt::format("expected vectors of one size, found {} and {}", a.size(), b.size()));
  }
  return {a.graph, a.graph->step_.combine(operation, a.node, b.node)};
}

Vector apply(Activation activation, Vector x) {
  return {x.graph, x.graph->step_.activate(activation, x.node)};
}

namespace {

Vector sigmoid(Vector x) {
  return apply(Activation::Sigmoid, x);
}
Vector tanh_of(Vector x) {
  return apply(Activation::Tanh, x);
}

/// minGRU (Feng et al., "Were RNNs All We Needed?", 2024):
///   z = sigmoid(Wz x + bz),  h' = (1 - z) h + z (Wh x + bh)
Vector min_gru(CellGraph& g, Vector x) {
  const Vector z = sigmoid(g.linear("linear_z", x));
  const Vector candidate = g.linear("linear_h", x);
  const Vector h = g.state(z.size());
  return g.next(h, h + z * (candidate - h));
}

/// What the version in log space has around the candidate: x + 0.5, below 0 sigmoid(x), which is
/// the larger of the two.
Vector positive(CellGraph& g, Vector x) {
  return max(x + g.number(0.5), sigmoid(x));
}

/// The same in log space: the candidate is made positive.
Vector min_gru_log(CellGraph& g, Vector x) {
  const Vector z = sigmoid(g.linear("linear_z", x));
  const Vector candidate = positive(g, g.linear("linear_h", x));
  const Vector h = g.state(z.size());
  return g.next(h, h + z * (candidate - h));
}

/// The same, as the package minGRU-pytorch stores it: candidate and gate in one product.
Vector min_gru_joint(CellGraph& g, Vector x) {
  const Vector both = g.linear("to_hidden_and_gate", x);
  const std::size_t n = both.size() / 2;
  const Vector z = sigmoid(g.part(both, n, n));
  const Vector h = g.state(n);
  const Vector after = g.next(h, h + z * (positive(g, g.part(both, 0, n)) - h));
  return g.find("to_out.weight") == nullptr ? after : g.linear("to_out", after);
}

/// minLSTM (the same paper), gates normalised to a sum of 1:
///   f = sigmoid(Wf x + bf), i alike,  h' = f / (f + i) h + i / (f + i) (Wh x + bh)
Vector min_lstm(CellGraph& g, Vector x) {
  const Vector f = sigmoid(g.linear("linear_f", x));
  const Vector i = sigmoid(g.linear("linear_i", x));
  const Vector candidate = g.linear("linear_h", x);
  const Vector h = g.state(f.size());
  return g.next(h, h + i / (f + i) * (candidate - h));
}

/// A diagonal linear recurrence over complex numbers, as pairs of real ones:
///   h' = a h + B x,  y = scale Re(C h') + D x
/// B and C have their imaginary parts behind the real ones, or none; without C, y = h'.
struct Diagonal {
  std::vector<double> re, im;  ///< a; no im: all is real
  Matrix b_re, b_im, c_re, c_im;
  double scale = 1;
};

Vector diagonal_step(CellGraph& g, const Diagonal& d, Vector x) {
  const Vector re = g.state(d.re.size());
  Vector y{};
  if (d.im.empty()) {
    const Vector after = g.next(re, g.constant(d.re) * re + g.product(d.b_re, x));
    y = d.c_re.values.empty() ? after : g.product(d.c_re, after);
  } else {
    const Vector im = g.state(d.re.size());
    const Vector a_re = g.constant(d.re);
    const Vector a_im = g.constant(d.im);
    const Vector in_re = g.product(d.b_re, x);
    const Vector after_re = g.next(re, a_re * re + (in_re - a_im * im));
    Vector turned = a_re * im + a_im * re;
    if (!d.b_im.values.empty()) turned = turned + g.product(d.b_im, x);
    const Vector after_im = g.next(im, turned);
    y = d.c_re.values.empty() ? after_re
                              : g.product(d.c_re, after_re) - g.product(d.c_im, after_im);
  }
  if (d.scale != 1) y = g.number(d.scale) * y;
  const Matrix* const skip = g.find("D");
  if (skip == nullptr) return y;
  return y +
         (skip->cols == 1 && x.size() != 1 ? g.constant(skip->values) * x : g.product(*skip, x));
}

Matrix or_none(const Matrix* matrix) {
  return matrix == nullptr ? Matrix{} : *matrix;
}

void expect(bool holds, const std::string& message) {
  if (!holds) throw std::length_error(message);
}

void check_sizes(const Diagonal& d) {
  const std::size_t n = d.re.size();
  const auto fits = [&](const Matrix& m, std::size_t size) {
    return m.values.empty() || size == n;
  };
  expect((d.im.empty() || d.im.size() == n) && d.b_re.rows == n && fits(d.b_im, d.b_im.rows) &&
             fits(d.c_re, d.c_re.cols) && fits(d.c_im, d.c_im.cols) &&
             (d.b_im.values.empty() || d.b_im.cols == d.b_re.cols) &&
             (d.im.empty() || d.c_re.values.empty() == d.c_im.values.empty()) &&
             (d.c_im.values.empty() || d.c_im.rows == d.c_re.rows),
         fmt::format("expected A, B and C of {} numbers of state, found others", n));
}

/// Already discrete: A_re, A_im, B_re, B_im, C_re, C_im, D.
Vector diagonal(CellGraph& g, Vector x) {
  Diagonal d{.re = g.tensor("A_re").values,
             .im = or_none(g.find("A_im")).values,
             .b_re = g.tensor("B_re"),
             .b_im = or_none(g.find("B_im")),
             .c_re = or_none(g.find("C_re")),
             .c_im = or_none(g.find("C_im"))};
  check_sizes(d);
  return diagonal_step(g, d, x);
}

/// The LRU (Orvieto et al., "Resurrecting Recurrent Neural Networks for Long Sequences", 2023):
///   a = exp(-exp(nu_log) + i exp(theta_log)),  B scaled by exp(gamma_log)
Vector lru(CellGraph& g, Vector x) {
  const std::vector<double>& nu = g.tensor("nu_log").values;
  const std::vector<double>& theta = g.tensor("theta_log").values;
  const std::vector<double>& gamma = g.tensor("gamma_log").values;
  Diagonal d{.re = {},
             .im = {},
             .b_re = g.tensor("B_re"),
             .b_im = g.tensor("B_im"),
             .c_re = g.tensor("C_re"),
             .c_im = g.tensor("C_im")};
  expect(theta.size() == nu.size() && gamma.size() == nu.size() && d.b_re.rows == nu.size() &&
             d.b_im.rows == nu.size(),
         fmt::format("expected {} numbers in theta_log, gamma_log and rows of B, found others",
                     nu.size()));
  for (std::size_t i = 0; i < nu.size(); ++i) {
    const std::complex<double> a = std::polar(std::exp(-std::exp(nu[i])), std::exp(theta[i]));
    d.re.push_back(a.real());
    d.im.push_back(a.imag());
    for (Matrix* b : {&d.b_re, &d.b_im}) {
      for (std::size_t c = 0; c < b->cols; ++c) b->values[i * b->cols + c] *= std::exp(gamma[i]);
    }
  }
  check_sizes(d);
  return diagonal_step(g, d, x);
}

/// One of the two numbers that a tensor of three axes has at the end: real part or imaginary part.
Matrix every_second(const Matrix& pairs, std::size_t first) {
  Matrix one{pairs.rows, pairs.cols / 2, {}};
  for (std::size_t i = first; i < pairs.values.size(); i += 2)
    one.values.push_back(pairs.values[i]);
  return one;
}

/// S5 (Smith, Warrington, Linderman, 2023), discrete by zero-order hold and with half of the
/// eigenvalues stored, as its authors' program has them by default:
///   a = exp(L step),  B' = (a - 1) / L B,  y = 2 Re(C h') + D x
Vector s5(CellGraph& g, Vector x) {
  const std::vector<double>& re = g.tensor("Lambda_re").values;
  const std::vector<double>& im = g.tensor("Lambda_im").values;
  const std::vector<double>& step = g.tensor("log_step").values;
  const Matrix& b = g.tensor("B");
  const Matrix& c = g.tensor("C");
  expect(im.size() == re.size() && step.size() == re.size() && b.rows == re.size() &&
             b.cols % 2 == 0 && c.cols == 2 * re.size(),
         fmt::format("expected {} numbers in Lambda_im, log_step and rows of B, found others",
                     re.size()));
  Diagonal d{.re = {},
             .im = {},
             .b_re = every_second(b, 0),
             .b_im = every_second(b, 1),
             .c_re = every_second(c, 0),
             .c_im = every_second(c, 1),
             .scale = 2};
  for (std::size_t i = 0; i < re.size(); ++i) {
    const std::complex<double> eigenvalue(re[i], im[i]);
    const std::complex<double> a = std::exp(eigenvalue * std::exp(step[i]));
    const std::complex<double> held = (a - 1.0) / eigenvalue;
    d.re.push_back(a.real());
    d.im.push_back(a.imag());
    for (std::size_t col = 0; col < d.b_re.cols; ++col) {
      double& real = d.b_re.values[i * d.b_re.cols + col];
      double& imaginary = d.b_im.values[i * d.b_re.cols + col];
      const std::complex<double> scaled = held * std::complex<double>(real, imaginary);
      real = scaled.real();
      imaginary = scaled.imag();
    }
  }
  check_sizes(d);
  return diagonal_step(g, d, x);
}

std::vector<double> column(const Matrix& matrix, std::size_t col) {
  std::vector<double> values;
  for (std::size_t row = 0; row < matrix.rows; ++row) values.push_back(matrix.at(row, col));
  return values;
}

/// x / sqrt(mean(x^2) + 1e-5), entry by entry times the weights.
Vector root_mean_square_norm(CellGraph& g, const Matrix& weights, Vector x) {
  const Matrix mean{1, x.size(),
                    std::vector<double>(x.size(), 1.0 / static_cast<double>(x.size()))};
  const Vector size = apply(Activation::Sqrt, g.product(mean, x * x) + g.number(1e-5));
  return g.constant(weights.values) * (x / size);
}

/// Mamba (Gu and Dao, 2023). The convolution looks back over its last inputs, which are states;
/// each channel has `n` numbers of state, and number k of all channels is one vector h_k:
///   (u, v) = in_proj x,  u = silu(conv1d(u)),  (t, B, C) = x_proj u,  t = softplus(dt_proj t)
///   h_k' = exp(-t exp(A_log_k)) h_k + t u B_k,  y = out_proj((sum_k C_k h_k' + D u) silu(v))
/// A norm beside the mixer makes it a block with a residual: x + mixer(norm(x)); norm_f stands
/// behind the last one.
Vector mamba(CellGraph& g, Vector x) {
  const Matrix* const norm = g.find("../norm.weight");
  const Vector both = g.linear("in_proj", norm == nullptr ? x : root_mean_square_norm(g, *norm, x));
  const Matrix& filter = g.tensor("conv1d.weight");
  const Matrix& a_log = g.tensor("A_log");
  const Matrix& rank = g.tensor("dt_proj.weight");
  const std::size_t width = a_log.rows;
  const std::size_t n = a_log.cols;
  expect(both.size() == 2 * width && filter.rows == width && rank.rows == width &&
             g.tensor("x_proj.weight").rows == rank.cols + 2 * n && g.tensor("D").rows == width,
         fmt::format("expected in_proj, conv1d, x_proj, dt_proj and D for {} channels with {} "
                     "numbers of state, found others",
                     width, n));
  Vector newest = g.part(both, 0, width);
  const Matrix* const bias = g.find("conv1d.bias");
  Vector u = g.constant(column(filter, filter.cols - 1)) * newest;
  for (std::size_t back = 1; back < filter.cols; ++back) {
    const Vector older = g.state(width);
    g.next(older, newest);
    u = g.constant(column(filter, filter.cols - 1 - back)) * older + u;
    newest = older;
  }
  u = apply(Activation::Silu, bias == nullptr ? u : u + g.constant(bias->values));
  const Vector projected = g.linear("x_proj", u);
  const Vector t =
      apply(Activation::Softplus, g.linear("dt_proj", g.part(projected, 0, rank.cols)));
  const Vector tu = t * u;
  Vector y = g.constant(g.tensor("D").values) * u;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> rate = column(a_log, k);
    for (double& value : rate) value = -std::exp(value);
    const Vector h = g.state(width);
    const Vector decay = apply(Activation::Exp, t * g.constant(std::move(rate)));
    const Vector after = g.next(h, decay * h + tu * g.part(projected, rank.cols + k, 1));
    y = after * g.part(projected, rank.cols + n + k, 1) + y;
  }
  const Vector gated = y * apply(Activation::Silu, g.part(both, width, width));
  const Vector out = g.linear("out_proj", gated);
  const Vector block = norm == nullptr ? out : x + out;
  const Matrix* const final_norm = g.find("/norm_f.weight");
  return final_norm == nullptr ? block : root_mean_square_norm(g, *final_norm, block);
}

/// sLSTM (Beck et al., "xLSTM", 2024) with the rows of i, f, z, o stacked, and a sigmoid at f. m
/// keeps the exponents small:
///   m' = max(log f + m, i),  c' = exp(log f + m - m') c + exp(i - m') tanh(z),
///   n' = exp(log f + m - m') n + exp(i - m'),  h' = sigmoid(o) c' / n'
Vector slstm(CellGraph& g, Vector x) {
  const Matrix& recurrent = g.tensor("weight_hh");
  const std::size_t size = recurrent.cols;
  expect(recurrent.rows == 4 * size && g.tensor("weight_ih").rows == 4 * size,
         fmt::format("expected weight_ih and weight_hh of {} rows, found others", 4 * size));
  const Vector h = g.state(size);
  const Vector c = g.state(size);
  const Vector n = g.state(size);
  const Vector m = g.state(size);
  Vector sum = g.product(g.tensor("weight_ih"), x) + g.product(recurrent, h);
  for (const char* bias : {"bias_ih", "bias_hh", "bias"}) {
    if (g.find(bias) != nullptr) sum = sum + g.constant(g.tensor(bias).values);
  }
  const auto gate = [&](std::size_t number) { return g.part(sum, number * size, size); };
  // log sigmoid(f) = -softplus(-f)
  const Vector kept = m - apply(Activation::Softplus, g.number(0) - gate(1));
  const Vector largest = g.next(m, max(kept, gate(0)));
  const Vector forget = apply(Activation::Exp, kept - largest);
  const Vector in = apply(Activation::Exp, gate(0) - largest);
  const Vector cell = g.next(c, forget * c + in * tanh_of(gate(2)));
  const Vector weight = g.next(n, forget * n + in);
  return g.next(h, sigmoid(gate(3)) * (cell / weight));
}

}  // namespace

std::size_t Vector::size() const {
  return graph->step_.size(node);
}

Vector operator+(Vector a, Vector b) {
  return combine(Op::Add, a, b);
}
Vector operator-(Vector a, Vector b) {
  return combine(Op::Subtract, a, b);
}
Vector operator*(Vector a, Vector b) {
  return combine(Op::Multiply, a, b);
}
Vector operator/(Vector a, Vector b) {
  return combine(Op::Divide, a, b);
}
Vector max(Vector a, Vector b) {
  return combine(Op::Maximum, a, b);
}

CellGraph::CellGraph(std::size_t symbols) {
  graph_.symbols = symbols;
}

Vector CellGraph::symbol(const Matrix* embedding) {
  if (embedding == nullptr) return {this, step_.one_hot(graph_.symbols)};
  return {this,
          step_.add({.operation = Op::Symbol, .size = embedding->cols, .weights = *embedding})};
}

const Matrix* CellGraph::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

const Matrix& CellGraph::tensor(std::string_view name) const {
  return tensors_.at(std::string(name));
}

Vector CellGraph::linear(std::string_view name, Vector x) {
  const Matrix& weights = tensor(std::string(name) + ".weight");
  const Matrix* const bias = find(std::string(name) + ".bias");
  if (weights.cols != x.size() || (bias != nullptr && bias->values.size() != weights.rows)) {
    throw std::length_error(fmt::format("{}: expected {} columns and a bias for each row, found {}",
                                        name, x.size(), weights.cols));
  }
  return {this,
          step_.product(weights, bias == nullptr ? std::vector<double>() : bias->values, x.node)};
}

Vector CellGraph::product(const Matrix& weights, Vector x) {
  if (weights.cols != x.size()) {
    throw std::length_error(
        fmt::format("expected weights with {} columns, found {}", x.size(), weights.cols));
  }
  return {this, step_.product(weights, {}, x.node)};
}

Vector CellGraph::constant(std::vector<double> values) {
  return {this, step_.constant(std::move(values))};
}

Vector CellGraph::part(Vector x, std::size_t from, std::size_t size) {
  return {this, step_.part(x.node, from, size)};
}

Vector CellGraph::state(std::size_t size) {
  graph_.states.push_back({.size = size});
  const std::size_t node = step_.state(graph_.states.size() - 1, size);
  states_.emplace(node, graph_.states.size() - 1);
  return {this, node};
}

Vector CellGraph::next(Vector state, Vector after) {
  graph_.states[states_.at(state.node)].next = after.node;
  return after;
}

StepGraph CellGraph::finish(Vector output) {
  std::size_t read = 0;
  while (read < graph_.states.size() && graph_.states[read].next != output.node) ++read;
  if (read == graph_.states.size()) {
    graph_.states.push_back({.size = output.size(), .next = output.node});
  }
  StepBuilder readout;
  readout.state(read, output.size());
  graph_.step = step_.take();
  graph_.readout = readout.take();
  return std::move(graph_);
}

std::span<const Cell> cells() {
  static const std::vector<Cell> all = {
      {"mingru",
       {"linear_z.weight", "linear_h.weight"},
       {"linear_z.bias", "linear_h.bias"},
       true,
       min_gru},
      {"mingru-log",
       {"linear_z.weight", "linear_h.weight"},
       {"linear_z.bias", "linear_h.bias"},
       false,
       min_gru_log},
      {"mingru-joint", {"to_hidden_and_gate.weight"}, {"to_out.weight"}, true, min_gru_joint},
      {"minlstm",
       {"linear_f.weight", "linear_i.weight", "linear_h.weight"},
       {"linear_f.bias", "linear_i.bias", "linear_h.bias"},
       true,
       min_lstm},
      {"diagonal", {"A_re", "B_re"}, {"A_im", "B_im", "C_re", "C_im", "D"}, true, diagonal},
      {"lru",
       {"nu_log", "theta_log", "gamma_log", "B_re", "B_im", "C_re", "C_im"},
       {"D"},
       true,
       lru},
      {"s5", {"Lambda_re", "Lambda_im", "log_step", "B", "C"}, {"D"}, true, s5},
      {"mamba",
       {"A_log", "D", "in_proj.weight", "conv1d.weight", "x_proj.weight", "dt_proj.weight",
        "out_proj.weight"},
       {"in_proj.bias", "conv1d.bias", "dt_proj.bias", "out_proj.bias", "../norm.weight",
        "/norm_f.weight"},
       true,
       mamba},
      {"slstm", {"weight_ih", "weight_hh"}, {"bias_ih", "bias_hh", "bias"}, false, slstm}};
  return all;
}

const Cell* find_cell(std::string_view name) noexcept {
  for (const Cell& cell : cells()) {
    if (cell.name == name) return &cell;
  }
  return nullptr;
}

}  // namespace rnnalf
