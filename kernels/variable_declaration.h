// The declaration of a variable outside of functions and types, as the tokens of a source show it.
//
// Macros are not expanded, and names of types not looked up: `is_integer` and `is_other` are both false
// for a type whose name is not the language's.
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
  std::optional<unsigned long> value;  // if it is one number
};

// Returns the first declaration of the name, in any namespace; or nullopt.
[[nodiscard]] std::optional<VariableDeclaration> find_variable(const std::vector<CodeToken>& tokens,
                                                               std::string_view name);

// `extern "C" __device__ const unsigned int NAME = ...;`, which exports a number to the harness.
[[nodiscard]] std::string export_declaration(std::string_view name);
// The message if the source exports something else by that name.
[[nodiscard]] std::string about_wrong_export(std::string_view name);

}  // namespace histolab::kernels
