// Keys: identify students in a journal, in links and in file names, for any student's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::batch {

// Replaces invalid UTF-8 by U+FFFD. Control characters stay: code that shows the text escapes it.
[[nodiscard]] std::string as_utf8(const std::string& text);

// Returns the name in Unicode's composed form (NFC), so that names that look the same are equal.
// Returns the same bytes if they are not UTF-8.
[[nodiscard]] std::string composed(const std::string& name);
// The same with case folding: for comparison, not for display.
[[nodiscard]] std::string folded(const std::string& text);

// Returns one key per name, in the same order. The names must be different. A key has 1 to 73 ASCII
// letters, digits, '.', '-', '_' and '~', and does not begin with '.'. Keys differ even if case is
// ignored, and do not depend on the order of the names. If a name had to be changed, or conflicts
// with another one, its key ends in '~' and 8 digits of its hash, or 32 if the 8 are not unique.
[[nodiscard]] std::vector<std::string> keys_of(const std::vector<std::string>& names);
// True if the text has the form of a key. For keys from untrusted files.
[[nodiscard]] bool is_key(std::string_view text);

}  // namespace histolab::batch
