#include "check/check.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rnnalf/automaton/regex.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "support/certified_networks.hpp"
#include "support/layers.hpp"

namespace {

using namespace rnnalf;
using rnnalf::check::Refused;
using rnnalf::support::last_letter_dfa;
using rnnalf::support::last_letter_network;
using Json = nlohmann::json;

/// Made by hand. The network is h' = tanh(+-2 + h/2), margin 4 h - 1/2. After a 1, h is in
/// tanh([3/2, 5/2]) = [0.905, 0.987], after a 0 in [-0.987, -0.905]; so [0.9, 1] and [-1, -0.9] are
/// mapped into each other, and the margins are at least 3.1 away from 0.
Json by_hand() {
  return Json{{"format", "rnnalf certificate 1"},
              {"network", fingerprint(last_letter_network())},
              {"arithmetic", "float32"},
              {"words", Json::object()},
              {"empty_word", true},
              {"dfa",
               {{"alphabet", {"0", "1"}},
                {"initial", 0},
                {"accepting", {false, true}},
                {"transitions", {{0, 1}, {0, 1}}}}},
              {"generators", 4},
              {"slack", "0x1p-10"},
              {"start", {0, 1}},
              {"sets",
               {{{"state", 0},
                 {"monitor", 0},
                 {"low", {"-0x1p+0"}},
                 {"high", {"-0x1.cp-1"}},
                 {"tree", {0, 1}}},
                {{"state", 1},
                 {"monitor", 0},
                 {"low", {"0x1.cp-1"}},
                 {"high", {"0x1p+0"}},
                 {"tree", {0, 1}}}}}};
}

check::Theorem checked(const Json& certificate) {
  return check::check(last_letter_network(), last_letter_dfa(), certificate.dump());
}

/// That the certificate is refused with a message that has these words in it.
void refuses(const Json& certificate, const std::string& words) {
  try {
    (void)checked(certificate);
    BOOST_ERROR("accepted, expected to be refused: " + words);
  } catch (const Refused& refused) {
    BOOST_TEST(std::string(refused.what()).find(words) != std::string::npos,
               "found: " << refused.what() << ", expected: " << words);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(check_certificate)

BOOST_AUTO_TEST_CASE(a_proof_made_by_hand_is_accepted) {
  const check::Theorem theorem = checked(by_hand());
  BOOST_TEST(theorem.sets == 2U);
  BOOST_TEST(theorem.images == 6U);
  BOOST_TEST(theorem.slack == 0x1p-10);
  // The empty word's margin is exactly -1/2, and no other is as near.
  BOOST_TEST(theorem.margin > 0.499);
  BOOST_TEST(theorem.margin <= 0.5);
  BOOST_TEST(theorem.sentence.starts_with("For every word over {0 1}, the empty word included"));
}

BOOST_AUTO_TEST_CASE(an_image_that_leaves_its_set_is_refused) {
  Json file = by_hand();
  file["sets"][1]["low"][0] = "0x1.dp-1";  // 0.906: tanh(3/2) is 0.9051
  refuses(file, "the image is not in set 1");
  file = by_hand();
  file["sets"][1]["high"][0] = "0x1.fp-1";  // 0.969: tanh(2.4) is 0.984
  refuses(file, "the image is not in set 1");
  file = by_hand();
  file["slack"] = "0x1p-4";
  refuses(file, "not in set");
}

BOOST_AUTO_TEST_CASE(ellipsoids_are_sets_too) {
  // In one dimension: middle 15/16, half width 1/16, as the box of the proof by hand.
  Json file = by_hand();
  file["format"] = "rnnalf certificate 2";
  file["sets"][1].erase("low");
  file["sets"][1].erase("high");
  file["sets"][1]["middle"] = {"0x1.ep-1"};
  file["sets"][1]["shape"] = {"0x1p-4"};
  BOOST_TEST(checked(file).images == 6U);
  file["sets"][1]["shape"] = {"0x1p-5"};  // [0.906, 0.969]
  refuses(file, "the image is not in set 1");
  file["sets"][1]["shape"] = {"0x0p+0"};
  refuses(file, "flat");
  file["sets"][1]["shape"] = {"0x1p-4", "0x1p-4"};
  refuses(file, "expected 1 numbers in \"shape\", found 2");
  file["sets"][1]["shape"] = {"0x1p-4"};
  file["sets"][1]["middle"] = Json::array();
  refuses(file, "expected 1 numbers in \"middle\", found 0");
}

BOOST_AUTO_TEST_CASE(properties_are_about_the_automatons_words_alone) {
  // Words of 0s alone are never accepted. After a 1 nothing is claimed any more, so trees have no
  // entry for it, and no margin is looked at.
  Json file = by_hand();
  file["format"] = "rnnalf certificate 3";
  file["property"] = "never";
  file["dfa"] = {{"alphabet", {"0", "1"}},
                 {"initial", 0},
                 {"accepting", {false, true, false}},
                 {"transitions", {{1, 2}, {1, 2}, {2, 2}}}};
  file["start"] = {0};
  file["sets"] = {file["sets"][0]};
  file["sets"][0]["state"] = 1;
  file["sets"][0]["tree"] = {0};
  const Dfa zeros = parse_regex("00*", last_letter_network().alphabet);
  const auto check_zeros = [&] {
    return check::check(last_letter_network(), zeros, file.dump()).sentence;
  };
  BOOST_TEST(check_zeros().find("rejects what the automaton accepts") != std::string::npos);
  refuses(file, "another language");
  for (const char* other : {"always", "equal", "sometimes"}) {
    file["property"] = other;
    BOOST_CHECK_THROW((void)check_zeros(), Refused);
  }
  file["property"] = "never";
  file["sets"][0]["tree"] = {0, 0};
  BOOST_CHECK_THROW((void)check_zeros(), Refused);
  file["sets"][0]["tree"] = {0};
  file["format"] = "rnnalf certificate 2";  // equality, whatever a property says
  BOOST_CHECK_THROW((void)check_zeros(), Refused);
}

BOOST_AUTO_TEST_CASE(a_margin_on_the_wrong_side_is_refused) {
  Json file = by_hand();
  file["dfa"]["accepting"] = {true, true};
  refuses(file, "another language");
  Dfa all(2, 2);  // both accept everything
  all.set_accepting(LState{0}, true);
  all.set_accepting(LState{1}, true);
  for (const LState state : {LState{0}, LState{1}}) {
    all.set_next(state, Symbol{0}, LState{0});
    all.set_next(state, Symbol{1}, LState{1});
  }
  BOOST_CHECK_THROW((void)check::check(last_letter_network(), all, file.dump()), Refused);
}

BOOST_AUTO_TEST_CASE(leaves_must_belong_to_the_state_the_automaton_is_in) {
  Json file = by_hand();
  file["sets"][0]["tree"] = {1, 1};
  refuses(file, "a leaf of another state");
  file = by_hand();
  file["sets"][0]["state"] = 1;
  refuses(file, "a leaf of another state");
}

BOOST_AUTO_TEST_CASE(trees_must_have_every_letter_and_no_more) {
  Json file = by_hand();
  file["sets"][0]["tree"] = {0};
  refuses(file, "fewer entries");
  file["sets"][0]["tree"] = {0, 1, 1};
  refuses(file, "more entries");
  file["sets"][0]["tree"] = {-1, 0, 1};
  refuses(file, "fewer entries");
  file["sets"][0]["tree"] = {-1, 0, 1, 1};
  BOOST_TEST(checked(file).images == 8U);
  file["sets"][0]["tree"] = {2, 1};
  refuses(file, "expected a number below 2");
  file["sets"][0]["tree"] = Json::array();
  for (int i = 0; i < 300; ++i) file["sets"][0]["tree"].push_back(-1);
  refuses(file, "deeper than 200");
}

BOOST_AUTO_TEST_CASE(another_network_or_automaton_is_refused) {
  NetworkSpec network = last_letter_network();
  network.head[0].bias[0] = std::nextafter(network.head[0].bias[0], 0.0);
  BOOST_CHECK_THROW((void)check::check(network, last_letter_dfa(), by_hand().dump()), Refused);
  Dfa dfa = last_letter_dfa();
  dfa.set_next(LState{1}, Symbol{0}, LState{1});
  BOOST_CHECK_THROW((void)check::check(last_letter_network(), dfa, by_hand().dump()), Refused);
  Json file = by_hand();
  file["dfa"]["alphabet"] = {"1", "0"};
  refuses(file, "another language");
  file["dfa"]["alphabet"] = {"0", "2"};
  refuses(file, "'1'");
}

BOOST_AUTO_TEST_CASE(every_field_is_needed_and_looked_at) {
  for (const char* key : {"format", "network", "arithmetic", "words", "empty_word", "dfa",
                          "generators", "slack", "start", "sets"}) {
    Json file = by_hand();
    file.erase(key);
    refuses(file, key);
    for (const Json& other : {Json(nullptr), Json("x"), Json(-1), Json(1.5), Json{{"x", 1}}}) {
      file[key] = other;
      BOOST_CHECK_THROW((void)checked(file), Refused);
    }
  }
  for (const char* key : {"state", "monitor", "low", "high", "tree"}) {
    Json file = by_hand();
    file["sets"][0].erase(key);
    refuses(file, key);
    for (const Json& other : {Json(nullptr), Json("x"), Json(-1), Json(7), Json{1.5}}) {
      file["sets"][0][key] = other;
      BOOST_CHECK_THROW((void)checked(file), Refused);
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_are_refused) {
  for (const char* text :
       {"nan", "inf", "0x1p+400", "1.0", "", "0x", "0x1p+21", " -0x1p+0", "-0x1p+0 "}) {
    Json file = by_hand();
    file["sets"][0]["low"][0] = text;
    BOOST_CHECK_THROW((void)checked(file), Refused);
  }
  Json file = by_hand();
  std::swap(file["sets"][0]["low"], file["sets"][0]["high"]);
  refuses(file, "an empty set");
}

/// The same corpus and the same rule as for the Python checker (tests/fuzz/replay_certificates.py).
BOOST_AUTO_TEST_CASE(of_the_fuzz_corpus_the_proofs_are_accepted_and_nothing_else) {
  std::size_t proofs = 0, others = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(RNNALF_TEST_DATA "/../fuzz/corpus/certificate")) {
    std::string text = read_file(file.path(), 1U << 20U);
    if (const auto at = text.find("HASH"); at != std::string::npos) {
      text.replace(at, 4, fingerprint(last_letter_network()));
    }
    const std::string name = file.path().filename().string();
    bool accepted = true;
    try {
      (void)check::check(last_letter_network(), last_letter_dfa(), text);
    } catch (const Refused&) {
      accepted = false;
    }
    BOOST_TEST(accepted == name.starts_with("proof"), name << ": accepted is " << accepted);
    (accepted ? proofs : others) += 1;
  }
  BOOST_TEST(proofs >= 4U);
  BOOST_TEST(others >= 20U);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_certificate_are_refused) {
  for (const char* text : {"", "{", "[]", "null", "\"x\"", "{}", "\xff\xfe"}) {
    BOOST_CHECK_THROW((void)check::check(last_letter_network(), last_letter_dfa(), text), Refused);
  }
  const std::string deep(1'000'000, '[');
  BOOST_CHECK_THROW((void)check::check(last_letter_network(), last_letter_dfa(), deep), Refused);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(own_rounding)

/// A head w x - v y that nearly cancels, over a small ellipsoid around (x, y), executed without any
/// error: what is left is the rounding of the checker itself. By the error of each product (one
/// fused operation) and a difference that is exact, the margin's largest value is known.
BOOST_AUTO_TEST_CASE(a_margin_is_not_narrower_than_exact_arithmetic_says) {
  constexpr double small = 0x1p-30;
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const double w = 1 + random.unit(), v = 1 + random.unit(), x = 1 + random.unit();
    const double y = w * x / v, first = w * x, second = v * y;
    NetworkSpec network = last_letter_network();
    support::change_layers(network, [](LayerStack& stack) {
      stack.layers[0].hidden = 2;
      stack.layers[0].input_weights = {2, 2, {1, 1, 1, 1}};
      stack.layers[0].recurrent_weights = {2, 2, {0, 0, 0, 0}};
    });
    network.head[0] = {{1, 2, {w, -v}}, {0}};
    const check::Enclosure exact(network, {false, 0, 0}, 0, 4);
    const check::Array middle = (check::Array(2) << x, y).finished();
    const auto [low, high] =
        exact.margin(check::ellipsoid(middle, small * check::MatrixXd::Identity(2, 2)).form);
    const double error = std::fma(w, x, -first) - std::fma(v, y, -second);
    const long double at = static_cast<long double>(first - second) + error;
    const long double far = small * std::hypot(static_cast<long double>(w), v);
    BOOST_TEST((low <= at - far && at + far <= high));
    BOOST_TEST(high - low < 2.001 * far);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(activation_bounds)

// bench/activations looks at all floats; here are the ends, the limits and a grid.
BOOST_AUTO_TEST_CASE(enclosures_contain_what_the_network_computes_at_every_boundary) {
  // A network whose margin after one letter is tanh(x): x is the letter's input weight.
  for (const double x : {0.0, 0x1p-149, 0x1p-126, 1e-8, 0x1p-12, 0.3, 0.55, 1.0, 3.81, 4.505, 8.9,
                         9.02, 9.1, 10.0, 10.1, 80.0, 87.0, 88.0, 1000.0}) {
    for (const double sign : {-1.0, 1.0}) {
      NetworkSpec network = last_letter_network(CellKind::ElmanTanh, 0.0);
      support::change_layers(network, [&](LayerStack& stack) {
        stack.layers[0].input_weights.values = {sign * x, sign * x};
      });
      network.head[0].weights.values[0] = 1;
      network.head[0].bias[0] = 0;
      const check::Enclosure enclosure(network, check::kFloat32, 0, 4);
      const auto [low, high] =
          enclosure.margin(enclosure.step(enclosure.prepare(enclosure.initial()), 0));
      const double executed = std::tanh(static_cast<double>(static_cast<float>(sign * x)));
      BOOST_TEST(low <= executed);
      BOOST_TEST(high >= executed);
      BOOST_TEST(high - low < 4 * check::kFloat32.bent);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
