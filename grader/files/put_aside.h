// Gives a file another name, so that its own is free: "NAME.~N~" with the first N that is free.
#pragma once

#include <string>

#include "reference/result.h"

namespace histolab::grader {

// Whether the name is taken, by whatever: a link that leads nowhere too.
[[nodiscard]] bool is_there(const std::string& path);

// The new name; empty where there was no such file. Error: it is where it was.
[[nodiscard]] Result<std::string> put_aside(const std::string& path);

}  // namespace histolab::grader
