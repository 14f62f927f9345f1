#include "rnnalf/certify/image.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::certify {
namespace {

constexpr double kTiny = 0x1p-100;
constexpr double kLargest = 0x1p19;  // the checkers reason about numbers up to 2^20

double larger(double a, double b) {
  return std::max(std::abs(a), std::abs(b));
}

/// The largest value of tanh x - slope x on [low, high]; 0 <= slope <= 1.
double top(double low, double high, double slope) {
  double highest = low < 0 ? std::max(std::tanh(low) - slope * low,
                                      high < 0 ? std::tanh(high) - slope * high : 0.0)
                           : -HUGE_VAL;
  if (high > 0) {
    const double p = std::clamp(std::atanh(std::sqrt(1 - slope)), std::max(low, 0.0), high);
    highest = std::max(highest, std::tanh(p) - slope * p);
  }
  return highest;
}

struct Band {
  double slope, low, high;
};

/// How far columns reach in every row, added one after the other: those of the ball together as far
/// as a row is long, the others one by one.
class Spread {
 public:
  Spread(std::size_t rows, std::size_t ball) : ball_(ball), squares_(rows), sum_(rows) {}

  void add(std::size_t j, const double* column) {
    if (j < ball_) {
      for (std::size_t i = 0; i < sum_.size(); ++i) squares_[i] += column[i] * column[i];
    } else {
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += std::abs(column[i]);
    }
  }
  double operator[](std::size_t i) const { return sum_[i] + std::sqrt(squares_[i]); }

 private:
  std::size_t ball_;
  std::vector<double> squares_, sum_;
};

Band tanh_band(double low, double high, double at_low, double at_high) {
  double slope = high - low > 1e-6 ? (at_high - at_low) / (high - low) : 1 - at_low * at_low;
  slope = std::clamp(slope, 0.0, 1.0);
  return {slope, -top(-high, -low, slope), top(low, high, slope)};
}

}  // namespace

void Imager::Row::tighten() {
  low = std::max(low, centre - spread - radius);
  high = std::min(high, centre + spread + radius);
}

double Imager::Row::largest() const {
  return larger(low, high);
}

void Imager::Rows::measure() {
  Spread spread(row.size(), ball);
  for (std::size_t j = 0; j < columns; ++j) spread.add(j, parts.data() + j * stride);
  for (std::size_t i = 0; i < row.size(); ++i) row[i].spread = spread[i];
}

Imager::Imager(const NetworkSpec& spec, const ImagerOptions& options)
    : slack_(options.slack),
      in_float_(options.precision == Precision::Float),
      most_columns_(options.columns) {
  const auto stack = stack_of(spec.step);
  RNNALF_CHECK(stack.has_value(), "only stacks of layers are certified");
  cell_ = stack->cell;
  unit_ = in_float_ ? 0x1p-24 : 0x1p-53;
  tanh_error_ = sigmoid_error_ = in_float_ ? 0x1p-22 : 0x1p-47;
  for (const RecurrentLayer& from : stack->layers) {
    const std::size_t h = from.hidden, rows = gate_count(cell_) * h;
    const std::size_t joint = cell_ == CellKind::GruResetBefore ? 2 * h : rows;
    Layer layer{h, size_, {}, {}, {}};
    if (!layers_.empty()) layer.input = map(from.input_weights, from.input_bias, 0, rows);
    layer.recurrent = map(from.recurrent_weights, from.recurrent_bias, 0, joint);
    if (joint < rows) {
      layer.candidate = map(from.recurrent_weights, from.recurrent_bias, joint, rows - joint);
    }
    layers_.push_back(std::move(layer));
    size_ += cell_ == CellKind::Lstm ? 2 * h : h;
  }
  for (const DenseLayer& dense : spec.head) {
    head_.push_back(map(dense.weights, dense.bias, 0, dense.weights.rows));
    activations_.push_back(dense.activation);
  }
  accept_ = spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1);
  const RecurrentLayer& first = stack->layers.front();
  const Matrix& w = first.input_weights;
  for (std::size_t a = 0; a < spec.symbol_count(); ++a) {
    std::vector<Row>& table = table_.emplace_back(w.rows);
    for (std::size_t r = 0; r < w.rows; ++r) {
      double value = first.input_bias.empty() ? 0.0 : first.input_bias[r];
      double terms = std::abs(value);
      for (std::size_t c = 0; c < w.cols; ++c) {
        const double input = stack->embedding ? stack->embedding->at(a, c) : c == a ? 1.0 : 0.0;
        value += w.at(r, c) * input;
        terms += std::abs(w.at(r, c) * input);
      }
      const double error =
          1.01 * (unit_ + 4 * static_cast<double>(w.cols) * 0x1p-53) * terms + kTiny;
      table[r] = {value, error, 0, value - error, value + error};
    }
  }
}

