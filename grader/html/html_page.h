// A page that needs no other file and no network: its head, its style and its script around a body.
//
// Its Content-Security-Policy forbids whatever it does not say: nothing is fetched, no form is
// sent, and what runs or looks like anything is the page's own style and script, by their hashes.
// So markup that slipped through would still do nothing.
#pragma once

#include <string>

namespace histolab::grader {

struct HtmlPage {
  std::string title;              // not escaped
  std::string style, script;      // the page's own, without "</"; no script: none runs
  std::string body;               // markup
  bool style_attributes = false;  // the body has some, which no hash can name
};
// What stands before and behind the body, for a page that is written piece by piece.
[[nodiscard]] std::string html_head(const HtmlPage& page);
[[nodiscard]] std::string html_tail(const HtmlPage& page);
[[nodiscard]] std::string to_html(const HtmlPage& page);

}  // namespace histolab::grader
