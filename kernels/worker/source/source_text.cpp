#include "kernels/worker/source/source_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace histolab::kernels::worker {
namespace {

// Returns whether the condition of an #if is a literal false.
bool is_never(std::span<const CodeToken> condition) {
  std::string bare;
  for (const CodeToken& token : condition.first(std::min<std::size_t>(condition.size(), 4))) {
    if (token.kind == CodeToken::Kind::text) return false;  // '0' is 48
    bare += token.spelling;
  }
  return bare == "0" || bare == "(0)" || bare == "false";
}

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

SourceText::SourceText(const std::string& text) : code_(text), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(i + 1);
  std::vector<CodeToken> tokens = code_and_comments(text);
  for (const CodeToken& token : tokens) {
    if (token.kind == CodeToken::Kind::comment) blank(token.begin, token.end);
    if (token.kind != CodeToken::Kind::text) continue;
    const std::size_t open = text.find_first_of("\"'", token.begin), last = token.end - 1;
    blank(open + 1, last > open && text[last] == text[open] ? last : token.end);
  }
  std::erase_if(tokens,
                [](const CodeToken& token) { return token.kind == CodeToken::Kind::comment; });
  // Depth of #if nesting, and the same within an `#if 0`, which is not compiled.
  int conditions = 0, left_out = 0;
  for (auto at = tokens.begin(); at != tokens.end();) {
    const bool directive = at->directive;
    const auto end = std::find_if(at + 1, tokens.end(), [&](const CodeToken& token) {
      return !directive || token.begins_line;
    });
    if (directive) note_directive({at + 1, end}, at->line, conditions, left_out);
    if (directive || left_out > 0)
      blank(at->begin, end == tokens.end() ? code_.size() : end->begin);
    at = end;
  }
}

void SourceText::blank(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (code_[i] != '\n') code_[i] = ' ';
}

void SourceText::note_directive(std::span<const CodeToken> directive, int line, int& conditions,
                                int& left_out) {
  if (directive.empty()) return;
  const std::string& what = directive.front().spelling;
  const bool begins = what == "if" || what == "ifdef" || what == "ifndef";
  conditions += begins ? 1 : what == "endif" ? -1 : 0;
  if (left_out > 0) {
    left_out += begins ? 1 : what == "endif" ? -1 : 0;
    if (left_out == 1 && (what == "else" || what.starts_with("elif"))) left_out = 0;
    return;
  }
  left_out = what == "if" && is_never(directive.subspan(1)) ? 1 : 0;
  if (directive.size() == 1) return;
  const CodeToken& name = directive[1];
  if (what == "define") macros_.push_back(name.spelling);
  constexpr std::size_t most_includes = 1000;
  if (what == "include" && conditions == 0 && name.kind == CodeToken::Kind::header &&
      includes_.size() < most_includes)
    includes_.push_back({name.spelling, line});
}

int SourceText::line(std::size_t position) const {
  return static_cast<int>(std::ranges::upper_bound(lines_, std::min(position, code_.size())) -
                          lines_.begin());
}

std::size_t columns_after(std::size_t columns, char c) {
  constexpr std::size_t tab = 8;
  return c == '\t' ? (columns / tab + 1) * tab : columns + ((c & 0xc0) != 0x80);
}

std::size_t bytes_before(const std::string& line, int column) {
  std::size_t columns = 0, at = 0;
  for (; at < line.size() && columns + 1 < static_cast<std::size_t>(std::max(column, 1)); ++at)
    columns = columns_after(columns, line[at]);
  while (at < line.size() && (line[at] & 0xc0) == 0x80) ++at;
  return at;
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
  if (line < 1 || static_cast<std::size_t>(line) > lines_.size())
    return line < 1 ? text_of_line(1) : std::string{};
  const std::size_t begin = lines_[static_cast<std::size_t>(line) - 1];
  return code_.substr(begin, code_.find('\n', begin) - begin);
}

std::size_t SourceText::position(int line, int column) const {
  const auto number =
      static_cast<std::size_t>(std::clamp(line, 1, static_cast<int>(lines_.size()))) - 1;
  return std::min(lines_[number] + bytes_before(text_of_line(line), column), code_.size());
}

