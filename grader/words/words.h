// Formats words, numbers and text for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::grader {

// 166012 -> "166 012".
[[nodiscard]] std::string grouped(std::uint64_t number);
// The same for a value that may be negative. A fraction is written as by %g.
[[nodiscard]] std::string grouped_value(double value);
// At most two decimals, without trailing zeros: 4, 31.25, 0.5. Grouped from 10 000 on.
[[nodiscard]] std::string plain(double number);
// A time with three significant digits: "52.3 us", "1.27 ms", "3.1 s".
[[nodiscard]] std::string duration(double ms);
// "1 launch", "3 launches". The default plural is the singular with an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular,
                                  std::string_view plural = {});
// A share in percent. Only exact shares are 0 % or 100 %; others are "75 %", "under 1 %" or
// "over 99 %".
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

// Returns the candidate that the user most likely meant by `word`. Empty if none is near: about a
// third of the letters may differ.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);
// Returns "; did you mean NEAREST?", or an empty text if no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);
// "a, b or c".
[[nodiscard]] std::string either(std::span<const std::string> words);

// Columns of UTF-8 text on a terminal; each code point counts as one.
[[nodiscard]] std::size_t columns(std::string_view text);
// Wraps text into lines of at most `width` columns. Breaks at spaces, but not within a number
// (166 012), and keeps newlines. A word longer than a line is not broken.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// Wraps harmless(text). Each line begins with `indent` blanks and ends with a newline.
[[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent,
                                    std::size_t width = 80);
// Appends blanks up to this many columns.
[[nodiscard]] std::string padded(const std::string& text, std::size_t to);
// Cuts text to at most `to` bytes (3 or more), at a character, and appends "..." if it was cut.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t to);
// Replaces by '?' everything that could control a terminal or mislead a reader: control characters
// except newline and tab, characters that change the writing direction, and invalid UTF-8.
[[nodiscard]] std::string harmless(std::string_view text);

// Replaces underscores by blanks: "not_attempted" -> "not attempted".
[[nodiscard]] std::string in_words(std::string_view name);

// Quotes a text as one word of a shell.
[[nodiscard]] std::string single_quoted(std::string_view word);
// All lines, without their newlines.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
// Returns line `number` (from 1) without its newline, or an empty text if there is no such line.
[[nodiscard]] std::string line_of(std::string_view text, int number);

}  // namespace histolab::grader
