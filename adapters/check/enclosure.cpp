#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"

#ifdef __FAST_MATH__
#error "the bounds of this file are those of IEEE arithmetic: build it without -ffast-math"
#endif

namespace rnnalf::check {
namespace {

// Numbers stay below kLargest, so no executed operation overflows; kTiny covers underflow of an
// executed operation and weights below 2^-126 that a reader took for zero (times kLargest).
constexpr double kLargest = 0x1p20, kTiny = 0x1p-100;
// A sum of up to 2^16 positive numbers is at most kSummed times too small. exp and log are trusted
// to 2^-45, so that a band around tanh is off by less than kBand.
constexpr double kSummed = 1 + 0x1p-36, kBand = 0x1p-40;

Array numbers(Index size, double value) {
  return Array::Constant(size, value);
}
std::shared_ptr<const MatrixXd> shared(MatrixXd part) {
  return std::make_shared<const MatrixXd>(std::move(part));
}

/// Upper bounds of what e_j beside the ball add up to, and all e_j; up to kSummed.
Array beside(const MatrixXd& part, Index ball) {
  return part.rightCols(part.cols() - ball).cwiseAbs().rowwise().sum();
}
Array reach_of(const MatrixXd& part, Index ball) {
  return beside(part, ball) + part.leftCols(ball).rowwise().norm().array();
}

/// Numbers of a file as they are executed; what it leaves out is 0.
MatrixXd matrix(const Matrix& from, bool in_float) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> all(from.values.data(), Index(from.rows), Index(from.cols));
  return in_float ? MatrixXd(all.cast<float>().cast<double>()) : MatrixXd(all);
}
Array array(const std::vector<double>& from, std::size_t size, bool in_float) {
  return from.empty() ? numbers(Index(size), 0) : Array(matrix({size, 1, from}, in_float).col(0));
}

/// Adds this program's own rounding, `terms` being the sum of the magnitudes that went into each
/// row, and takes the tighter of the two enclosures.
Form settled(Form x, const Array& terms) {
  x.radius += kOwn * terms;
  const Array spread = (x.reach + x.radius) * kSummed + kOwn * x.centre.abs() + kTiny;
  x.low = (x.low - kOwn * terms).max(x.centre - spread);
  x.high = (x.high + kOwn * terms).min(x.centre + spread);
  // Written so that what is not a number fails, too.
  need((x.low <= x.high && x.largest() <= kLargest && x.centre.abs() + spread <= kLargest).all(),
       "an enclosure is empty or has numbers beyond 2^20");
  return x;
}

struct Term {
  const Form& x;
  Array by;
};

/// What an operation computes: the sum of all by * x, plus offset, off by at most bend (what is not
/// linear) and error (of the executed operation). Without that error it is in [low, high].
Form combined(std::initializer_list<Term> sum, const Array& offset, const Array& bend,
              const Array& error, const Array& low, const Array& high) {
  const Array none = numbers(low.size(), 0);
  Form y{offset, bend + error, low - error, high + error, none, none, 0, sum.begin()->x.part};
  Array terms = offset.abs() + y.radius + low.abs() + high.abs();
  Index symbols = 0, with_symbols = 0;
  for (const auto& [x, by] : sum) {
    y.centre += by * x.centre;
    y.radius += by.abs() * x.radius;
    y.reach += by.abs() * x.reach;
    terms += (1 + by.abs()) * x.terms();
    if (x.part->cols() == 0) continue;
    with_symbols += 1;
    symbols = std::max(symbols, x.part->cols());
    y.ball = x.ball;
    y.scale = by * x.scale;
    y.part = x.part;
  }
  if (with_symbols > 1) {
    MatrixXd part = MatrixXd::Zero(low.size(), symbols);
    for (const auto& [x, by] : sum) {
      part.leftCols(x.part->cols()) += (by * x.scale).matrix().asDiagonal() * *x.part;
    }
    y.reach = reach_of(part, y.ball);
    y.part = shared(std::move(part));
    y.scale = none + 1;
  }
  return settled(std::move(y), terms);
}

/// a + sign b, rounded once; `unit` 0: exact.
Form sum(const Form& a, const Form& b, double unit, double slack = 0, double sign = 1) {
  const Array none = numbers(a.low.size(), 0);
  const Array low = a.low + (sign * b.low).min(sign * b.high);
  const Array high = a.high + (sign * b.low).max(sign * b.high);
  const Array error = 1.01 * unit * low.abs().max(high.abs()) + kTiny + slack;
  return combined({{a, none + 1}, {b, none + sign}}, none, none, error, low, high);
}

/// a b = A b + a B - A B + (a - A) (b - B) for any A and B; they are the middles. `unit` 0: exact.
Form product(const Form& a, const Form& b, double unit, double slack = 0) {
  const Array A = a.middle(), B = b.middle();
  const Array ll = a.low * b.low, lh = a.low * b.high, hl = a.high * b.low, hh = a.high * b.high;
  const Array low = ll.min(lh).min(hl.min(hh)), high = ll.max(lh).max(hl.max(hh));
  const Array error = 1.01 * unit * low.abs().max(high.abs()) + kTiny + slack;
  return combined({{a, B}, {b, A}}, -A * B, a.half() * b.half(), error, low, high);
}

/// n + z (h - n), two roundings: = Z h + (1 - Z) n + D (z - Z) + (z - Z) (d - D), d = h - n.
Form blend(const Form& z, const Form& h, const Form& n, double unit, double slack) {
  const Form d = sum(h, n, 0, 0, -1);
  const Array Z = z.middle(), D = d.middle();
  Array low = numbers(Z.size(), HUGE_VAL), high = -low;  // linear in z, in h, in n: ends suffice
  for (const Array& s : {z.low, z.high}) {
    low = low.min((s * h.low).min(s * h.high) + ((1 - s) * n.low).min((1 - s) * n.high));
    high = high.max((s * h.low).max(s * h.high) + ((1 - s) * n.low).max((1 - s) * n.high));
  }
  const Array error = 1.01 * unit * (2 * z.largest() * d.largest() + n.largest()) + kTiny + slack;
  return combined({{z, D}, {h, Z}, {n, 1 - Z}}, -D * Z, z.half() * d.half(), error, low, high);
}

/// y = W x + b: in every row one chain of fused operations, a rounding each.
Form apply(const Matrix& weights, const std::vector<double>& bias, const Form& x,
           const Arithmetic& arithmetic) {
  const MatrixXd W = matrix(weights, arithmetic.in_float);
  const Array b = array(bias, weights.rows, arithmetic.in_float);
  const auto n = double(W.cols());
  need(n <= 4096, "network: expected at most 4096 numbers in a layer");
  Eigen::ArrayXXd middles(W.cols(), 2), sizes(W.cols(), 4);
  middles << x.centre, x.middle();
  sizes << x.radius, x.half(), x.largest(), x.terms();
  middles = ((W * middles.matrix()).array().colwise() + b).eval();
  sizes = (W.cwiseAbs() * sizes.matrix()).eval();
  // (1 + unit)^n - 1 < 1.01 n unit, as n unit <= 2^-12; and n + 1 roundings of our own: n 2^-52
  const Array error = 1.01 * n * (arithmetic.unit * (b.abs() + sizes.col(2)) + kTiny);
  const Array half = sizes.col(1) + error, terms = (b.abs() + sizes.col(3)) * (1 + n * 0x1p-4);
  const auto part = shared(W * x.scale.matrix().asDiagonal() * *x.part);
  return settled(
      {middles.col(0), sizes.col(0) + error, middles.col(1) - half, middles.col(1) + half,
       reach_of(*part, x.ball), numbers(b.size(), 1), x.ball, part},
      terms);
}

/// f(x) = slope x + something between two numbers. `bent`: error of the executed tanh, sigmoid.
Form activated(const Form& x, Activation f, double bent, double slack = 0) {
  if (f == Activation::None) return x;
  const bool relu = f == Activation::Relu;
  const auto value = [&](const Array& at) -> Array {
    return relu ? Array(at.max(0.0)) : Array(1 - 2 / ((2 * at).exp() + 1));
  };
  const double by = f == Activation::Sigmoid ? 0.5 : 1;  // sigmoid x = (1 + tanh(x/2)) / 2
  const Array low = by * x.low, high = by * x.high, at_low = value(low), at_high = value(high);
  const Array chord = (at_high - at_low) / (high - low).max(1e-6);
  const Array tilt = relu ? Array((low > 0).cast<double>()) : Array(1 - at_low.square());
  const Array slope = (high - low > 1e-6).select(chord, tilt).max(0.0).min(1.0);
  // f(x) - slope x is between its values at both ends, but for a bulge on either side.
  const Array left = at_low - slope * low, right = at_high - slope * high;
  Array bottom = left.min(right), top = left.max(right);
  if (relu) {
    bottom = (low < 0 && high > 0).select(bottom.min(0.0), bottom);
  } else {
    // tanh is concave above 0: nowhere above its tangent at p, whatever p >= 0 is. Below 0 it is
    // convex: an end is the highest. It is odd, so the same holds below.
    const Array best = (1 - slope).sqrt(), there = 0.5 * ((1 + best) / (1 - best)).log();
    const auto bulge = [&](const Array& to, const Array& at_to, const Array& from,
                           const Array& at_from) {
      const Array first = from.max(0.0), p = there.max(first).min(to);
      const Array at_p = best.max(at_from).min(at_to), lean = 1 - at_p.square();
      return Array(at_p - lean * p + ((lean - slope) * first).max((lean - slope) * to));
    };
    top = (high > 0).select(top.max(bulge(high, at_high, low, at_low)), top);
    bottom = (low < 0).select(bottom.min(-bulge(-low, -at_low, -high, -at_high)), bottom);
  }
  const Array bend = 0.5 * (top - bottom) + kBand * (1 + low.abs().max(high.abs()));
  return combined({{x, by * by * slope}}, 1 - by + 0.5 * by * (bottom + top), by * bend,
                  numbers(low.size(), (relu ? 0 : bent + kBand) + slack), 1 - by + by * at_low,
                  1 - by + by * at_high);
}

/// The radius of every row becomes a symbol of its own, numbered from `first` on.
Form named(Form x, Index first) {
  MatrixXd part = MatrixXd::Zero(x.low.size(), first + x.low.size());
  part.leftCols(x.part->cols()) = x.scale.matrix().asDiagonal() * *x.part;
  part.rightCols(x.low.size()).diagonal() = x.radius;
  x.part = shared(std::move(part));
  x.scale.setOnes();
  x.reach += x.radius;
  x.radius.setZero();
  return x;
}

/// The rows of every gate.
std::vector<Form> gates(const Form& x, const RecurrentLayer& layer) {
  std::vector<Form> all;
  const auto h = Index(layer.hidden);
  for (Index r = 0; r < x.low.size(); r += h) all.push_back(x.rows(r, h));
  return all;
}

}  // namespace

