// What g++ says of names, types and calls, in words that say what to do: a name that is not declared, a const that is
// assigned to, arguments that do not fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {

// nullopt: it is about nothing of the kind. `line`: its code, `number` its number.
[[nodiscard]] std::optional<std::string> about_names(const std::string& message, const std::string& line, int number, const SourceText& source);

// Where the name is declared: a type stands before it, and of a function, outside of others.
[[nodiscard]] std::vector<std::size_t> declarations_of(const std::string& name, const SourceText& source);

}  // namespace histolab::kernels::worker
