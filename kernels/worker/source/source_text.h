// SourceText: a source, prepared for its rules. Comments, strings, preprocessor lines and the
// contents of `#if 0` are blanked; every character stays at its position.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/code_tokens.h"

namespace histolab::kernels::worker {

// Limits: a message names no more places than these, and no declaration is longer. A source may be
// written to cost time.
inline constexpr std::size_t most_diagnostics = 20;
inline constexpr std::size_t longest_declaration = 1024;

class SourceText {
 public:
  explicit SourceText(const std::string& text);

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] const std::vector<std::string>& macros() const { return macros_; }  // names that the file defines
  struct Include {
    std::string name;  // between the quotes or brackets
    int line = 0;
  };
  [[nodiscard]] const std::vector<Include>& includes() const { return includes_; }  // that depend on no #if
  [[nodiscard]] int line(std::size_t position) const;                               // from 1
  [[nodiscard]] std::string text_of_line(int line) const;
  // The same, cut at a length that no person would read: std::regex uses stack for each character.
  [[nodiscard]] std::string code_line(int line) const { return text_of_line(line).substr(0, 1000); }
  [[nodiscard]] std::size_t position(int line,
                                     int column) const;  // `column`: as g++ counts, from 1
  // Position of the last `(` or `[` that the statement before `position` opens and does not close there; npos if there is none.
  [[nodiscard]] std::size_t unclosed_before(std::size_t position) const;
  // Returns whether the name declared at `declared` is still in scope at `position`, by the braces.
  [[nodiscard]] bool in_scope(std::size_t declared, std::size_t position) const;
  [[nodiscard]] std::vector<std::size_t> find(std::string_view word) const;  // where it stands as a whole word
  // Returns the text from the end of the statement or brace before `position` to there: the part of
  // a declaration before its name.
  [[nodiscard]] std::string declaration_before(std::size_t position) const;
  // Returns the declaration with __global__ at `position` up to its parameters, without
  // __launch_bounds__ and its number; and its last word. Empty if there are no parameters.
  [[nodiscard]] std::string kernel_head(std::size_t position) const;
  [[nodiscard]] std::string kernel_name(std::size_t position) const;
  // Returns whether the name at `position` is that of a function that is defined there: parameters
  // follow it, and a body.
  [[nodiscard]] bool defines_function(std::size_t position, std::size_t name_size) const;
  [[nodiscard]] bool is_prototype(std::size_t position) const;  // the declaration there ends without a body

 private:
  void blank(std::size_t begin, std::size_t end);
  // `directive`: the tokens behind its #.
  void note_directive(std::span<const CodeToken> directive, int line, int& conditions, int& left_out);
  std::string code_;
  std::vector<std::size_t> lines_;  // where each begins
  std::vector<std::string> macros_;
  std::vector<Include> includes_;
};

// Columns of a terminal, as g++ counts them: a tab ends at a multiple of 8, a letter of several bytes is one.
[[nodiscard]] std::size_t columns_after(std::size_t columns, char c);
[[nodiscard]] std::size_t bytes_before(
    const std::string& line,
    int column);  // bytes of the line in front of a column, which begins at 1
[[nodiscard]] std::string line_of(const std::string& text, int line);  // from 1; empty where there is none
[[nodiscard]] bool is_word(char c);  // of a name, a keyword or a number
[[nodiscard]] std::vector<std::size_t> find_words(std::string_view text, std::string_view word);
[[nodiscard]] bool contains_word(std::string_view text, const std::vector<std::string>& words);  // any of them

}  // namespace histolab::kernels::worker
