#include "enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#ifdef __FAST_MATH__
#error "the bounds of this file are those of IEEE arithmetic: build it without -ffast-math"
#endif

namespace rnnalf::check {
namespace {

// Numbers stay below kLargest, so no executed operation overflows; kTiny covers underflow of an
// executed operation and weights below 2^-126 that a reader took for zero (times kLargest).
constexpr double kLargest = 0x1p20;
constexpr double kTiny = 0x1p-100;
// Our own arithmetic: a result of at most a dozen roundings of terms with sum of magnitudes m is
// off by less than kOwn * m; a sum of up to 2^14 positive numbers is at most kSummed times too
// small. std::tanh is trusted to be within 2^-45.
constexpr double kOwn = 0x1p-48;
constexpr double kSummed = 1 + 0x1p-36;
constexpr double kBand = 0x1p-40;
constexpr Index kMostRows = 4096, kMostSymbols = 16384;

Array zeros(Index size) {
  return Array::Zero(size);
}

Array larger(const Array& a, const Array& b) {
  return a.abs().max(b.abs());
}

/// Upper bound of |x - centre| but for the ball, up to kSummed.
Array beside(const Form& x) {
  return x.part.rightCols(x.part.cols() - x.ball).cwiseAbs().rowwise().sum().array() + x.radius;
}

/// What an operation computes: sum_k by_k x_k + offset, off by at most bend (what is not linear)
/// and error (the rounding of the executed operation). Without that rounding it is in [low, high].
struct Result {
  std::vector<std::pair<const Form*, Array>> sum;
  Array offset, bend, error, low, high;
};

Form form_of(const Result& y) {
  const Index rows = y.low.size();
  Index symbols = 0, ball = 0;
  for (const auto& [x, by] : y.sum) {
    symbols = std::max(symbols, x->part.cols());
    ball = std::max(ball, x->ball);
  }
  Array centre = y.offset, radius = y.error + y.bend;
  Array terms = y.offset.abs() + radius + larger(y.low, y.high);
  Eigen::MatrixXd part = Eigen::MatrixXd::Zero(rows, symbols);
  for (const auto& [x, by] : y.sum) {
    centre += by * x->centre;
    radius += by.abs() * x->radius;
    terms += (1 + by.abs()) * x->terms();
    part.leftCols(x->part.cols()) += by.matrix().asDiagonal() * x->part;
  }
  return {centre, std::move(part), radius, y.low - y.error, y.high + y.error, terms, ball};
}

/// a - b, exactly.
Form difference(const Form& a, const Form& b) {
  const Array none = zeros(a.rows());
  return form_of(
      {{{&a, none + 1}, {&b, none - 1}}, none, none, none, a.low - b.high, a.high - b.low});
}

/// y = W x + b: in every row one chain of fused operations, a rounding each.
Form apply(const Affine& map, const Form& x, double unit) {
  const auto n = static_cast<double>(map.w.cols());
  Eigen::MatrixXd magnitudes(map.w.cols(), 3);
  magnitudes << x.radius.matrix(), x.largest().matrix(), x.terms().matrix();
  magnitudes = (map.magnitude * magnitudes).eval();
  // (1 + unit)^n - 1 < 1.01 n unit, as n unit < 2^-12
  const Array error = 1.01 * n * (unit * (map.b.abs() + magnitudes.col(1).array()) + kTiny);
  const auto bound = [&](const Array& low, const Array& high) -> Array {
    return (map.positive * low.matrix() + map.negative * high.matrix()).array() + map.b;
  };
  // n + 1 roundings of our own: n 2^-52 of all terms
  const Array terms = (map.b.abs() + magnitudes.col(2).array()) * (1 + n * 0x1p-4);
  return {(map.w * x.centre.matrix()).array() + map.b,
          map.w * x.part,
          magnitudes.col(0).array() + error,
          bound(x.low, x.high) - error,
          bound(x.high, x.low) + error,
          terms,
          x.ball};
}

/// Upper bound of |M e| over all e of a length of at most 1: the root of that of M^T M, and so on;
/// at last the root of all squares. Every product is off by less than n 2^-50 of what went into it.
double longest(const Eigen::MatrixXd& M, int products) {
  const double all = M.norm() * kSummed + kTiny;
  if (products == 0 || M.size() == 0) return all;
  const Eigen::MatrixXd scaled = M / all;
  const double error = static_cast<double>(M.rows() + 1) * 0x1p-50;
  const double square = longest(scaled.transpose() * scaled, products - 1) + error;
  return all * std::sqrt(square) * (1 + kOwn);
}

/// f(x) lies in slope x + [low, high] for x in the interval that it was made for.
struct Band {
  double slope, low, high;
};

/// Upper bound of tanh x - slope x on [low, high]; 0 <= slope <= 1. Below 0 tanh is convex: an end
/// is the highest. Above 0 it is concave: no point is above the tangent at p, whatever p >= 0 is.
double top(double low, double high, double slope) {
  const auto at_end = [&](double x) { return std::tanh(x) - slope * x; };
  double highest = low < 0 ? std::max(at_end(low), at_end(std::min(high, 0.0))) : -HUGE_VAL;
  if (high >= 0) {
    const double from = std::max(low, 0.0);
    const double p = std::clamp(std::atanh(std::sqrt(1 - slope)), from, high);
    const double value = std::tanh(p), tilt = 1 - value * value;
    for (const double x : {from, high}) {
      highest = std::max(highest, value - tilt * p + (tilt - slope) * x);
    }
  }
  return highest + kBand * (1 + std::max(std::abs(low), std::abs(high)));
}

Band tanh_band(double low, double high) {
  const double value = std::tanh(low), chord = (std::tanh(high) - value) / (high - low);
  const double slope = std::clamp(high - low > 1e-6 ? chord : 1 - value * value, 0.0, 1.0);
  return {slope, -top(-high, -low, slope), top(low, high, slope)};
}

Band relu_band(double low, double high) {
  if (low >= 0) return {1, 0, 0};
  if (high <= 0) return {0, 0, 0};
  const double slope = std::clamp(high / (high - low), 0.0, 1.0);
  // x for x >= 0, 0 below: f(x) - slope x is largest at an end and smallest at 0.
  return {slope, 0, std::max(-slope * low, (1 - slope) * high) * (1 + kOwn)};
}

/// One rounded sum of the executed numbers.
Form sum(const Form& a, const Form& b, double unit) {
  const Array none = zeros(a.rows()), low = a.low + b.low, high = a.high + b.high;
  const Array error = 1.01 * unit * larger(low, high) + kTiny;
  return form_of({{{&a, none + 1}, {&b, none + 1}}, none, none, error, low, high});
}

/// a b = A b + a B - A B + (a - A) (b - B) for any A and B; they are the middles. `unit` 0: exact.
Form product(const Form& a, const Form& b, double unit) {
  const Array A = a.middle(), B = b.middle();
  const Array ll = a.low * b.low, lh = a.low * b.high, hl = a.high * b.low, hh = a.high * b.high;
  const Array low = ll.min(lh).min(hl.min(hh)), high = ll.max(lh).max(hl.max(hh));
  return form_of({{{&a, B}, {&b, A}},
                  -A * B,
                  a.half_width() * b.half_width(),
                  1.01 * unit * larger(low, high) + kTiny,
                  low,
                  high});
}

/// n + z (h - n), two roundings: = Z h + (1 - Z) n + D (z - Z) + (z - Z) (d - D), d = h - n.
Form blend(const Form& z, const Form& h, const Form& n, double unit) {
  const Form d = difference(h, n);
  const Array Z = z.middle(), D = d.middle();
  // Linear in each of z, h, n: ends suffice.
  Array low = Array::Constant(z.rows(), HUGE_VAL), high = -low;
  for (const Array& s : {z.low, z.high}) {
    for (const Array& x : {h.low, h.high}) {
      for (const Array& y : {n.low, n.high}) {
        const Array end = s * x + (1 - s) * y;
        low = low.min(end);
        high = high.max(end);
      }
    }
  }
  const Array rounded_numbers = 2 * z.largest() * d.largest() + n.largest();
  return form_of({{{&z, D}, {&h, Z}, {&n, 1 - Z}},
                  -D * Z,
                  z.half_width() * d.half_width(),
                  1.01 * unit * rounded_numbers + kTiny,
                  low,
                  high});
}

/// `error` is that of the executed tanh and sigmoid.
Form activated(const Form& x, Activation activation, double error) {
  if (activation == Activation::None) return x;
  Result y{{}, zeros(x.rows()), zeros(x.rows()), zeros(x.rows()), x.low, x.high};
  Array slope(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    Band band{};
    if (activation == Activation::Relu) {
      band = relu_band(x.low[i], x.high[i]);
      y.low[i] = std::max(x.low[i], 0.0);
      y.high[i] = std::max(x.high[i], 0.0);
    } else {
      y.error[i] = error + kBand;
      // sigmoid(x) = (1 + tanh(x/2)) / 2
      const double half = activation == Activation::Sigmoid ? 0.5 : 1, shift = 1 - half;
      band = tanh_band(half * x.low[i], half * x.high[i]);
      band = {half * half * band.slope, shift + half * band.low, shift + half * band.high};
      y.low[i] = shift + half * std::tanh(half * x.low[i]);
      y.high[i] = shift + half * std::tanh(half * x.high[i]);
    }
    slope[i] = band.slope;
    y.offset[i] = 0.5 * (band.low + band.high);
    y.bend[i] = std::max(band.high - y.offset[i], y.offset[i] - band.low);
  }
  y.sum.emplace_back(&x, slope);
  return form_of(y);
}

}  // namespace

Form::Form(Array middle, Eigen::MatrixXd parts, const Array& rest, const Array& lowest,
           const Array& highest, const Array& terms, Index first)
    : centre(std::move(middle)), radius(rest + kOwn * terms), ball(first), part(std::move(parts)) {
  spread = (beside(*this) + part.leftCols(ball).rowwise().norm().array()) * kSummed + kTiny;
  low = (lowest - kOwn * terms).max(centre - spread - kOwn * centre.abs());
  high = (highest + kOwn * terms).min(centre + spread + kOwn * centre.abs());
  // Written so that what is not a number fails, too.
  if (!(low <= high).all() || !(low >= -kLargest).all() || !(high <= kLargest).all() ||
      !(centre.abs() + spread <= kLargest).all()) {
    throw Refused("an enclosure is empty or has numbers beyond 2^20");
  }
}

Form Form::rows(Index first, Index count) const {
  Form some;
  some.centre = centre.segment(first, count);
  some.radius = radius.segment(first, count);
  some.spread = spread.segment(first, count);
  some.low = low.segment(first, count);
  some.high = high.segment(first, count);
  some.ball = ball;
  some.part.resize(count, part.cols());
  if (part.cols() > 0)
    some.part = part.middleRows(first, count);  // a block of nothing has no address
  return some;
}

Form Form::fresh(Index first) const {
  Form named = *this;
  named.part.setZero(rows(), first + rows());
  named.part.leftCols(part.cols()) = part;
  named.part.rightCols(rows()).diagonal() = radius;
  named.radius.setZero();
  return named;
}

Array Form::half_width() const {
  return (high - middle()).max(middle() - low) * (1 + kOwn);
}

Affine::Affine(Eigen::MatrixXd weights, Array offset)
    : w(std::move(weights)),
      positive(w.cwiseMax(0.0)),
      negative(w.cwiseMin(0.0)),
      magnitude(w.cwiseAbs()),
      b(std::move(offset)) {}

Enclosure::Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack,
                     std::size_t most_symbols)
    : arithmetic_(arithmetic),
      slack_(slack),
      most_symbols_(static_cast<Index>(most_symbols)),
      cell_(spec.cell) {
  validate(spec);
  Index widest = 0;
  for (const RecurrentLayer& layer : spec.layers) {
    const std::size_t h = layer.hidden, rows = gate_count(cell_) * h;
    const std::size_t joint = cell_ == CellKind::GruResetBefore ? 2 * h : rows;
    layers_.push_back(
        {static_cast<Index>(h), static_cast<Index>(initial_.size()),
         rounded(layer.input_weights, layer.input_bias, 0, rows),
         rounded(layer.recurrent_weights, layer.recurrent_bias, 0, joint),
         rounded(layer.recurrent_weights, layer.recurrent_bias, joint, rows - joint)});
    for (const auto* values : {&layer.initial_hidden, &layer.initial_cell}) {
      if (values == &layer.initial_cell && cell_ != CellKind::Lstm) continue;
      for (std::size_t i = 0; i < h; ++i) {
        const double value = values->empty() ? 0.0 : (*values)[i];
        initial_.push_back(arithmetic_.in_float ? double(float(value)) : value);
      }
    }
    const Affine& input = layers_.back().input;
    widest = std::max({widest, input.w.rows(), input.w.cols(), static_cast<Index>(state_size())});
  }
  for (const DenseLayer& dense : spec.head) {
    head_.emplace_back(rounded(dense.weights, dense.bias, 0, dense.weights.rows), dense.activation);
    widest = std::max(widest, head_.back().first.w.rows());
  }
  if (widest > kMostRows || most_symbols_ + 3 * static_cast<Index>(state_size()) > kMostSymbols) {
    throw Refused("sizes beyond 4096 rows or 16384 symbols");
  }
  accept_ = static_cast<Index>(spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1));
  for (std::size_t a = 0; a < spec.symbol_count(); ++a) table_.push_back(table(spec, a));
}