double Imager::rounded(double value) const {
  return in_float_ ? static_cast<double>(static_cast<float>(value)) : value;
}

Imager::Map Imager::map(const Matrix& weights, const std::vector<double>& bias, std::size_t first,
                        std::size_t rows) const {
  const auto entry = [&](std::size_t r, std::size_t c) {
    return rounded(weights.at(first + r, c));
  };
  const auto offset = [&](std::size_t r) { return bias.empty() ? 0.0 : rounded(bias[first + r]); };
  Map map;
  map.rows = rows;
  map.cols = weights.cols;
  map.weights = kernels::PackedMatrix<double>(rows, weights.cols, entry, offset);
  map.magnitude = kernels::PackedMatrix<double>(
      rows, weights.cols, [&](std::size_t r, std::size_t c) { return std::abs(entry(r, c)); },
      [](std::size_t) { return 0.0; });
  for (std::size_t c = 0; c < weights.cols; ++c) {
    for (std::size_t r = 0; r < rows; ++r) map.plain.push_back(entry(r, c));
  }
  for (std::size_t r = 0; r < rows; ++r) map.bias_magnitude.push_back(std::abs(offset(r)));
  return map;
}

Image Imager::of(Box box) const {
  Image image;
  image.centre.resize(size_);
  image.radius.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    image.centre[i] = 0.5 * (box.low[i] + box.high[i]);
    image.radius[i] = 0.5 * (box.high[i] - box.low[i]);
  }
  image.box = std::move(box);
  return image;
}

void Imager::apply(const Map& map, const double* parts, std::size_t stride, std::size_t columns,
                   std::size_t ball, const Row* x, Rows& y) const {
  const auto& kernels = kernels::best<double>();
  const std::size_t n = map.cols, padded = kernels::padded<double>(map.rows);
  y.row.assign(map.rows, Row{});
  y.stride = padded;
  y.columns = columns;
  y.ball = ball;
  y.parts.resize(padded * columns);
  kernels::PackedView<double> without_bias = map.weights.view();
  without_bias.bias = map.magnitude.view().bias;  // zeros
  kernels.multiply(without_bias, parts, stride, columns, y.parts.data(), padded);
  y.measure();

  std::vector<double> in(3 * n), out(5 * padded);
  for (std::size_t k = 0; k < n; ++k) {
    in[k] = x[k].centre;
    in[n + k] = x[k].middle();
  }
  kernels.multiply(map.weights.view(), in.data(), n, 2, out.data(), padded);
  for (std::size_t k = 0; k < n; ++k) {
    in[k] = x[k].radius;
    in[n + k] = x[k].half();
    in[2 * n + k] = x[k].largest();
  }
  kernels.multiply(map.magnitude.view(), in.data(), n, 3, out.data() + 2 * padded, padded);
  for (std::size_t i = 0; i < map.rows; ++i) {
    const double error = 1.01 * static_cast<double>(n) *
                         (unit_ * (map.bias_magnitude[i] + out[4 * padded + i]) + kTiny);
    Row& row = y.row[i];
    const double middle = out[padded + i], half = out[3 * padded + i] + error;
    row = {out[i], out[2 * padded + i] + error, row.spread, middle - half, middle + half};
    row.tighten();
  }
}

