// What loaders have in common: a folder for those that read one, and the way to write, read again
// and compare.
#pragma once

#include <string>
#include <string_view>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::fuzzing {

// A folder of this process's own that holds one file, `file`, and nothing else; its path.
[[nodiscard]] const std::string& folder_with(std::string_view file, std::string_view bytes);

// A lab of the kit, for what only makes sense beside one.
[[nodiscard]] const grader::LabSpec& privatization();

// Aborts where both are not the same text.
void same(const std::string& written, const std::string& again);

// `read` has to accept what `write` makes of a value, and `write` to make the same of it once more.
template <class Value, class Write, class Read>
void round_trip(const Result<Value>& value, Write write, Read read) {
  if (!value) return;
  const std::string written = write(*value);
  const Result<Value> again = read(written);
  same(written, again ? write(*again) : again.error().message);
}

}  // namespace histolab::fuzzing
