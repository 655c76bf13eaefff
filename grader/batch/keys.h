// Keys: what stands for a student in a journal, a link and a file name, whatever the student is
// called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::batch {

// The text with every byte that is no UTF-8 replaced by U+FFFD. Control characters stay: whoever
// shows it escapes it.
[[nodiscard]] std::string as_utf8(const std::string& text);

// The name in Unicode's composed form (NFC): two spellings that look the same are one name. Returns
// the same bytes if they are not UTF-8.
[[nodiscard]] std::string composed(const std::string& name);
// The same without the difference between capital and small letters: for comparing, not for
// showing.
[[nodiscard]] std::string folded(const std::string& text);

// One key a name, in their order: letters, digits, '.', '-', '_' and '~' of ASCII, 1 to 73 of them,
// no '.' in front, never "." or "..". All differ, case apart, and a key follows from the names
// alone, not from their order: a name that had to be changed, or that another one comes close to,
// ends in '~' and eight digits of its hash, or 32 where two have the same eight. The names differ.
[[nodiscard]] std::vector<std::string> keys_of(const std::vector<std::string>& names);
// Is it made of what a key is made of? Of a file that says so, which anybody may have written.
[[nodiscard]] bool is_key(std::string_view text);

}  // namespace histolab::batch