Imager::Row Imager::sum(const Row& a, const Row& b) const {
  const double low = a.low + b.low, high = a.high + b.high;
  const double error = 1.01 * unit_ * larger(low, high) + kTiny;
  return {a.centre + b.centre, a.radius + b.radius + error, 0, low - error, high + error};
}

Imager::Row Imager::product(const Row& a, const Row& b, double unit) const {
  const double A = a.middle(), B = b.middle();
  const auto [low, high] =
      std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  const double error = 1.01 * unit * larger(low, high) + kTiny;
  return {A * b.centre + B * a.centre - A * B,
          std::abs(A) * b.radius + std::abs(B) * a.radius + a.half() * b.half() + error, 0,
          low - error, high + error};
}

Imager::Bent Imager::tanh(const Row& x) const {
  const double low = std::tanh(x.low), high = std::tanh(x.high);
  const Band band = tanh_band(x.low, x.high, low, high);
  Bent y{band.slope, {}};
  y.row = {band.slope * x.centre + 0.5 * (band.low + band.high),
           band.slope * x.radius + 0.5 * (band.high - band.low) + tanh_error_,
           band.slope * x.spread, low - tanh_error_, high + tanh_error_};
  y.row.tighten();
  return y;
}

Imager::Bent Imager::sigmoid(const Row& x) const {
  const double low = std::tanh(x.low / 2), high = std::tanh(x.high / 2);
  const Band band = tanh_band(x.low / 2, x.high / 2, low, high);
  const double slope = band.slope / 4;
  Bent y{slope, {}};
  y.row = {slope * x.centre + 0.5 + 0.25 * (band.low + band.high),
           slope * x.radius + 0.25 * (band.high - band.low) + sigmoid_error_, slope * x.spread,
           0.5 + 0.5 * low - sigmoid_error_, 0.5 + 0.5 * high + sigmoid_error_};
  y.row.tighten();
  return y;
}

Imager::Bent Imager::bent(const Row& x, Activation activation) const {
  if (activation == Activation::None) return {1, x};
  if (activation == Activation::Tanh) return tanh(x);
  if (activation == Activation::Sigmoid) return sigmoid(x);
  if (x.low >= 0) return {1, x};
  if (x.high <= 0) return {0, {}};
  const double slope = x.high / (x.high - x.low), top = -slope * x.low;
  Bent y{slope,
         {slope * x.centre + 0.5 * top, slope * x.radius + 0.5 * top, slope * x.spread, 0, x.high}};
  y.row.tighten();
  return y;
}

MarginRange Imager::margin(const Image& image) const {
  const Layer& last = layers_.back();
  std::vector<Row> rows(last.hidden);
  for (std::size_t i = 0; i < last.hidden; ++i) {
    const std::size_t s = last.offset + i;
    rows[i] = {image.centre[s], image.radius[s], 0, image.box.low[s], image.box.high[s]};
  }
  const double* parts = image.parts.data() + last.offset;
  std::size_t stride = size_;
  Rows x, y;
  for (std::size_t l = 0; l < head_.size(); ++l) {
    apply(head_[l], parts, stride, image.columns, image.ball, rows.data(), y);
    for (std::size_t i = 0; i < y.row.size(); ++i) {
      const Bent bent_row = bent(y.row[i], activations_[l]);
      y.row[i] = bent_row.row;
      if (bent_row.slope == 1) continue;
      for (std::size_t j = 0; j < y.columns; ++j) y.parts[j * y.stride + i] *= bent_row.slope;
    }
    std::swap(x, y);
    rows = x.row;
    parts = x.parts.data();
    stride = x.stride;
  }
  if (rows.size() == 1) return {rows[0].low, rows[0].high};
  MarginRange margin{HUGE_VAL, HUGE_VAL};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k == accept_) continue;
    Spread lead(1, image.ball);
    for (std::size_t j = 0; j < x.columns; ++j) {
      const double part = parts[j * stride + accept_] - parts[j * stride + k];
      lead.add(j, &part);
    }
    const double spread = rows[accept_].radius + rows[k].radius + lead[0];
    const double centre = rows[accept_].centre - rows[k].centre;
    margin.low = std::min(margin.low, std::max(rows[accept_].low - rows[k].high, centre - spread));
    margin.high =
        std::min(margin.high, std::min(rows[accept_].high - rows[k].low, centre + spread));
  }
  return margin;
}

