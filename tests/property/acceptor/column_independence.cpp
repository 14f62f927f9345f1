// Laws of every acceptor of a network, on random networks of all cell kinds and many sizes.

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

constexpr std::uint64_t kSeed = 20180710;

struct World {
  NetworkSpec spec;
  std::unique_ptr<RnnAcceptor> acceptor;
  std::vector<double> states;   // `batch` R-states, reached by random words
  std::vector<Symbol> symbols;  // one per R-state
  std::size_t batch = 0;
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
  World world;
  world.spec = support::random_network(shape, random);
  world.acceptor = make_acceptor(world.spec, round % 2 == 0 ? Precision::Float : Precision::Double);
  world.batch = shape.hidden >= 300 ? 1 + random.below(120) : 1 + random.below(300);
  for (std::size_t i = 0; i < world.batch; ++i) {
    world.symbols.push_back(static_cast<Symbol>(random.below(shape.symbols)));
    const auto start = world.acceptor->initial_state();
    world.states.insert(world.states.end(), start.begin(), start.end());
  }
  // Some steps with different symbols, so that the columns differ.
  std::vector<double> next(world.states.size());
  const std::size_t size = world.acceptor->state_size();
  for (int step = 0; step < 3; ++step) {
    std::vector<Symbol> letters;
    for (std::size_t i = 0; i < world.batch; ++i) {
      letters.push_back(static_cast<Symbol>(random.below(shape.symbols)));
    }
    world.acceptor->step({world.states.data(), size, world.batch}, letters,
                         {next.data(), size, world.batch});
    world.states.swap(next);
  }
  return world;
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
    const std::size_t size = world.acceptor->state_size();
    std::vector<double> whole(world.states.size());
    world.acceptor->step({world.states.data(), size, world.batch}, world.symbols,
                         {whole.data(), size, world.batch});
    // The same columns again, in pieces of random width.
    std::vector<double> pieces(world.states.size());
    for (std::size_t first = 0; first < world.batch;) {
      const std::size_t count = std::min<std::size_t>(1 + random.below(40), world.batch - first);
      world.acceptor->step({world.states.data() + first * size, size, count},
                           std::span(world.symbols).subspan(first, count),
                           {pieces.data() + first * size, size, count});
      first += count;
    }
    BOOST_TEST_REQUIRE(
        same_bits(whole.data(), pieces.data(), whole.size()),
        "round " << round << " " << name(world.spec.cell) << " batch " << world.batch);
  }
}

BOOST_AUTO_TEST_CASE(a_column_of_the_margins_does_not_depend_on_its_neighbours) {
  support::SeededRandom random(kSeed + 1);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round, random);
    const std::size_t size = world.acceptor->state_size();
    std::vector<double> whole(world.batch), single(world.batch);
    world.acceptor->margins({world.states.data(), size, world.batch}, whole);
    for (std::size_t i = 0; i < world.batch; ++i) {
      world.acceptor->margins({world.states.data() + i * size, size, 1}, {&single[i], 1});
    }
    BOOST_TEST_REQUIRE(same_bits(whole.data(), single.data(), world.batch), "round " << round);
  }
}

BOOST_AUTO_TEST_CASE(all_successors_of_an_r_state_have_the_bits_of_single_steps) {
  support::SeededRandom random(kSeed + 3);
  for (const std::size_t symbols : {1U, 2U, 28U, 95U, 96U, 97U, 150U, 193U, 400U}) {
    const NetworkSpec spec =
        support::random_network({.symbols = symbols, .hidden = 9, .layers = 2}, random);
    const auto acceptor = make_acceptor(spec);
    const std::size_t size = acceptor->state_size();
    const std::size_t bytes = acceptor->kept_bytes();
    std::vector<double> states(3 * size), reached(size), one(size);
    for (double& value : states) value = static_cast<float>(random.unit());
    std::vector<std::byte> kept(3 * bytes), all(3 * symbols * bytes);
    std::vector<const std::byte*> origins;
    std::vector<Symbol> letters;
    for (std::size_t i = 0; i < 3; ++i) {
      acceptor->keep(states.data() + i * size, kept.data() + i * bytes);
      for (std::size_t a = 0; a < symbols; ++a) {
        origins.push_back(kept.data() + i * bytes);
        letters.push_back(static_cast<Symbol>(a));
      }
    }
    acceptor->follow(origins, letters, all.data(), {});
    for (std::size_t j = 0; j < 3 * symbols; ++j) {
      acceptor->step({states.data() + j / symbols * size, size, 1}, {&letters[j], 1},
                     {one.data(), size, 1});
      acceptor->restore(all.data() + j * bytes, reached.data());
      BOOST_TEST_REQUIRE(same_bits(one.data(), reached.data(), size),
                         symbols << " symbols, column " << j);
    }
  }
}