/// Some rows of W and b, as the network executes them.
Affine Enclosure::rounded(const Matrix& weights, const std::vector<double>& bias, std::size_t first,
                          std::size_t rows) const {
  const auto round = [&](double x) { return arithmetic_.in_float ? double(float(x)) : x; };
  Eigen::MatrixXd w(rows, weights.cols);
  Array b = zeros(static_cast<Index>(rows));
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = static_cast<Index>(r);
    if (!bias.empty()) b[row] = round(bias[first + r]);
    for (std::size_t c = 0; c < weights.cols; ++c) {
      w(row, static_cast<Index>(c)) = round(weights.at(first + r, c));
    }
  }
  return {std::move(w), std::move(b)};
}

/// First layer: W x + b of one letter, summed in double and rounded once; in whichever order.
Form Enclosure::table(const NetworkSpec& spec, std::size_t letter) const {
  const RecurrentLayer& layer = spec.layers.front();
  const Matrix& w = layer.input_weights;
  Array sum = zeros(static_cast<Index>(w.rows)), terms = sum;
  for (std::size_t r = 0; r < w.rows; ++r) {
    const auto add = [&, row = static_cast<Index>(r)](double term) {
      sum[row] += term;
      terms[row] += std::abs(term);
    };
    if (!layer.input_bias.empty()) add(layer.input_bias[r]);
    for (std::size_t c = 0; c < w.cols; ++c) {
      add(w.at(r, c) * (spec.embedding ? spec.embedding->at(letter, c) : c == letter ? 1.0 : 0.0));
    }
  }
  const double roundings = 4.0 * static_cast<double>(w.cols) * 0x1p-53;
  const Array error = 1.01 * (arithmetic_.unit + roundings) * terms + kTiny;
  return {sum, Eigen::MatrixXd(sum.size(), 0), error, sum - error, sum + error, terms, 0};
}

