#include "grader/batch/same_source.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/files/sha256.h"
#include "grader/words/characters.h"
#include "kernels/code_tokens.h"

namespace histolab::batch {
namespace {

using grader::is_word;

using Range = std::pair<std::size_t, std::size_t>;  // the bytes [first, second) of a source

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Copies a source in one pass, with its comments replaced by blanks.
class Blanker {
 public:
  explicit Blanker(const std::string& source) : source_(source) {}

  // Call this once, before comments() and closed().
  std::string text() {
    while (at_ < source_.size()) {
      if (begins("//"))
        line_comment();
      else if (begins("/*"))
        block_comment();
      else if (source_[at_] == '"' && is_raw())
        raw_string();
      else if (source_[at_] == '"' || (source_[at_] == '\'' && !is_separator()))
        quoted(source_[at_]);
      else
        copy(1);
    }
    end_line();
    while (!text_.empty() && text_.back() == '\n') text_.pop_back();
    return std::move(text_) + "\n";
  }
  [[nodiscard]] const std::vector<Range>& comments() const { return comments_; }
  // True if each comment, string and character literal is terminated.
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  [[nodiscard]] bool begins(std::string_view with) const {
    return source_.compare(at_, with.size(), with) == 0;
  }
  void copy(std::size_t count) {
    for (; count > 0 && at_ < source_.size(); --count, ++at_) {
      if (source_[at_] == '\n') end_line();
      text_ += source_[at_];
    }
  }
  void blank() {
    if (source_[at_] == '\n')
      copy(1);
    else if (continues_utf8(source_[at_]))
      ++at_;  // a character has one column
    else
      text_ += source_[at_++] == '\t' ? '\t' : ' ';
  }
  // Removes blanks at the end of a line, except after a backslash: without them it would splice the
  // lines.
  void end_line() {
    std::size_t size = text_.size();
    while (size > 0 &&
           (text_[size - 1] == ' ' || text_[size - 1] == '\t' || text_[size - 1] == '\r'))
      --size;
    if (size == 0 || text_[size - 1] != '\\') text_.resize(size);
  }
  void line_comment() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && (source_[at_] != '\n' || spliced())) blank();
    comments_.emplace_back(begin, at_);
  }
  // True if a backslash precedes the newline here, with or without blanks between them.
  [[nodiscard]] bool spliced() const {
    std::size_t before = at_;
    while (before > 0 && (source_[before - 1] == ' ' || source_[before - 1] == '\t' ||
                          source_[before - 1] == '\r'))
      --before;
    return before > 0 && source_[before - 1] == '\\';
  }
  void block_comment() {
    const std::size_t begin = at_;
    for (int i = 0; i < 2; ++i) blank();
    while (at_ < source_.size() && !begins("*/")) blank();
    closed_ &= at_ < source_.size();
    for (int i = 0; i < 2 && at_ < source_.size(); ++i) blank();
    comments_.emplace_back(begin, at_);
  }
  void quoted(char quote) {
    copy(1);
    while (at_ < source_.size() && source_[at_] != quote && (source_[at_] != '\n' || spliced()))
      copy(source_[at_] == '\\' ? 2 : 1);
    if (at_ < source_.size() && source_[at_] == quote)
      copy(1);
    else
      closed_ = false;
  }
  // Cached up to the last call: a word may be the whole source, with many apostrophes.
  [[nodiscard]] std::string_view word_before() {
    std::size_t begin = at_;
    while (begin > 0 && begin != cached_at_ &&
           (is_word(source_[begin - 1]) ||
            (source_[begin - 1] == '\'' && begin > 1 && is_word(source_[begin - 2]))))
      --begin;
    if (begin == cached_at_) begin = word_begin_;
    cached_at_ = at_;
    word_begin_ = begin;
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
    closed_ &= end != std::string::npos;
    const std::size_t until = end == std::string::npos ? source_.size() : end + close.size();
    text_.append(source_, at_, until - at_);
    at_ = until;
  }

  const std::string& source_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t cached_at_ = 0, word_begin_ = 0;
  std::vector<Range> comments_;
  bool closed_ = true;
};

// g++ reads carriage return and line feed as one end of a line, even in a raw string.
std::string with_line_feeds(const std::string& source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] != '\r' || i + 1 == source.size() || source[i + 1] != '\n') text += source[i];
  return text;
}

// g++ ends a line at a lone carriage return. Other control characters are rare in a source.
bool has_control(const std::string& text) {
  return std::ranges::any_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n') || c == '\x7f';
  });
}

// True if code follows the comment and its columns depend on the width of the comment's characters.
bool moves_code(const std::string& text, const Range& comment) {
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(comment.first);
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(comment.second);
  if (std::all_of(begin, end, [](char c) { return (static_cast<unsigned char>(c) & 0x80) == 0; }))
    return false;
  const std::size_t code = text.find_first_not_of(" \t", comment.second);
  return code != std::string::npos && text[code] != '\n';
}

std::vector<Range> comments_of(const std::vector<kernels::CodeToken>& tokens) {
  std::vector<Range> comments;
  for (const kernels::CodeToken& token : tokens)
    if (token.kind == kernels::CodeToken::Kind::comment)
      comments.emplace_back(token.begin, token.end);
  return comments;
}

// The key of a source that shares its result only with equal bytes. It differs from all other keys.
std::string own_key(const std::string& source) {
  return grader::sha256(std::string(1, '\0') + source);
}

}  // namespace

std::string without_comments(const std::string& source) { return Blanker{source}.text(); }

std::string sharing_key(const std::string& source) {
  const std::string text = with_line_feeds(source);
  if (has_control(text)) return own_key(source);
  Blanker blanker{text};
  std::string seen = blanker.text();
  const std::vector<kernels::CodeToken> tokens = kernels::code_and_comments(text);
  const std::vector<Range>& comments = blanker.comments();
  if (!blanker.closed() || comments != comments_of(tokens) ||
      std::ranges::any_of(comments, [&](const Range& each) { return moves_code(text, each); }))
    return own_key(source);
  for (const kernels::CodeToken& token : tokens) {
    if (token.kind == kernels::CodeToken::Kind::comment) continue;
    seen += static_cast<char>('0' + static_cast<int>(token.kind));
    seen += token.directive ? '#' : ' ';
    seen += std::to_string(token.line) + " " + std::to_string(token.spelling.size()) + " ";
    seen += token.spelling;
  }
  return grader::sha256(seen);
}

}  // namespace histolab::batch