Form Form::rows(Index first, Index count) const {
  if (count == low.size()) return *this;
  const auto some = [&](const Array& x) -> Array { return x.segment(first, count); };
  MatrixXd own(count, part->cols());
  if (own.size() > 0) own = part->middleRows(first, count);  // no symbols: no memory to point into
  return {some(centre), some(radius), some(low), some(high),
          some(reach),  some(scale),  ball,      shared(std::move(own))};
}

Region box(const Array& low, const Array& high) {
  const Array none = numbers(low.size(), 0);
  Form form{none, none, low, high, none, none, 0, shared(MatrixXd(low.size(), 0))};
  form.centre = form.middle();
  form.radius = form.half();
  return {form, {}, 0};
}

Region ellipsoid(const Array& middle, const MatrixXd& shape) {
  const Index n = middle.size();
  const MatrixXd one = MatrixXd::Identity(n, n);
  const MatrixXd back = shape.triangularView<Eigen::Lower>().solve(one);
  // With E = 1 - back shape, e = back (x - middle) + E e. If |E| < 1 there is such an e for every
  // x, and |e| <= |back (x - middle)| / (1 - |E|). |E| is bounded by the root of its squares.
  const MatrixXd sizes = back.cwiseAbs() * shape.cwiseAbs() + one;
  const MatrixXd E = (one - back * shape).cwiseAbs() + double(n) * 0x1p-50 * sizes;
  const double most = (1 - E.norm() * kSummed) * (1 - kOwn);
  need(most > 0 && (shape.diagonal().array() > 0).all(),
       "an ellipsoid that is flat, or too nearly so");
  const Array none = numbers(n, 0), all = none + kLargest, reach = shape.rowwise().norm();
  const MatrixXd rows = back.transpose();
  return {settled({middle, none, -all, all, reach, none + 1, n, shared(shape)}, none),
          {std::size_t(n), std::size_t(n), {rows.data(), rows.data() + rows.size()}},
          most};
}