Form Enclosure::box(const std::vector<double>& low, const std::vector<double>& high) const {
  const auto size = static_cast<Index>(low.size());
  const Eigen::Map<const Array> bottom(low.data(), size), ceiling(high.data(), size);
  const Array middle = 0.5 * (bottom + ceiling);
  const Array half = (ceiling - middle).max(middle - bottom) * (1 + kOwn);
  return {middle, Eigen::MatrixXd(size, 0), half, bottom, ceiling, zeros(size), 0};
}

Region Enclosure::ellipsoid(const std::vector<double>& middle,
                            const std::vector<double>& shape) const {
  const auto n = static_cast<Index>(middle.size());
  Eigen::MatrixXd part = Eigen::MatrixXd::Zero(n, n);
  for (Index i = 0, at = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) part(i, j) = shape[static_cast<std::size_t>(at++)];
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd back = part.triangularView<Eigen::Lower>().solve(one);
  // With E = 1 - back shape, e = back (x - middle) + E e. If |E| < 1 there is such an e for every
  // x, and |e| <= |back (x - middle)| / (1 - |E|). |E| is bounded by the root of its squares.
  const Eigen::MatrixXd rounding = back.cwiseAbs() * part.cwiseAbs() + one;
  const Eigen::MatrixXd off =
      (one - back * part).cwiseAbs() + static_cast<double>(n) * 0x1p-50 * rounding;
  const double most = (1 - off.norm() * kSummed) * (1 - kOwn);
  if (!(most > 0)) throw Refused("an ellipsoid that is flat, or too nearly so");
  const Array centre = Eigen::Map<const Array>(middle.data(), n);
  const Array any = Array::Constant(n, kLargest);
  return {Form(centre, part, zeros(n), -any, any, zeros(n), n), centre, back, most};
}

