// Serializes a Tree, to send it from the process that read it (grader/sandbox/apart.h).
#pragma once

#include <string>
#include <string_view>

#include "grader/batch/tree.h"
#include "reference/result.h"

namespace histolab::batch {

[[nodiscard]] std::string to_message(const Tree& tree);
// Returns an Error if the bytes are invalid, or if a path is neither `at` nor below it.
[[nodiscard]] Result<Tree> tree_from_message(std::string_view bytes, const std::string& at);

}  // namespace histolab::batch
