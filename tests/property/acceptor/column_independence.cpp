// Laws of every acceptor of a network, on random networks of all cell kinds and many sizes.

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/acceptor/step_acceptor.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

constexpr std::uint64_t kSeed = 20180710;

struct World {
  NetworkSpec spec;
  Precision precision = Precision::Float;
  std::size_t batch = 0;
};

/// A batch of R-states of a network, each with a symbol to read next.
struct Columns {
  std::unique_ptr<RnnAcceptor> acceptor;
  std::vector<double> states;  // reached by random words
  std::vector<Symbol> symbols;
  std::size_t batch = 0;

  Columns(const NetworkSpec& spec, Precision precision, std::size_t count)
      : acceptor(make_acceptor(spec, precision)), batch(count) {
    Random random(count);
    const auto random_symbols = [&] {
      return support::random_word(spec.symbol_count(), batch, random);
    };
    symbols = random_symbols();
    const auto start = acceptor->initial_state();
    for (std::size_t i = 0; i < batch; ++i) states.insert(states.end(), start.begin(), start.end());
    // Some steps with different symbols, so that the columns differ.
    std::vector<double> next(states.size());
    const std::size_t size = acceptor->state_size();
    for (int step = 0; step < 3; ++step) {
      acceptor->step({states.data(), size, batch}, random_symbols(), {next.data(), size, batch});
      states.swap(next);
    }
  }
};

/// Networks of hidden size 1 to 600 and batches of 1 to 300, all cells, heads and inputs.
World random_world(std::size_t round, Random& random) {
  const auto cell = static_cast<CellKind>(round % 5);
  const std::size_t hidden_sizes[] = {1, 2, 7, 15, 16, 17, 33, 50, 100, 129, 300, 600};
  support::Shape shape{.cell = cell,
                       .symbols = 1 + random.below(9),
                       .hidden = hidden_sizes[(round / 5) % 12],
                       .layers = 1 + random.below(3),
                       .embedding = random.below(2) * (1 + random.below(6)),
                       .outputs = 1 + random.below(4),
                       .head_layers = 1 + random.below(3),
                       .initial_states = random.below(2) == 1,
                       .head_from = static_cast<HeadFrom>(random.below(4)),
                       .activation = {static_cast<Activation>(random.below(11)), random.unit()},
                       .normalise = random.below(3) == 0};
  if (shape.hidden >= 300) shape.layers = 1;
  World world{.spec = support::random_network(shape, random),
              .precision = round % 2 == 0 ? Precision::Float : Precision::Double};
  world.batch = shape.hidden >= 300 ? 1 + random.below(120) : 1 + random.below(300);
  return world;
}

/// A law of columns of the world's network.
template <class Law>
void check_columns(const World& world, const Law& law) {
  support::check_law(world.spec, [&](const NetworkSpec& spec) {
    return law(Columns(spec, world.precision, world.batch));
  });
}

