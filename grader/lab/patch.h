// A patch: a unified diff of one text, as `diff -U1` writes it, applied without any tolerance.
//
// Each hunk must be at the line that its header says, in the old text and in the new one, and each
// of its lines that are not added must be the old text's, byte for byte. Lines in front of the
// first hunk that begin with --- or +++ are ignored. An empty line is an empty line of context.
#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

// Returns `old` with the changes of `patch`. Both end in a line feed. Error: `patch` is not such a
// diff, or does not apply. The message begins with `name`, the patch's file, and a line in it;
// `old_name` is what it calls the old text.
[[nodiscard]] Result<std::string> apply_patch(std::string_view old, std::string_view patch,
                                              const std::string& name, const std::string& old_name);

}  // namespace histolab::grader