// ---------------------------------------------------------------- successors

Successors::Successors(const Imager& imager, const Image& image) : imager_(imager) {
  const std::size_t size = imager.size_;
  columns_ = image.columns + size;
  ball_ = image.ball;
  state_.assign(columns_ * size, 0.0);
  std::copy(image.parts.begin(), image.parts.end(), state_.begin());
  state_rows_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    state_[(image.columns + i) * size + i] = image.radius[i];
    state_rows_[i] = {image.centre[i], 0, 0, image.box.low[i], image.box.high[i]};
  }
  std::vector<Row> with_radius = state_rows_;
  for (std::size_t i = 0; i < size; ++i) with_radius[i].radius = image.radius[i];
  recurrent_.resize(imager.layers_.size());
  for (std::size_t l = 0; l < imager.layers_.size(); ++l) {
    const Imager::Layer& layer = imager.layers_[l];
    Rows& to = recurrent_[l];
    // The dense columns by the kernel. The radius becomes columns with one number each: columns of
    // U times that number. apply() has put them into the radius of U h + c; they leave it again.
    imager.apply(layer.recurrent, state_.data() + layer.offset, size, image.columns, ball_,
                 with_radius.data() + layer.offset, to);
    const std::size_t rows = layer.recurrent.rows;
    to.parts.resize(to.stride * columns_, 0.0);
    to.columns = columns_;
    for (std::size_t i = 0; i < layer.hidden; ++i) {
      const double factor = image.radius[layer.offset + i];
      double* const column = to.parts.data() + (image.columns + layer.offset + i) * to.stride;
      const double* const weights = layer.recurrent.plain.data() + i * rows;
      for (std::size_t r = 0; r < rows; ++r) column[r] = weights[r] * factor;
      for (std::size_t r = 0; r < rows; ++r) {
        to.row[r].spread += std::abs(column[r]);
        to.row[r].radius = std::max(0.0, to.row[r].radius - std::abs(column[r]));
      }
    }
  }
}

bool Successors::step(std::size_t letter, Image& next) {
  const std::size_t size = imager_.size_;
  next_columns_ = columns_;
  next_.assign(columns_ * size, 0.0);
  next_rows_.assign(size, Row{});
  for (std::size_t l = 0; l < imager_.layers_.size(); ++l) {
    const Imager::Layer& layer = imager_.layers_[l];
    if (l == 0) {
      gates_.row = imager_.table_[letter];
      gates_.columns = 0;
    } else {
      imager_.apply(layer.input, below_.parts.data(), below_.stride, below_.columns, ball_,
                    below_.row.data(), gates_);
    }
    switch (imager_.cell_) {
      case CellKind::ElmanTanh:
      case CellKind::ElmanRelu:
        elman(l);
        break;
      case CellKind::Gru:
      case CellKind::GruResetBefore:
        gru(l);
        break;
      case CellKind::Lstm:
        lstm(l);
        break;
    }
    if (l + 1 == imager_.layers_.size()) break;
    below_.stride = layer.hidden;
    below_.columns = next_columns_;
    below_.parts.resize(next_columns_ * layer.hidden);
    for (std::size_t j = 0; j < next_columns_; ++j) {
      std::copy_n(next_.data() + j * size + layer.offset, layer.hidden,
                  below_.parts.data() + j * layer.hidden);
    }
    below_.row.assign(
        next_rows_.begin() + static_cast<std::ptrdiff_t>(layer.offset),
        next_rows_.begin() + static_cast<std::ptrdiff_t>(layer.offset + layer.hidden));
  }
  for (const Row& row : next_rows_) {
    if (!(std::abs(row.centre) + row.spread + row.radius <= kLargest && row.low <= row.high))
      return false;
  }
  reduce(next);
  return true;
}

