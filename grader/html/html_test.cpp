#include "grader/html/html.h"

#include <doctest/doctest.h>

using histolab::grader::escaped_content;
using histolab::grader::escaped_html;

TEST_CASE("nothing of a text becomes markup") {
  CHECK(escaped_html("<script>alert(\"1\" + '2' && 3)</script>") ==
        "&lt;script&gt;alert(&quot;1&quot; + &#39;2&#39; &amp;&amp; 3)&lt;/script&gt;");
  CHECK(escaped_html("a\n\tb") == "a\n\tb");
  CHECK(escaped_html("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_CASE(
    "in an element's content quotes stay, and nothing of a text becomes markup all the same") {
  CHECK(escaped_content("<b title=\"x\" y='z'>&lt;\x1B") ==
        "&lt;b title=\"x\" y='z'>&amp;lt;\xEF\xBF\xBD");
  CHECK(escaped_content("\xE2\x80\xAE") == "[U+202E]");
}

TEST_CASE("what is no text is replaced") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(escaped_html(std::string("\0\x1B[2J", 5)) == bad + bad + "[2J");
  CHECK(escaped_html("\xFF\x80") == bad + bad);
  CHECK(escaped_html("\xC0\xBC") == bad + bad);            // '<' in two bytes
  CHECK(escaped_html("\xED\xA0\x80") == bad + bad + bad);  // half of a pair
  CHECK(escaped_html("\xC3<") == bad + "&lt;");
  CHECK(escaped_html("\xE2\x82") == bad + bad);  // cut off
  CHECK(escaped_html("\xC2\x85") == bad);        // a control character
}

TEST_CASE("code reads in the order in which it is compiled") {
  CHECK(escaped_html("/*\xE2\x80\xAE */ x") == "/*[U+202E] */ x");
  CHECK(escaped_html("\xE2\x81\xA6") == "[U+2066]");
}