BOOST_AUTO_TEST_CASE(following_kept_states_gives_the_bits_of_single_steps) {
  support::SeededRandom random(kSeed + 5);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round, random);
    const RnnAcceptor& acceptor = *world.acceptor;
    const std::size_t size = acceptor.state_size();
    const std::size_t bytes = acceptor.kept_bytes();
    std::vector<std::byte> kept(world.batch * bytes), next(world.batch * bytes);
    for (std::size_t i = 0; i < world.batch; ++i)
      acceptor.keep(world.states.data() + i * size, kept.data() + i * bytes);
    // Runs of columns with the same origin, among them an origin that comes back.
    std::vector<std::size_t> origin(world.batch);
    std::vector<const std::byte*> origins(world.batch);
    for (std::size_t i = 0; i < world.batch; ++i) {
      origin[i] = i > 0 && random.below(2) == 0 ? origin[i - 1] : random.below(world.batch);
      origins[i] = kept.data() + origin[i] * bytes;
    }
    std::vector<double> reached(size), expected(size);
    std::vector<Judgement> judged(world.batch);
    acceptor.follow(origins, world.symbols, next.data(), judged);
    for (std::size_t i = 0; i < world.batch; ++i) {
      acceptor.step({world.states.data() + origin[i] * size, size, 1}, {&world.symbols[i], 1},
                    {expected.data(), size, 1});
      acceptor.restore(next.data() + i * bytes, reached.data());
      Judgement alone;
      acceptor.judge({expected.data(), size, 1}, {&alone, 1});
      double margin = 0;
      acceptor.margins({expected.data(), size, 1}, {&margin, 1});
      BOOST_TEST_REQUIRE(same_bits(expected.data(), reached.data(), size),
                         "round " << round << " column " << i);
      BOOST_TEST_REQUIRE((alone.answer == judged[i].answer), "round " << round << " column " << i);
      BOOST_TEST_REQUIRE(same_bits(&margin, &judged[i].margin, 1),
                         "round " << round << " column " << i);
      BOOST_TEST_REQUIRE(same_bits(&margin, &alone.margin, 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(scores_are_those_of_the_formulas) {
  support::SeededRandom random(kSeed + 4);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round % 40, random);
    const Word word = support::random_word(world.spec.symbol_count(), random.below(12), random);
    const Precision precision = world.acceptor->precision();
    support::check_law(world.spec, [&](const NetworkSpec& spec) -> std::string {
      const auto acceptor = make_acceptor(spec, precision);
      std::vector<double> state = acceptor->initial_state(), next(state.size());
      for (const Symbol symbol : word) {
        acceptor->step({state.data(), state.size(), 1}, {&symbol, 1},
                       {next.data(), next.size(), 1});
        state.swap(next);
      }
      double found = 0;
      acceptor->margins({state.data(), state.size(), 1}, {&found, 1});
      const double expected = support::reference_margin(spec, word);
      const double tolerance = precision == Precision::Double ? 1e-10 : 1e-3;
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
    const NetworkSpec spec =
        support::random_network({.cell = static_cast<CellKind>(round % 5),
                                 .symbols = 3,
                                 .hidden = 1 + random.below(20),
                                 .outputs = outputs,
                                 .head_layers = 1 + random.below(2),
                                 .head_from = static_cast<HeadFrom>(random.below(4))},
                                random);
    NetworkSpec all = spec;
    all.accept_class.reset();
    const auto acceptor = make_acceptor(all, Precision::Double);
    BOOST_TEST_REQUIRE(acceptor->answer_count() == outputs);
    const Word word = support::random_word(3, 1 + random.below(8), random);
    std::vector<double> state = acceptor->initial_state(), next(state.size());
    for (const Symbol symbol : word) {
      acceptor->step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
      state.swap(next);
    }
    Judgement judged;
    acceptor->judge({state.data(), state.size(), 1}, {&judged, 1});
    std::vector<double> probabilities(outputs);
    acceptor->all_probabilities({state.data(), state.size(), 1}, probabilities);
    // The class against the best other one, asked about one class at a time.
    double sum = 0;
    for (std::size_t c = 0; c < outputs; ++c) {
      NetworkSpec one = spec;
      one.accept_class = c;
      const double margin = support::reference_margin(one, word);
      const bool is_answer = c == index(judged.answer);
      BOOST_TEST((margin > 0) == is_answer, "round " << round << " class " << c);
      if (is_answer) BOOST_TEST(margin == judged.margin, boost::test_tools::tolerance(1e-9));
      sum += probabilities[c];
      BOOST_TEST(probabilities[c] <= probabilities[index(judged.answer)]);
    }
    BOOST_TEST(sum == 1, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
