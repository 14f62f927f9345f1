#include "rnnalf/partition/svm_split.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace rnnalf {
namespace {

using kernels::Buffer;
using kernels::PackedMatrix;
using kernels::padded;
using Points = std::vector<std::span<const double>>;

struct FreeSvmModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using SvmModel = std::unique_ptr<svm_model, FreeSvmModel>;

/// Thrown through libsvm's loop by its print function, the only place where it calls out. What its
/// solver holds at that moment is lost: once per run, when the run is over anyway.
struct TrainingStopped {};

thread_local const Budget* training_budget = nullptr;

void on_libsvm_progress(const char* /*text*/) {
  if (training_budget != nullptr && training_budget->spent()) throw TrainingStopped{};
}

void prepare_libsvm() {
  // The print function is global in libsvm.
  static std::once_flag once;
  std::call_once(once, [] { svm_set_print_string_function(&on_libsvm_progress); });
}

/// Up to this many points the whole Gram matrix is one product of ours. Beyond it libsvm, which
/// asks only for the rows it needs, is better left to compute its kernel itself: one point against
/// many takes some ten support vectors.
constexpr std::size_t kMostPrecomputed = 256;

double square(std::span<const double> point) {
  double sum = 0;
  for (const double value : point) sum += value * value;
  return sum;
}

/// square() of every column, with its bits, eight at a time: one sum is a chain of additions that
/// wait for each other.
void square_columns(ConstRStates x, double* squares) {
  constexpr std::size_t at_once = 8;
  std::size_t j = 0;
  for (; j + at_once <= x.count; j += at_once) {
    double sums[at_once] = {};
    const double* const first = x.data + j * x.size;
    for (std::size_t d = 0; d < x.size; ++d) {
      for (std::size_t c = 0; c < at_once; ++c)
        sums[c] += first[c * x.size + d] * first[c * x.size + d];
    }
    std::copy_n(sums, at_once, squares + j);
  }
  for (; j < x.count; ++j) squares[j] = square(x.col(j));
}

/// exp(-gamma |x_j - row_i|^2) for all rows i and columns j; column j depends on x_j alone.
void kernel_columns(const PackedMatrix<double>& rows, std::span<const double> row_squares,
                    ConstRStates x, double gamma, std::size_t stride, double* out) {
  const auto& kernels = kernels::best<double>();
  kernels.multiply(rows.view(), x.data, x.size, x.count, out, stride);
  std::vector<double> squares(x.count);
  square_columns(x, squares.data());
  for (std::size_t j = 0; j < x.count; ++j) {
    const double x_square = squares[j];
    double* const column = out + j * stride;
    for (std::size_t i = 0; i < row_squares.size(); ++i) {
      column[i] = x_square + row_squares[i] - 2 * column[i];
    }
    kernels.negative_exp(column, row_squares.size(), gamma);
  }
}

PackedMatrix<double> pack_rows(const Points& rows, std::size_t size) {
  return PackedMatrix<double>(
      rows.size(), size, [&](std::size_t r, std::size_t c) { return rows[r][c]; },
      [](std::size_t) { return 0.0; });
}

std::vector<double> squares_of(const Points& points) {
  std::vector<double> squares;
  for (const auto point : points) squares.push_back(square(point));
  return squares;
}

/// libsvm's rows, and the memory they point into.
struct Rows {
  std::unique_ptr<svm_node[]> nodes;
  std::vector<svm_node*> rows;
};

Rows gram_rows(const Points& points, double gamma) {
  const std::size_t size = points[0].size();
  const std::size_t count = points.size();
  const std::size_t stride = padded<double>(count);
  std::vector<double> columns;
  for (const auto point : points) columns.insert(columns.end(), point.begin(), point.end());
  Buffer<double> gram(stride * count);
  kernel_columns(pack_rows(points, size), squares_of(points), {columns.data(), size, count}, gamma,
                 stride, gram.data());
  Rows result{std::make_unique_for_overwrite<svm_node[]>(count * (count + 2)), {}};
  for (std::size_t i = 0; i < count; ++i) {
    svm_node* const row = result.nodes.get() + i * (count + 2);
    row[0] = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < count; ++j)
      row[j + 1] = {static_cast<int>(j + 1), gram[i * stride + j]};
    row[count + 1] = {-1, 0};
    result.rows.push_back(row);
  }
  return result;
}

Rows plain_rows(const Points& points) {
  const std::size_t size = points[0].size();
  Rows result{std::make_unique_for_overwrite<svm_node[]>(points.size() * (size + 1)), {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    svm_node* const row = result.nodes.get() + i * (size + 1);
    for (std::size_t d = 0; d < size; ++d) row[d] = {static_cast<int>(d + 1), points[i][d]};
    row[size] = {-1, 0};
    result.rows.push_back(row);
  }
  return result;
}

}  // namespace

std::optional<SvmSplit> SvmSplit::train(std::span<const double> conflicting, ConstRStates others,
                                        double cost, double gamma, const Budget& budget) {
  prepare_libsvm();
  if (budget.spent()) return std::nullopt;
  // The conflicting R-state comes first, so its class is libsvm's positive one.
  Points points{conflicting};
  for (std::size_t i = 0; i < others.count; ++i) points.push_back(others.col(i));
  std::vector<double> labels(points.size(), -1);
  labels[0] = 1;

  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = points.size() <= kMostPrecomputed ? PRECOMPUTED : RBF;
  parameter.gamma = gamma;
  parameter.C = cost;
  parameter.eps = 1e-3;
  parameter.cache_size = 200;
  parameter.shrinking = 1;

  Rows rows = parameter.kernel_type == PRECOMPUTED ? gram_rows(points, gamma) : plain_rows(points);
  const svm_problem problem{static_cast<int>(points.size()), labels.data(), rows.rows.data()};
  SvmModel model;
  training_budget = &budget;
  try {
    model.reset(svm_train(&problem, &parameter));
  } catch (const TrainingStopped&) {
    training_budget = nullptr;
    return std::nullopt;
  }
  training_budget = nullptr;

  // The model points into our rows: copy what the decision needs.
  SvmSplit split;
  split.gamma_ = gamma;
  split.offset_ = model->rho[0];
  Points support;
  for (int i = 0; i < model->l; ++i) {
    support.push_back(points[static_cast<std::size_t>(model->sv_indices[i] - 1)]);
    split.coefficients_.push_back(model->sv_coef[0][i]);
  }
  split.support_ = pack_rows(support, conflicting.size());
  split.squares_ = squares_of(support);
  return split;
}

void SvmSplit::decide(ConstRStates states, std::span<double> decisions) const {
  constexpr std::size_t at_once = 64;
  const std::size_t stride = padded<double>(squares_.size());
  Buffer<double> columns(stride * std::min(at_once, states.count));
  for (std::size_t first = 0; first < states.count; first += at_once) {
    const std::size_t count = std::min(at_once, states.count - first);
    kernel_columns(support_, squares_, {states.data + first * states.size, states.size, count},
                   gamma_, stride, columns.data());
    for (std::size_t j = 0; j < count; ++j) {
      double sum = -offset_;
      for (std::size_t i = 0; i < coefficients_.size(); ++i) {
        sum += coefficients_[i] * columns[j * stride + i];
      }
      decisions[first + j] = sum;
    }
  }
}

}  // namespace rnnalf
