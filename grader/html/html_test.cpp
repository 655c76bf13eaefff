#include "grader/html/html.h"

#include <doctest/doctest.h>

using histolab::grader::escaped_content;
using histolab::grader::escaped_html;
using histolab::grader::html;
using histolab::grader::Html;
using histolab::grader::piece;

TEST_CASE("text is escaped") {
  CHECK(escaped_html("<script>alert(\"1\" + '2' && 3)</script>") ==
        "&lt;script&gt;alert(&quot;1&quot; + &#39;2&#39; &amp;&amp; 3)&lt;/script&gt;");
  CHECK(escaped_html("a\n\tb") == "a\n\tb");
  CHECK(escaped_html("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_CASE("escaping for an element's content keeps quotes") {
  CHECK(escaped_content("<b title=\"x\" y='z'>&lt;\x1B") ==
        "&lt;b title=\"x\" y='z'>&amp;lt;\xEF\xBF\xBD");
  CHECK(escaped_content("\xE2\x80\xAE") == "[U+202E]");
}

TEST_CASE("invalid and control characters are replaced") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(escaped_html(std::string("\0\x1B[2J", 5)) == bad + bad + "[2J");
  CHECK(escaped_html("\xFF\x80") == bad + bad);
  CHECK(escaped_html("\xC0\xBC") == bad + bad);            // '<' in two bytes
  CHECK(escaped_html("\xED\xA0\x80") == bad + bad + bad);  // half of a surrogate pair
  CHECK(escaped_html("\xC3<") == bad + "&lt;");
  CHECK(escaped_html("\xE2\x82") == bad + bad);  // cut off
  CHECK(escaped_html("\xC2\x85") == bad);        // a control character
}

TEST_CASE("characters that change the direction of writing appear as numbers") {
  CHECK(escaped_html("/*\xE2\x80\xAE */ x") == "/*[U+202E] */ x");
  CHECK(escaped_html("\xE2\x81\xA6") == "[U+2066]");
}

TEST_CASE("values in markup are escaped unless they are markup") {
  const std::string text = "\"<b>\"";
  const Html bold = html("<b title=\"{}\">{}</b>", text, 'x' + text);
  CHECK(bold.markup() == "<b title=\"&quot;&lt;b&gt;&quot;\">x&quot;&lt;b&gt;&quot;</b>");
  CHECK(html("<p>{} {:.1f} {}", bold, 1.25, "<i>").markup() ==
        "<p>" + bold.markup() + " 1.2 &lt;i&gt;");
  CHECK((html("<p>{}", Html{"<br>"}) + html("</p>")).markup() == "<p><br></p>");
}

TEST_CASE("a template is found by its name") {
  constexpr std::string_view file = "<!-- x -->\n<!-- row2 -->\n<tr>\n<!-- row -->\n<td>{}\n";
  CHECK(html(piece(file, "row"), 7).markup() == "<td>7\n");
  CHECK(html(piece(file, "row2")).markup() == "<tr>\n");
}
