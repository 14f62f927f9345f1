// How much memory a hostile file can make the reader take. The only test program that replaces
// operator new, to see it.

#include <boost/test/unit_test.hpp>

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "rnnalf/pytorch/state_dict_reader.hpp"
#include "unit/pytorch/file_builders.hpp"

namespace {

std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  live += malloc_usable_size(memory);
  peak = std::max(peak.load(), live.load());
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) live -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

/// Bytes allocated at most, at any time, while a file is read or refused.
std::size_t memory_for(const std::string& file) {
  const std::size_t before = live;
  peak = before;
  const std::string message = refusal([&] { validate(read_state_dict(bytes_of(file), "x.pt")); });
  return peak - before;
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

std::string zip_of(const std::string& opcodes) {
  return zip({{.name = "a/data.pkl", .content = pickle(opcodes)}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(a_hostile_file_takes_a_small_multiple_of_its_size_and_never_much) {
  struct Case {
    std::string name;
    std::string part;  ///< of a pickle, over and over
  };
  const std::vector<Case> cases = {
      {"nothings", "N"},
      {"lists", "]"},
      {"tuples in tuples", "\x85"},
      {"marks", "("},
      {"numbers", "K\x01"},
      {"memo", "\x94"},
      {"memo positions", "]r\xff\xff\x03\x00"s},
      {"lists of what was remembered",
       "]q\x01h\x00"
       "ah\x00"
       "aq\x00"s},
      {"dictionaries", global("collections", "OrderedDict") + ")R"},
      {"storages", storage("0", 1)},
      {"tensors", tensor(storage("0", 1), 0, {1}, {1})},
  };
  for (const Case& c : cases) {
    for (const std::size_t size : {1'000U, 100'000U, 3'000'000U}) {
      const std::string file = zip_of("Nq\x00"s + repeated(c.part, size / c.part.size()));
      const std::size_t taken = memory_for(file);
      BOOST_TEST_MESSAGE(c.name << ": " << file.size() << " bytes, " << taken << " taken");
      BOOST_TEST(taken < 45 * file.size() + 10'000,
                 c.name << ": " << file.size() << " -> " << taken);
      BOOST_TEST(taken < 32U << 20, c.name << ": " << file.size() << " -> " << taken);
    }
  }
}

BOOST_AUTO_TEST_CASE(many_names_for_one_tensor_take_little) {
  std::string opcodes =
      tensor(storage("0", 1), 0, {1}, {1}) + "q\x00}("s + text("weight_ih_l0") + "h\x00"s;
  for (std::uint64_t i = 0; i < 200'000; ++i) opcodes += "U\x03"s + le(i, 3) + "h\x00"s;
  const std::string file = zip({{.name = "a/data.pkl", .content = pickle(opcodes + "u")},
                                {.name = "a/data/0", .content = "0000"}});
  const std::string message = refusal([&] { validate(read_state_dict(bytes_of(file), "x.pt")); });
  BOOST_TEST(message == "x.pt: expected at most 4096 tensors, found more");
  const std::size_t taken = memory_for(file);
  BOOST_TEST(taken < 32U << 20, file.size() << " -> " << taken);
}

BOOST_AUTO_TEST_CASE(a_network_takes_its_numbers_and_little_more) {
  for (const std::string name : {"lstm_2", "gru_checkpoint", "lstm_bfloat16_legacy"}) {
    const std::string file = read_file(RNNALF_TEST_DATA "/networks/" + name + ".pt");
    BOOST_TEST(memory_for(file) < 16 * file.size(), name << ": " << memory_for(file));
  }
}

BOOST_AUTO_TEST_SUITE_END()
