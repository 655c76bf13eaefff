// Reading what people hand in: a whole text file, or one sentence that says why it cannot be one.
//
// Only regular files are read (a FIFO or a device would block or never end), never more than a
// limit, and never a file with NUL bytes. The message starts with the path and says what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

inline constexpr std::uint64_t max_source_bytes = 1
                                                  << 20;  // of a kernel, a lab.json, an expect.json

// The file's bytes. `what` is what a person calls such a file: "kernel", "lab description".
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, const std::string& what,
                                                 std::uint64_t most_bytes = max_source_bytes);

// The same rules for bytes that came another way, out of an archive: neither empty nor too large,
// and no NUL. `path` is for the message.
[[nodiscard]] Status check_text(const std::string& path, const std::string& what,
                                std::string_view text, std::uint64_t most_bytes = max_source_bytes);

}  // namespace histolab::grader
