// Loops that the exporter wrote out step by step, as graphs that are made here; those that PyTorch
// writes are in tests/data/ways.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "support/seeded_random.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

constexpr std::size_t kSymbols = 3;

/// h' = tanh(E[symbol] W + h R + b) from h0, a dense layer behind the last state.
struct Elman {
  std::size_t hidden = 2;
  std::vector<float> E, W, R, b, h0, V;
};

Elman random_elman(Random& random) {
  Elman elman;
  elman.hidden = 1 + random.below(4);
  const std::size_t n = elman.hidden;
  const auto fill = [&](std::vector<float>& values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<float>(random.below(2001)) / 1000.0F - 1.0F);
    }
  };
  fill(elman.E, kSymbols * 2);
  fill(elman.W, 2 * n);
  fill(elman.R, n * n);
  fill(elman.b, n);
  fill(elman.h0, n);
  fill(elman.V, n);
  return elman;
}

onnx::TensorProto& store(ModelBuilder& builder, const std::string& name,
                         std::initializer_list<std::size_t> dims,
                         const std::vector<float>& values) {
  auto* tensor = builder.graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  for (const std::size_t dim : dims) tensor->add_dims(static_cast<std::int64_t>(dim));
  for (const float value : values) tensor->add_float_data(value);
  return *tensor;
}

void scalar(ModelBuilder& builder, const std::string& name, std::size_t value) {
  auto* tensor = builder.graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(onnx::TensorProto::INT64);
  tensor->add_int64_data(static_cast<std::int64_t>(value));
}

/// The network with `copies` steps, each with tensors of its own: W3, R3, ...
ModelBuilder written_out(const Elman& elman, std::size_t copies) {
  ModelBuilder builder;
  const std::size_t n = elman.hidden;
  builder.input("x", {1, -1}, onnx::TensorProto::INT64);
  store(builder, "E", {kSymbols, 2}, elman.E);
  store(builder, "h0", {1, n}, elman.h0);
  store(builder, "V", {n, 1}, elman.V);
  builder.node("Gather", {"E", "x"}, {"e"});
  std::string state = "h0";
  for (std::size_t t = 0; t < copies; ++t) {
    const std::string i = std::to_string(t);
    scalar(builder, "at" + i, t);
    store(builder, "W" + i, {2, n}, elman.W);
    store(builder, "R" + i, {n, n}, elman.R);
    store(builder, "b" + i, {n}, elman.b);
    set(builder.node("Gather", {"e", "at" + i}, {"x" + i}), "axis", 1);
    builder.node("MatMul", {"x" + i, "W" + i}, {"xW" + i});
    builder.node("Gemm", {state, "R" + i, "b" + i}, {"hR" + i});
    builder.node("Add", {"xW" + i, "hR" + i}, {"sum" + i});
    builder.node("Tanh", {"sum" + i}, {"h" + i + "'"});
    state = "h" + i + "'";
  }
  builder.node("MatMul", {state, "V"}, {"score"});
  builder.output("score");
  return builder;
}

/// What the formula gives, computed here.
double probability(const Elman& elman, const Word& word) {
  const std::size_t n = elman.hidden;
  const auto number = [](float x) { return static_cast<double>(x); };
  std::vector<double> h(elman.h0.begin(), elman.h0.end());
  for (const Symbol symbol : word) {
    std::vector<double> next(n);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = number(elman.b[j]);
      for (std::size_t k = 0; k < 2; ++k) {
        sum += number(elman.E[index(symbol) * 2 + k]) * number(elman.W[k * n + j]);
      }
      for (std::size_t k = 0; k < n; ++k) sum += h[k] * number(elman.R[k * n + j]);
      next[j] = std::tanh(sum);
    }
    h = next;
  }
  double score = 0;
  for (std::size_t j = 0; j < n; ++j) score += h[j] * number(elman.V[j]);
  return 1 / (1 + std::exp(-score));
}

