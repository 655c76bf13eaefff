// Reads a submitted text file as a whole, or returns an Error that explains why it cannot be used.
//
// Accepts only regular files (a FIFO or a device would block or never end) up to a size limit and
// without NUL bytes. The message starts with the path and says what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

// Limit for a kernel, a lab.json or an expect.json.
inline constexpr std::uint64_t max_source_bytes = 1 << 20;

// Returns the file's bytes. `what` names the kind of file in messages: "kernel", "lab description".
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, const std::string& what,
                                                 std::uint64_t most_bytes = max_source_bytes);

// Applies the same rules to bytes from another source, such as an archive. Returns an Error if they
// are empty, too many, UTF-16 or have a NUL. `path` is the name used in messages.
[[nodiscard]] Status check_text(const std::string& path, const std::string& what,
                                std::string_view text, std::uint64_t most_bytes = max_source_bytes);

}  // namespace histolab::grader
