#include "kernels/worker/explain_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/worker/follow_ups.h"

namespace histolab::kernels::worker {
namespace {

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

std::string without_blanks_behind(std::string line) {
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

// The last line before `line` that has code.
int line_of_code_before(const SourceText& source, int line) {
  do --line;
  while (line > 0 && is_blank(source.text_of_line(line)));
  return line;
}

// `byte`: which of the line's, from 1.
void put(Diagnostic& diagnostic, const std::string& text, int line, std::size_t byte, std::string message) {
  const std::string shown = line_of(text, line);
  std::size_t columns = 0;
  for (std::size_t at = 0; at + 1 < byte; ++at) columns = columns_after(columns, at < shown.size() ? shown[at] : ' ');
  diagnostic.line = line;
  diagnostic.column = static_cast<int>(columns + 1);
  diagnostic.message = std::move(message);
}

// ---- braces ----------------------------------------------------------------------------------------------------------

// A line that a `{` should follow, and none does: the head of a function, an if, a loop.
bool lacks_its_brace(const SourceText& source, int line) {
  static const std::regex head(R"(^\s*(__global__|__device__|if|for|while|else)\b)");
  const std::string code = without_blanks_behind(source.code_line(line));
  if (!std::regex_search(code, head) || code.empty() || code.find('{') != std::string::npos || code.ends_with(';')) return false;
  return !source.text_of_line(line + 1).substr(indent_of(source.text_of_line(line + 1))).starts_with('{');
}

struct Brace {
  int line = 0;
  std::size_t indent = 0;
};

// The braces as their indentation pairs them tell which one is missing, where their number only tells that one is.
void explain_brace(Diagnostic& diagnostic, const SourceText& source, const std::string& text) {
  std::vector<Brace> open;
  std::optional<Brace> unclosed;  // the first that is closed by a brace that belongs to another
  const int last = source.line(source.code().size());
  int looks = 10'000;  // back from braces: nested without end, these would be looked at again and again
  for (int line = 1; line <= last; ++line) {
    const std::string code = source.text_of_line(line);
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (code[at] == '{') open.push_back({line, indent_of(code)});
      if (code[at] != '}') continue;
      const bool first_in_line = at == indent_of(code);
      if (open.empty()) {
        int head = line;
        while ((head = line_of_code_before(source, head)) > 0)
          if (lacks_its_brace(source, head)) return put(diagnostic, text, head, without_blanks_behind(source.code_line(head)).size() + 1, "a `{` is missing behind this line. Write it where the block begins");
        return put(diagnostic, text, line, at + 1, "this `}` closes nothing: there are more `}` than `{` above it. Take it out, or write the `{` that is missing");
      }
      const Brace mine = open.back();
      open.pop_back();
      if (!first_in_line || mine.line == line || mine.indent == at) continue;
      if (mine.indent < at)  // it closes what is further out: something within has no `{`
        for (int head = line; --looks > 0 && (head = line_of_code_before(source, head)) > mine.line;)
          if (indent_of(source.text_of_line(head)) == at && lacks_its_brace(source, head))
            return put(diagnostic, text, head, without_blanks_behind(source.code_line(head)).size() + 1, "a `{` is missing behind this line. Write it where the block begins");
      if (!unclosed && mine.indent > at) unclosed = mine;
    }
  }
  if (!unclosed && !open.empty()) unclosed = open.back();
  if (!unclosed) return;
  const std::string code = source.text_of_line(unclosed->line);
  put(diagnostic, text, unclosed->line, code.rfind('{') + 1, "the `{` of this line is never closed. Write a `}` where its block ends");
}

// ---- within a statement ----------------------------------------------------------------------------------------------

// The end of the code before a place: where what is missing there belongs.
struct Place {
  int line = 0;
  std::size_t column = 0;
};
Place end_of_code_before(const SourceText& source, const std::string& text, const Diagnostic& at) {
  const std::string here = without_blanks_behind(source.text_of_line(at.line).substr(0, bytes_before(line_of(text, at.line), at.column)));
  if (!here.empty()) return {at.line, here.size() + 1};
  const int before = line_of_code_before(source, at.line);
  return before < 1 ? Place{at.line, 1} : Place{before, without_blanks_behind(source.text_of_line(before)).size() + 1};
}

bool is_for_without_semicolons(const std::string& line) {
  static const std::regex head(R"(\bfor\s*\(([^()]*)\))");
  std::smatch match;
  return std::regex_search(line, match, head) && match[1].str().find(':') == std::string::npos && std::count(match[1].first, match[1].second, ';') < 2;
}

void explain_semicolon(Diagnostic& diagnostic, const SourceText& source, const std::string& text, const std::string& before) {
  const std::string line = source.code_line(diagnostic.line);
  if (is_for_without_semicolons(line)) {
    diagnostic.message = "the three parts of a `for` are parted by `;`. Write for (begin; condition; step)";
    return;
  }
  const auto open = std::count(line.begin(), line.end(), '('), close = std::count(line.begin(), line.end(), ')');
  if (open > close) {
    diagnostic.message = fmt::format("a `)` is missing in this line: it has {} `(` and {} `)`. Close what was opened, before `{}` or behind it", open, close, before);
    return;
  }
  if (const std::size_t bracket =
          source.unclosed_before(source.position(diagnostic.line, diagnostic.column));
      bracket != std::string::npos) {
    const char opened = source.code()[bracket];
    diagnostic.message = fmt::format(
        "the `{}` in line {} is never closed. Write a `{}` where it ends, before `{}` or behind it",
        opened, source.line(bracket), opened == '(' ? ')' : ']', before);
    return;
  }
  constexpr std::size_t too_long = 1000;  // of a longer line g++ may know no columns, and says 1
  if (diagnostic.column <= 1 && source.text_of_line(diagnostic.line).size() > too_long) {
    diagnostic.message = fmt::format("a `;` or an operator is missing before `{}`. Break this long line where its statements end", before);
    return;
  }
  const Place place = end_of_code_before(source, text, diagnostic);
  const bool other_line = place.line != diagnostic.line || before == "}";
  put(diagnostic, text, place.line, place.column,
      other_line ? "a `;` is missing at the end of this line. Write it: every statement ends with one" : fmt::format("something is missing before `{}`. Write the operator that joins the two, or a `;`", before));
}

// A word of the language with capital letters: `If`, `Return`.
std::optional<std::string> capital_keyword(const std::string& line, const std::vector<std::string>& macros) {
  static const std::regex word(R"(\b([A-Z]\w*)\b(?!\s*::))");
  for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
    std::string small = (*at)[1].str();
    for (char& c : small) c = static_cast<char>(c | 0x20);
    for (const char* keyword : {"if", "else", "for", "while", "do", "return", "int", "unsigned", "char", "const", "void", "float", "bool", "break", "continue", "auto", "long", "short", "double", "signed", "true", "false"})
      if (small == keyword && std::find(macros.begin(), macros.end(), (*at)[1].str()) == macros.end()) return (*at)[1].str();
  }
  return std::nullopt;
}

bool is_of_syntax(const std::string& message) {
  return message.starts_with("expected ") || message.find("was not declared") != std::string::npos || message.find("does not name a type") != std::string::npos;
}

// What looks like a sign of C++ and is another one, as word processors and web pages have it.
std::optional<std::string> sign_meant(std::string_view sign) {
  for (const std::string_view dash : {"\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x92", "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x80\x95", "\xe2\x88\x92"})
    if (sign == dash) return fmt::format("`{}` is a dash, and no sign of C++. Write a minus in its place: -", sign);
  for (const std::string_view blank : {"\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\xaf", "\xe2\x80\x8b", "\xe3\x80\x80"})
    if (sign == blank) return "what looks like a blank here is another sign, as word processors and web pages have it. Type a blank in its place";
  return std::nullopt;
}

// A macro of this line whose text has a mark that was not meant: `#define BINS 7;`, `#define BINS = 7`. What is wrong is where it is defined.
struct WrongMacro {
  int line = 0;
  std::string name, message;
};
std::optional<WrongMacro> wrong_macro_in(const std::string& line, const SourceText& source, const std::string& text) {
  static const std::regex definition(R"(^\s*#\s*define\s+(\w+)\s+(=?)(.*?)(;?)\s*$)");
  if (std::ranges::none_of(source.macros(), [&](const std::string& name) { return contains_word(line, {name}); })) return std::nullopt;
  constexpr std::size_t longest = 200;
  int looks = 100;
  std::istringstream lines(text);
  std::string defined;
  for (int number = 1; looks > 0 && std::getline(lines, defined); ++number) {
    std::smatch match;
    if (defined.size() > longest || defined.find("define") == std::string::npos || --looks < 0 || !std::regex_match(defined, match, definition) || (match[2].length() == 0 && match[4].length() == 0) || !contains_word(line, {match[1].str()})) continue;
    const std::string wrong = match[2].length() != 0 ? "=" : ";";
    return WrongMacro{number, match[1].str(), fmt::format("`{}` stands for all that follows it, and so for this `{}` too. A #define has none: take it out", match[1].str(), wrong)};
  }
  return std::nullopt;
}

// "macro "BIN" passed 2 arguments, but takes just 1", and the like.
std::optional<std::string> wrong_macro_call(const std::string& message, const std::string& line) {
  static const std::regex unended(R"re(^unterminated argument list invoking macro "(\w+)")re");
  static const std::regex number(
      R"re(^macro "(\w+)" (?:passed (\d+) arguments, but takes just (\d+)|requires (?:at least )?(\d+) arguments, but only (\d+) given))re");
  std::smatch match;
  if (std::regex_search(message, match, unended))
    return fmt::format("the `(` behind `{}` is never closed. Write a `)` where the arguments of this macro end",
                       match[1].str());
  if (!std::regex_search(message, match, number)) return std::nullopt;
  const auto open = std::count(line.begin(), line.end(), '('), close = std::count(line.begin(), line.end(), ')');
  const std::string name = match[1].str();
  if (open > close)
    return fmt::format(
        "a `)` is missing in this line: it has {} `(` and {} `)`. Close what was opened, behind the arguments of `{}`",
        open, close, name);
  const std::string given = match[2].matched ? match[2].str() : match[5].str();
  const std::string wanted = match[3].matched ? match[3].str() : match[4].str();
  return fmt::format("the macro `{}` takes {} argument{} and is given {}. Count the commas between its parentheses",
                     name, wanted, wanted == "1" ? "" : "s", given);
}

}  // namespace

