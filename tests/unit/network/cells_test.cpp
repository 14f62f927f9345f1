// Every cell against its paper's formulas, written again in plain loops over complex numbers.

#include "rnnalf/network/cells.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <functional>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;
/// What a layer gives for each of its inputs in turn.
using Layer = std::function<Numbers(const Numbers&)>;

constexpr std::size_t kInputs = 3;
constexpr std::size_t kHidden = 4;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double positive(double x) {
  return x >= 0 ? x + 0.5 : sigmoid(x);
}
double silu(double x) {
  return x * sigmoid(x);
}

Numbers times(const Matrix& w, const Numbers& x) {
  Numbers y(w.rows, 0);
  for (std::size_t r = 0; r < w.rows; ++r) {
    for (std::size_t c = 0; c < w.cols; ++c) y[r] += w.at(r, c) * x[c];
  }
  return y;
}

Numbers linear(const CellTensors& t, const std::string& name, const Numbers& x) {
  Numbers y = times(t.at(name + ".weight"), x);
  const auto bias = t.find(name + ".bias");
  for (std::size_t i = 0; i < y.size() && bias != t.end(); ++i) y[i] += bias->second.values[i];
  return y;
}

Layer minimal(const CellTensors& t, const std::string& cell) {
  return [=, h = Numbers(kHidden, 0)](const Numbers& x) mutable {
    Numbers both = cell == "mingru-joint" ? linear(t, "to_hidden_and_gate", x) : Numbers();
    const auto row = [&](const char* name, std::size_t i) { return linear(t, name, x)[i]; };
    for (std::size_t i = 0; i < kHidden; ++i) {
      double share = 0, candidate = 0;
      if (cell == "mingru-joint") {
        share = sigmoid(both[kHidden + i]);
        candidate = positive(both[i]);
      } else if (cell == "minlstm") {
        const double f = sigmoid(row("linear_f", i)), in = sigmoid(row("linear_i", i));
        share = in / (f + in);
        candidate = row("linear_h", i);
      } else {
        share = sigmoid(row("linear_z", i));
        candidate = cell == "mingru" ? row("linear_h", i) : positive(row("linear_h", i));
      }
      h[i] = (1 - share) * h[i] + share * candidate;
    }
    return t.contains("to_out.weight") ? linear(t, "to_out", h) : h;
  };
}

/// h' = a h + B x, y = scale Re(C h') + D x
Layer diagonal(std::vector<Complex> a, std::vector<std::vector<Complex>> b,
               std::vector<std::vector<Complex>> c, Numbers d, double scale) {
  return [=, h = std::vector<Complex>(a.size())](const Numbers& x) mutable {
    for (std::size_t i = 0; i < a.size(); ++i) {
      h[i] *= a[i];
      for (std::size_t k = 0; k < x.size(); ++k) h[i] += b[i][k] * x[k];
    }
    Numbers y;
    for (std::size_t i = 0; i < c.size(); ++i) {
      Complex sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += c[i][k] * h[k];
      y.push_back(scale * sum.real() + d[i] * x[i]);
    }
    return y;
  };
}

Layer lru(const CellTensors& t) {
  std::vector<Complex> a;
  std::vector<std::vector<Complex>> b, c(kInputs);
  for (std::size_t i = 0; i < kHidden; ++i) {
    const auto log = [&](const char* name) { return std::exp(t.at(name).values[i]); };
    a.push_back(std::exp(Complex(-log("nu_log"), log("theta_log"))));
    b.emplace_back();
    for (std::size_t k = 0; k < kInputs; ++k) {
      b[i].push_back(log("gamma_log") * Complex(t.at("B_re").at(i, k), t.at("B_im").at(i, k)));
      c[k].emplace_back(t.at("C_re").at(k, i), t.at("C_im").at(k, i));
    }
  }
  return diagonal(a, b, c, t.at("D").values, 1);
}

