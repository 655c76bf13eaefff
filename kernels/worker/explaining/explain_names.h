// Explains g++'s messages about names, types and calls, with advice: a name that is not declared, a
// const that is assigned to, arguments that do not fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {

// Returns nullopt if the message is about anything else. `line`: its code, `number` its number.
[[nodiscard]] std::optional<std::string> about_names(const std::string& message,
                                                     const std::string& line, int number,
                                                     const SourceText& source);

// Returns the position of the name's declaration: a type is before it, and a function's is outside
// of others.
[[nodiscard]] std::vector<std::size_t> declarations_of(const std::string& name,
                                                       const SourceText& source);

}  // namespace histolab::kernels::worker