void explain_syntax(Diagnostic& diagnostic, const SourceText& source, const std::string& text) {
  static const std::regex semicolon(R"(^expected (?:',' or ';'|';') before '?([^']+?)'?(?: token)?$)");
  static const std::regex bracket(R"(^expected '([\])])' before (?:'([^']+)'(?: token)?|(.*)))");
  static const std::regex expression(R"(^expected primary-expression before '([^']+)')");
  static const std::regex terminator(R"(^missing terminating (['"]) character)");
  static const std::regex stray(R"(^(?:stray '([^']+)' in program|extended character (\S+) is not valid))");
  std::string& message = diagnostic.message;
  std::smatch match;
  const std::string line = source.code_line(diagnostic.line), words = message;
  if (const std::optional<std::string> capital = capital_keyword(line, source.macros()); capital && is_of_syntax(message)) {
    std::string small = *capital;
    for (char& c : small) c = static_cast<char>(c | 0x20);
    return put(diagnostic, text, diagnostic.line, line.find(*capital) + 1, fmt::format("`{}` is no word of C++: its words are in small letters. Write `{}`", *capital, small));
  }
  if (is_of_syntax(message))
    if (const std::optional<WrongMacro> macro = wrong_macro_in(line, source, text))
      return put(diagnostic, text, macro->line, line_of(text, macro->line).find(macro->name) + 1, macro->message);
  if (std::optional<std::string> macro = wrong_macro_call(words, line)) {
    message = std::move(*macro);
  } else if (words.starts_with("unterminated comment")) {
    message = "this comment never ends, so that nothing below it is code. Write */ where it is to end";
  } else if (std::regex_search(words, match, terminator)) {
    message = match[1].str() == "'" ? "this character has no closing '. Write one behind it" : "this string has no closing \". Write one at its end";
  } else if (may_be_of_a_brace(diagnostic) && std::count(source.code().begin(), source.code().end(), '{') !=
                                                  std::count(source.code().begin(), source.code().end(), '}')) {
    explain_brace(diagnostic, source, text);
  } else if (words.starts_with("a function-definition is not allowed here")) {
    message = "a function begins inside of another one. Move it out, above the kernel; or write the `}` that is missing above it";
  } else if (words.starts_with("expected ';' after struct definition") ||
             words.starts_with("expected ';' after class definition")) {
    const Place place = end_of_code_before(source, text, diagnostic);
    put(diagnostic, text, place.line, place.column, "a `;` is missing behind the `}` of this struct. Write it there");
  } else if (std::regex_search(words, match, semicolon)) {
    explain_semicolon(diagnostic, source, text, match[1].str());
  } else if (std::regex_search(words, match, bracket)) {
    const bool square = match[1].str() == "]";
    const std::string next = match[2].matched ? "`" + match[2].str() + "`" : "this " + match[3].str();
    message = square ? fmt::format("a `]` is missing before {}. Each `[` needs one, behind the index", next)
                     : fmt::format("a `)` is missing before {}, or what joins it to what stands before. Count the parentheses; look for a comma or an operator left out", next);
  } else if (std::regex_search(words, match, expression)) {
    const std::string next = match[1].str();
    const Place place = end_of_code_before(source, text, diagnostic);
    if (static const std::regex unended(R"(\breturn$)"); place.line < diagnostic.line && std::regex_search(without_blanks_behind(source.code_line(place.line)), unended))
      return put(diagnostic, text, place.line, place.column, "a `;` is missing at the end of this line. Write it: every statement ends with one");
    const bool format = next == "%" && line.find("printf") != std::string::npos;
    message = format ? "what printf prints is told by a string. Write it in quotes: printf(\"%d\\n\", value)"
                     : fmt::format("a value is missing before `{}`. Look at what stands left of it: a sign too many, or an operand too few", next);
  } else if (words.starts_with("'else' without a previous 'if'")) {
    message = "this `else` belongs to no `if`. Take away the `;` before it, or put braces around what the `if` guards";
  } else if (words.starts_with("lvalue required as left operand of assignment")) {
    message = "`=` assigns, and what stands left of it is no variable. Write `==` to compare";
  } else if (std::regex_search(words, match, stray)) {
    const std::string sign = match[2].matched ? match[2].str() : match[1].str();
    const bool quote = text.find("\xe2\x80\x98") != std::string::npos || text.find("\xe2\x80\x9c") != std::string::npos || text.find("\xe2\x80\x99") != std::string::npos || text.find("\xe2\x80\x9d") != std::string::npos;
    if (const std::optional<std::string> meant = sign_meant(sign)) message = *meant;
    else message = sign.front() != '@' && sign.front() != '#' && quote ? "a curly quote is no quote of C++. Write ' or \", as the keyboard has them" : fmt::format("`{}` is no sign of C++. Take it out", sign);
  } else if (words.starts_with("expected initializer before")) {
    message = "this line does not go on from what stands before it. Look at the line above: a `{`, a `;` or an operator is missing";
  } else if (words.starts_with("expected unqualified-id before") || words.starts_with("expected declaration before")) {
    message = "this stands outside of every function. Look above it: a `}` too many, or a `{` too few";
  }
}

}  // namespace histolab::kernels::worker
