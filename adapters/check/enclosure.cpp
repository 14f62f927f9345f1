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
// off by less than kOwn * m. std::tanh is trusted to be within 2^-45.
constexpr double kOwn = 0x1p-48;
constexpr double kBand = 0x1p-40;
constexpr std::size_t kMostRows = 4096, kMostSymbols = 16384;

/// Ends every operation: adds our own rounding (`terms`: sum of the magnitudes that went into a
/// row), and takes the tighter of the two enclosures.
void settle(Form& x, const std::vector<double>& terms) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    x.radius[i] += kOwn * terms[i];
    x.low[i] -= kOwn * terms[i];
    x.high[i] += kOwn * terms[i];
    const double spread = x.spread(i);
    x.low[i] = std::max(x.low[i], x.centre[i] - spread - kOwn * std::abs(x.centre[i]));
    x.high[i] = std::min(x.high[i], x.centre[i] + spread + kOwn * std::abs(x.centre[i]));
    // Written so that what is not a number fails, too.
    if (!(x.low[i] <= x.high[i] && x.low[i] >= -kLargest && x.high[i] <= kLargest &&
          std::abs(x.centre[i]) + spread <= kLargest)) {
      throw Refused("an enclosure is empty or has numbers beyond 2^20");
    }
  }
}

Form rows_of(const Form& x, std::size_t first, std::size_t count) {
  Form some(count, x.symbols);
  for (std::size_t i = 0; i < count; ++i) {
    some.centre[i] = x.centre[first + i];
    some.radius[i] = x.radius[first + i];
    some.low[i] = x.low[first + i];
    some.high[i] = x.high[first + i];
    for (std::size_t j = 0; j < x.symbols; ++j) {
      some.part[j * count + i] = x.part[j * x.rows() + first + i];
    }
  }
  return some;
}

/// The radius of every row becomes a symbol of its own, numbered from `first` on.
Form fresh(const Form& x, std::size_t first) {
  Form named(x.rows(), first + x.rows());
  std::copy(x.part.begin(), x.part.end(), named.part.begin());
  for (std::size_t i = 0; i < x.rows(); ++i) named.part[(first + i) * x.rows() + i] = x.radius[i];
  named.centre = x.centre;
  named.low = x.low;
  named.high = x.high;
  return named;
}

double larger(double a, double b) {
  return std::max(std::abs(a), std::abs(b));
}

/// One row of a result: sum_k by[k] x_k + offset + an error of at most bend + error, where the
/// executed numbers without that error, bent or not, lie in [low, high].
struct Row {
  double by[3];
  double offset, error, low, high;
  double bend = 0;  ///< what is not linear in the x_k
};

template <class RowOf>
Form combined(std::initializer_list<const Form*> of, RowOf row_of) {
  std::size_t symbols = 0;
  for (const Form* x : of) symbols = std::max(symbols, x->symbols);
  Form y((*of.begin())->rows(), symbols);
  std::vector<double> terms(y.rows());
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const Row row = row_of(i);
    y.centre[i] = row.offset;
    y.radius[i] = row.error + row.bend;
    y.low[i] = row.low - row.error;
    y.high[i] = row.high + row.error;
    terms[i] = std::abs(row.offset) + y.radius[i] + larger(row.low, row.high);
    const double* by = row.by;
    for (const Form* x : of) {
      y.centre[i] += *by * x->centre[i];
      y.radius[i] += std::abs(*by) * x->radius[i];
      terms[i] += (1 + std::abs(*by)) * x->terms(i);
      for (std::size_t j = 0; j < x->symbols; ++j) {
        y.part[j * y.rows() + i] += *by * x->part[j * y.rows() + i];
      }
      ++by;
    }
  }
  settle(y, terms);
  return y;
}

/// a - b, exactly.
Form difference(const Form& a, const Form& b) {
  return combined({&a, &b}, [&](std::size_t i) {
    return Row{{1, -1}, 0, 0, a.low[i] - b.high[i], a.high[i] - b.low[i]};
  });
}

