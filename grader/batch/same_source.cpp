#include "grader/batch/same_source.h"

#include <cctype>
#include <string_view>

#include "grader/files/sha256.h"
#include "grader/words/characters.h"
#include "kernels/code_tokens.h"

namespace histolab::batch {
namespace {

using grader::is_word;

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Goes through the source once; strings, characters and raw strings are copied, comments blanked.
class Blanker {
 public:
  explicit Blanker(const std::string& source) : source_(source) {}

  std::string text() && {
    while (at_ < source_.size()) {
      if (begins("//")) line_comment();
      else if (begins("/*")) block_comment();
      else if (source_[at_] == '"' && is_raw()) raw_string();
      else if (source_[at_] == '"' || (source_[at_] == '\'' && !is_separator())) quoted(source_[at_]);
      else copy(1);
    }
    end_line();
    while (!text_.empty() && text_.back() == '\n') text_.pop_back();
    return std::move(text_) + "\n";
  }

 private:
  [[nodiscard]] bool begins(std::string_view with) const { return source_.compare(at_, with.size(), with) == 0; }
  void copy(std::size_t count) {
    for (; count > 0 && at_ < source_.size(); --count, ++at_) {
      if (source_[at_] == '\n') end_line();
      text_ += source_[at_];
    }
  }
  void blank() {
    if (source_[at_] == '\n') copy(1);
    else if (continues_utf8(source_[at_])) ++at_;  // one column a character
    else text_ += source_[at_] == '\t' ? '\t' : ' ', ++at_;
  }
  // Blanks before a line's end go, but not behind a backslash: without them it would splice the lines.
  void end_line() {
    std::size_t size = text_.size();
    while (size > 0 && (text_[size - 1] == ' ' || text_[size - 1] == '\t' || text_[size - 1] == '\r')) --size;
    if (size == 0 || text_[size - 1] != '\\') text_.resize(size);
  }
  void line_comment() {
    while (at_ < source_.size()) {
      if (source_[at_] == '\n' && !spliced()) return;
      blank();
    }
  }
  // Whether the newline here is one that a backslash takes away, blanks between them or not.
  [[nodiscard]] bool spliced() const {
    std::size_t before = at_;
    while (before > 0 && (source_[before - 1] == ' ' || source_[before - 1] == '\t' || source_[before - 1] == '\r')) --before;
    return before > 0 && source_[before - 1] == '\\';
  }
  void block_comment() {
    for (int i = 0; i < 2; ++i) blank();
    while (at_ < source_.size() && !begins("*/")) blank();
    for (int i = 0; i < 2 && at_ < source_.size(); ++i) blank();
  }
  void quoted(char quote) {
    copy(1);
    while (at_ < source_.size() && source_[at_] != quote && (source_[at_] != '\n' || spliced())) copy(source_[at_] == '\\' ? 2 : 1);
    if (at_ < source_.size() && source_[at_] == quote) copy(1);
  }
  // A word may be the whole source, and be asked for at each of its apostrophes: what is before the last one is known.
  [[nodiscard]] std::string_view word_before() {
    std::size_t begin = at_;
    while (begin > 0 && begin != asked_at_ && (is_word(source_[begin - 1]) || (source_[begin - 1] == '\'' && begin > 1 && is_word(source_[begin - 2])))) --begin;
    if (begin == asked_at_) begin = word_begin_;
    asked_at_ = at_, word_begin_ = begin;
    return std::string_view{source_}.substr(begin, at_ - begin);
  }
  [[nodiscard]] bool is_separator() {  // 1'000
    const std::string_view before = word_before();
    return !before.empty() && std::isdigit(static_cast<unsigned char>(before.front())) != 0;
  }
  [[nodiscard]] bool is_raw() {
    const std::string_view before = word_before();
    return before == "R" || before == "u8R" || before == "uR" || before == "UR" || before == "LR";
  }
  void raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string::npos || open - at_ > 17) return quoted('"');
    const std::string close = ")" + source_.substr(at_ + 1, open - at_ - 1) + "\"";
    const std::size_t end = source_.find(close, open);
    const std::size_t until = end == std::string::npos ? source_.size() : end + close.size();
    text_.append(source_, at_, until - at_), at_ = until;
  }

  const std::string& source_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t asked_at_ = 0, word_begin_ = 0;
};

}  // namespace

std::string without_comments(const std::string& source) { return Blanker{source}.text(); }

std::string sharing_key(const std::string& source) {
  std::string seen = without_comments(source);
  for (const kernels::CodeToken& token : kernels::code_tokens(source)) {
    seen += static_cast<char>('0' + static_cast<int>(token.kind));
    seen += token.directive ? '#' : ' ';
    seen += std::to_string(token.line) + " " + std::to_string(token.spelling.size()) + " " + token.spelling;
  }
  return grader::sha256(seen);
}

}  // namespace histolab::batch
