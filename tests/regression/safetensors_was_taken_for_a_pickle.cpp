// A safetensors file begins with the length of its header. Lengths such as 640 (80 02 00 ...) begin
// as a pickle does, and such files were refused as damaged files of PyTorch.

#include <boost/test/unit_test.hpp>

#include "rnnalf/networks/load_network.hpp"
#include "unit/pytorch/file_builders.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

BOOST_AUTO_TEST_SUITE(safetensors_was_taken_for_a_pickle)

BOOST_AUTO_TEST_CASE(a_header_of_any_length_is_read) {
  const std::string file = read_file(RNNALF_TEST_DATA "/ways/gru.safetensors");
  std::size_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[i]);
  const std::string header = file.substr(8, length);
  BOOST_TEST_REQUIRE(length <= 640U);
  const std::size_t parameters = parse_network(file, "x").spec.parameter_count();
  for (const std::size_t padded : {640U, 896U, 1152U, 1408U, 1000U}) {
    const std::string blanks(padded - length, ' ');
    const std::string same = le(padded, 8) + header + blanks + file.substr(8 + length);
    const LoadedNetwork network = parse_network(same, "x");
    BOOST_TEST(std::string(name(network.format)) == "safetensors");
    BOOST_TEST(network.spec.parameter_count() == parameters);
  }
}

BOOST_AUTO_TEST_CASE(a_pickle_is_still_one) {
  for (const std::string name : {"gru_1_legacy", "gru_protocol_4_legacy"}) {
    const std::string file = read_file(RNNALF_TEST_DATA "/networks/" + name + ".pt");
    BOOST_TEST_REQUIRE(file.substr(0, 1) == "\x80");
    BOOST_TEST((parse_network(file, "x").format == NetworkFormat::StateDict));
  }
}

BOOST_AUTO_TEST_SUITE_END()