/// Upper bound of tanh x - slope x on [low, high]; 0 <= slope <= 1. Below 0 tanh is convex: an end
/// is the highest. Above 0 it is concave: no point is above the tangent at p, whatever p >= 0 is.
double top(double low, double high, double slope) {
  const auto at_end = [&](double x) { return std::tanh(x) - slope * x; };
  double highest = low < 0 ? std::max(at_end(low), at_end(std::min(high, 0.0))) : -HUGE_VAL;
  if (high > 0) {
    const double from = std::max(low, 0.0);
    const double p = std::clamp(std::atanh(std::sqrt(1 - slope)), from, high);
    const double value = std::tanh(p), tilt = 1 - value * value;
    for (const double x : {from, high}) {
      highest = std::max(highest, value - tilt * p + (tilt - slope) * x);
    }
  }
  return highest + kBand * (1 + std::max(std::abs(low), std::abs(high)));
}

/// f(x) lies in slope x + [low, high] for x in the interval that it was made for.
struct Band {
  double slope, low, high;
};

Band tanh_band(double low, double high) {
  const double chord = (std::tanh(high) - std::tanh(low)) / (high - low);
  const double value = std::tanh(low);
  const double slope =
      high - low > 1e-6 ? std::clamp(chord, 0.0, 1.0) : std::clamp(1 - value * value, 0.0, 1.0);
  return {slope, -top(-high, -low, slope), top(low, high, slope)};
}

/// sigmoid(x) = (1 + tanh(x/2)) / 2
Band sigmoid_band(double low, double high) {
  const Band half = tanh_band(low / 2, high / 2);
  return {half.slope / 4, 0.5 + half.low / 2, 0.5 + half.high / 2};
}

Band relu_band(double low, double high) {
  if (low >= 0) return {1, 0, 0};
  if (high <= 0) return {0, 0, 0};
  const double slope = std::clamp(high / (high - low), 0.0, 1.0);
  // x for x >= 0, 0 below: f(x) - slope x is largest at an end and smallest at 0.
  return {slope, 0, std::max(-slope * low, (1 - slope) * high) * (1 + kOwn)};
}

}  // namespace

double Form::spread(std::size_t i) const {
  double sum = radius[i];
  for (std::size_t j = 0; j < symbols; ++j) sum += std::abs(part[j * rows() + i]);
  return sum * (1 + 0x1p-36);  // at most 2^14 + 1 roundings
}

double Form::largest(std::size_t i) const {
  return std::max(std::abs(low[i]), std::abs(high[i]));
}

double Form::terms(std::size_t i) const {
  return std::abs(centre[i]) + spread(i) + largest(i);
}

double Form::half_width(std::size_t i) const {
  return std::max(high[i] - middle(i), middle(i) - low[i]) * (1 + kOwn);
}

Enclosure::Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack,
                     std::size_t most_symbols)
    : arithmetic_(arithmetic), slack_(slack), most_symbols_(most_symbols), cell_(spec.cell) {
  validate(spec);
  const bool has_cell = cell_ == CellKind::Lstm;
  std::size_t inputs = spec.layers.front().input_weights.cols, widest = inputs;
  for (const RecurrentLayer& layer : spec.layers) {
    const std::size_t h = layer.hidden, rows = gate_count(cell_) * h;
    const std::size_t joint = cell_ == CellKind::GruResetBefore ? 2 * h : rows;
    layers_.push_back(
        {h, size_, rounded(layer.input_weights, layer.input_bias, 0, rows),
         rounded(layer.recurrent_weights, layer.recurrent_bias, 0, joint),
         rounded(layer.recurrent_weights, layer.recurrent_bias, joint, rows - joint)});
    for (const auto* values : {&layer.initial_hidden, &layer.initial_cell}) {
      if (values == &layer.initial_cell && !has_cell) continue;
      for (std::size_t i = 0; i < h; ++i) {
        const double value = values->empty() ? 0.0 : (*values)[i];
        initial_.push_back(arithmetic_.in_float ? double(float(value)) : value);
      }
    }
    size_ = initial_.size();
    widest = std::max(widest, rows);
  }
  for (const DenseLayer& dense : spec.head) {
    head_.push_back(rounded(dense.weights, dense.bias, 0, dense.weights.rows));
    activations_.push_back(dense.activation);
    widest = std::max(widest, dense.weights.rows);
  }
  if (widest > kMostRows || size_ > kMostRows || most_symbols_ + 3 * size_ > kMostSymbols) {
    throw Refused("sizes beyond 4096 rows or 16384 symbols");
  }
  accept_ = spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1);
  for (std::size_t a = 0; a < spec.symbol_count(); ++a) table_.push_back(table(spec, a));
}