bool same_bits(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(acceptor_laws)

BOOST_AUTO_TEST_CASE(a_column_of_a_step_does_not_depend_on_its_neighbours) {
  support::SeededRandom random(kSeed);
  for (std::size_t round = 0; round < 120; ++round) {
    const World world = random_world(round, random);
    const std::size_t widest = 1 + random.below(40);
    check_columns(world, [&](const Columns& columns) -> std::string {
      const std::size_t size = columns.acceptor->state_size();
      std::vector<double> whole(columns.states.size());
      columns.acceptor->step({columns.states.data(), size, columns.batch}, columns.symbols,
                             {whole.data(), size, columns.batch});
      // The same columns again, in pieces of many widths.
      std::vector<double> pieces(columns.states.size());
      std::size_t width = widest;
      for (std::size_t first = 0; first < columns.batch;) {
        const std::size_t count = std::min(width, columns.batch - first);
        columns.acceptor->step({columns.states.data() + first * size, size, count},
                               std::span(columns.symbols).subspan(first, count),
                               {pieces.data() + first * size, size, count});
        first += count;
        width = width > 1 ? width - 1 : 40;
      }
      RNNALF_HOLDS(same_bits(whole.data(), pieces.data(), whole.size()));
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(the_kernels_that_are_recognised_in_a_graph_give_its_bits) {
  support::SeededRandom random(kSeed + 8);
  for (std::size_t round = 0; round < 120; ++round) {
    const World world = random_world(round, random);
    check_columns(world, [&](const Columns& columns) -> std::string {
      const std::size_t size = columns.acceptor->state_size();
      const auto by_graph = make_step_acceptor(world.spec, world.precision);
      std::vector<double> recognised(columns.states.size()), interpreted(columns.states.size());
      columns.acceptor->step({columns.states.data(), size, columns.batch}, columns.symbols,
                             {recognised.data(), size, columns.batch});
      by_graph->step({columns.states.data(), size, columns.batch}, columns.symbols,
                     {interpreted.data(), size, columns.batch});
      RNNALF_HOLDS(same_bits(recognised.data(), interpreted.data(), recognised.size()));
      std::vector<double> margins(columns.batch), of_graph(columns.batch);
      columns.acceptor->margins({recognised.data(), size, columns.batch}, margins);
      by_graph->margins({recognised.data(), size, columns.batch}, of_graph);
      RNNALF_HOLDS(same_bits(margins.data(), of_graph.data(), columns.batch));
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(a_column_of_the_margins_does_not_depend_on_its_neighbours) {
  support::SeededRandom random(kSeed + 1);
  for (std::size_t round = 0; round < 60; ++round) {
    check_columns(random_world(round, random), [](const Columns& columns) -> std::string {
      const std::size_t size = columns.acceptor->state_size();
      std::vector<double> whole(columns.batch), single(columns.batch);
      columns.acceptor->margins({columns.states.data(), size, columns.batch}, whole);
      for (std::size_t i = 0; i < columns.batch; ++i) {
        columns.acceptor->margins({columns.states.data() + i * size, size, 1}, {&single[i], 1});
      }
      RNNALF_HOLDS(same_bits(whole.data(), single.data(), columns.batch));
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(all_successors_of_an_r_state_have_the_bits_of_single_steps) {
  support::SeededRandom random(kSeed + 3);
  for (const std::size_t symbols : {1U, 2U, 28U, 95U, 96U, 97U, 150U, 193U, 400U}) {
    const World world{
        .spec = support::random_network({.symbols = symbols, .hidden = 9, .layers = 2}, random),
        .batch = 3};
    check_columns(world, [&](const Columns& columns) -> std::string {
      const RnnAcceptor& acceptor = *columns.acceptor;
      const std::size_t size = acceptor.state_size();
      const std::size_t bytes = acceptor.kept_bytes();
      std::vector<double> reached(size), one(size);
      std::vector<std::byte> kept(3 * bytes), all(3 * symbols * bytes);
      std::vector<const std::byte*> origins;
      std::vector<Symbol> letters;
      for (std::size_t i = 0; i < 3; ++i) {
        acceptor.keep(columns.states.data() + i * size, kept.data() + i * bytes);
        for (std::size_t a = 0; a < symbols; ++a) {
          origins.push_back(kept.data() + i * bytes);
          letters.push_back(static_cast<Symbol>(a));
        }
      }
      acceptor.follow(origins, letters, all.data(), {});
      for (std::size_t j = 0; j < 3 * symbols; ++j) {
        acceptor.step({columns.states.data() + j / symbols * size, size, 1}, {&letters[j], 1},
                      {one.data(), size, 1});
        acceptor.restore(all.data() + j * bytes, reached.data());
        RNNALF_HOLDS(same_bits(one.data(), reached.data(), size));
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(following_kept_states_gives_the_bits_of_single_steps) {
  support::SeededRandom random(kSeed + 5);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round, random);
    // Runs of columns with the same origin, among them an origin that comes back.
    std::vector<std::size_t> origin(world.batch);
    for (std::size_t i = 0; i < world.batch; ++i) {
      origin[i] = i > 0 && random.below(2) == 0 ? origin[i - 1] : random.below(world.batch);
    }
    check_columns(world, [&](const Columns& columns) -> std::string {
      const RnnAcceptor& acceptor = *columns.acceptor;
      const std::size_t size = acceptor.state_size();
      const std::size_t bytes = acceptor.kept_bytes();
      std::vector<std::byte> kept(columns.batch * bytes), next(columns.batch * bytes);
      std::vector<const std::byte*> origins(columns.batch);
      for (std::size_t i = 0; i < columns.batch; ++i) {
        acceptor.keep(columns.states.data() + i * size, kept.data() + i * bytes);
        origins[i] = kept.data() + origin[i] * bytes;
      }
      std::vector<double> reached(size), expected(size);
      std::vector<Judgement> judged(columns.batch);
      acceptor.follow(origins, columns.symbols, next.data(), judged);
      for (std::size_t i = 0; i < columns.batch; ++i) {
        acceptor.step({columns.states.data() + origin[i] * size, size, 1}, {&columns.symbols[i], 1},
                      {expected.data(), size, 1});
        acceptor.restore(next.data() + i * bytes, reached.data());
        Judgement alone;
        acceptor.judge({expected.data(), size, 1}, {&alone, 1});
        double margin = 0;
        acceptor.margins({expected.data(), size, 1}, {&margin, 1});
        RNNALF_HOLDS(same_bits(expected.data(), reached.data(), size));
        RNNALF_HOLDS(alone.answer == judged[i].answer);
        RNNALF_HOLDS(same_bits(&margin, &judged[i].margin, 1));
        RNNALF_HOLDS(same_bits(&margin, &alone.margin, 1));
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(scores_are_those_of_the_formulas) {
  support::SeededRandom random(kSeed + 4);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round % 40, random);
    const Word word = support::random_word(world.spec.symbol_count(), random.below(12), random);
    support::check_law(world.spec, [&](const NetworkSpec& spec) -> std::string {
      const auto acceptor = make_acceptor(spec, world.precision);
      const std::vector<double> state = state_after(*acceptor, word);
      double found = 0;
      acceptor->margins({state.data(), state.size(), 1}, {&found, 1});
      const double expected = support::reference_margin(spec, word);
      const double tolerance = world.precision == Precision::Double ? 1e-10 : 1e-3;
      if (std::abs(found - expected) <= tolerance * (1 + std::abs(expected))) return "";
      return "after " + spec.alphabet.format(word) + ": expected " + std::to_string(expected) +
             ", found " + std::to_string(found);
    });
  }
}

#if defined(__x86_64__)
namespace {

template <class T>
void compare_kernels(const kernels::Kernels<T>& a, const kernels::Kernels<T>& b, Random& random) {
  for (std::size_t round = 0; round < 40; ++round) {
    const std::size_t hidden = 1 + random.below(70);
    const std::size_t rows = 4 * hidden;
    const std::size_t count = 1 + random.below(20);
    const auto number = [&](double scale) { return (2 * random.unit() - 1) * scale; };
    const kernels::PackedMatrix<T> matrix(
        rows, hidden, [&](std::size_t, std::size_t) { return number(1); },
        [&](std::size_t) { return number(1); });
    const std::size_t stride = kernels::padded<T>(rows) + kernels::kPanelRows<T>;
    kernels::Buffer<T> x(stride * count), input(stride * count), ya(stride * count),
        yb(stride * count);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(number(3));
    for (std::size_t i = 0; i < x.size(); ++i) input[i] = static_cast<T>(number(30));
    a.multiply(matrix.view(), x.data(), stride, count, ya.data(), stride);
    b.multiply(matrix.view(), x.data(), stride, count, yb.data(), stride);
    for (std::size_t j = 0; j < count; ++j) {
      BOOST_TEST_REQUIRE(
          std::memcmp(ya.data() + j * stride, yb.data() + j * stride, rows * sizeof(T)) == 0);
    }
    kernels::Buffer<T> ha(stride), hb(stride), ca(stride), cb(stride);
    using Cell = void (*)(const kernels::CellColumn<T>&, std::size_t);
    const std::pair<Cell, Cell> cells[] = {{a.elman_tanh, b.elman_tanh},
                                           {a.elman_relu, b.elman_relu},
                                           {a.gru, b.gru},
                                           {a.lstm, b.lstm}};
    for (const auto& [fa, fb] : cells) {
      fa({input.data(), ya.data(), x.data(), x.data() + 1, ha.data(), ca.data()}, hidden);
      fb({input.data(), ya.data(), x.data(), x.data() + 1, hb.data(), cb.data()}, hidden);
      BOOST_TEST_REQUIRE(std::memcmp(ha.data(), hb.data(), hidden * sizeof(T)) == 0);
      BOOST_TEST_REQUIRE(std::memcmp(ca.data(), cb.data(), hidden * sizeof(T)) == 0);
    }
    for (std::size_t i = 0; i < x.size(); ++i) ya[i] = yb[i] = static_cast<T>(random.unit() * 200);
    a.negative_exp(ya.data(), hidden, T(0.3));
    b.negative_exp(yb.data(), hidden, T(0.3));
    BOOST_TEST_REQUIRE(std::memcmp(ya.data(), yb.data(), hidden * sizeof(T)) == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_instruction_set_gives_the_same_bits) {
  support::SeededRandom random(kSeed + 5);
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    compare_kernels(kernels::kFloatPortable, kernels::kFloatAvx2, random);
    compare_kernels(kernels::kDoublePortable, kernels::kDoubleAvx2, random);
  }
  if (__builtin_cpu_supports("avx512f") != 0) {
    compare_kernels(kernels::kFloatPortable, kernels::kFloatAvx512, random);
    compare_kernels(kernels::kDoublePortable, kernels::kDoubleAvx512, random);
  }
}
#endif

BOOST_AUTO_TEST_CASE(of_many_classes_the_one_with_the_highest_score_is_the_answer) {
  support::SeededRandom random(kSeed + 7);
  for (std::size_t round = 0; round < 40; ++round) {
    const std::size_t outputs = 3 + random.below(6);
    const NetworkSpec drawn =
        support::random_network({.cell = static_cast<CellKind>(round % 5),
                                 .symbols = 3,
                                 .hidden = 1 + random.below(20),
                                 .outputs = outputs,
                                 .head_layers = 1 + random.below(2),
                                 .head_from = static_cast<HeadFrom>(random.below(4))},
                                random);
    const Word word = support::random_word(3, 1 + random.below(8), random);
    support::check_law(drawn, [&](const NetworkSpec& spec) -> std::string {
      NetworkSpec all = spec;
      all.accept_class.reset();
      const auto acceptor = make_acceptor(all, Precision::Double);
      RNNALF_HOLDS(acceptor->answer_count() == outputs);
      const std::vector<double> state = state_after(*acceptor, word);
      Judgement judged;
      acceptor->judge({state.data(), state.size(), 1}, {&judged, 1});
      std::vector<double> probabilities(outputs);
      acceptor->all_probabilities({state.data(), state.size(), 1}, probabilities);
      if (judged.margin == 0) return "";  // two classes have the highest score
      // The class against the best other one, asked about one class at a time.
      double sum = 0;
      for (std::size_t c = 0; c < outputs; ++c) {
        NetworkSpec one = spec;
        one.accept_class = c;
        const double margin = support::reference_margin(one, word);
        const bool is_answer = c == index(judged.answer);
        RNNALF_HOLDS((margin > 0) == is_answer);
        RNNALF_HOLDS(!is_answer || std::abs(margin - judged.margin) <= 1e-9 * std::abs(margin));
        sum += probabilities[c];
        RNNALF_HOLDS(probabilities[c] <= probabilities[index(judged.answer)]);
      }
      RNNALF_HOLDS(std::abs(sum - 1) <= 1e-9);
      return "";
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
