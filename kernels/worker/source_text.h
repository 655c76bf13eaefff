// SourceText: a source as its rules look at it: comments, strings and preprocessor lines blanked, every character where
// it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::worker {

class SourceText {
 public:
  explicit SourceText(const std::string& text);

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] const std::vector<std::string>& macros() const { return macros_; }  // names that the file defines
  [[nodiscard]] int line(std::size_t position) const;                               // from 1
  [[nodiscard]] std::string text_of_line(int line) const;
  [[nodiscard]] std::vector<std::size_t> find(std::string_view word) const;  // where it stands as a whole word
  // From the end of the statement or brace before `position` to there: what a declaration says before its name.
  [[nodiscard]] std::string declaration_before(std::size_t position) const;

 private:
  void blank_directives();
  std::string code_;
  std::vector<std::string> macros_;
};

[[nodiscard]] std::vector<std::size_t> find_words(std::string_view text, std::string_view word);
[[nodiscard]] bool contains_word(std::string_view text, const std::vector<std::string>& words);  // any of them

}  // namespace histolab::kernels::worker