Enclosure::Affine Enclosure::rounded(const Matrix& weights, const std::vector<double>& bias,
                                     std::size_t first, std::size_t rows) const {
  const auto round = [&](double x) { return arithmetic_.in_float ? double(float(x)) : x; };
  Affine map{rows, weights.cols, {}, {}};
  for (std::size_t c = 0; c < weights.cols; ++c) {
    for (std::size_t r = 0; r < rows; ++r) map.columns.push_back(round(weights.at(first + r, c)));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    map.bias.push_back(bias.empty() ? 0.0 : round(bias[first + r]));
  }
  return map;
}

/// First layer: W x + b of one letter, summed in double and rounded once; in whichever order.
Form Enclosure::table(const NetworkSpec& spec, std::size_t letter) const {
  const RecurrentLayer& layer = spec.layers.front();
  const Matrix& w = layer.input_weights;
  Form x(w.rows, 0);
  std::vector<double> terms(w.rows);
  for (std::size_t r = 0; r < w.rows; ++r) {
    double sum = layer.input_bias.empty() ? 0.0 : layer.input_bias[r];
    terms[r] = std::abs(sum);
    for (std::size_t c = 0; c < w.cols; ++c) {
      const double input = spec.embedding ? spec.embedding->at(letter, c) : c == letter ? 1.0 : 0.0;
      sum += w.at(r, c) * input;
      terms[r] += std::abs(w.at(r, c) * input);
    }
    const double roundings = 4.0 * static_cast<double>(w.cols) * 0x1p-53;
    x.centre[r] = sum;
    x.radius[r] = 1.01 * (arithmetic_.unit + roundings) * terms[r] + kTiny;
    x.low[r] = sum - x.radius[r];
    x.high[r] = sum + x.radius[r];
  }
  settle(x, terms);
  return x;
}

Form Enclosure::initial() const {
  Form x(size_, 0);
  x.centre = x.low = x.high = initial_;
  return x;
}

Form Enclosure::box(const std::vector<double>& low, const std::vector<double>& high) const {
  Form x(size_, 0);
  x.low = low;
  x.high = high;
  for (std::size_t i = 0; i < size_; ++i) {
    x.centre[i] = x.middle(i);
    x.radius[i] = x.half_width(i);
  }
  return x;
}

/// y = W x + b: in every row one chain of fused operations, a rounding each.
Form Enclosure::apply(const Affine& map, const Form& x) const {
  const std::size_t n = map.cols;
  Form y(map.rows, x.symbols);
  std::vector<double> terms(map.rows), x_terms(n), x_largest(n);
  for (std::size_t k = 0; k < n; ++k) {
    x_terms[k] = x.terms(k);
    x_largest[k] = x.largest(k);
  }
  for (std::size_t i = 0; i < map.rows; ++i) {
    double executed = std::abs(map.bias[i]), own = executed;
    y.centre[i] = y.low[i] = y.high[i] = map.bias[i];
    for (std::size_t k = 0; k < n; ++k) {
      const double w = map.columns[k * map.rows + i];
      y.centre[i] += w * x.centre[k];
      y.radius[i] += std::abs(w) * x.radius[k];
      y.low[i] += w * (w > 0 ? x.low[k] : x.high[k]);
      y.high[i] += w * (w > 0 ? x.high[k] : x.low[k]);
      executed += std::abs(w) * x_largest[k];
      own += std::abs(w) * x_terms[k];
    }
    // (1 + unit)^n - 1 < 1.01 n unit, as n unit < 2^-12
    const double error = 1.01 * static_cast<double>(n) * (arithmetic_.unit * executed + kTiny);
    y.radius[i] += error;
    y.low[i] -= error;
    y.high[i] += error;
    terms[i] = own * (1 + static_cast<double>(n) * 0x1p-4);  // n + 1 roundings: n 2^-52 of `own`
  }
  for (std::size_t j = 0; j < x.symbols; ++j) {
    double* const to = y.part.data() + j * map.rows;
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = x.part[j * n + k];
      const double* const column = map.columns.data() + k * map.rows;
      for (std::size_t i = 0; i < map.rows; ++i) to[i] += column[i] * factor;
    }
  }
  settle(y, terms);
  return y;
}

