// Trees for tests, made from texts or read from files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/batch/tree.h"

namespace histolab::batch::testing {

// A tree of files with these texts, all with the same time. Names of archives are folders, as in
// read_tree().
[[nodiscard]] Tree tree_of(const std::vector<std::pair<std::string, std::string>>& files);
// Reads a student's archive with this name, in this process.
[[nodiscard]] Tree tree_of_archive(const std::string& name, std::string_view bytes,
                                   const TreeLimits& limits = {});
// The tree of read_tree(), which must succeed; and its error message, which is empty on success.
[[nodiscard]] Tree tree_at(const std::string& path, const TreeLimits& limits = {});
[[nodiscard]] std::string error_of(const std::string& path, const TreeLimits& limits = {});

}  // namespace histolab::batch::testing
