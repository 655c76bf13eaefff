// Common parts of loaders: a folder for those that need one, and functions that write, read again
// and compare.
#pragma once

#include <string>
#include <string_view>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::fuzzing {

// Returns the path of this process's folder, which contains only `file`.
[[nodiscard]] const std::string& folder_with(std::string_view file, std::string_view bytes);

// A lab of the kit, for loaders that need one.
[[nodiscard]] const grader::LabSpec& privatization();

// Aborts if the texts differ.
void same(const std::string& written, const std::string& again);

// `read` must accept the text that `write` makes of a value, and `write` must make the same text
// again.
template <class Value, class Write, class Read>
void round_trip(const Result<Value>& value, Write write, Read read) {
  if (!value) return;
  const std::string written = write(*value);
  const Result<Value> again = read(written);
  same(written, again ? write(*again) : again.error().message);
}

}  // namespace histolab::fuzzing
