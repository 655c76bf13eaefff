// The document around a page's main element: head, skip links and header.
#pragma once

#include <string>
#include <string_view>

#include "grader/web/pages/pages.h"

namespace histolab::web {

// Where "Skip to ..." leads: an id and the words.
struct SkipLink {
  std::string_view id, words;
};

// `kind` is the body's data-page. `main` is the main element. `address` is the page's own: its link
// in the header is marked as the current one.
[[nodiscard]] grader::Html document(const Frame& frame, std::string_view kind,
                                    std::string_view address,
                                    const std::vector<SkipLink>& skip_links,
                                    const grader::Html& main);

// Returns the position of a lab in the frame, or nullopt.
[[nodiscard]] std::optional<std::size_t> position_of(const Frame& frame, std::string_view lab);
// Returns "02" for "02-atomic-add", or an empty text.
[[nodiscard]] std::string_view number_of(std::string_view lab);
// Returns the list of the sections of level 2, or nothing if there are fewer than two.
[[nodiscard]] grader::Html contents(const std::vector<Section>& sections, std::string_view label);

}  // namespace histolab::web
