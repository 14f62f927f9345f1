#include "rnnalf/report/page_parts.hpp"

namespace rnnalf::detail {
namespace {

/// For JSON within a script element: without `<` nothing in it can end the element or begin a
/// comment. `<` occurs only within strings, where an escape says the same.
std::string escaped_json(std::string_view json) {
  std::string result;
  result.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::size_t bytes_in_page(std::string_view json) {
  return escaped_json(json).size();
}

std::string assemble_page(const PageParts& parts, std::string_view title, std::string_view json) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '";
  page += parts.script_hash;
  page += "'; style-src '";
  page += parts.style_hash;
  page +=
      "'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  page += escaped_text(title);
  page += "</title>\n<style>";
  page += parts.style;
  page += "</style>\n</head>\n<body>\n";
  page += parts.body;
  page += "<script type=\"application/json\" id=\"run\">";
  page += escaped_json(json);
  page += "</script>\n<script>";
  page += parts.script;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace rnnalf::detail
