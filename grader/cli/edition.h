// Student editions, as `package` makes them and `check --edition` looks at them.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/context.h"
#include "grader/edition/leaks.h"

namespace histolab::cli {

[[nodiscard]] std::string leaks_text(const std::vector<edition::Leak>& leaks);

// Prints the parts of a folder, archive or Debian package that students must not see. Returns the
// exit code.
[[nodiscard]] int check_edition(const Context& context, const std::string& path);

}  // namespace histolab::cli
