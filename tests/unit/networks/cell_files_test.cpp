// Networks of the cells in network/cells.hpp, read from safetensors files.

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "support/message_of.hpp"

namespace rnnalf {
namespace {

struct Entry {
  std::vector<std::size_t> shape;
  std::vector<float> numbers;
};
using Entries = std::vector<std::pair<std::string, Entry>>;

std::string safetensors(const Entries& entries,
                        const std::map<std::string, std::string>& metadata = {}) {
  nlohmann::ordered_json header;
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::string data;
  for (const auto& [name, entry] : entries) {
    const std::size_t begin = data.size();
    data.resize(begin + entry.numbers.size() * sizeof(float));
    std::memcpy(data.data() + begin, entry.numbers.data(), entry.numbers.size() * sizeof(float));
    header[name] = {
        {"dtype", "F32"}, {"shape", entry.shape}, {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  std::string file(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<char>(text.size() >> (8 * i));
  return file + text + data;
}

/// Two layers of one unit that follow their input, symbol 1 or 0, where z is near 1: the last
/// symbol decides.
Entries last_symbol() {
  Entries entries = {{"embedding.weight", {{2, 1}, {-4, 4}}}};
  // In another order than their numbers: safetensors has none.
  for (const char* layer : {"layers.10.", "layers.2."}) {
    entries.push_back({std::string(layer) + "linear_z.weight", {{1, 1}, {0}}});
    entries.push_back({std::string(layer) + "linear_z.bias", {{1}, {20}}});
    entries.push_back({std::string(layer) + "linear_h.weight", {{1, 1}, {1}}});
  }
  entries.push_back({"head.weight", {{1, 1}, {1}}});
  return entries;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_files)

BOOST_AUTO_TEST_CASE(layers_under_any_prefix_are_found_by_their_tensors) {
  const OpenNetwork network = open_network(safetensors(last_symbol()), "net", {});
  BOOST_TEST(network.network.summary.cell == "mingru");
  BOOST_TEST(network.spec().state_size() == 2U);
  BOOST_TEST(network.spec().assumed.front().find("layers.2 layers.10") != std::string::npos);
  const std::vector<Word> words = {{Symbol{0}, Symbol{1}}, {Symbol{1}, Symbol{0}}, {Symbol{1}}};
  const auto answers = classify(*network.network.acceptor, words);
  BOOST_TEST((answers[0].answer == Answer::Accept));
  BOOST_TEST((answers[1].answer == Answer::Reject));
  BOOST_TEST((answers[2].answer == Answer::Accept));
}

BOOST_AUTO_TEST_CASE(the_metadata_or_an_option_choose_between_cells_with_the_same_tensors) {
  // Above 0 in log space: what it reads is never below 0, and its second layer sees no difference.
  const std::string named = safetensors(last_symbol(), {{"rnnalf.cell", "mingru-log"}});
  BOOST_TEST(open_network(named, "net", {}).network.summary.cell == "mingru-log");
  NetworkOptions options;
  options.read.cell = "mingru-log";
  BOOST_TEST(open_network(safetensors(last_symbol()), "net", options).network.summary.cell ==
             "mingru-log");
}

BOOST_AUTO_TEST_CASE(a_cell_whose_tensors_the_file_does_not_have_is_refused) {
  NetworkOptions options;
  options.read.cell = "lru";
  const std::string message = support::message_of<NetworkFileError>(
      [&] { static_cast<void>(open_network(safetensors(last_symbol()), "net", options)); });
  BOOST_TEST(message.find("expected") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(tensors_of_sizes_that_do_not_fit_are_refused_by_their_names) {
  Entries entries = last_symbol();
  entries[1].second = {{1, 3}, {0, 0, 0}};
  const std::string message = support::message_of<NetworkFileError>(
      [&] { static_cast<void>(open_network(safetensors(entries), "net", {})); });
  BOOST_TEST(message.find("mingru layers: linear_z: expected 1 columns") != std::string::npos,
             message);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
