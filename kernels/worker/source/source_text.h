// SourceText: a source prepared for the textual rules. Comments, strings, preprocessor lines and
// the contents of `#if 0` are blanked; every character stays at its position.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/code_tokens.h"

namespace histolab::kernels::worker {

// Limits on the number of diagnostics per check and on the bytes of a declaration. A hostile source
// could otherwise cost much time.
inline constexpr std::size_t most_diagnostics = 20;
inline constexpr std::size_t longest_declaration = 1024;

class SourceText {
 public:
  explicit SourceText(const std::string& text);

  [[nodiscard]] const std::string& code() const { return code_; }
  // Names of macros that the file defines.
  [[nodiscard]] const std::vector<std::string>& macros() const { return macros_; }
  struct Include {
    std::string name;  // between the quotes or brackets
    int line = 0;
  };
  // Those outside of any #if.
  [[nodiscard]] const std::vector<Include>& includes() const { return includes_; }
  [[nodiscard]] int line(std::size_t position) const;  // from 1
  [[nodiscard]] std::string text_of_line(int line) const;
  // The same, cut at a length that is beyond readable lines: std::regex uses stack per character.
  [[nodiscard]] std::string code_line(int line) const { return text_of_line(line).substr(0, 1000); }
  // `column` is counted from 1, as g++ does.
  [[nodiscard]] std::size_t position(int line, int column) const;
  // Returns the position of the last `(` or `[` that the statement before `position` opens and does
  // not close there, or npos.
  [[nodiscard]] std::size_t unclosed_before(std::size_t position) const;
  // Returns whether the name declared at `declared` is still in scope at `position`, by the braces.
  [[nodiscard]] bool in_scope(std::size_t declared, std::size_t position) const;
  // Returns the positions at which `word` is a whole word.
  [[nodiscard]] std::vector<std::size_t> find(std::string_view word) const;
  // Returns the text between `position` and the end of the statement or brace before it: the part
  // of a declaration before its name.
  [[nodiscard]] std::string declaration_before(std::size_t position) const;
  // kernel_head() returns the declaration with __global__ at `position` up to its parameters,
  // without __launch_bounds__ and its arguments. Empty if it has no parameters. kernel_name() is
  // its last word.
  [[nodiscard]] std::string kernel_head(std::size_t position) const;
  [[nodiscard]] std::string kernel_name(std::size_t position) const;
  // Returns whether a function is defined with the name at `position`: parameters and a body
  // follow.
  [[nodiscard]] bool defines_function(std::size_t position, std::size_t name_size) const;
  // Returns whether the declaration at `position` ends without a body.
  [[nodiscard]] bool is_prototype(std::size_t position) const;

 private:
  void blank(std::size_t begin, std::size_t end);
  // `directive` holds the tokens after its #.
  void note_directive(std::span<const CodeToken> directive, int line, int& conditions,
                      int& left_out);
  std::string code_;
  std::vector<std::size_t> lines_;  // offset of each line
  std::vector<std::string> macros_;
  std::vector<Include> includes_;
};

// Terminal columns as g++ counts them: a tab ends at a multiple of 8, a letter of several bytes is
// one column.
[[nodiscard]] std::size_t columns_after(std::size_t columns, char c);
// Returns the number of bytes of the line in front of a column; columns begin at 1.
[[nodiscard]] std::size_t bytes_before(const std::string& line, int column);
// Lines count from 1. Returns an empty text if there is no such line.
[[nodiscard]] std::string line_of(const std::string& text, int line);
[[nodiscard]] bool is_word(char c);  // may be part of a name, keyword or number
[[nodiscard]] std::vector<std::size_t> find_words(std::string_view text, std::string_view word);
[[nodiscard]] bool contains_word(std::string_view text,
                                 const std::vector<std::string>& words);  // any of them

}  // namespace histolab::kernels::worker
