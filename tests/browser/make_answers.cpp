// make_answers FILE NETWORK...: networks as a page carries them, with the program's own margins
// after every prefix of some words, for the page's arithmetic to be compared with bit for bit. The
// networks are those of the files and random ones of every shape.
#include <bit>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/networks/load_network.hpp"
#include "rnnalf/report/page_network.hpp"
#include "support/layers.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::ordered_json;

/// A word with the answer and the bits of the margin after each prefix, the empty one first; where
/// the network says nothing, null and "none".
Json judged(const RnnAcceptor& acceptor, const Word& word) {
  Json json = {{"word", Json::array()}, {"answers", Json::array()}, {"margins", Json::array()}};
  std::vector<double> state = acceptor.initial_state();
  std::vector<double> next(acceptor.state_size());
  const auto add = [&] {
    Judgement judgement;
    acceptor.judge({state.data(), state.size(), 1}, {&judgement, 1});
    if (const Answer answer = answer_in(state, judgement); answer != Answer::None) {
      json["answers"].push_back(index(answer));
      json["margins"].push_back(std::to_string(std::bit_cast<std::uint64_t>(judgement.margin)));
    } else {
      json["answers"].push_back(nullptr);
      json["margins"].push_back("none");
    }
  };
  add();
  for (const Symbol symbol : word) {
    acceptor.step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
    json["word"].push_back(index(symbol));
    add();
  }
  return json;
}

Json answers(const std::string& name, const NetworkSpec& spec, Precision precision,
             std::initializer_list<std::size_t> lengths, Random& random,
             const Tokens& tokens = {}) {
  const Network network = make_network(spec, precision, std::nullopt, tokens);
  Json json = {{"name", name + (precision == Precision::Float ? ", float" : ", double")},
               {"network", detail::page_network(spec, network.summary, precision)},
               {"words", Json::array()}};
  for (const std::size_t length : lengths) {
    json["words"].push_back(judged(
        *network.acceptor, support::random_word(network.acceptor->symbol_count(), length, random)));
  }
  return json;
}

/// Weights that are no floats, so that they travel as doubles.
void make_wide(NetworkSpec& spec) {
  const auto widen = [](std::vector<double>& values) {
    for (double& value : values) value *= 1 + 0x1p-40;
  };
  support::change_layers(spec, [&](LayerStack& stack) {
    if (stack.embedding) widen(stack.embedding->values);
    for (RecurrentLayer& layer : stack.layers) {
      widen(layer.input_weights.values);
      widen(layer.recurrent_weights.values);
      widen(layer.input_bias);
    }
  });
  for (DenseLayer& dense : spec.head) widen(dense.weights.values);
}

/// Weights so large that a network without bounds overflows within some words.
void make_explosive(NetworkSpec& spec) {
  support::change_layers(spec, [](LayerStack& stack) {
    for (RecurrentLayer& layer : stack.layers) {
      for (double& value : layer.recurrent_weights.values) value *= 40;
    }
  });
}

void add_random_networks(Json& list, Random& random) {
  std::size_t number = 0;
  for (const CellKind cell : {CellKind::ElmanTanh, CellKind::ElmanRelu, CellKind::Gru,
                              CellKind::GruResetBefore, CellKind::Lstm}) {
    for (const HeadFrom from : {HeadFrom::Last, HeadFrom::Mean, HeadFrom::Sum, HeadFrom::Max}) {
      for (std::size_t variant = 0; variant < 6; ++variant, ++number) {
        const support::Shape shape{
            .cell = cell,
            .symbols = 2 + variant % 3,
            .hidden = 3 + number % 18,
            .layers = 1 + variant % 2,
            .embedding = variant % 3 == 0 ? std::size_t{4} : std::size_t{0},
            .outputs = 1 + number % 3,
            .head_layers = 1 + variant % 3,
            .initial_states = variant % 2 == 1,
            .head_from = from,
            // All of them in turn; the square root of what is below 0 is nobody's margin.
            .activation = {static_cast<Activation>((number / 6 + variant) % 12), 0.1},
            .normalise = variant == 4};
        NetworkSpec spec = support::random_network(shape, random);
        if (variant == 5) make_wide(spec);
        if (variant == 1 && cell == CellKind::ElmanRelu) make_explosive(spec);
        if (variant == 2) spec.accept_class.reset();  // of three outputs: classes
        const std::string name = "random " + std::to_string(number) + ", " +
                                 std::string(rnnalf::name(cell)) + ", " +
                                 std::string(rnnalf::name(from));
        list.push_back(answers(name, spec, Precision::Float, {0, 1, 12, 40}, random));
        list.push_back(answers(name, spec, Precision::Double, {0, 1, 12}, random));
        if (spec.symbol_count() == 4) {  // words over two of them, between the other two
          list.push_back(answers(name + ", tokens", spec, Precision::Float, {0, 1, 12}, random,
                                 {.begin = {"2"}, .end = {"3", "3"}, .over = {"1", "0"}}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace rnnalf

int main(int argc, char** argv) {
  using namespace rnnalf;
  if (argc < 2) {
    std::cerr << "usage: make_answers FILE NETWORK...\n";
    return 2;
  }
  Random random(7);
  Json list = Json::array();
  add_random_networks(list, random);
  for (int i = 2; i < argc; ++i) {
    const std::filesystem::path file = argv[i];
    const NetworkSpec spec = load_network(file).spec;
    list.push_back(answers(file.filename().string(), spec, Precision::Float, {5, 30, 300}, random));
    list.push_back(answers(file.filename().string(), spec, Precision::Double, {5, 10}, random));
  }
  std::ofstream(argv[1], std::ios::binary) << list.dump() << '\n';
  return 0;
}