std::vector<Word> random_words(Random& random) {
  std::vector<Word> words = {{}};
  for (std::size_t i = 0; i < 30; ++i) {
    Word word;
    for (std::size_t length = random.below(12); length > 0; --length) {
      word.push_back(static_cast<Symbol>(random.below(kSymbols)));
    }
    words.push_back(word);
  }
  return words;
}

std::string refusal(const ModelBuilder& builder) {
  try {
    static_cast<void>(read_onnx(bytes_of(builder.bytes()), "net.onnx"));
  } catch (const NetworkFileError& error) {
    return error.what();
  }
  return "read";
}

bool says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(written_out_loops)

BOOST_AUTO_TEST_CASE(whatever_the_number_of_copies_the_answers_are_those_of_the_formula) {
  support::SeededRandom random(1);
  for (int world = 0; world < 40; ++world) {
    const Elman elman = random_elman(random);
    const std::size_t copies = 3 + random.below(6);
    const std::vector<Word> words = random_words(random);
    const NetworkSpec spec = read_onnx(bytes_of(written_out(elman, copies).bytes()), "net.onnx");
    BOOST_TEST(spec.state_size() == elman.hidden);
    const auto answers = classify(*make_acceptor(spec, Precision::Double), words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      BOOST_TEST(std::abs(answers[i].probability - probability(elman, words[i])) < 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE(one_number_that_differs_in_one_copy_is_refused) {
  support::SeededRandom random(2);
  for (int world = 0; world < 60; ++world) {
    const Elman elman = random_elman(random);
    const std::size_t copies = 3 + random.below(4);
    ModelBuilder builder = written_out(elman, copies);
    const char* const tensors[] = {"W", "R", "b"};
    const std::string changed = tensors[random.below(3)] + std::to_string(random.below(copies));
    onnx::TensorProto& tensor = builder.tensor(changed);
    const auto at =
        static_cast<int>(random.below(static_cast<std::size_t>(tensor.float_data_size())));
    tensor.set_float_data(at, tensor.float_data(at) + 0.5F);
    const std::string said = refusal(builder);
    BOOST_TEST((says(said, "written out step by step: expected every step to do the same") ||
                says(said, "written out step by step: expected a first step like the others")),
               changed << " of " << copies << ": " << said);
  }
}

BOOST_AUTO_TEST_CASE(a_symbol_that_no_step_reads_is_refused) {
  support::SeededRandom random(3);
  ModelBuilder builder = written_out(random_elman(random), 5);
  builder.tensor("at4").set_int64_data(0, 5);
  BOOST_TEST(says(refusal(builder), "expected every symbol of the word to be read, found 5 of 6"));
}

BOOST_AUTO_TEST_CASE(symbols_in_another_order_are_refused) {
  support::SeededRandom random(4);
  ModelBuilder builder = written_out(random_elman(random), 5);
  builder.tensor("at2").set_int64_data(0, 3);
  builder.tensor("at3").set_int64_data(0, 2);
  BOOST_TEST(says(refusal(builder), "written out step by step: expected"), refusal(builder));
}

BOOST_AUTO_TEST_CASE(a_recurrent_node_beside_the_loop_is_refused) {
  support::SeededRandom random(5);
  ModelBuilder builder = written_out(random_elman(random), 4);
  builder.floats("RW", {1, 2, 2});
  builder.floats("RR", {1, 2, 2});
  set(builder.node("Transpose", {"e"}, {"steps"}), "unused", 0);
  auto& order = attribute(builder.find("Transpose"), "perm", onnx::AttributeProto::INTS);
  for (const int axis : {1, 0, 2}) order.add_ints(axis);
  builder.node("RNN", {"steps", "RW", "RR"}, {"Y", "Y_h"});
  builder.integers("axis0", {0});
  builder.node("Squeeze", {"Y_h", "axis0"}, {"last"});
  builder.floats("U", {2, 1});
  builder.node("MatMul", {"last", "U"}, {"other"});
  builder.node("Add", {"score", "other"}, {"both"});
  builder.graph().mutable_output(0)->set_name("both");
  BOOST_TEST(says(refusal(builder), "expected nothing else that runs over the word"),
             refusal(builder));
}

BOOST_AUTO_TEST_SUITE_END()
