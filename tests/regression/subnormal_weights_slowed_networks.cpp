// Weight decay leaves numbers below 1.2e-38 in trained networks. They are subnormal floats, which
// most machines multiply a hundred times slower: evaluating such a network took 20 s, not 0.2 s.

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/networks/load_network.hpp"
#include "support/layers.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"
#include "unit/pytorch/file_builders.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

constexpr float kLeastNormal = std::numeric_limits<float>::min();
constexpr float kLargestSubnormal = 1.17549421e-38F;
constexpr float kLeastSubnormal = std::numeric_limits<float>::denorm_min();

std::string bytes(const std::vector<float>& numbers) {
  std::string content;
  for (const float number : numbers) content += le(std::bit_cast<std::uint32_t>(number), 4);
  return content;
}

/// A ReLU network with two hidden units over two letters, as torch.save writes it.
std::string relu_network(const std::vector<float>& input, const std::vector<float>& recurrent,
                         const std::vector<float>& head) {
  const std::string tensors = text("weight_ih_l0") + tensor(storage("0", 4), 0, {2, 2}, {2, 1}) +
                              text("weight_hh_l0") + tensor(storage("1", 4), 0, {2, 2}, {2, 1}) +
                              text("fc.weight") + tensor(storage("2", 2), 0, {1, 2}, {2, 1});
  return zip({{.name = "a/data.pkl", .content = pickle("}(" + tensors + "u")},
              {.name = "a/data/0", .content = bytes(input)},
              {.name = "a/data/1", .content = bytes(recurrent)},
              {.name = "a/data/2", .content = bytes(head)}});
}

const std::string kWithSubnormals =
    relu_network({1, kLargestSubnormal, -kLeastSubnormal, 1},
                 {0.5F, -kLargestSubnormal, kLeastNormal, 0.5F}, {1, kLeastSubnormal});
const std::string kWithZeros = relu_network({1, 0, 0, 1}, {0.5F, 0, kLeastNormal, 0.5F}, {1, 0});

NetworkSpec load(const std::filesystem::path& file) {
  return load_network(file, {.alphabet = {}, .cell = "elman-relu", .accept_class = {}}).spec;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subnormal_weights_slowed_networks)

BOOST_AUTO_TEST_CASE(subnormal_numbers_are_read_as_zero_and_counted_and_normal_ones_are_kept) {
  const support::TemporaryFolder folder;
  const NetworkSpec spec = load(folder.file("subnormal.pt", kWithSubnormals));
  BOOST_TEST(spec.subnormal_weights == 4U);
  const std::vector<double> input = {1, 0, 0, 1};
  const std::vector<double> recurrent = {0.5, 0, kLeastNormal, 0.5};
  const std::vector<double> head = {1, 0};
  BOOST_TEST(support::layers(spec).layers[0].input_weights.values == input);
  BOOST_TEST(support::layers(spec).layers[0].recurrent_weights.values == recurrent);
  BOOST_TEST(spec.head[0].weights.values == head);
  BOOST_TEST(load(folder.file("zeros.pt", kWithZeros)).subnormal_weights == 0U);
}

BOOST_AUTO_TEST_CASE(the_network_has_the_bits_of_the_one_with_zeros) {
  const support::TemporaryFolder folder;
  const auto subnormal = make_acceptor(load(folder.file("subnormal.pt", kWithSubnormals)));
  const auto zeros = make_acceptor(load(folder.file("zeros.pt", kWithZeros)));
  std::vector<Word> words = {{}};
  for (std::size_t i = 0; i < 127; ++i) {
    for (const Symbol symbol : {Symbol{0}, Symbol{1}}) {
      words.push_back(words[i]);
      words.back().push_back(symbol);
    }
  }
  const auto found = classify(*subnormal, words);
  const auto expected = classify(*zeros, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    BOOST_TEST(found[i].probability == expected[i].probability);
  }
}

BOOST_AUTO_TEST_CASE(info_says_how_many_there_were) {
  const support::TemporaryFolder folder;
  const std::string info = RNNALF_PROGRAM " info --cell elman-relu ";
  const std::string subnormal = folder.file("subnormal.pt", kWithSubnormals);
  const std::string zeros = folder.file("zeros.pt", kWithZeros);
  const std::string said = "\nsubnormal   4 numbers below 1.2e-38 in size are read as 0\n";
  BOOST_TEST(support::output_of(info + subnormal).find(said) != std::string::npos);
  BOOST_TEST(support::output_of(info + zeros).find("subnormal ") == std::string::npos);
  BOOST_TEST(support::output_of(info + "--json - " + subnormal).find("\"subnormal_weights\": 4,") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