bool Region::contains(const Form& image) const {
  if (back.rows() == 0) return (form.low <= image.low && image.high <= form.high).all();
  const Array none = zeros(middle.size());
  const Form away =
      form_of({{{&image, none + 1}}, -middle, none, none, image.low - middle, image.high - middle});
  const Form y = apply({back, none}, away, 0);
  const Array rest = y.ball == 0 ? y.largest() : y.centre.abs() + beside(y) * kSummed;
  // A few products tell more than none, and cost more.
  const auto fits = [&](int products) {
    const double length = rest.matrix().norm() + longest(y.part.leftCols(y.ball), products);
    return length * kSummed + kTiny <= most;
  };
  return fits(0) || fits(4);
}

Prepared Enclosure::prepare(const Form& state) const {
  Prepared prepared{state.fresh(state.part.cols()), {}};
  for (const Layer& layer : layers_) {
    const Form hidden = prepared.state.rows(layer.offset, layer.hidden);
    prepared.recurrent.push_back(apply(layer.recurrent, hidden, arithmetic_.unit));
  }
  return prepared;
}

Form Enclosure::step(const Prepared& prepared, std::size_t letter) const {
  const double unit = arithmetic_.unit, bent = arithmetic_.bent;
  std::vector<Form> blocks;  // of the next state, in order
  Index symbols = prepared.state.part.cols();
  const auto slackened = [&](const Form& x) {
    const Array none = zeros(x.rows());
    return form_of({{{&x, none + 1}}, none, none, none + slack_, x.low, x.high});
  };
  // Errors that another block depends on become symbols; those of the last block stay a radius.
  const auto named = [&](const Form& x) {
    symbols += x.rows();
    return slackened(x).fresh(symbols - x.rows());
  };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const Index h = layer.hidden;
    const Form& past = prepared.recurrent[l];
    // An LSTM's hidden values stand before its cell values.
    const Form input =
        l == 0 ? table_[letter]
               : apply(layer.input, blocks[cell_ == CellKind::Lstm ? 2 * l - 2 : l - 1], unit);
    const Form hidden = prepared.state.rows(layer.offset, h);
    const auto gate = [&](Index g, Activation activation) {
      return activated(sum(input.rows(g * h, h), past.rows(g * h, h), unit), activation, bent);
    };
    const auto add = [&](const Form& x) {
      blocks.push_back(l + 1 < layers_.size() ? named(x) : slackened(x));
    };
    if (cell_ == CellKind::ElmanTanh || cell_ == CellKind::ElmanRelu) {
      add(gate(0, cell_ == CellKind::ElmanTanh ? Activation::Tanh : Activation::Relu));
    } else if (cell_ == CellKind::Lstm) {
      const Form in = gate(0, Activation::Sigmoid), forget = gate(1, Activation::Sigmoid);
      const Form g = gate(2, Activation::Tanh), out = gate(3, Activation::Sigmoid);
      const Form kept = product(forget, prepared.state.rows(layer.offset + h, h), 0);
      const Form cell = named(sum(kept, product(in, g, unit), unit));
      add(product(out, activated(cell, Activation::Tanh, bent), unit));
      blocks.push_back(cell);
    } else {
      const Form r = gate(0, Activation::Sigmoid), z = gate(1, Activation::Sigmoid);
      const Form reset = cell_ == CellKind::Gru
                             ? product(r, past.rows(2 * h, h), 0)
                             : apply(layer.candidate, product(r, hidden, unit), unit);
      const Form n = activated(sum(input.rows(2 * h, h), reset, unit), Activation::Tanh, bent);
      add(blend(z, hidden, n, unit));
    }
  }
  const auto size = static_cast<Index>(state_size());
  Array centre(size), radius(size), low(size), high(size);
  Eigen::MatrixXd part = Eigen::MatrixXd::Zero(size, symbols);
  Index first = 0;
  for (const Form& block : blocks) {
    centre.segment(first, block.rows()) = block.centre;
    radius.segment(first, block.rows()) = block.radius;
    low.segment(first, block.rows()) = block.low;
    high.segment(first, block.rows()) = block.high;
    if (symbols > 0) part.block(first, 0, block.rows(), block.part.cols()) = block.part;
    first += block.rows();
  }
  const Index ball = prepared.state.ball, kept = ball + most_symbols_;
  if (symbols > kept) {  // the smallest symbols go into the radius, none of the ball
    const Eigen::VectorXd weight = part.cwiseAbs().colwise().sum();
    std::vector<Index> order(static_cast<std::size_t>(symbols));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin() + ball, order.end(),
                     [&](Index a, Index b) { return weight[a] > weight[b]; });
    const Eigen::MatrixXd sorted = part(Eigen::all, order);
    part = sorted.leftCols(kept);
    radius += sorted.rightCols(symbols - kept).cwiseAbs().rowwise().sum().array();
    radius *= kSummed;
  }
  return {centre, std::move(part), radius, low, high, zeros(size), ball};
}

/// Accept is: the one score is above 0, or the accept class scores above every other.
Margin Enclosure::margin(const Form& state) const {
  Form scores = state.rows(layers_.back().offset, layers_.back().hidden);
  for (const auto& [map, activation] : head_) {
    scores = activated(apply(map, scores, arithmetic_.unit), activation, arithmetic_.bent);
  }
  if (scores.rows() == 1) return {scores.low[0], scores.high[0]};
  Margin margin{HUGE_VAL, HUGE_VAL};
  for (Index k = 0; k < scores.rows(); ++k) {
    if (k == accept_) continue;
    const Form lead = difference(scores.rows(accept_, 1), scores.rows(k, 1));
    margin.low = std::min(margin.low, lead.low[0]);
    margin.high = std::min(margin.high, lead.high[0]);
  }
  return margin;
}

}  // namespace rnnalf::check
