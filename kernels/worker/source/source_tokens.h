// The rules for untrusted sources work on tokens (kernels/code_tokens.h), because nothing can hide
// from these. SourceText is for rules that read a source as a person does.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/code_tokens.h"

namespace histolab::kernels::worker {

using Token = CodeToken;

// Returns whether inline assembly begins at this token. An empty one does not count: it only keeps
// the compiler from moving code.
[[nodiscard]] bool is_assembly(const std::vector<Token>& tokens, std::size_t at);

}  // namespace histolab::kernels::worker
