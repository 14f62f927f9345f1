// What examples/networks promises of the networks that ship.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/networks/load_network.hpp"

using namespace rnnalf;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> shipped_networks() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(RNNALF_EXAMPLE_NETWORKS)) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  BOOST_REQUIRE(!paths.empty());
  return paths;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shipped_networks_of_the_examples)

BOOST_AUTO_TEST_CASE(each_passes_its_probes_which_say_both_yes_and_no) {
  for (const fs::path& path : shipped_networks()) {
    BOOST_TEST_CONTEXT(path.filename()) {
      const NetworkSpec spec = load_network(path).spec;
      BOOST_CHECK_NO_THROW(static_cast<void>(make_acceptor(spec, Precision::Float)));
      BOOST_CHECK_NO_THROW(static_cast<void>(make_acceptor(spec, Precision::Double)));
      BOOST_TEST(spec.probes.size() >= 20U);
      const auto accepted =
          std::count_if(spec.probes.begin(), spec.probes.end(),
                        [](const Probe& probe) { return probe.probability > 0.5; });
      BOOST_TEST(accepted >= 5);
      BOOST_TEST(static_cast<std::size_t>(accepted) + 5 <= spec.probes.size());
      BOOST_TEST(std::any_of(spec.probes.begin(), spec.probes.end(),
                             [](const Probe& probe) { return probe.word.empty(); }));
    }
  }
}

BOOST_AUTO_TEST_CASE(
    each_target_is_minimal_and_agrees_with_its_network_on_words_it_was_trained_with) {
  std::size_t targets = 0;
  for (const fs::path& path : shipped_networks()) {
    fs::path target_path = path;
    target_path.replace_extension(".target.dot");
    const std::string name = path.stem().string();
    BOOST_TEST(fs::exists(target_path) == !name.starts_with("bp_"),
               name << ": only bp is not regular");
    if (!fs::exists(target_path)) continue;
    BOOST_TEST_CONTEXT(name) {
      ++targets;
      const NetworkSpec spec = load_network(path).spec;
      const DfaFile file = read_dfa_file(target_path);
      BOOST_TEST(file.missing_transitions == 0U);
      const Dfa target = over_alphabet(file, spec.alphabet);
      BOOST_TEST((target == minimise(target)));
      for (const Probe& probe : spec.probes) {
        // Longer probes are words of the train set, and all networks have learnt theirs.
        if (probe.word.size() <= 2) continue;
        BOOST_TEST(target.accepts(probe.word) == (probe.probability > 0.5),
                   "'" << spec.alphabet.format(probe.word) << "'");
      }
    }
  }
  BOOST_TEST(targets >= 10U);
}

BOOST_AUTO_TEST_CASE(each_has_its_line_in_the_readme) {
  std::ifstream file(RNNALF_EXAMPLE_NETWORKS "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  for (const fs::path& path : shipped_networks()) {
    BOOST_TEST(readme.find("| `" + path.stem().string() + "` |") != std::string::npos, path.stem());
  }
}

BOOST_AUTO_TEST_SUITE_END()
