#include "kernels/worker/source_text.h"

#include <algorithm>
#include <cctype>

namespace histolab::kernels::worker {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Comments, and what is between quotes.
std::string blanked(const std::string& text) {
  std::string result = text;
  enum { code, line_comment, block_comment, string, character } state = code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    const auto blank = [&](std::size_t count) {
      for (std::size_t k = 0; k < count && i + k < text.size(); ++k)
        if (text[i + k] != '\n') result[i + k] = ' ';
      i += count - 1;
    };
    switch (state) {
      case code:
        if (c == '/' && next == '/') state = line_comment, blank(2);
        else if (c == '/' && next == '*') state = block_comment, blank(2);
        else if (c == '"') state = string;
        else if (c == '\'' && (i == 0 || !is_word(text[i - 1]))) state = character;  // 1'000 is a number
        break;
      case line_comment:
        if (c == '\n') state = code;
        else blank(1);
        break;
      case block_comment:
        if (c == '*' && next == '/') state = code, blank(2);
        else blank(1);
        break;
      case string:
      case character:
        if (c == '\\') blank(2);
        else if (c == (state == string ? '"' : '\'') || c == '\n') state = code;
        else blank(1);
        break;
    }
  }
  return result;
}

}  // namespace

SourceText::SourceText(const std::string& text) : code_(blanked(text)) { blank_directives(); }

void SourceText::blank_directives() {
  for (std::size_t begin = 0; begin < code_.size();) {
    std::size_t end = code_.find('\n', begin);
    const std::size_t first = code_.find_first_not_of(" \t", begin);
    if (first == std::string::npos || code_[first] != '#') {
      begin = end == std::string::npos ? code_.size() : end + 1;
      continue;
    }
    while (end != std::string::npos && code_.find_last_not_of(" \t\r", end - 1) != std::string::npos &&
           code_[code_.find_last_not_of(" \t\r", end - 1)] == '\\')
      end = code_.find('\n', end + 1);
    end = std::min(end, code_.size());
    const std::string_view directive = std::string_view(code_).substr(first + 1, end - first - 1);
    if (const std::vector<std::size_t> define = find_words(directive, "define"); !define.empty()) {
      const std::size_t name = directive.find_first_not_of(" \t", define.front() + 6);
      const std::size_t name_end = std::find_if_not(directive.begin() + static_cast<std::ptrdiff_t>(std::min(name, directive.size())), directive.end(), is_word) - directive.begin();
      if (name < name_end) macros_.emplace_back(directive.substr(name, name_end - name));
    }
    for (std::size_t i = first; i < end; ++i)
      if (code_[i] != '\n') code_[i] = ' ';
    begin = end;
  }
}

int SourceText::line(std::size_t position) const {
  return 1 + static_cast<int>(std::count(code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(std::min(position, code_.size())), '\n'));
}

std::string SourceText::text_of_line(int line) const {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) begin = code_.find('\n', begin) + 1;
  return begin >= code_.size() ? std::string() : code_.substr(begin, code_.find('\n', begin) - begin);
}

std::vector<std::size_t> SourceText::find(std::string_view word) const { return find_words(code_, word); }

std::string SourceText::declaration_before(std::size_t position) const {
  const std::size_t before = position == 0 ? std::string::npos : code_.find_last_of(";{}", position - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return code_.substr(begin, position - begin);
}

std::vector<std::size_t> find_words(std::string_view text, std::string_view word) {
  std::vector<std::size_t> found;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) found.push_back(at);
  }
  return found;
}

bool contains_word(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return !find_words(text, word).empty(); });
}

}  // namespace histolab::kernels::worker