Layer s5(const CellTensors& t) {
  std::vector<Complex> a;
  std::vector<std::vector<Complex>> b, c(kInputs);
  for (std::size_t i = 0; i < kHidden; ++i) {
    const Complex eigenvalue(t.at("Lambda_re").values[i], t.at("Lambda_im").values[i]);
    a.push_back(std::exp(eigenvalue * std::exp(t.at("log_step").values[i])));
    b.emplace_back();
    for (std::size_t k = 0; k < kInputs; ++k) {
      const Complex entry(t.at("B").at(i, 2 * k), t.at("B").at(i, 2 * k + 1));
      b[i].push_back((a[i] - 1.0) / eigenvalue * entry);
      c[k].emplace_back(t.at("C").at(k, 2 * i), t.at("C").at(k, 2 * i + 1));
    }
  }
  return diagonal(a, b, c, t.at("D").values, 2);
}

Numbers normalised(const Numbers& x, const Numbers& weights) {
  double squares = 0;
  for (const double value : x) squares += value * value / static_cast<double>(x.size());
  Numbers y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(x[i] / std::sqrt(squares + 1e-5) * weights[i]);
  return y;
}

Layer mamba(const CellTensors& t) {
  const std::size_t states = t.at("A_log").cols, rank = t.at("dt_proj.weight").cols;
  return [=, h = Matrix{kHidden, states, Numbers(kHidden * states, 0)},
          seen = std::vector<Numbers>()](const Numbers& x) mutable {
    const Numbers both = linear(t, "in_proj", normalised(x, t.at("../norm.weight").values));
    seen.emplace_back(both.begin(), both.begin() + kHidden);
    Numbers u(kHidden);
    const Matrix& filter = t.at("conv1d.weight");
    for (std::size_t i = 0; i < kHidden; ++i) {
      u[i] = t.at("conv1d.bias").values[i];
      for (std::size_t k = 0; k < filter.cols && k < seen.size(); ++k) {
        u[i] += filter.at(i, filter.cols - 1 - k) * seen[seen.size() - 1 - k][i];
      }
      u[i] = silu(u[i]);
    }
    const Numbers projected = linear(t, "x_proj", u);
    const Numbers step =
        linear(t, "dt_proj", Numbers(projected.begin(), projected.begin() + std::ptrdiff_t(rank)));
    Numbers y(kHidden);
    for (std::size_t i = 0; i < kHidden; ++i) {
      const double dt = std::log1p(std::exp(step[i]));
      y[i] = t.at("D").values[i] * u[i];
      for (std::size_t k = 0; k < states; ++k) {
        double& value = h.values[i * states + k];
        value = std::exp(-dt * std::exp(t.at("A_log").at(i, k))) * value +
                dt * projected[rank + k] * u[i];
        y[i] += projected[rank + states + k] * value;
      }
      y[i] *= silu(both[kHidden + i]);
    }
    Numbers out = linear(t, "out_proj", y);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += x[i];
    return out;
  };
}

Layer slstm(const CellTensors& t) {
  return [=, h = Numbers(kHidden, 0), c = Numbers(kHidden, 0),
          n = Numbers(kHidden, 0)](const Numbers& x) mutable {
    Numbers sum = times(t.at("weight_ih"), x);
    const Numbers recalled = times(t.at("weight_hh"), h);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += recalled[i] + t.at("bias").values[i];
    for (std::size_t i = 0; i < kHidden; ++i) {  // without the m that keeps exponents small
      const double in = std::exp(sum[i]), forget = sigmoid(sum[kHidden + i]);
      c[i] = forget * c[i] + in * std::tanh(sum[2 * kHidden + i]);
      n[i] = forget * n[i] + in;
      h[i] = sigmoid(sum[3 * kHidden + i]) * c[i] / n[i];
    }
    return h;
  };
}

struct Example {
  std::string cell;
  std::map<std::string, std::pair<std::size_t, std::size_t>> shapes;  // of its tensors
  Layer (*reference)(const CellTensors& tensors, const std::string& cell);
};