void Successors::finish(std::size_t first, std::size_t rows, bool named) {
  const std::size_t size = imager_.size_;
  for (std::size_t i = first; i < first + rows; ++i) {
    Row& row = next_rows_[i];
    row.radius += imager_.slack_;
    row.low -= imager_.slack_;
    row.high += imager_.slack_;
    row.tighten();
    if (!named) continue;
    next_.resize((next_columns_ + 1) * size, 0.0);
    next_[next_columns_ * size + i] = row.radius;
    row.spread += row.radius;
    row.radius = 0;
    ++next_columns_;
  }
}

void Successors::elman(std::size_t l) {
  const Imager::Layer& layer = imager_.layers_[l];
  const std::size_t h = layer.hidden, size = imager_.size_;
  const Rows& from = recurrent_[l];
  const bool dense = gates_.columns > 0;
  const Activation activation =
      imager_.cell_ == CellKind::ElmanTanh ? Activation::Tanh : Activation::Relu;
  if (dense) {
    for (std::size_t j = 0; j < from.columns; ++j) {
      double* const to = gates_.parts.data() + j * gates_.stride;
      const double* const column = from.parts.data() + j * from.stride;
      for (std::size_t i = 0; i < h; ++i) to[i] += column[i];
    }
  }
  const Rows& parts = dense ? gates_ : from;
  std::vector<Row> pre(h);
  for (std::size_t i = 0; i < h; ++i) pre[i] = imager_.sum(gates_.row[i], from.row[i]);
  if (dense) {
    gates_.measure();
    for (std::size_t i = 0; i < h; ++i) pre[i].spread = gates_.row[i].spread;
  } else {
    for (std::size_t i = 0; i < h; ++i) pre[i].spread = from.row[i].spread;
  }
  std::vector<double> slope(h);
  for (std::size_t i = 0; i < h; ++i) {
    pre[i].tighten();
    const Imager::Bent y = imager_.bent(pre[i], activation);
    slope[i] = y.slope;
    next_rows_[layer.offset + i] = y.row;
  }
  for (std::size_t j = 0; j < parts.columns; ++j) {
    const double* const column = parts.parts.data() + j * parts.stride;
    double* const to = next_.data() + j * size + layer.offset;
    for (std::size_t i = 0; i < h; ++i) to[i] = slope[i] * column[i];
  }
  finish(layer.offset, h, l + 1 < imager_.layers_.size());
}