bool Region::contains(const Form& image) const {
  if (back.rows == 0) return (form.low <= image.low && image.high <= form.high).all();
  const Array none = numbers(image.low.size(), 0), &m = form.centre;
  const Form away = combined({{image, none + 1}}, -m, none, none, image.low - m, image.high - m);
  const Form y = apply(back, {}, away, {false, 0, 0});
  Array rest = y.largest();
  if (y.ball > 0) rest = y.centre.abs() + (beside(*y.part, y.ball) + y.radius) * kSummed;
  // Of the ball M e: |M|^2 = |M^T M|, and so on; each of them is at most the root of its squares. A
  // product is off by less than n 2^-50 of what went into it.
  MatrixXd M = y.part->leftCols(y.ball);
  double longest = 1, power = 1;
  for (int products = 0; products <= 4; ++products, power /= 2) {
    const double norm = M.norm() * kSummed + double(M.rows() + 1) * 0x1p-50;
    longest *= std::pow(norm, power) * (1 + kOwn);
    if ((rest.matrix().norm() + longest) * kSummed <= most) return true;
    M = (M.transpose() * M / (norm * norm)).eval();
  }
  return false;
}

Enclosure::Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack,
                     std::size_t symbols)
    : spec_(spec), arithmetic_(arithmetic), slack_(slack), most_symbols_(symbols) {
  validate(spec);
  stack_ = stack_of(spec.step).value();  // is_plain, as check() has found
  // First layer: W x + b of every letter, summed in double in whichever order, and rounded once.
  const RecurrentLayer& first = stack_.layers.front();
  const MatrixXd W = matrix(first.input_weights, false);
  const Array b = array(first.input_bias, first.input_weights.rows, false);
  const double relative = 1.01 * (arithmetic.unit + 8 * double(W.cols()) * 0x1p-53);
  for (Index a = 0; a < Index(spec.symbol_count()); ++a) {
    Eigen::VectorXd x = Eigen::VectorXd::Unit(W.cols(), stack_.embedding ? 0 : a);
    if (stack_.embedding) x = matrix(*stack_.embedding, false).row(a);
    const Array sum = (W * x).array() + b, terms = (W.cwiseAbs() * x.cwiseAbs()).array() + b.abs();
    const Array error = relative * terms + kTiny;
    table_.push_back(gates(box(sum - error, sum + error).form, first));
  }
  if (const std::size_t outputs = spec.output_count(); outputs > 1) {
    DenseLayer& lead = spec_.head.emplace_back();  // of the accept class above every other
    lead.weights = {outputs - 1, outputs, std::vector<double>((outputs - 1) * outputs)};
    const std::size_t accept = spec.accept_class.value_or(1);
    for (std::size_t k = 0; k + 1 < outputs; ++k) {
      lead.weights.values[k * outputs + accept] = 1;
      lead.weights.values[k * outputs + (k < accept ? k : k + 1)] = -1;
    }
  }
}

