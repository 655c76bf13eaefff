// Words and numbers as a person reads them.
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
// The same of a value that may be negative, or no whole number: then as %g writes it.
[[nodiscard]] std::string grouped_value(double value);
// At most two decimals, none where they are zero: 4, 31.25, 0.5; grouped from 10 000 on.
[[nodiscard]] std::string plain(double number);
// A time as a person reads it, three digits: "52.3 us", "1.27 ms", "3.1 s".
[[nodiscard]] std::string duration(double ms);
// "1 launch", "3 launches"; the plural is the singular and an s unless it is given.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular,
                                  std::string_view plural = {});
// How much of a whole, in percent, never rounded to 0 or 100 where it is neither: "75 %", "under 1
// %", "over 99 %".
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

// The candidate that a person who typed `word` most likely meant; empty when none is near (a third
// of its letters).
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);
// "; did you mean NEAREST?"; nothing where no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);
// "a, b or c".
[[nodiscard]] std::string either(std::span<const std::string> words);

// Columns that UTF-8 text takes on a terminal, every code point counted as one.
[[nodiscard]] std::size_t columns(std::string_view text);
// Lines of at most `width` columns, broken at spaces, but not within a number (166 012); a longer
// word stays whole. Newlines in `text` are kept.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// The same of harmless text (see below), each line after `indent` blanks and with a newline.
[[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent,
                                    std::size_t width = 80);
// With blanks behind it, up to so many columns.
[[nodiscard]] std::string padded(const std::string& text, std::size_t to);
// At most so many bytes of whole characters, "..." for what was cut off; `to` is 3 at least.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t to);
// The text without what would steer a terminal or mislead who reads: control characters other than
// newline and tab, what turns the direction of writing, and bytes that are no UTF-8 become '?'.
[[nodiscard]] std::string harmless(std::string_view text);

// A name of a value as words: "not_attempted" -> "not attempted".
[[nodiscard]] std::string in_words(std::string_view name);

// One word of a shell's.
[[nodiscard]] std::string single_quoted(std::string_view word);
// All lines, without their newlines.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
// Line `number` (1-based) without its newline; empty when there is none.
[[nodiscard]] std::string line_of(std::string_view text, int number);

}  // namespace histolab::grader