void Successors::gru(std::size_t l) {
  const Imager::Layer& layer = imager_.layers_[l];
  const std::size_t h = layer.hidden, size = imager_.size_, at = layer.offset;
  const Rows& from = recurrent_[l];
  const bool dense = gates_.columns > 0;
  const bool reset_before = imager_.cell_ == CellKind::GruResetBefore;
  const std::size_t columns = next_columns_;

  // r and z: from the layer below, where there is one, and from the hidden state.
  std::vector<Row> pre(2 * h);
  for (std::size_t i = 0; i < 2 * h; ++i) {
    pre[i] = imager_.sum(gates_.row[i], from.row[i]);
    pre[i].spread = from.row[i].spread;
  }
  if (dense) {
    Spread spread(2 * h, ball_);
    for (std::size_t j = 0; j < columns; ++j) {
      double* const to = gates_.parts.data() + j * gates_.stride;
      if (j < from.columns) {
        const double* const column = from.parts.data() + j * from.stride;
        for (std::size_t i = 0; i < 2 * h; ++i) to[i] += column[i];
      }
      spread.add(j, to);
    }
    for (std::size_t i = 0; i < 2 * h; ++i) pre[i].spread = spread[i];
  }
  const Rows& gate_parts = dense ? gates_ : from;
  std::vector<Row> r(h), z(h), candidate(h), n(h);
  std::vector<double> r_slope(h), z_slope(h), n_slope(h), by_u(h), by_r(h);
  for (std::size_t i = 0; i < h; ++i) {
    pre[i].tighten();
    pre[h + i].tighten();
    const Imager::Bent reset = imager_.sigmoid(pre[i]), update = imager_.sigmoid(pre[h + i]);
    r[i] = reset.row;
    r_slope[i] = reset.slope;
    z[i] = update.row;
    z_slope[i] = update.slope;
  }

  // What r decides about: r * (U_n h + c_n), or U_n (r * h) + c_n.
  product_.stride = h;
  product_.columns = columns;
  product_.ball = ball_;
  product_.parts.assign(h * columns, 0.0);
  product_.row.resize(h);
  const auto times = [&](const Row* other, const double* parts, std::size_t stride,
                         std::size_t count, double unit) {
    for (std::size_t i = 0; i < h; ++i) {
      product_.row[i] = imager_.product(r[i], other[i], unit);
      by_u[i] = r[i].middle();
      by_r[i] = other[i].middle() * r_slope[i];
    }
    for (std::size_t j = 0; j < columns; ++j) {
      double* const to = product_.parts.data() + j * h;
      if (j < gate_parts.columns) {
        const double* const reset = gate_parts.parts.data() + j * gate_parts.stride;
        for (std::size_t i = 0; i < h; ++i) to[i] = by_r[i] * reset[i];
      }
      if (j < count) {
        const double* const column = parts + j * stride;
        for (std::size_t i = 0; i < h; ++i) to[i] += by_u[i] * column[i];
      }
    }
  };
  if (reset_before) {
    times(state_rows_.data() + at, state_.data() + at, size, columns_, imager_.unit_);
    product_.measure();
    for (Row& row : product_.row) row.tighten();
    imager_.apply(layer.candidate, product_.parts.data(), h, columns, ball_, product_.row.data(),
                  candidate_);
    product_.row = candidate_.row;
    for (std::size_t j = 0; j < columns; ++j) {
      std::copy_n(candidate_.parts.data() + j * candidate_.stride, h,
                  product_.parts.data() + j * h);
    }
  } else {
    times(from.row.data() + 2 * h, from.parts.data() + 2 * h, from.stride, from.columns, 0);
    product_.measure();
    for (Row& row : product_.row) row.tighten();
  }
  if (dense) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double* const column = gates_.parts.data() + j * gates_.stride + 2 * h;
      double* const to = product_.parts.data() + j * h;
      for (std::size_t i = 0; i < h; ++i) to[i] += column[i];
    }
  }
  for (std::size_t i = 0; i < h; ++i) {
    const double before = product_.row[i].spread;
    product_.row[i] = imager_.sum(gates_.row[2 * h + i], product_.row[i]);
    product_.row[i].spread = before;
  }
  if (dense) product_.measure();
  for (std::size_t i = 0; i < h; ++i) {
    product_.row[i].tighten();
    const Imager::Bent y = imager_.tanh(product_.row[i]);
    n[i] = y.row;
    n_slope[i] = y.slope;
  }

  // h' = Z h + (1 - Z) n + D z - D Z, with d = h - n
  Spread distance(h, ball_);
  std::vector<double> apart(h);
  for (std::size_t j = 0; j < columns; ++j) {
    const double* const column = product_.parts.data() + j * h;
    const double* const hidden = j < columns_ ? state_.data() + j * size + at : nullptr;
    for (std::size_t i = 0; i < h; ++i) {
      apart[i] = (hidden != nullptr ? hidden[i] : 0.0) - n_slope[i] * column[i];
    }
    distance.add(j, apart.data());
  }
  std::vector<double> by_z(h), by_h(h), by_n(h);
  for (std::size_t i = 0; i < h; ++i) {
    const Row& hidden = state_rows_[at + i];
    Row d{hidden.centre - n[i].centre, n[i].radius, distance[i], hidden.low - n[i].high,
          hidden.high - n[i].low};
    d.tighten();
    const double Z = z[i].middle(), D = d.middle();
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double s : {z[i].low, z[i].high}) {
      for (const double a : {hidden.low, hidden.high}) {
        for (const double b : {n[i].low, n[i].high}) {
          low = std::min(low, s * a + (1 - s) * b);
          high = std::max(high, s * a + (1 - s) * b);
        }
      }
    }
    const double error =
        1.01 * imager_.unit_ * (2 * z[i].largest() * d.largest() + n[i].largest()) + kTiny;
    next_rows_[at + i] = {
        Z * hidden.centre + (1 - Z) * n[i].centre + D * (z[i].centre - Z),
        std::abs(1 - Z) * n[i].radius + std::abs(D) * z[i].radius + z[i].half() * d.half() + error,
        0, low - error, high + error};
    by_z[i] = D * z_slope[i];
    by_h[i] = Z;
    by_n[i] = (1 - Z) * n_slope[i];
  }
  Spread spread(h, ball_);
  for (std::size_t j = 0; j < columns; ++j) {
    double* const to = next_.data() + j * size + at;
    const double* const candidate_column = product_.parts.data() + j * h;
    for (std::size_t i = 0; i < h; ++i) to[i] = by_n[i] * candidate_column[i];
    if (j < gate_parts.columns) {
      const double* const update = gate_parts.parts.data() + j * gate_parts.stride + h;
      for (std::size_t i = 0; i < h; ++i) to[i] += by_z[i] * update[i];
    }
    if (j < columns_) {
      const double* const hidden = state_.data() + j * size + at;
      for (std::size_t i = 0; i < h; ++i) to[i] += by_h[i] * hidden[i];
    }
    spread.add(j, to);
  }
  for (std::size_t i = 0; i < h; ++i) next_rows_[at + i].spread = spread[i];
  finish(at, h, l + 1 < imager_.layers_.size());
}