Form Enclosure::initial() const {
  Array all = numbers(Index(spec_.state_size()), 0);
  Index at = 0;
  for (const RecurrentLayer& layer : stack_.layers) {
    const auto h = Index(layer.hidden);
    all.segment(at, h) = array(layer.initial_hidden, layer.hidden, arithmetic_.in_float);
    if (lstm())
      all.segment(at += h, h) = array(layer.initial_cell, layer.hidden, arithmetic_.in_float);
    at += h;
  }
  return box(all, all).form;
}

Prepared Enclosure::prepare(Form x) const {
  const Index symbols = x.part->cols(), kept = std::min(symbols, x.ball + Index(most_symbols_));
  if (kept < symbols) {  // the smallest symbols go into the radius, none of the ball
    const Array weight = x.part->cwiseAbs().colwise().sum();
    std::vector<Index> order(static_cast<std::size_t>(symbols));
    std::iota(order.begin(), order.end(), 0);
    std::nth_element(order.begin() + x.ball, order.begin() + kept, order.end(),
                     [&](Index a, Index b) { return weight[a] > weight[b]; });
    const MatrixXd sorted = (*x.part)(Eigen::all, order);
    x.radius = (x.radius + beside(sorted, kept)) * kSummed;
    x.part = shared(sorted.leftCols(kept));
  }
  Prepared prepared{named(std::move(x), kept), {}};
  Index at = 0;
  for (const RecurrentLayer& layer : stack_.layers) {
    const auto h = Index(layer.hidden);
    prepared.past.push_back(gates(apply(layer.recurrent_weights, layer.recurrent_bias,
                                        prepared.state.rows(at, h), arithmetic_),
                                  layer));
    at += lstm() ? 2 * h : h;
  }
  return prepared;
}