/// One rounded sum of the executed numbers.
Form Enclosure::sum(const Form& a, const Form& b) const {
  return combined({&a, &b}, [&](std::size_t i) {
    const double low = a.low[i] + b.low[i], high = a.high[i] + b.high[i];
    return Row{{1, 1}, 0, 1.01 * arithmetic_.unit * larger(low, high) + kTiny, low, high};
  });
}

/// a b = A b + a B - A B + (a - A) (b - B) for any A and B; they are the middles. `unit` 0: exact.
Form Enclosure::product(const Form& a, const Form& b, double unit) const {
  return combined({&a, &b}, [&](std::size_t i) {
    const double A = a.middle(i), B = b.middle(i);
    const auto [low, high] = std::minmax(
        {a.low[i] * b.low[i], a.low[i] * b.high[i], a.high[i] * b.low[i], a.high[i] * b.high[i]});
    Row row{{B, A}, -A * B, 1.01 * unit * larger(low, high) + kTiny, low, high};
    row.bend = a.half_width(i) * b.half_width(i);
    return row;
  });
}

/// n + z (h - n), two roundings: = Z h + (1 - Z) n + D (z - Z) + (z - Z) (d - D), d = h - n.
Form Enclosure::blend(const Form& z, const Form& h, const Form& n) const {
  const Form d = difference(h, n);
  return combined({&z, &h, &n}, [&](std::size_t i) {
    const double Z = z.middle(i), D = d.middle(i);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double s : {z.low[i], z.high[i]}) {  // linear in each of z, h, n: ends suffice
      for (const double x : {h.low[i], h.high[i]}) {
        for (const double y : {n.low[i], n.high[i]}) {
          low = std::min(low, s * x + (1 - s) * y);
          high = std::max(high, s * x + (1 - s) * y);
        }
      }
    }
    const double rounded_numbers = 2 * z.largest(i) * d.largest(i) + n.largest(i);
    Row row{{D, Z, 1 - Z}, -D * Z, 1.01 * arithmetic_.unit * rounded_numbers + kTiny, low, high};
    row.bend = z.half_width(i) * d.half_width(i);
    return row;
  });
}

Form Enclosure::activated(const Form& x, Activation activation) const {
  if (activation == Activation::None) return x;
  return combined({&x}, [&](std::size_t i) {
    const double low = x.low[i], high = x.high[i];
    Band band{};
    Row row{};
    if (activation == Activation::Tanh) {
      band = tanh_band(low, high);
      row = {{}, 0, arithmetic_.tanh_error + kBand, std::tanh(low), std::tanh(high)};
    } else if (activation == Activation::Sigmoid) {
      band = sigmoid_band(low, high);
      row = {{},
             0,
             arithmetic_.sigmoid_error + kBand,
             0.5 + 0.5 * std::tanh(low / 2),
             0.5 + 0.5 * std::tanh(high / 2)};
    } else {
      band = relu_band(low, high);
      row = {{}, 0, 0, std::max(low, 0.0), std::max(high, 0.0)};
    }
    row.by[0] = band.slope;
    row.offset = 0.5 * (band.low + band.high);
    row.bend = std::max(band.high - row.offset, row.offset - band.low);
    return row;
  });
}

Form Enclosure::slackened(const Form& x) const {
  return combined({&x}, [&](std::size_t i) { return Row{{1}, 0, slack_, x.low[i], x.high[i]}; });
}

Prepared Enclosure::prepare(const Form& state) const {
  Prepared prepared{fresh(state, state.symbols), {}};
  for (const Layer& layer : layers_) {
    const Form hidden = rows_of(prepared.state, layer.offset, layer.hidden);
    prepared.recurrent.push_back(apply(layer.recurrent, hidden));
  }
  return prepared;
}

