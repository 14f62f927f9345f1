#include <boost/test/unit_test.hpp>

#include <bit>

#include "rnnalf/pytorch/pickle.hpp"
#include "unit/pytorch/file_builders.hpp"

using namespace rnnalf;
using namespace rnnalf::test;
using pytorch::Pickle;
using pytorch::Value;
using pytorch::ValueKind;

namespace {

/// Shows a value as Python would print it; a value seen on the way down is "...".
std::string show(const Pickle& pickle, pytorch::ValueId id, int depth = 0) {
  const Value& value = pickle[id];
  if (depth > 5) return "...";
  const auto list = [&](std::string open, const std::string& close) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) open += ' ';
      open += show(pickle, value.items[i], depth + 1);
    }
    return open + close;
  };
  switch (value.kind) {
    case ValueKind::None:
      return "None";
    case ValueKind::Bool:
      return value.number != 0 ? "True" : "False";
    case ValueKind::Int:
      return std::to_string(value.number);
    case ValueKind::BigInteger:
      return "big";
    case ValueKind::Float: {
      std::string number = std::to_string(std::bit_cast<double>(value.number));
      return number.substr(0, number.find('.') + 3);
    }
    case ValueKind::Text:
      return "'"s + std::string(value.text) + "'";
    case ValueKind::Tuple:
      return list("(", ")");
    case ValueKind::List:
      return list("[", "]");
    case ValueKind::Dict:
      return list("{", "}");
    case ValueKind::Global:
      return "global";
    case ValueKind::Storage:
      return "storage "s + std::string(value.text) + " " + std::to_string(value.number);
    case ValueKind::Tensor:
      return list("tensor at " + std::to_string(value.number) + " of ", "");
    case ValueKind::Object: {
      std::string shown = std::string(value.text);
      if (value.number >= 0) {
        shown += " " + show(pickle, static_cast<pytorch::ValueId>(value.number), depth + 1);
      }
      return value.items.empty() ? "<" + shown + ">" : list("<" + shown + " ", ">");
    }
  }
  return "?";
}

std::string run(const std::string& bytes) {
  const Pickle pickle(bytes_of(bytes), {"x.pt", "data.pkl", 0});
  return show(pickle, pickle.root());
}

