#include "kernels/worker/source_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace histolab::kernels::worker {
namespace {

// Where the raw string ends whose first quote is at `quote`, R"(...)": behind its last one. npos: that is no raw string's.
std::size_t end_of_raw_string(const std::string& text, std::size_t quote) {
  std::size_t begin = quote;
  while (begin > 0 && quote - begin < 4 && is_word(text[begin - 1])) --begin;
  const std::string_view prefix = std::string_view(text).substr(begin, quote - begin);
  constexpr std::string_view prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
  constexpr std::size_t longest_delimiter = 16;
  if (std::ranges::find(prefixes, prefix) == std::end(prefixes)) return std::string::npos;
  const std::size_t length = std::string_view(text).substr(quote + 1, longest_delimiter + 1).find_first_of("() \\\n");
  const std::size_t open = length == std::string::npos ? text.size() : quote + 1 + length;
  if (open == text.size() || text[open] != '(') return std::string::npos;
  const std::string close = ")" + text.substr(quote + 1, length) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string::npos ? text.size() : end + close.size();
}

// `if 0` of a directive, without its comments.
bool is_never(std::string_view directive) {
  std::string bare;
  std::ranges::copy_if(directive, std::back_inserter(bare), [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
  return bare == "if0" || bare == "if(0)" || bare == "iffalse";
}

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
        else if (const std::size_t end = c == '"' ? end_of_raw_string(text, i) : std::string::npos; end != std::string::npos) ++i, blank(end - i);
        else if (c == '"') state = string;
        else if (c == '\'' && (i == 0 || !is_word(text[i - 1]))) state = character;  // 1'000 is a number
        break;
      case line_comment:
        if (const std::size_t end = c == '\\' ? text.find_first_not_of(" \t\r", i + 1) : std::string::npos; end != std::string::npos && text[end] == '\n') blank(end + 1 - i);  // it goes on
        else if (c == '\n') state = code;
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

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

SourceText::SourceText(const std::string& text) : code_(blanked(text)), lines_{0} {
  for (std::size_t i = 0; i < code_.size(); ++i)
    if (code_[i] == '\n') lines_.push_back(i + 1);
  blank_directives(text);
}

void SourceText::blank_directives(const std::string& text) {
  int conditions = 0, left_out = 0;  // how many #if deep; the same within `#if 0`, which nobody compiles
  for (std::size_t begin = 0; begin < code_.size();) {
    std::size_t end = code_.find('\n', begin);
    const std::size_t first = code_.find_first_not_of(" \t", begin);
    if (first == std::string::npos || code_[first] != '#') {
      for (std::size_t i = begin; left_out > 0 && i < std::min(end, code_.size()); ++i) code_[i] = ' ';
      begin = end == std::string::npos ? code_.size() : end + 1;
      continue;
    }
    const auto goes_on = [&] { return code_[code_.find_last_not_of(" \t\r", end - 1)] == '\\'; };
    while (end != std::string::npos && goes_on()) end = code_.find('\n', end + 1);
    end = std::min(end, code_.size());
    // What is between quotes was blanked in the code.
    note_directive(std::string_view(text).substr(first + 1, end - first - 1), first, conditions, left_out);
    for (std::size_t i = first; i < end; ++i)
      if (code_[i] != '\n') code_[i] = ' ';
    begin = end;
  }
}

void SourceText::note_directive(std::string_view directive, std::size_t position, int& conditions, int& left_out) {
  const auto next_word = [&directive] {
    const auto begin = std::find_if(directive.begin(), directive.end(), is_word);
    const auto end = std::find_if_not(begin, directive.end(), is_word);
    const std::string word(begin, end);
    directive.remove_prefix(static_cast<std::size_t>(end - directive.begin()));
    return word;
  };
  const std::size_t bytes = directive.size();
  const std::string what = next_word();
  const bool begins = what == "if" || what == "ifdef" || what == "ifndef";
  conditions += begins ? 1 : what == "endif" ? -1 : 0;
  if (left_out > 0) {
    left_out += begins ? 1 : what == "endif" ? -1 : 0;
    if (left_out == 1 && (what == "else" || what.starts_with("elif"))) left_out = 0;
    return;
  }
  left_out = is_never(std::string_view(code_).substr(position + 1, bytes)) ? 1 : 0;
  if (what == "define") macros_.push_back(next_word());
  if (what != "include" || conditions != 0) return;
  const std::size_t open = directive.find_first_of("<\""), close = directive.find_first_of(">\"", open + 1);
  constexpr std::size_t most_includes = 1000;
  if (open != std::string_view::npos && close != std::string_view::npos && includes_.size() < most_includes)
    includes_.push_back({std::string(directive.substr(open + 1, close - open - 1)), line(position)});
}

int SourceText::line(std::size_t position) const {
  return static_cast<int>(std::ranges::upper_bound(lines_, std::min(position, code_.size())) - lines_.begin());
}

std::string line_of(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return {};
    begin = end + 1;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string SourceText::text_of_line(int line) const {
  if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return line < 1 ? text_of_line(1) : std::string{};
  const std::size_t begin = lines_[static_cast<std::size_t>(line) - 1];
  return code_.substr(begin, code_.find('\n', begin) - begin);
}

std::vector<std::size_t> SourceText::find(std::string_view word) const { return find_words(code_, word); }

std::string SourceText::declaration_before(std::size_t position) const {
  const std::size_t earliest = position > longest_declaration ? position - longest_declaration : 0;
  std::size_t begin = earliest;
  for (std::size_t at = position; at > earliest;) {
    const std::size_t last = std::string_view(code_).substr(earliest, at - earliest).find_last_of(";{}");
    if (last == std::string_view::npos) return code_.substr(earliest, position - earliest);
    const std::size_t before = earliest + last;
    begin = before + 1;
    // `int a[] = {1, 2}, b`: the braces belong to the same declaration.
    const std::size_t first = code_.find_first_not_of(" \t\r\n", begin);
    if (code_[before] != '}' || first >= position || code_[first] != ',') break;
    int depth = 1;
    for (at = before; at > earliest && depth > 0; --at) depth += code_[at - 1] == '}' ? 1 : code_[at - 1] == '{' ? -1 : 0;
  }
  return code_.substr(begin, position - begin);
}

std::string SourceText::kernel_head(std::size_t position) const {
  const std::string_view rest = std::string_view(code_).substr(position, longest_declaration);
  std::string head = declaration_before(position) + std::string(rest.substr(0, rest.find_first_of(";{")));
  for (const std::size_t at : find_words(head, "__launch_bounds__")) {
    const std::size_t close = head.find(')', at);
    for (std::size_t i = at; i < head.size() && i <= close; ++i) head[i] = ' ';
  }
  const std::size_t open = head.find('(');
  return open == std::string::npos ? std::string() : head.substr(0, open);
}

bool SourceText::defines_function(std::size_t position, std::size_t name_size) const {
  const std::string_view rest = std::string_view(code_).substr(position + name_size, longest_declaration);
  std::size_t at = rest.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || rest[at] != '(') return false;
  for (int depth = 0; at < rest.size(); ++at) {
    depth += rest[at] == '(' ? 1 : rest[at] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  // Behind the parameters: const, noexcept, a trailing type; a constructor's initializers.
  while (++at < rest.size() && (is_word(rest[at]) || std::string_view(" \t\r\n->&*<>").find(rest[at]) != std::string_view::npos)) {
  }
  if (at >= rest.size()) return false;
  const auto is_expression = [&] {  // of `c ? f(x) : 0`, `case f(x):`
    const std::string before = declaration_before(position);
    return before.find('?') != std::string::npos || contains_word(before, {"case"});
  };
  return rest[at] == '{' || (rest[at] == ':' && rest.substr(at, 2) != "::" && !is_expression());
}

bool SourceText::is_prototype(std::size_t position) const {
  const std::size_t end = code_.find_first_of(";{", position);
  return end == std::string::npos || code_[end] == ';';
}

std::string SourceText::kernel_name(std::size_t position) const {
  const std::string head = kernel_head(position);
  const auto end = std::find_if(head.rbegin(), head.rend(), is_word).base();
  const auto begin = std::find_if_not(std::make_reverse_iterator(end), head.rend(), is_word).base();
  return {begin, end};
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
