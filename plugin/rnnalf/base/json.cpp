#include "rnnalf/base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::json;

/// Looks at a text without building anything. The parser of values does not say where a number is
/// that it cannot hold, and builds a value of any depth.
class Inspection : public Json::json_sax_t {
 public:
  Inspection(std::string_view text, int most_depth) : text_(text), most_depth_(most_depth) {}

  [[nodiscard]] const std::string& message() const { return message_; }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_array(std::size_t /*size*/) override { return deeper(); }
  bool end_array() override { return shallower(); }
  bool start_object(std::size_t /*size*/) override { return deeper(); }
  bool end_object() override { return shallower(); }
  bool key(string_t& /*name*/) override { return true; }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const bool at_end = position > text_.size();
    const std::size_t end = std::min(position, text_.size());
    const bool in_string = token.starts_with('"') && token.size() <= end;
    const std::size_t begin = at_end ? end : in_string ? end - token.size() : begin_of_token(end);
    const std::string_view before = text_.substr(0, begin);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = begin - (before.rfind('\n') + 1) + 1;
    const bool too_large = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
    message_ =
        fmt::format("line {}, column {}: expected {}, found {}", line, column,
                    too_large ? "a number below 1.8e308" : "JSON",
                    at_end ? "the end of the text" : in_quotes(text_.substr(begin, end - begin)));
    return false;
  }

 private:
  /// Where the number, name or sign begins that ends here. The parser's own token may begin
  /// earlier.
  [[nodiscard]] std::size_t begin_of_token(std::size_t end) const {
    const auto is_inside = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+' || c == '-';
    };
    std::size_t begin = end;
    while (begin > 0 && is_inside(text_[begin - 1])) --begin;
    return begin == end && end > 0 ? end - 1 : begin;
  }

  bool deeper() {
    if (++depth_ <= most_depth_) return true;
    message_ = fmt::format(
        "expected at most {} arrays and objects inside of each other, found more", most_depth_);
    return false;
  }
  bool shallower() {
    --depth_;
    return true;
  }

  std::string_view text_;
  int most_depth_;
  int depth_ = 0;
  std::string message_;
};

}  // namespace

Json parse_json(std::string_view text, int most_depth, const JsonRefusal& refuse) {
  Inspection inspection(text, most_depth);
  if (!Json::sax_parse(text, &inspection)) {
    refuse(inspection.message());
    RNNALF_CHECK(false, "a refusal that does not throw");
  }
  return Json::parse(text);
}

}  // namespace rnnalf