std::string message_of(const std::string& bytes) {
  return refusal([&] { run(bytes); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pickle_machine)

BOOST_AUTO_TEST_CASE(every_opcode_of_the_allow_list_does_what_python_does) {
  struct Case {
    std::string opcodes;
    std::string value;
  };
  const std::vector<Case> cases = {
      {"N", "None"},
      {"\x88", "True"},
      {"\x89", "False"},
      {"K\xff", "255"},
      {"M\xff\xff", "65535"},
      {"J\xff\xff\xff\xff", "-1"},
      {"J\x01\x00\x00\x00"s, "1"},
      {"\x8a\x00"s, "0"},
      {"\x8a\x01\xff", "-1"},
      {"\x8a\x02\xff\x00"s, "255"},
      {"\x8a\x08"s + le(static_cast<std::uint64_t>(INT64_MIN), 8), std::to_string(INT64_MIN)},
      {"\x8a\x0a"s + std::string(10, 'x'), "big"},
      {"\x8b"s + le(1, 4) + "\x80", "-128"},
      {"G\x3f\xf8"s + le(0, 6), "1.50"},
      {"X"s + le(3, 4) + "abc", "'abc'"},
      {"\x8c\x03"
       "abc",
       "'abc'"},
      {"\x8d"s + le(3, 8) + "abc", "'abc'"},
      {"U\x03"
       "abc",
       "'abc'"},
      {"T"s + le(3, 4) + "abc", "'abc'"},
      {"C\x03"
       "abc",
       "'abc'"},
      {"B"s + le(3, 4) + "abc", "'abc'"},
      {")", "()"},
      {"(K\x01K\x02t", "(1 2)"},
      {"K\x01\x85", "(1)"},
      {"K\x01K\x02\x86", "(1 2)"},
      {"K\x01K\x02K\x03\x87", "(1 2 3)"},
      {"]K\x01"
       "a",
       "[1]"},
      {"](K\x01K\x02"
       "e",
       "[1 2]"},
      {"}K\x01K\x02s", "{1 2}"},
      {"}(K\x01K\x02K\x03K\x04u", "{1 2 3 4}"},
      {"}}b", "{}"},
      {"K\x01K\x02"
       "0",
       "1"},
      {"K\x01(K\x02K\x03"
       "1",
       "1"},
      {"K\x05q\x00K\x06\x86h\x00\x86"s, "((5 6) 5)"},
      {"K\x05r\x00\x00\x00\x00j\x00\x00\x00\x00\x86"s, "(5 5)"},
      {"K\x05\x94K\x06\x94h\x00h\x01\x86\x87"s, "(5 6 (5 6))"},
      {"\x95"s + le(2, 8) + "K\x07", "7"},
      {global("collections", "OrderedDict") + ")R", "{}"},
      {global("collections", "OrderedDict") + "(](](U\x01kK\x01"
                                              "ee"
                                              "tR",
       "{'k' 1}"},
      {"\x8c\x0b"
       "collections\x8c\x0bOrderedDict\x93)R",
       "{}"},
      {"K\x01\x32\x86", "(1 1)"},
      {"\x8f(K\x01K\x02\x90", "[1 2]"},
      {"(K\x01K\x02\x91", "[1 2]"},
      {"(K\x01K\x02l", "[1 2]"},
      {"\x96"s + le(3, 8) + "abc", "'abc'"},
      {global("collections", "OrderedDict") + ")\x81", "{}"},
      {storage("7", 12), "storage 7 12"},
      {tensor(storage("7", 12), 3, {2, 2}, {4, 1}), "tensor at 3 of storage 7 12 (2 2) (4 1)"},
      {global("torch._utils", "_rebuild_parameter") + "(" + tensor(storage("7", 12), 3, {2}, {1}) +
           "\x88}tR",
       "tensor at 3 of storage 7 12 (2) (1)"},
  };
  for (const Case& c : cases) BOOST_TEST(run(pickle(c.opcodes)) == c.value);
}

BOOST_AUTO_TEST_CASE(objects_of_other_classes_are_the_data_that_describes_them) {
  struct Case {
    std::string opcodes;
    std::string value;
  };
  const std::vector<Case> cases = {
      {global("torch", "Size") + "(K\x01tR", "<Size>"},
      {global("torch", "device") + "("s + text("cpu") + "tR", "<device>"},
      {global("argparse", "Namespace") + ")R}" + text("lr") + "K\x01sb", "<Namespace {'lr' 1}>"},
      {global("argparse", "Namespace") + ")\x81}" + text("lr") + "K\x01sb", "<Namespace {'lr' 1}>"},
      {global("my", "Dict") + ")\x81" + text("a") + "K\x01s", "<Dict 'a' 1>"},
      {global("my", "Dict") + ")}\x92(" + text("a") + "K\x01u", "<Dict 'a' 1>"},
      {global("my", "List") + ")\x81K\x01"
                              "a",
       "<List>"},
      {global("a", "f") + ")R)R", "<f>"},
      {"("s + text("module") + global("my.code", "Net") + text("net.py") + text("class Net") +
           "tQ)\x81}b",
       "<Net {}>"},
  };
  for (const Case& c : cases) BOOST_TEST(run(pickle(c.opcodes)) == c.value);
}

BOOST_AUTO_TEST_CASE(a_list_that_contains_itself_is_harmless) {
  BOOST_TEST(run(pickle("]q\x00h\x00"
                        "a"s)) == "[[[[[[...]]]]]]");
}

BOOST_AUTO_TEST_CASE(names_that_run_something_and_strange_opcodes_are_refused_by_name_and_place) {
  struct Case {
    std::string opcodes;
    std::string message;
  };
  const std::vector<Case> cases = {
      {global("posix", "system") + "("s + text("true") + "tR", "byte 2: refused: 'posix.system'"},
      {"N"s + global("os", "system"), "byte 3: refused: 'os.system'"},
      {"\x8c\x02os\x8c\x06system\x93", "byte 14: refused: 'os.system'"},
      {global("builtins", "eval"), "refused: 'builtins.eval'"},
      {global("torch.storage", "_load_from_bytes"), "refused: 'torch.storage._load_from_bytes'"},
      {global("torch", "load"), "refused: 'torch.load'"},
      {global("os.path\t", std::string(200, 'n')), "refused: 'os.path?.nnn"},
      {global("builtins", "__import__"), "refused: 'builtins.__import__'"},
      {global("subprocess", "Popen"), "Python would run when it opens this file"},
      {global("torch", "FloatStorage") + ")R", "refused: a call of 'FloatStorage'"},
      {global("torch", "float32") + ")R", "refused: a call of 'float32'"},
      {"("s + text("x") + "i" + "os\nsystem\n", "refused: opcode INST"},
      {"("s + text("x") + "o", "refused: opcode OBJ"},
      {"P7\n", "refused: opcode PERSID"},
      {"\x82\x01", "refused: opcode EXT1"},
      {"\xff", "refused: opcode 255"},
  };
  for (const Case& c : cases) {
    const std::string message = message_of(pickle(c.opcodes));
    BOOST_TEST(message.find(c.message) != std::string::npos, message + " | expected: " + c.message);
    BOOST_TEST(message.size() < 250U, message);
    BOOST_TEST(message.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_pickle_that_is_not_well_formed_is_refused) {
  struct Case {
    std::string bytes;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", "expected a pickle, found the end of the data"},
      {"\x08\x02", "expected a pickle, found other data"},
      {"\x80\x01N.", "expected pickle protocol 2 to 5, found 1"},
      {"\x80\x02", "expected an opcode, found the end"},
      {pickle(""), "expected a value on the stack, found none"},
      {pickle("("), "expected a value on the stack, found none"},
      {pickle("N(0"), "expected a value on the stack, found none"},
      {pickle("Nt"), "expected a mark on the stack, found none"},
      {pickle("\x85"), "expected a value on the stack, found none"},
      {pickle("h\x05"), "memo: expected something at position 5, found nothing"},
      {pickle("Nr\xff\xff\xff\x7f"), "memo: expected a position of at most 4, found 2147483647"},
      {pickle("NNa"), "expected a list, found nothing (None)"},
      {pickle("NNNs"), "expected a dictionary, found nothing (None)"},
      {pickle("}(Nu"), "found a key without"},
      {pickle("X\xff\xff\xff\x7fwxyz"), "expected a text of 2147483647 bytes, found the end"},
      {pickle("\x8d"s + le(~0ULL, 8)),
       "expected a text of 18446744073709551615 bytes, found the end"},
      {pickle("\x8b"s + le(0x7fffffff, 4)), "expected a number, found the end"},
      {pickle("cabc"), "expected a name, found the end"},
      {pickle("N)R"), "expected a Python name, found nothing (None)"},
      {pickle("]Nb"), "expected attributes of an object, found a list"},
      {pickle("NQ"), "expected a tuple, found nothing (None)"},
      {pickle(")Q"), "storage: expected 5 arguments, found 0"},
      {pickle(storage("1", -1)), "expected a size"},
      {pickle(storage("1", 4, "Size")), "expected a storage type"},
      {pickle(tensor("N", 0, {2}, {1})), "expected a storage, found nothing"},
      {pickle(tensor(storage("1", 4), -1, {2}, {1})), "expected an offset"},
      {pickle(tensor(storage("1", 4), 0, {-2}, {1})), "sizes and strides of 0 or more, found -2"},
      {pickle(tensor(storage("1", 4), 0, {2}, {-1})), "sizes and strides of 0 or more, found -1"},
      {pickle(tensor(storage("1", 4), 0, {2, 2}, {1})), "as many strides as sizes, 2, found 1"},
      {pickle(tensor(storage("1", 4), 0, std::vector<std::int64_t>(17, 1),
                     std::vector<std::int64_t>(17, 1))),
       "expected at most 16 dimensions, found 17"},
      {pickle(global("torch._utils", "_rebuild_tensor_v2") + ")R"),
       "expected 6 arguments, found 0"},
      {pickle(global("torch._utils", "_rebuild_parameter") + "(NNNtR"),
       "expected a tensor, found nothing"},
      {pickle(global("collections", "OrderedDict") + "(NtR"), "expected a list, found nothing"},
      {pickle(global("collections", "OrderedDict") + "(]NatR"), "OrderedDict: expected pairs"},
  };
  for (const Case& c : cases) {
    const std::string message = message_of(c.bytes);
    BOOST_TEST(message.find(c.message) != std::string::npos, message + " | expected: " + c.message);
    BOOST_TEST(message.starts_with("x.pt: data.pkl, byte "), message);
  }
}

BOOST_AUTO_TEST_CASE(bombs_are_refused_before_they_cost_memory) {
  // Tuples nested a million deep: refused at the bound on values, and destroyed without recursion.
  BOOST_TEST(
      message_of(pickle("N"s + std::string(1'000'000, '\x85'))).find("at most 262144 values") !=
      std::string::npos);
  BOOST_TEST(message_of(pickle(std::string(2'000'000, '('))).find("marks") != std::string::npos);
  BOOST_TEST(message_of(pickle("]q\x00"s + std::string(200'000, ')') + "0")).find("accepted") !=
             std::string::npos);

  // The same value pushed over and over, two bytes each.
  std::string pushes = "Nq\x00"s;
  for (int i = 0; i < 1'100'000; ++i) pushes += "h\x00"s;
  BOOST_TEST(message_of(pickle(pushes)).find("on the stack") != std::string::npos);

  // A list of 1000 pairs copied into a dictionary a thousand times, eight bytes each.
  std::string copies = global("collections", "OrderedDict") + "q\x00](](NN"s + "eq\x01"s;
  for (int i = 0; i < 999; ++i) copies += "h\x01"s;
  copies += "eq\x02"s;
  for (int i = 0; i < 1000; ++i) copies += "h\x00h\x02\x85R0"s;
  BOOST_TEST(message_of(pickle(copies)).find("at most 1048576 items") != std::string::npos);

  // Each list contains the one before twice: 2^5000 leaves to whoever would walk them.
  std::string doubling = "]q\x00"s;
  for (int i = 0; i < 5000; ++i)
    doubling +=
        "]q\x01h\x00"
        "ah\x00"
        "aq\x00"s;
  BOOST_TEST(message_of(pickle(doubling)) == "accepted");
}

BOOST_AUTO_TEST_CASE(what_follows_the_end_is_left_alone) {
  const std::string two = pickle("K\x01") + pickle("K\x02");
  const Pickle first(bytes_of(two), {"x.pt", "data.pkl", 0});
  BOOST_TEST(first.length() == two.size() / 2);
}

BOOST_AUTO_TEST_SUITE_END()