void Successors::lstm(std::size_t l) {
  const Imager::Layer& layer = imager_.layers_[l];
  const std::size_t h = layer.hidden, size = imager_.size_, at = layer.offset;
  const Rows& from = recurrent_[l];
  const std::size_t columns = next_columns_;
  const bool dense = gates_.columns > 0;
  std::vector<Row> pre(4 * h);
  for (std::size_t i = 0; i < 4 * h; ++i) {
    pre[i] = imager_.sum(gates_.row[i], from.row[i]);
    pre[i].spread = from.row[i].spread;
  }
  if (dense) {
    for (std::size_t j = 0; j < from.columns; ++j) {
      double* const to = gates_.parts.data() + j * gates_.stride;
      const double* const column = from.parts.data() + j * from.stride;
      for (std::size_t i = 0; i < 4 * h; ++i) to[i] += column[i];
    }
    gates_.measure();
    for (std::size_t i = 0; i < 4 * h; ++i) pre[i].spread = gates_.row[i].spread;
  }
  const Rows& parts = dense ? gates_ : from;
  std::vector<double> by_in(h), by_forget(h), by_g(h), by_cell(h), by_out(h), by_c(h);
  std::vector<Imager::Bent> out(h);
  std::vector<Row> kept(h), added(h);
  for (std::size_t i = 0; i < h; ++i) {
    for (std::size_t g = 0; g < 4; ++g) pre[g * h + i].tighten();
    const Imager::Bent in = imager_.sigmoid(pre[i]), forget = imager_.sigmoid(pre[h + i]);
    const Imager::Bent g = imager_.tanh(pre[2 * h + i]);
    out[i] = imager_.sigmoid(pre[3 * h + i]);
    const Row& cell = state_rows_[at + h + i];
    kept[i] = imager_.product(forget.row, cell, 0);
    added[i] = imager_.product(in.row, g.row, imager_.unit_);
    by_forget[i] = cell.middle() * forget.slope;
    by_cell[i] = forget.row.middle();
    by_in[i] = g.row.middle() * in.slope;
    by_g[i] = in.row.middle() * g.slope;
  }
  std::vector<double> of_kept(h), of_added(h);
  Spread cell_spread(h, ball_), kept_spread(h, ball_), added_spread(h, ball_);
  for (std::size_t j = 0; j < columns; ++j) {
    double* const to = next_.data() + j * size + at + h;
    std::fill(of_kept.begin(), of_kept.end(), 0.0);
    std::fill(of_added.begin(), of_added.end(), 0.0);
    if (j < parts.columns) {
      const double* const p = parts.parts.data() + j * parts.stride;
      for (std::size_t i = 0; i < h; ++i) {
        of_kept[i] = by_forget[i] * p[h + i];
        of_added[i] = by_in[i] * p[i] + by_g[i] * p[2 * h + i];
      }
    }
    if (j < columns_) {
      const double* const cell = state_.data() + j * size + at + h;
      for (std::size_t i = 0; i < h; ++i) of_kept[i] += by_cell[i] * cell[i];
    }
    for (std::size_t i = 0; i < h; ++i) {
      to[i] = of_kept[i] + of_added[i];
    }
    cell_spread.add(j, to);
    kept_spread.add(j, of_kept.data());
    added_spread.add(j, of_added.data());
  }
  for (std::size_t i = 0; i < h; ++i) {
    kept[i].spread = kept_spread[i];
    kept[i].tighten();
    added[i].spread = added_spread[i];
    added[i].tighten();
    Row& cell = next_rows_[at + h + i];
    cell = imager_.sum(kept[i], added[i]);
    cell.spread = cell_spread[i];
    cell.tighten();
  }
  finish(at + h, h, true);
  for (std::size_t i = 0; i < h; ++i) {
    const Imager::Bent c = imager_.tanh(next_rows_[at + h + i]);
    next_rows_[at + i] = imager_.product(out[i].row, c.row, imager_.unit_);
    by_out[i] = c.row.middle() * out[i].slope;
    by_c[i] = out[i].row.middle() * c.slope;
  }
  Spread spread(h, ball_);
  for (std::size_t j = 0; j < next_columns_; ++j) {
    double* const to = next_.data() + j * size + at;
    for (std::size_t i = 0; i < h; ++i) to[i] = by_c[i] * to[h + i];
    if (j < parts.columns) {
      const double* const p = parts.parts.data() + j * parts.stride + 3 * h;
      for (std::size_t i = 0; i < h; ++i) to[i] += by_out[i] * p[i];
    }
    spread.add(j, to);
  }
  for (std::size_t i = 0; i < h; ++i) next_rows_[at + i].spread = spread[i];
  finish(at, h, l + 1 < imager_.layers_.size());
}

