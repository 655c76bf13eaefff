// A page that needs no other file and no network: a head, a style and a script around a body.
//
// Its Content-Security-Policy forbids everything else. Nothing is fetched and no form is sent. Only
// the page's own style and script apply, which the policy names by hash. Markup that got past the
// escaping still could not do anything.
#pragma once

#include <string>

#include "grader/html/html.h"

namespace histolab::grader {

struct HtmlPage {
  std::string title;
  std::string style;   // follows the palette (palette.css); without "</"
  std::string script;  // without "</"; if empty, no script may run
  Html body;
  bool style_attributes = false;  // the body has style attributes, which a hash cannot name
};
// The markup before and after the body, for a page that is written piece by piece.
[[nodiscard]] Html html_head(const HtmlPage& page);
[[nodiscard]] Html html_tail(const HtmlPage& page);
[[nodiscard]] std::string to_html(const HtmlPage& page);

}  // namespace histolab::grader
