// What the rules for a stranger's source look at: its tokens (kernels/code_tokens.h), among which nothing can hide from them. SourceText looks at a
// source as a person does.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/code_tokens.h"

namespace histolab::kernels::worker {

using Token = CodeToken;

// Does inline assembly begin at this token, other than an empty one, which only keeps the compiler from moving code?
[[nodiscard]] bool is_assembly(const std::vector<Token>& tokens, std::size_t at);

}  // namespace histolab::kernels::worker
