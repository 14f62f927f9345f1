#include "rnnalf/study/json_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 16;  // of a study file: [table.NAME] columns, and that is all

/// Where a value goes: under a key of a table, or to the end of a list.
struct Place {
  toml::table* table = nullptr;
  const toml::key* key = nullptr;
  toml::array* list = nullptr;

  template <class Value>
  void put(Value&& value) const {
    if (list != nullptr) {
      list->push_back(std::forward<Value>(value));
    } else {
      table->insert(*key, std::forward<Value>(value));
    }
  }
};

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  toml::table table(const Json& object, int depth = 0) {
    toml::table result;
    for (const auto& [name, value] : object.items()) {
      const toml::source_position place{0, static_cast<toml::source_index>(++keys_)};
      const toml::key key(name, toml::source_region{place, place, nullptr});
      convert(value, name, depth + 1, {.table = &result, .key = &key});
    }
    return result;
  }

 private:
  void convert(const Json& value, const std::string& name, int depth, const Place& to) {
    if (depth > kDeepest) refuse(name, "fewer lists and objects inside of each other", "more");
    if (value.is_object()) {
      to.put(table(value, depth));
    } else if (value.is_array()) {
      toml::array list;
      for (const Json& entry : value) convert(entry, name, depth + 1, {.list = &list});
      to.put(std::move(list));
    } else if (value.is_string()) {
      to.put(value.get<std::string>());
    } else if (value.is_boolean()) {
      to.put(value.get<bool>());
    } else if (value.is_number_unsigned() &&
               value.get<std::uint64_t>() >
                   static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      refuse(name, "a number below 2^63", value.dump());
    } else if (value.is_number_integer()) {
      to.put(value.get<std::int64_t>());
    } else if (value.is_number_float()) {
      to.put(value.get<double>());
    } else {
      refuse(name, "a text, a number, true, false, a list or an object", value.dump());
    }
  }

  [[noreturn]] void refuse(const std::string& name, std::string_view expected,
                           std::string_view found) const {
    throw FileError(file_,
                    fmt::format("{}: expected {}, found {}", in_quotes(name), expected, found));
  }

  const std::string& file_;
  std::size_t keys_ = 0;
};

}  // namespace

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

toml::table table_of_json(const std::string& text, const std::string& file) {
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key &&
        !names.back().insert(parsed.get<std::string>()).second) {
      throw FileError(file, fmt::format("expected each key once, found {} twice",
                                        in_quotes(parsed.get<std::string>())));
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    const auto line =
        1 +
        std::count(text.begin(),
                   text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), error.byte)),
                   '\n');
    throw FileError(fmt::format("{}:{}", file, line), "expected JSON, found something else");
  } catch (const Json::exception&) {
    throw FileError(file, "expected JSON, found something else");
  }
  return Converter(file).table(json);
}

}  // namespace rnnalf
