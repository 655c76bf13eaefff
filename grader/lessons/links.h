// Links in a lab's pages: the file that a link names must exist, and so must the heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

// Returns the links that lead nowhere. `page` is the text of the file at `path`. Network addresses
// (https:) are not checked.
[[nodiscard]] std::vector<PageProblem> dead_links(const std::string& path, std::string_view page);

}  // namespace histolab::grader::lessons
