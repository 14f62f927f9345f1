#include "rnnalf/pytorch/state_dict_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <sstream>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "support/layers.hpp"
#include "unit/pytorch/file_builders.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

const std::string kNetworks = RNNALF_TEST_DATA "/networks/";

NetworkSpec read(const std::string& bytes, const ReadOptions& options = {}) {
  return read_state_dict(bytes_of(bytes), "x.pt", options);
}

double probability(const RnnAcceptor& acceptor, const Word& word) {
  std::vector<double> state = acceptor.initial_state();
  std::vector<double> next(state.size());
  for (const Symbol symbol : word) {
    acceptor.step({state.data(), state.size(), 1}, std::span(&symbol, 1),
                  {next.data(), next.size(), 1});
    state.swap(next);
  }
  double result = 0;
  acceptor.probabilities({state.data(), state.size(), 1}, std::span(&result, 1));
  return result;
}

/// One file of tests/data/networks and what PyTorch computes with it.
struct Scored {
  ReadOptions options;
  std::vector<Probe> probes;
};

std::map<std::string, Scored> scores() {
  std::map<std::string, Scored> files;
  std::istringstream lines(read_file(kNetworks + "scores.tsv"));
  std::string file, cell, accept_class, word;
  double probability = 0;
  while (lines >> file >> cell >> accept_class >> probability >> word) {
    Scored& scored = files[file];
    if (cell != "-") scored.options.cell = name(cell_from_name(cell).value());
    if (accept_class != "-") scored.options.accept_class = std::stoul(accept_class);
    Probe probe{.word = {}, .probability = probability};
    for (const char c : word) {
      if (c >= '0' && c <= '9') probe.word.push_back(static_cast<Symbol>(c - '0'));
    }
    scored.probes.push_back(probe);
  }
  return files;
}

bool same(const NetworkSpec& a, const NetworkSpec& b) {
  bool equal = a.step == b.step && a.head.size() == b.head.size();
  for (std::size_t i = 0; equal && i < a.head.size(); ++i) {
    equal = equal && a.head[i].weights == b.head[i].weights && a.head[i].bias == b.head[i].bias;
  }
  return equal;
}

struct NamedTensor {
  std::string name;
  std::string tensor;  ///< pickled
};

/// A zip file of torch.save with one dictionary and storages of zeros, given in bytes.
std::string file_of(const std::vector<NamedTensor>& tensors,
                    const std::map<std::string, std::size_t>& storages) {
  std::string items = "}(";
  for (const NamedTensor& named : tensors) items += text(named.name) + named.tensor;
  std::vector<ZipEntry> entries = {{.name = "a/data.pkl", .content = pickle(items + "u")}};
  for (const auto& [key, size] : storages) {
    entries.push_back({.name = "a/data/" + key, .content = std::string(size, '\0')});
  }
  return zip(entries);
}

