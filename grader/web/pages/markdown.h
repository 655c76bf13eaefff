// Markdown of the kit as HTML: lessons, hints and pages of docs/.
//
// The output is well-formed and has no script, no style attribute and no raw HTML of the source:
// HTML in Markdown is shown as text, and comments are dropped. Only https addresses,
// paths of this server and anchors become links.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/html/html.h"

namespace histolab::web {

// Returns the address for a link's target as the Markdown has it, or nullopt if the link is to be
// plain text. Only addresses that begin with "/", "#" or "https://" become links.
using LinkOf = std::function<std::optional<std::string>(std::string_view target)>;

struct MarkdownOptions {
  LinkOf link = {};  // without it, no link remains
  // The level in HTML of a heading of level 1: 2 makes `# A` an <h2>. Headings below <h6> are <h6>.
  std::size_t first_level = 1;
  // Ids that the page around has already. A heading of this name gets a number, as the second of
  // two equal headings does.
  std::vector<std::string> taken_ids = {};
};

struct Section {
  std::size_t level = 1;  // as in Markdown
  std::string text;       // without markup
  std::string anchor;     // the id of the heading, as GitHub makes it
  bool operator==(const Section&) const = default;
};

struct RenderedMarkdown {
  std::string title;              // text of the heading of level 1 at the top; empty without one
  grader::Html body;              // without that heading
  std::vector<Section> sections;  // all headings in the body
};

[[nodiscard]] RenderedMarkdown render_markdown(std::string_view text,
                                               const MarkdownOptions& options);

// Returns the links of a page of the kit: `page` is its path in the kit, "labs/01-race/lesson.md".
// Lessons and hints lead to the page of their lab, docs/glossary.md to /glossary, and other pages
// of docs/ to /docs/PATH. Web addresses with https remain. All else, such as a source file, is not
// a link. `exists` says whether the kit has a page of this path; without it, all exist.
[[nodiscard]] LinkOf links_of_page(std::string page,
                                   std::function<bool(const std::string& path)> exists = {});

}  // namespace histolab::web
