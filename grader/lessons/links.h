// Links of a lab's pages: a file that is meant must be there, and so must a heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

// `page` is the text of the file at `path`. Addresses of the network (https:) are not looked at.
[[nodiscard]] std::vector<PageProblem> dead_links(const std::string& path, std::string_view page);

}  // namespace histolab::grader::lessons