Form Enclosure::step(const Prepared& prepared, std::size_t letter) const {
  std::vector<Form> blocks;  // of the next state, in order
  std::size_t symbols = prepared.state.symbols;
  // Errors that another block depends on become symbols; those of the last block stay a radius.
  const auto named = [&](const Form& x) {
    symbols += x.rows();
    return fresh(slackened(x), symbols - x.rows());
  };
  Form below(0, 0);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const std::size_t h = layer.hidden;
    const Form& from_hidden = prepared.recurrent[l];
    const Form input = l == 0 ? table_[letter] : apply(layer.input, below);
    const auto gate = [&](std::size_t g, Activation activation) {
      return activated(sum(rows_of(input, g * h, h), rows_of(from_hidden, g * h, h)), activation);
    };
    const Form hidden = rows_of(prepared.state, layer.offset, h);
    switch (cell_) {
      case CellKind::ElmanTanh:
        below = gate(0, Activation::Tanh);
        break;
      case CellKind::ElmanRelu:
        below = gate(0, Activation::Relu);
        break;
      case CellKind::Gru:
      case CellKind::GruResetBefore: {
        const Form r = gate(0, Activation::Sigmoid), z = gate(1, Activation::Sigmoid);
        const Form past = cell_ == CellKind::Gru
                              ? product(r, rows_of(from_hidden, 2 * h, h), 0)
                              : apply(layer.candidate, product(r, hidden, arithmetic_.unit));
        const Form n = activated(sum(rows_of(input, 2 * h, h), past), Activation::Tanh);
        below = blend(z, hidden, n);
        break;
      }
      case CellKind::Lstm: {
        const Form in = gate(0, Activation::Sigmoid), forget = gate(1, Activation::Sigmoid);
        const Form g = gate(2, Activation::Tanh), out = gate(3, Activation::Sigmoid);
        const Form kept = product(forget, rows_of(prepared.state, layer.offset + h, h), 0);
        const Form cell = named(sum(kept, product(in, g, arithmetic_.unit)));
        below = product(out, activated(cell, Activation::Tanh), arithmetic_.unit);
        blocks.push_back(cell);
        break;
      }
    }
    below = l + 1 < layers_.size() ? named(below) : slackened(below);
    // An LSTM's hidden values stand before its cell values.
    blocks.insert(cell_ == CellKind::Lstm ? blocks.end() - 1 : blocks.end(), below);
  }
  Form next(size_, symbols);
  std::size_t first = 0;
  for (const Form& block : blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      next.centre[first + i] = block.centre[i];
      next.radius[first + i] = block.radius[i];
      next.low[first + i] = block.low[i];
      next.high[first + i] = block.high[i];
      for (std::size_t j = 0; j < block.symbols; ++j) {
        next.part[j * size_ + first + i] = block.part[j * block.rows() + i];
      }
    }
    first += block.rows();
  }
  return reduced(next);
}

/// At most most_symbols_ symbols: the smallest ones go into the radius.
Form Enclosure::reduced(const Form& state) const {
  if (state.symbols <= most_symbols_) return state;
  std::vector<double> weight(state.symbols);
  for (std::size_t j = 0; j < state.symbols; ++j) {
    for (std::size_t i = 0; i < size_; ++i) weight[j] += std::abs(state.part[j * size_ + i]);
  }
  std::vector<std::size_t> order(state.symbols);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
  Form fewer(size_, most_symbols_);
  fewer.centre = state.centre;
  fewer.low = state.low;
  fewer.high = state.high;
  for (std::size_t i = 0; i < size_; ++i) {
    double rest = state.radius[i];
    for (std::size_t k = 0; k < state.symbols; ++k) {
      const double value = state.part[order[k] * size_ + i];
      if (k < most_symbols_) {
        fewer.part[k * size_ + i] = value;
      } else {
        rest += std::abs(value);
      }
    }
    fewer.radius[i] = rest * (1 + 0x1p-36);
  }
  return fewer;
}

/// Accept is: the one score is above 0, or the accept class scores above every other.
Margin Enclosure::margin(const Form& state) const {
  Form scores = rows_of(state, layers_.back().offset, layers_.back().hidden);
  for (std::size_t l = 0; l < head_.size(); ++l) {
    scores = activated(apply(head_[l], scores), activations_[l]);
  }
  if (scores.rows() == 1) return {scores.low[0], scores.high[0]};
  Margin margin{HUGE_VAL, HUGE_VAL};
  for (std::size_t k = 0; k < scores.rows(); ++k) {
    if (k == accept_) continue;
    const Form lead = difference(rows_of(scores, accept_, 1), rows_of(scores, k, 1));
    margin.low = std::min(margin.low, lead.low[0]);
    margin.high = std::min(margin.high, lead.high[0]);
  }
  return margin;
}

}  // namespace rnnalf::check
