#include "rnnalf/base/markup.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(markup)

BOOST_AUTO_TEST_CASE(escaped_text_opens_no_tag_and_ends_no_attribute) {
  BOOST_TEST(escaped_markup("A <b> & \"c\"") == "A &lt;b&gt; &amp; &quot;c&quot;");
  BOOST_TEST(escaped_markup("größe\tin\nlines") == "größe\tin\nlines");
  BOOST_TEST(escaped_markup(std::string("a\0b\033c", 5)) == "abc");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