std::size_t SourceText::unclosed_before(std::size_t position) const {
  constexpr std::size_t longest_statement = 10'000;
  const std::size_t earliest = position > longest_statement ? position - longest_statement : 0;
  int closed = 0, semicolons = 0;
  for (std::size_t at = std::min(position, code_.size()); at > earliest; --at) {
    const char c = code_[at - 1];
    if (c == ')' || c == ']')
      ++closed;
    else if ((c == '(' || c == '[') && closed > 0)
      --closed;
    else if (c == '(' || c == '[') {
      const std::string_view before = std::string_view(code_).substr(earliest, at - 1 - earliest);
      const std::size_t end = before.find_last_not_of(" \t\r\n") + 1;
      const bool of_for =
          end >= 3 && before.substr(end - 3, 3) == "for" && (end == 3 || !is_word(before[end - 4]));
      return semicolons == 0 || of_for ? at - 1 : std::string::npos;
    } else if (closed == 0 && (c == '{' || c == '}' || (c == ';' && ++semicolons > 2))) {
      return std::string::npos;
    }
  }
  return std::string::npos;
}

bool SourceText::in_scope(std::size_t declared, std::size_t position) const {
  if (declared >= position) return false;
  const std::size_t end = std::min(position, code_.size());
  std::size_t at = declared;
  int depth = 0;  // of braces
  // A parameter or a variable of a `for` is declared within parentheses: its block follows them.
  if (unclosed_before(declared) != std::string::npos) {
    for (int open = 1; at < end && open > 0; ++at)
      open += code_[at] == '(' ? 1 : code_[at] == ')' ? -1 : 0;
    const std::size_t body = code_.find_first_not_of(" \t\r\n", at);
    if (body == std::string::npos || body >= end) return true;
    if (code_[body] != '{') return code_.find(';', body) >= end;
    at = body + 1;
    depth = 1;
    for (; at < end && depth > 0; ++at) depth += code_[at] == '{' ? 1 : code_[at] == '}' ? -1 : 0;
    return depth > 0;
  }
  for (; at < end && depth >= 0; ++at) depth += code_[at] == '{' ? 1 : code_[at] == '}' ? -1 : 0;
  return depth >= 0;
}

std::vector<std::size_t> SourceText::find(std::string_view word) const {
  return find_words(code_, word);
}

std::string SourceText::declaration_before(std::size_t position) const {
  const std::size_t earliest = position > longest_declaration ? position - longest_declaration : 0;
  std::size_t begin = earliest;
  for (std::size_t at = position; at > earliest;) {
    const std::size_t last =
        std::string_view(code_).substr(earliest, at - earliest).find_last_of(";{}");
    if (last == std::string_view::npos) return code_.substr(earliest, position - earliest);
    const std::size_t before = earliest + last;
    begin = before + 1;
    // `int a[] = {1, 2}, b`: the braces belong to the same declaration.
    const std::size_t first = code_.find_first_not_of(" \t\r\n", begin);
    if (code_[before] != '}' || first >= position || code_[first] != ',') break;
    int depth = 1;
    for (at = before; at > earliest && depth > 0; --at)
      depth += code_[at - 1] == '}' ? 1 : code_[at - 1] == '{' ? -1 : 0;
  }
  return code_.substr(begin, position - begin);
}

std::string SourceText::kernel_head(std::size_t position) const {
  const std::string_view rest = std::string_view(code_).substr(position, longest_declaration);
  std::string head =
      declaration_before(position) + std::string(rest.substr(0, rest.find_first_of(";{")));
  for (const std::size_t at : find_words(head, "__launch_bounds__")) {
    const std::size_t close = head.find(')', at);
    for (std::size_t i = at; i < head.size() && i <= close; ++i) head[i] = ' ';
  }
  const std::size_t open = head.find('(');
  return open == std::string::npos ? std::string() : head.substr(0, open);
}

bool SourceText::defines_function(std::size_t position, std::size_t name_size) const {
  const std::string_view rest =
      std::string_view(code_).substr(position + name_size, longest_declaration);
  std::size_t at = rest.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || rest[at] != '(') return false;
  for (int depth = 0; at < rest.size(); ++at) {
    depth += rest[at] == '(' ? 1 : rest[at] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  // After the parameters: const, noexcept, a trailing type, or a constructor's initializers.
  while (++at < rest.size() &&
         (is_word(rest[at]) ||
          std::string_view(" \t\r\n->&*<>").find(rest[at]) != std::string_view::npos)) {
  }
  if (at >= rest.size()) return false;
  const auto is_expression = [&] {  // such as `c ? f(x) : 0` or `case f(x):`
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
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) found.push_back(at);
  }
  return found;
}

bool contains_word(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return !find_words(text, word).empty(); });
}

}  // namespace histolab::kernels::worker