/// An LSTM with one hidden unit over `symbols` letters; a bias for each gate and of the dense
/// layer.
std::vector<NamedTensor> tiny_lstm(std::int64_t symbols) {
  return {{"weight_ih_l0", tensor(storage("0", 4 * symbols), 0, {4, symbols}, {symbols, 1})},
          {"weight_hh_l0", tensor(storage("1", 4), 0, {4, 1}, {1, 1})},
          {"fc.weight", tensor(storage("1", 4), 0, {1, 1}, {1, 1})}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_dict_reader)

BOOST_AUTO_TEST_CASE(every_committed_file_scores_as_pytorch_does) {
  const std::map<std::string, Scored> files = scores();
  BOOST_TEST(files.size() == 38U);
  for (const auto& [name, scored] : files) {
    BOOST_TEST_CONTEXT(name) {
      const std::string bytes = read_file(kNetworks + name);
      BOOST_TEST(looks_like_state_dict(bytes_of(bytes)));
      const NetworkSpec spec = read(bytes, scored.options);
      for (const Precision precision : {Precision::Float, Precision::Double}) {
        const auto acceptor = make_acceptor(spec, precision);
        for (const Probe& probe : scored.probes) {
          BOOST_TEST(std::abs(probability(*acceptor, probe.word) - probe.probability) < 1e-5);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_tensors_give_the_same_network_however_they_lie_in_the_file) {
  const NetworkSpec plain = read(read_file(kNetworks + "gru_prefix.pt"));
  for (const std::string name :
       {"gru_transposed", "gru_one_storage", "gru_one_storage_legacy", "gru_parameters",
        "gru_protocol_4", "gru_protocol_4_legacy", "gru_with_counter", "gru_checkpoint"}) {
    BOOST_TEST(same(plain, read(read_file(kNetworks + name + ".pt"))), name);
  }
}

BOOST_AUTO_TEST_CASE(cell_and_sizes_are_told_from_names_and_shapes) {
  const NetworkSpec gru = read(read_file(kNetworks + "gru_2.pt"));
  BOOST_TEST((support::layers(gru).cell == CellKind::Gru));
  BOOST_TEST(support::layers(gru).layers.size() == 2U);
  BOOST_TEST(support::layers(gru).layers[0].hidden == 4U);
  BOOST_TEST(gru.symbol_count() == 3U);
  BOOST_TEST(gru.output_count() == 2U);
  BOOST_TEST((gru.output == Output::Raw));
  BOOST_TEST((gru.alphabet == Alphabet::numbered(3)));

  const NetworkSpec lstm = read(read_file(kNetworks + "lstm_embedding_by_order.pt"));
  const LayerStack stack = support::layers(lstm);
  BOOST_TEST((stack.cell == CellKind::Lstm));
  BOOST_REQUIRE(stack.embedding.has_value());
  BOOST_TEST(stack.embedding->rows == 3U);
}

BOOST_AUTO_TEST_CASE(options_say_what_the_file_does_not) {
  const std::string elman = read_file(kNetworks + "elman_tanh_1.pt");
  const NetworkSpec relu = read(elman, {.alphabet = {}, .cell = "elman-relu", .accept_class = {}});
  BOOST_TEST((support::layers(relu).cell == CellKind::ElmanRelu));
  const Alphabet abc = Alphabet::parse("abc");
  const NetworkSpec gru = read(read_file(kNetworks + "gru_2.pt"),
                               {.alphabet = abc, .cell = "gru-reset-before", .accept_class = 0});
  BOOST_TEST((gru.alphabet == abc));
  BOOST_TEST((support::layers(gru).cell == CellKind::GruResetBefore));
  BOOST_TEST(*gru.accept_class == 0U);

  const std::string lstm =
      refusal([&] { read(elman, {.alphabet = {}, .cell = "lstm", .accept_class = {}}); });
  BOOST_TEST(lstm.find("`cell=lstm`: expected 4 times as many rows as columns, found 4 x 4") !=
                 std::string::npos,
             lstm);
  const std::string alphabet = refusal([&] {
    read(elman, {.alphabet = Alphabet::parse("ab"), .cell = "elman-tanh", .accept_class = {}});
  });
  BOOST_TEST(alphabet.find("alphabet: expected 3 symbols, found 2") != std::string::npos, alphabet);
}

BOOST_AUTO_TEST_CASE(what_a_state_dict_does_not_say_or_we_cannot_run_is_refused_in_words) {
  const std::map<std::string, std::string> messages = {
      {"a_tensor", "expected a state_dict, which is a dictionary of tensors, found a tensor"},
      {"batch_norm",
       "'bn.weight': expected a normalisation of 1 numbers behind the recurrent layers, found 4"},
      {"bidirectional",
       "expected a dense layer behind the recurrent ones, a weight with 8 columns"},
      {"elman", "say `cell=elman-tanh` or `cell=elman-relu`"},
      {"initial_state", "tensor 'h0': expected"},
      {"missing_bias", "recurrent layer 1: expected bias_ih and bias_hh or none"},
      {"missing_layer", "recurrent layer 0: expected weight_ih_l0, found none"},
      {"missing_recurrent_weights", "recurrent layer 1: expected weight_ih and weight_hh"},
      {"no_dense_layer", "expected a dense layer behind the recurrent ones"},
      {"no_recurrent_layer", "expected recurrent weights"},
      {"not_a_number", "gru layer 1: input weights: expected finite numbers, found inf"},
      {"projection", "'weight_hr_l0': this is the projection of an LSTM with proj_size"},
      {"square_embedding", "'lookup.weight': expected an embedding, found a square weight (3 x 3)"},
      {"two_dense_layers", "which activation stands between 'out.weight' and this one"},
      {"two_heads",
       "'value.weight': expected an embedding or a dense layer with 1 inputs, found 1 x 4"},
      {"two_recurrent_modules",
       "the file has several recurrent modules (rnn, rnn2), but a state_dict does not say how"},
      {"two_state_dicts",
       "expected one dictionary with recurrent weights, found 2: 'model', 'ema'"},
      {"weight_norm", "'weight_hh_l0_g': expected a name such as 'weight_hh_l0'"},
      {"whole_numbers", "'rnn.weight_ih_l0': expected real numbers"},
  };
  for (const auto& [name, expected] : messages) {
    const std::string bytes = read_file(kNetworks + "refused/" + name + ".pt");
    const std::string message = refusal([&] { read(bytes); });
    BOOST_TEST(message.find(expected) != std::string::npos, name + ": " + message);
    BOOST_TEST(message.starts_with("x.pt: "), message);
    BOOST_TEST(message.find('\n') == std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(other_files_are_told_apart) {
  BOOST_TEST(!looks_like_state_dict({}));
  BOOST_TEST(!looks_like_state_dict(bytes_of("\x08\x07\x12\x07pytorch")));
  BOOST_TEST(looks_like_state_dict(bytes_of("\x80\x02N.")));
  const auto message = [](const std::string& bytes) { return refusal([&] { read(bytes); }); };
  BOOST_TEST(message("hello") == "x.pt: expected a file of torch.save, found other data");
  BOOST_TEST(message(pickle("}")).find("found another pickle") != std::string::npos);
  BOOST_TEST(message(zip({{.name = "word/document.xml", .content = ""}}))
                 .find("found another zip archive") != std::string::npos);
  BOOST_TEST(message(zip({{.name = "a/data.pkl", .content = pickle("}")},
                          {.name = "a/byteorder", .content = "big"}}))
                 .find("byteorder: expected little, found 'big'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_tensor_must_lie_inside_its_storage) {
  struct Case {
    std::string weight_hh;
    std::string message;  ///< empty: read without complaint
  };
  const std::int64_t large = INT64_MAX;
  const std::vector<Case> cases = {
      {tensor(storage("1", 4), 0, {4, 1}, {1, 1}), ""},
      {tensor(storage("1", 4), 0, {4, 1}, {1, large}),
       ""},  // the stride of a single column is never used
      {tensor(storage("1", 4), 1, {4, 1}, {1, 1}), "found some beyond: shape 4 x 1, offset 1"},
      {tensor(storage("1", 4), large, {4, 1}, {1, 1}), "found some beyond"},
      {tensor(storage("1", 4), 0, {4, 1}, {2, 1}), "found some beyond"},
      {tensor(storage("1", 4), 0, {4, 1}, {large, 1}), "found some beyond"},
      {tensor(storage("1", 4), 0, {large, large}, {1, 1}), "found a shape of more"},
      {tensor(storage("1", 4), 0, {large, 1}, {0, 0}), "found a shape of more"},
      {tensor(storage("1", 4), 0, {0, large}, {1, 1}), "expected rows x columns of numbers"},
      {tensor(storage("1", 4), 0, {}, {}),
       "expected rows x columns of numbers, found a single number"},
      {tensor(storage("1", 5), 0, {4, 1}, {1, 1}), "expected a storage of 5 elements, found 4"},
      {tensor(storage("1", large), 0, {4, 1}, {1, 1}),
       "expected a storage of 9223372036854775807 elements"},
      {tensor(storage("1", 4, "DoubleStorage"), 0, {4, 1}, {1, 1}),
       "expected a storage of 4 elements, found 2"},
      {tensor(storage("2", 4), 0, {4, 1}, {1, 1}), "expected an entry 'a/data/2', found none"},
  };
  for (const Case& c : cases) {
    std::vector<NamedTensor> tensors = tiny_lstm(3);
    tensors[1].tensor = c.weight_hh;
    const std::string message = refusal([&] { read(file_of(tensors, {{"0", 48}, {"1", 16}})); });
    const std::string expected = c.message.empty() ? "accepted" : c.message;
    BOOST_TEST(message.find(expected) != std::string::npos, message + " | expected: " + expected);
  }
}

BOOST_AUTO_TEST_CASE(shared_storages_cannot_make_a_small_file_a_large_network) {
  // 300 layers, each with the same 40 000 numbers: 12 million from a file of 200 KB.
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < 300; ++i) {
    for (const std::string name : {"weight_ih_l", "weight_hh_l"}) {
      tensors.push_back(
          {name + std::to_string(i), tensor(storage("0", 40'000), 0, {400, 100}, {100, 1})});
    }
  }
  tensors.push_back({"fc.weight", tensor(storage("0", 40'000), 0, {1, 100}, {100, 1})});
  const std::string file = file_of(tensors, {{"0", 160'000}});
  const std::string message = refusal([&] { read(file); });
  BOOST_TEST(message.find("expected no more numbers than the file has bytes") != std::string::npos,
             message);
}

BOOST_AUTO_TEST_CASE(a_name_twice_is_refused) {
  std::vector<NamedTensor> tensors = tiny_lstm(3);
  tensors.push_back(tensors[0]);
  const std::string message = refusal([&] { read(file_of(tensors, {{"0", 48}, {"1", 16}})); });
  BOOST_TEST(message.find("found 'weight_ih_l0' twice") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(a_file_cut_anywhere_is_refused) {
  for (const std::string name :
       {"gru_1.pt", "gru_1_legacy.pt", "gru_one_storage.pt", "lstm_bfloat16_legacy.pt"}) {
    const std::string whole = read_file(kNetworks + name);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      // An exact allocation, so that a sanitizer sees a read behind the end.
      const std::vector<char> cut(whole.begin(),
                                  whole.begin() + static_cast<std::ptrdiff_t>(length));
      const std::string message =
          refusal([&] { validate(read_state_dict(std::as_bytes(std::span(cut)), "x.pt")); });
      BOOST_TEST(message.starts_with("x.pt: "),
                 name + " cut to " + std::to_string(length) + ": " + message);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_in_a_zip_file_is_refused_or_changes_nothing) {
  std::string bytes = read_file(kNetworks + "gru_1.pt");
  const NetworkSpec original = read(bytes);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<char>(1U << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    try {
      BOOST_TEST(same(original, read(bytes)), "bit " + std::to_string(bit));
    } catch (const NetworkFileError&) {
      ++refused;
    }
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
  BOOST_TEST(refused > bytes.size());
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_in_an_old_file_gives_a_valid_network_or_a_refusal) {
  // The old form has no checksum, so a flipped weight cannot be told.
  std::string bytes = read_file(kNetworks + "gru_1_legacy.pt");
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<char>(1U << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    try {
      validate(read(bytes));
    } catch (const NetworkFileError&) {
      ++refused;
    }
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
  BOOST_TEST(refused > bytes.size());
}

BOOST_AUTO_TEST_SUITE_END()
