// Trees for tests: made up, or read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/batch/tree.h"

namespace histolab::batch::testing {

// Of files that hold what is said, all of the same time; names of archives are folders already, as
// read_tree makes them.
[[nodiscard]] Tree tree_of(const std::vector<std::pair<std::string, std::string>>& files);
// As a student's archive of this name is read, in this process.
[[nodiscard]] Tree tree_of_archive(const std::string& name, std::string_view bytes,
                                   const TreeLimits& limits = {});
// What read_tree has of it, and what it says where it has nothing; "": it has something.
[[nodiscard]] Tree tree_at(const std::string& path, const TreeLimits& limits = {});
[[nodiscard]] std::string error_of(const std::string& path, const TreeLimits& limits = {});

}  // namespace histolab::batch::testing
