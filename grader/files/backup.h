// back_up: backs up a file by renaming it to "NAME.~N~", with the first free N.
#pragma once

#include <string>

#include "reference/result.h"

namespace histolab::grader {

// True if the name is in use, even by a dangling link.
[[nodiscard]] bool is_there(const std::string& path);

// Returns the new name, or an empty text if there was no such file. After an Error the file has its
// old name.
[[nodiscard]] Result<std::string> back_up(const std::string& path);

}  // namespace histolab::grader