Form Enclosure::step(const Prepared& from, std::size_t letter) const {
  using enum Activation;
  const auto [_, unit, bent] = arithmetic_;
  std::vector<Form> blocks, above;  // blocks of the next state, in order; inputs of the layer above
  Index at = 0, symbols = from.state.part->cols();
  // Errors that other rows depend on become symbols; those of the last layer stay a radius.
  const auto name = [&](Form x) {
    x = named(std::move(x), symbols);
    symbols = x.part->cols();
    return x;
  };
  for (std::size_t l = 0; l < stack_.layers.size(); ++l) {
    const RecurrentLayer& layer = stack_.layers[l];
    const std::vector<Form>& inputs = l == 0 ? table_[letter] : above;
    const auto h = Index(layer.hidden);
    const std::vector<Form>& past = from.past[l];
    const auto gate = [&, unit = unit, bent = bent](std::size_t g, Activation f, double slack = 0) {
      return activated(sum(inputs[g], past[g], unit), f, bent, slack);
    };
    Form next, cell;
    if (stack_.cell == CellKind::ElmanTanh) {
      next = gate(0, Tanh, slack_);
    } else if (stack_.cell == CellKind::ElmanRelu) {
      next = gate(0, Relu, slack_);
    } else if (lstm()) {
      const Form kept = product(gate(1, Sigmoid), from.state.rows(at += h, h), 0);
      cell = name(sum(kept, product(gate(0, Sigmoid), gate(2, Tanh), unit), unit, slack_));
      next = product(gate(3, Sigmoid), activated(cell, Tanh, bent), unit, slack_);
    } else {
      const Form r = gate(0, Sigmoid), z = gate(1, Sigmoid), hidden = from.state.rows(at, h);
      Form reset = product(r, past[2], 0);
      if (stack_.cell == CellKind::GruResetBefore) {
        reset = apply(layer.recurrent_weights, layer.recurrent_bias, product(r, hidden, unit),
                      arithmetic_)
                    .rows(2 * h, h);
      }
      next = blend(z, hidden, activated(sum(inputs[2], reset, unit), Tanh, bent), unit, slack_);
    }
    at += h;
    if (l + 1 < stack_.layers.size()) {
      const RecurrentLayer& to = stack_.layers[l + 1];
      next = name(next);
      above = gates(apply(to.input_weights, to.input_bias, next, arithmetic_), to);
    }
    blocks.push_back(next);
    if (lstm()) blocks.push_back(cell);
  }
  const Array none = numbers(from.state.low.size(), 0);
  Form all{none, none, none, none, none, none + 1, from.state.ball, nullptr};
  MatrixXd part = MatrixXd::Zero(none.size(), symbols);
  at = 0;
  for (const Form& block : blocks) {
    const Index rows = block.low.size();
    for (const auto of : {&Form::centre, &Form::radius, &Form::low, &Form::high, &Form::reach}) {
      (all.*of).segment(at, rows) = block.*of;
    }
    part.block(at, 0, rows, block.part->cols()) = block.scale.matrix().asDiagonal() * *block.part;
    at += rows;
  }
  all.part = shared(std::move(part));
  return all;
}

std::pair<double, double> Enclosure::margin(const Form& state) const {
  const auto h = Index(stack_.layers.back().hidden);
  Form scores = state.rows(state.low.size() - (lstm() ? 2 * h : h), h);
  for (const DenseLayer& dense : spec_.head) {
    scores = activated(apply(dense.weights, dense.bias, scores, arithmetic_), dense.activation,
                       arithmetic_.bent);
  }
  return {scores.low.minCoeff(), scores.high.minCoeff()};
}

}  // namespace rnnalf::check
