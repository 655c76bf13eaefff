// Finds the declaration of a variable outside functions and types in the tokens of a source.
//
// Macros are not expanded and type names are not resolved. So `is_integer` and `is_other` are both
// false for a type with an unknown name, such as a typedef.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/code_tokens.h"

namespace histolab::kernels {

struct VariableDeclaration {
  int line = 0;
  bool is_integer = false;             // `unsigned int`, `int`, `std::uint32_t`
  bool is_other = false;               // `float`, `bool`, a pointer, a reference, an array
  std::optional<unsigned long> value;  // if the initializer is a single number
};

// Returns the first declaration of the name, in any namespace, or nullopt if there is
// no declaration.
[[nodiscard]] std::optional<VariableDeclaration> find_variable(const std::vector<CodeToken>& tokens,
                                                               std::string_view name);

// Returns `extern "C" __device__ const unsigned int NAME = ...;`, which exports a number
// to the harness.
[[nodiscard]] std::string export_declaration(std::string_view name);
// Returns the message for a source that exports something else by that name.
[[nodiscard]] std::string about_wrong_export(std::string_view name);

}  // namespace histolab::kernels