void Successors::reduce(Image& next) const {
  const std::size_t size = imager_.size_;
  next.centre.resize(size);
  next.radius.resize(size);
  next.box.low.resize(size);
  next.box.high.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    next.centre[i] = next_rows_[i].centre;
    next.radius[i] = next_rows_[i].radius;
    next.box.low[i] = next_rows_[i].low;
    next.box.high[i] = next_rows_[i].high;
  }
  std::vector<double> weight(next_columns_);
  for (std::size_t j = 0; j < next_columns_; ++j) {
    const double* const column = next_.data() + j * size;
    for (std::size_t i = 0; i < size; ++i) weight[j] += std::abs(column[i]);
  }
  std::vector<std::size_t> order(next_columns_);
  std::iota(order.begin(), order.end(), 0);
  next.ball = ball_;
  next.columns = std::min(ball_ + imager_.most_columns_, next_columns_);
  if (next.columns < next_columns_) {
    const auto heavier = [&](std::size_t a, std::size_t b) {
      return weight[a] > weight[b] || (weight[a] == weight[b] && a < b);
    };
    std::nth_element(order.begin() + static_cast<std::ptrdiff_t>(ball_),
                     order.begin() + static_cast<std::ptrdiff_t>(next.columns), order.end(),
                     heavier);
  }
  next.parts.resize(next.columns * size);
  for (std::size_t k = 0; k < next_columns_; ++k) {
    const double* const column = next_.data() + order[k] * size;
    if (k < next.columns) {
      std::copy_n(column, size, next.parts.data() + k * size);
    } else {
      for (std::size_t i = 0; i < size; ++i) next.radius[i] += std::abs(column[i]);
    }
  }
}

}  // namespace rnnalf::certify