const Example kExamples[] = {
    {"mingru",
     {{"linear_z.weight", {4, 3}}, {"linear_h.weight", {4, 3}}, {"linear_h.bias", {4, 1}}},
     minimal},
    {"mingru-log", {{"linear_z.weight", {4, 3}}, {"linear_h.weight", {4, 3}}}, minimal},
    {"mingru-joint", {{"to_hidden_and_gate.weight", {8, 3}}, {"to_out.weight", {3, 4}}}, minimal},
    {"minlstm",
     {{"linear_f.weight", {4, 3}}, {"linear_i.weight", {4, 3}}, {"linear_h.weight", {4, 3}}},
     minimal},
    {"lru",
     {{"nu_log", {4, 1}},
      {"theta_log", {4, 1}},
      {"gamma_log", {4, 1}},
      {"B_re", {4, 3}},
      {"B_im", {4, 3}},
      {"C_re", {3, 4}},
      {"C_im", {3, 4}},
      {"D", {3, 1}}},
     [](const CellTensors& t, const std::string&) { return lru(t); }},
    {"s5",
     {{"Lambda_re", {4, 1}},
      {"Lambda_im", {4, 1}},
      {"log_step", {4, 1}},
      {"B", {4, 6}},
      {"C", {3, 8}},
      {"D", {3, 1}}},
     [](const CellTensors& t, const std::string&) { return s5(t); }},
    {"mamba",
     {{"A_log", {4, 2}},
      {"D", {4, 1}},
      {"in_proj.weight", {8, 3}},
      {"conv1d.weight", {4, 3}},
      {"conv1d.bias", {4, 1}},
      {"x_proj.weight", {6, 4}},
      {"dt_proj.weight", {4, 2}},
      {"dt_proj.bias", {4, 1}},
      {"out_proj.weight", {3, 4}},
      {"../norm.weight", {3, 1}}},
     [](const CellTensors& t, const std::string&) { return mamba(t); }},
    {"slstm",
     {{"weight_ih", {16, 3}}, {"weight_hh", {16, 4}}, {"bias", {16, 1}}},
     [](const CellTensors& t, const std::string&) { return slstm(t); }},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cells_of_papers)

BOOST_AUTO_TEST_CASE(a_cell_computes_the_formulas_of_its_paper) {
  for (const Example& example : kExamples) {
    Random random(7);
    CellTensors tensors;
    for (const auto& [name, shape] : example.shapes) {
      Matrix& matrix = tensors[name] = {shape.first, shape.second, {}};
      for (std::size_t i = 0; i < shape.first * shape.second; ++i) {
        matrix.values.push_back(2 * random.unit() - 1);
      }
      // Eigenvalues of a stable system.
      for (double& value : matrix.values)
        value = name == "Lambda_re" ? -0.1 - std::abs(value) : value;
    }
    CellGraph graph(kInputs);
    graph.set_tensors(tensors);
    const Cell* const cell = find_cell(example.cell);
    BOOST_REQUIRE(cell != nullptr);
    for (const std::string_view needed : cell->tensors) {
      BOOST_TEST(tensors.contains(needed), example.cell << " " << needed);
    }
    const Vector output = cell->step(graph, graph.symbol(nullptr));
    const std::size_t outputs = output.size();
    NetworkSpec spec;
    spec.alphabet = Alphabet::numbered(kInputs);
    spec.step = graph.finish(output);
    Matrix head{1, outputs, {}};
    for (std::size_t i = 0; i < outputs; ++i)
      head.values.push_back(1 + 0.5 * static_cast<double>(i));
    spec.head.push_back({.weights = head, .bias = {}});
    const auto acceptor = make_acceptor(spec, Precision::Double);
    const Layer reference = example.reference(tensors, example.cell);
    Word word;
    for (int length = 1; length <= 30; ++length) {
      word.push_back(static_cast<Symbol>(random.below(kInputs)));
      Numbers x(kInputs, 0);
      x[index(word.back())] = 1;
      const double expected = times(head, reference(x))[0];
      const Numbers state = state_after(*acceptor, word);
      double found = 0;
      acceptor->margins({state.data(), state.size(), 1}, {&found, 1});
      BOOST_TEST(std::abs(found - expected) < 1e-9, example.cell << " " << length);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_cell_that_names_alone_tell_has_a_first_tensor_of_its_own) {
  for (const Cell& cell : cells()) {
    for (const Cell& other : cells()) {
      if (&cell == &other || !cell.is_told || !other.is_told) continue;
      BOOST_TEST(cell.tensors.front() != other.tensors.front(), cell.name << " " << other.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(tensors_that_do_not_fit_are_refused) {
  CellGraph graph(kInputs);
  graph.set_tensors(
      {{"linear_z.weight", {4, 3, Numbers(12, 0)}}, {"linear_h.weight", {4, 2, Numbers(8, 0)}}});
  BOOST_CHECK_THROW(find_cell("mingru")->step(graph, graph.symbol(nullptr)), std::length_error);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
