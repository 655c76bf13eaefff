#include "kernels/worker/explaining/explain_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/worker/explaining/follow_ups.h"

namespace histolab::kernels::worker {
namespace {

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::string without_blanks_behind(std::string line) {
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

// The last line before `line` that has code.
int line_of_code_before(const SourceText& source, int line) {
  do --line;
  while (line > 0 && is_blank(source.text_of_line(line)));
  return line;
}

// `byte`: which of the line's, from 1.
void put(Diagnostic& diagnostic, const std::string& text, int line, std::size_t byte,
         std::string message) {
  const std::string shown = line_of(text, line);
  std::size_t columns = 0;
  for (std::size_t at = 0; at + 1 < byte; ++at)
    columns = columns_after(columns, at < shown.size() ? shown[at] : ' ');
  diagnostic.line = line;
  diagnostic.column = static_cast<int>(columns + 1);
  diagnostic.message = std::move(message);
}

// ---- braces -------------------------------------------------------------------------------------

// The line in which the parentheses that a line opens are closed.
int end_of_head(const SourceText& source, int line) {
  constexpr int most_lines = 20;
  int end = line;
  while (end < line + most_lines &&
         source.unclosed_before(source.position(end + 1, 1)) != std::string::npos)
    ++end;
  return end;
}

void report_missing_brace(Diagnostic& diagnostic, const SourceText& source, const std::string& text,
                          int head) {
  const int line = end_of_head(source, head);
  put(diagnostic, text, line, without_blanks_behind(source.code_line(line)).size() + 1,
      "a `{` is missing after this line. Write it where the block begins");
}

// A line that a `{` should follow, and none does: the head of a function, an if, a loop.
bool lacks_its_brace(const SourceText& source, int line) {
  static const std::regex head(
      R"(^\s*(?:\}\s*)?(__global__|__device__|if|for|while|else|switch)\b)");
  if (!std::regex_search(source.code_line(line), head)) return false;
  for (const int first = line, last = end_of_head(source, first); line <= last; ++line) {
    const std::string code = without_blanks_behind(source.code_line(line));
    if (code.find('{') != std::string::npos || code.ends_with(';')) return false;
  }
  return !source.text_of_line(line).substr(indent_of(source.text_of_line(line))).starts_with('{');
}

struct Brace {
  int line = 0;
  std::size_t indent = 0;
};

// Pairs the braces by indentation, which shows the missing one. Their number only shows that one is
// missing.
void explain_brace(Diagnostic& diagnostic, const SourceText& source, const std::string& text) {
  std::vector<Brace> open;
  std::optional<Brace> unclosed;  // the first that is closed by a brace that belongs to another
  const int last = source.line(source.code().size());
  int looks =
      10'000;  // back from braces: nested without end, these would be looked at again and again
  for (int line = 1; line <= last; ++line) {
    const std::string code = source.text_of_line(line);
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (code[at] == '{') open.push_back({line, indent_of(code)});
      if (code[at] != '}') continue;
      const bool first_in_line = at == indent_of(code);
      if (open.empty()) {
        // One that is indented as this brace is, else any.
        for (const bool as_indented : {true, false})
          for (int head = line; --looks > 0 && (head = line_of_code_before(source, head)) > 0;)
            if (lacks_its_brace(source, head) &&
                (!as_indented || (first_in_line && indent_of(source.text_of_line(head)) == at)))
              return report_missing_brace(diagnostic, source, text, head);
        return put(diagnostic, text, line, at + 1,
                   "this `}` closes nothing: there are more `}` than `{` above it. Remove it, or "
                   "add the missing `{`");
      }
      const Brace mine = open.back();
      open.pop_back();
      if (!first_in_line || mine.line == line || mine.indent == at) continue;
      if (mine.indent < at)  // it closes what is further out: something within has no `{`
        for (int head = line;
             --looks > 0 && (head = line_of_code_before(source, head)) > mine.line;)
          if (indent_of(source.text_of_line(head)) == at && lacks_its_brace(source, head))
            return report_missing_brace(diagnostic, source, text, head);
      if (!unclosed && mine.indent > at) unclosed = mine;
    }
  }
  if (!unclosed && !open.empty()) unclosed = open.back();
  if (!unclosed) return;
  const std::string code = source.text_of_line(unclosed->line);
  put(diagnostic, text, unclosed->line, code.rfind('{') + 1,
      "the `{` on this line is never closed. Write a `}` where its block ends");
}

// ---- within a statement -------------------------------------------------------------------------

// The end of the code before a place: where what is missing there belongs.
struct Place {
  int line = 0;
  std::size_t column = 0;
};
Place end_of_code_before(const SourceText& source, const std::string& text, const Diagnostic& at) {
  const std::string here = without_blanks_behind(
      source.text_of_line(at.line).substr(0, bytes_before(line_of(text, at.line), at.column)));
  if (!here.empty()) return {at.line, here.size() + 1};
  const int before = line_of_code_before(source, at.line);
  return before < 1 ? Place{at.line, 1}
                    : Place{before, without_blanks_behind(source.text_of_line(before)).size() + 1};
}

constexpr const char* wrong_for =
    "the three parts of a `for` are separated by `;`. Write for (begin; condition; step)";
bool is_for_without_semicolons(const std::string& line) {
  static const std::regex head(R"(\bfor\s*\(([^()]*)\))");
  std::smatch match;
  return std::regex_search(line, match, head) && match[1].str().find(':') == std::string::npos &&
         std::count(match[1].first, match[1].second, ';') < 2;
}

constexpr std::string_view missing_semicolon =
    "a `;` is missing at the end of this line. Write it: every statement ends with one";

// Explains it if the line opens more parentheses than it closes.
bool lacks_parenthesis(Diagnostic& diagnostic, const std::string& line, const std::string& before) {
  const auto open = std::count(line.begin(), line.end(), '('),
             close = std::count(line.begin(), line.end(), ')');
  if (open > close)
    diagnostic.message = fmt::format(
        "a `)` is missing on this line: it has {} `(` and {} `)`. Close the open `(`, before or "
        "after `{}`",
        open, close, before);
  return open > close;
}

// Returns the position of the first `)` or `]` in a line that closes nothing, or npos.
std::size_t closes_nothing(const SourceText& source, int line) {
  const std::size_t begin = source.position(line, 1);
  if (source.unclosed_before(begin) != std::string::npos) return std::string::npos;
  const std::string code = source.code_line(line);
  std::string open;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '(' || code[at] == '[') open.push_back(code[at]);
    if (code[at] != ')' && code[at] != ']') continue;
    const char opener = code[at] == ')' ? '(' : '[';
    if (open.empty() || open.back() != opener)
      return open.find(opener) == std::string::npos ? at : std::string::npos;
    open.pop_back();
  }
  return std::string::npos;
}

// Explains it if a line has a `)` or `]` that closes nothing.
bool has_lone_closer(Diagnostic& diagnostic, const SourceText& source, const std::string& text,
                     int line) {
  const std::size_t at = line < 1 ? std::string::npos : closes_nothing(source, line);
  if (at == std::string::npos) return false;
  const char closer = source.code_line(line)[at];
  put(diagnostic, text, line, at + 1,
      fmt::format("this `{}` closes nothing. Add the missing `{}` before it, or remove it", closer,
                  closer == ')' ? '(' : '['));
  return true;
}

void explain_semicolon(Diagnostic& diagnostic, const SourceText& source, const std::string& text,
                       const std::string& before) {
  const std::string line = source.code_line(diagnostic.line);
  if (is_for_without_semicolons(line)) {
    diagnostic.message = wrong_for;
    return;
  }
  constexpr std::size_t too_long = 1000;  // of a longer line g++ may know no columns, and says 1
  if (diagnostic.column <= 1 && source.text_of_line(diagnostic.line).size() > too_long) {
    diagnostic.message = fmt::format(
        "a `;` or an operator is missing before `{}`. Break this long line where its statements "
        "end",
        before);
    return;
  }
  const std::size_t bracket =
      source.unclosed_before(source.position(diagnostic.line, diagnostic.column));
  const Place place = end_of_code_before(source, text, diagnostic);
  if (place.line != diagnostic.line && bracket == std::string::npos)
    return put(diagnostic, text, place.line, place.column, std::string{missing_semicolon});
  if (lacks_parenthesis(diagnostic, line, before)) return;
  if (bracket != std::string::npos) {
    const char opened = source.code()[bracket];
    diagnostic.message = fmt::format(
        "the `{}` on line {} is never closed. Write a `{}` where it ends, before or after `{}`",
        opened, source.line(bracket), opened == '(' ? ')' : ']', before);
    return;
  }
  const std::string behind =
      source.text_of_line(diagnostic.line)
          .substr(bytes_before(line_of(text, diagnostic.line), diagnostic.column));
  const bool ends_line =
      before == "}" || is_blank(behind.substr(std::min<std::size_t>(behind.size(), 1)));
  put(diagnostic, text, place.line, place.column,
      ends_line
          ? std::string{missing_semicolon}
          : fmt::format(
                "something is missing before `{}`. Write the operator that joins the two, or a `;`",
                before));
}

// A word of the language with capital letters: `If`, `Return`.
std::optional<std::string> capital_keyword(const std::string& line,
                                           const std::vector<std::string>& macros) {
  static const std::regex word(R"(\b([A-Z]\w*)\b(?!\s*::))");
  for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
    std::string small = (*at)[1].str();
    for (char& c : small) c = static_cast<char>(c | 0x20);
    for (const char* keyword :
         {"if",   "else",  "for",    "while",  "do",   "return", "int",      "unsigned",
          "char", "const", "void",   "float",  "bool", "break",  "continue", "auto",
          "long", "short", "double", "signed", "true", "false"})
      if (small == keyword &&
          std::find(macros.begin(), macros.end(), (*at)[1].str()) == macros.end())
        return (*at)[1].str();
  }
  return std::nullopt;
}

bool is_of_syntax(const std::string& message) {
  return message.starts_with("expected ") ||
         message.find("was not declared") != std::string::npos ||
         message.find("does not name a type") != std::string::npos;
}

// Explains characters of word processors and web pages that look like ones of C++.
std::optional<std::string> sign_meant(std::string_view sign) {
  for (const std::string_view dash :
       {"\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x92", "\xe2\x80\x93", "\xe2\x80\x94",
        "\xe2\x80\x95", "\xe2\x88\x92"})
    if (sign == dash)
      return fmt::format("`{}` is a dash, not a minus sign. Replace it with -", sign);
  for (const std::string_view blank :
       {"\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\xaf", "\xe2\x80\x8b", "\xe3\x80\x80"})
    if (sign == blank)
      return "what looks like a space here is another character, copied from a web page or a word "
             "processor. Replace it with a plain space";
  return std::nullopt;
}

// Finds a macro in this line whose definition has an unintended mark: `#define BINS 7;`, `#define
// BINS = 7`. The mistake is at the definition.
struct WrongMacro {
  int line = 0;
  std::string name, message;
};
std::optional<WrongMacro> wrong_macro_in(const std::string& line, const SourceText& source,
                                         const std::string& text) {
  static const std::regex definition(R"(^\s*#\s*define\s+(\w+)\s+(=?)(.*?)(;?)\s*$)");
  if (std::ranges::none_of(source.macros(),
                           [&](const std::string& name) { return contains_word(line, {name}); }))
    return std::nullopt;
  constexpr std::size_t longest = 200;
  int looks = 100;
  std::istringstream lines(text);
  std::string defined;
  for (int number = 1; looks > 0 && std::getline(lines, defined); ++number) {
    std::smatch match;
    if (defined.size() > longest || defined.find("define") == std::string::npos || --looks < 0 ||
        !std::regex_match(defined, match, definition) ||
        (match[2].length() == 0 && match[4].length() == 0) ||
        !contains_word(line, {match[1].str()}))
      continue;
    const std::string wrong = match[2].length() != 0 ? "=" : ";";
    return WrongMacro{number, match[1].str(),
                      fmt::format("`{}` is replaced by everything after it, including this `{}`. A "
                                  "#define needs none: remove it",
                                  match[1].str(), wrong)};
  }
  return std::nullopt;
}

// "macro "BIN" passed 2 arguments, but takes just 1", and the like.
std::optional<std::string> wrong_macro_call(const std::string& message, const std::string& line) {
  static const std::regex unended(R"re(^unterminated argument list invoking macro "(\w+)")re");
  static const std::regex number(
      R"re(^macro "(\w+)" (?:passed (\d+) arguments, but takes just (\d+)|requires (?:at )re"
      R"re(least )?(\d+) arguments, but only (\d+) given))re");
  std::smatch match;
  if (std::regex_search(message, match, unended))
    return fmt::format(
        "the `(` after `{}` is never closed. Write a `)` where the arguments of this macro end",
        match[1].str());
  if (!std::regex_search(message, match, number)) return std::nullopt;
  const auto open = std::count(line.begin(), line.end(), '('),
             close = std::count(line.begin(), line.end(), ')');
  const std::string name = match[1].str();
  if (open > close)
    return fmt::format(
        "a `)` is missing on this line: it has {} `(` and {} `)`. Close the open `(`, after the "
        "arguments of `{}`",
        open, close, name);
  const std::string given = match[2].matched ? match[2].str() : match[5].str();
  const std::string wanted = match[3].matched ? match[3].str() : match[4].str();
  return fmt::format(
      "the macro `{}` takes {} argument{} but gets {}. Count the commas between its parentheses",
      name, wanted, wanted == "1" ? "" : "s", given);
}

// `extern "C"`, with other signs or inside of a function. `line`: with its strings.
std::optional<std::string> about_extern_c(const std::string& message, const std::string& line) {
  static const std::regex other(R"re(\bextern\s*('[cC]'|"c"|[cC]\b))re"),
      right(R"re(\bextern\s*"C")re");
  std::smatch match;
  const std::string beginning = line.substr(0, 200);
  if (std::regex_search(beginning, match, other))
    return fmt::format("`extern {}` is not C++. Write extern \"C\": a capital C in double quotes",
                       match[1].str());
  if (message.starts_with("expected unqualified-id before string constant") &&
      std::regex_search(beginning, right))
    return "extern \"C\" is allowed only outside functions. Move this line above the kernel";
  return std::nullopt;
}

// The head of a block in the words of Python: `if i < length:`.
std::optional<std::string> about_head(const std::string& message, const SourceText& source,
                                      int line) {
  static const std::regex head(R"(\b(if|for|while|switch)\b)");
  std::smatch match;
  const std::string code = source.code_line(line);
  const bool by_colon = begins_block_by_colon(source, line);
  if (message.starts_with("expected '(' before") && std::regex_search(code, match, head))
    return match[1] == "for" ? std::string{"a `for` has three parts in parentheses. Write for "
                                           "(begin; condition; step) {"}
                             : fmt::format("the condition of this `{0}` needs parentheses. Write "
                                           "{0} (condition) {{{1}",
                                           match[1].str(),
                                           by_colon ? ", and no `:`; a `}` ends the block" : "");
  if (message.starts_with("expected primary-expression before ':'") && by_colon)
    return "a block begins with `{` in C++, not with `:`. Write `{` in its place, and `}` where "
           "the block ends";
  return std::nullopt;
}

// `=<` and `=>`.
std::optional<std::string> about_swapped_comparison(const Diagnostic& diagnostic,
                                                    const SourceText& source) {
  static const std::regex sign(R"(^expected primary-expression before '([<>])' token)");
  std::smatch match;
  const std::size_t at = source.position(diagnostic.line, diagnostic.column);
  const bool follows_equals = at > 0 && at < source.code().size() && source.code()[at - 1] == '=';
  if (!follows_equals || !std::regex_search(diagnostic.message, match, sign)) return std::nullopt;
  return fmt::format("C++ has no `={0}`. Write `{0}=`", match[1].str());
}

}  // namespace

void explain_syntax(Diagnostic& diagnostic, const SourceText& source, const std::string& text) {
  static const std::regex semicolon(
      R"(^expected (?:',' or ';'|';') before '?([^']+?)'?(?: token)?$)");
  static const std::regex bracket(R"(^expected '([\])])' before (?:'([^']+)'(?: token)?|(.*)))");
  static const std::regex expression(R"(^expected primary-expression before '([^']+)')");
  static const std::regex terminator(R"(^missing terminating (['"]) character)");
  static const std::regex stray(
      R"(^(?:stray '([^']+)' in program|extended character (\S+) is not valid))");
  std::string& message = diagnostic.message;
  std::smatch match;
  const std::string line = source.code_line(diagnostic.line), words = message;
  if (const std::optional<std::string> capital = capital_keyword(line, source.macros());
      capital && is_of_syntax(message)) {
    std::string small = *capital;
    for (char& c : small) c = static_cast<char>(c | 0x20);
    return put(diagnostic, text, diagnostic.line, line.find(*capital) + 1,
               fmt::format("`{}` is not a C++ keyword: keywords are in lower case. Write `{}`",
                           *capital, small));
  }
  if (is_of_syntax(message))
    if (const std::optional<WrongMacro> macro = wrong_macro_in(line, source, text))
      return put(diagnostic, text, macro->line, line_of(text, macro->line).find(macro->name) + 1,
                 macro->message);
  std::optional<std::string> sign = about_extern_c(words, line_of(text, diagnostic.line));
  if (!sign) sign = about_head(words, source, diagnostic.line);
  if (!sign) sign = about_swapped_comparison(diagnostic, source);
  if (!sign && words.starts_with("storage class specified for parameter"))
    sign =
        "a parameter cannot be `__shared__`: a plain pointer may point to shared memory, too. "
        "Remove `__shared__`";
  if (sign) {
    message = std::move(*sign);
    return;
  }
  const bool of_names = words.find("not declared") != std::string::npos ||
                        words.starts_with("expected") || words.starts_with("invalid operands") ||
                        words.starts_with("no match for");
  if (of_names && has_lone_closer(diagnostic, source, text, diagnostic.line)) return;
  if (std::optional<std::string> macro = wrong_macro_call(words, line)) {
    message = std::move(*macro);
  } else if (words.starts_with("unterminated comment")) {
    message = "this comment never ends, so nothing below it is code. Write */ where it should end";
  } else if (std::regex_search(words, match, terminator)) {
    message = match[1].str() == "'" ? "this character has no closing '. Write one after it"
                                    : "this string has no closing \". Write one at its end";
  } else if (may_be_of_a_brace(diagnostic) &&
             std::count(source.code().begin(), source.code().end(), '{') !=
                 std::count(source.code().begin(), source.code().end(), '}')) {
    explain_brace(diagnostic, source, text);
  } else if (words.starts_with("expected '}' before 'else'")) {
    message = "a `}` is missing before this `else`. Write it where the block of the `if` ends";
  } else if (words.starts_with("lvalue required") && lacks_parenthesis(diagnostic, line, ";")) {
    return;
  } else if (words.starts_with("lvalue required") &&
             std::ranges::count(line, '[') > std::ranges::count(line, ']')) {
    message = "a `]` is missing on this line. Each `[` needs one, after the index";
  } else if (words.starts_with("a function-definition is not allowed here")) {
    message =
        "a function begins inside another one. Move it out, above the kernel; or add the missing "
        "`}` above it";
  } else if (words.starts_with("expected ';' after struct definition") ||
             words.starts_with("expected ';' after class definition")) {
    const Place place = end_of_code_before(source, text, diagnostic);
    put(diagnostic, text, place.line, place.column,
        "a `;` is missing after the `}` of this struct. Write it there");
  } else if (std::regex_search(words, match, semicolon)) {
    explain_semicolon(diagnostic, source, text, match[1].str());
  } else if (std::regex_search(words, match, bracket)) {
    const bool square = match[1].str() == "]";
    const std::string next = match[2].matched                       ? "`" + match[2].str() + "`"
                             : match[3].str() == "numeric constant" ? "this number"
                                                                    : "this " + match[3].str();
    message =
        square
            ? fmt::format("a `]` is missing before {}. Each `[` needs one, after the index", next)
            : fmt::format(
                  "something is missing before {}: a comma, an operator or a `)`. Count the "
                  "parentheses; if they match, look for the comma or operator",
                  next);
  } else if (std::regex_search(words, match, expression)) {
    const std::string next = match[1].str();
    const Place place = end_of_code_before(source, text, diagnostic);
    if (static const std::regex unended(R"(\breturn$)");
        place.line < diagnostic.line &&
        std::regex_search(without_blanks_behind(source.code_line(place.line)), unended))
      return put(
          diagnostic, text, place.line, place.column,
          "a `;` is missing at the end of this line. Write it: every statement ends with one");
    if (next == ";" && lacks_parenthesis(diagnostic, line, next)) return;
    if (next == ";" && std::ranges::count(line, '[') > std::ranges::count(line, ']')) {
      message = "a `]` is missing on this line. Each `[` needs one, after the index";
      return;
    }
    const bool format = next == "%" && line.find("printf") != std::string::npos;
    message =
        format ? "printf takes its format as a string. Write it in quotes: printf(\"%d\\n\", value)"
               : fmt::format(
                     "a value is missing before `{}`. Look to the left of it for an extra "
                     "operator, or a missing operand",
                     next);
  } else if (words.starts_with("'else' without a previous 'if'")) {
    message =
        "this `else` does not belong to an `if`. Remove the `;` before it, or put braces around "
        "the body of the `if`";
  } else if (words.starts_with("lvalue required as left operand of assignment")) {
    message = "`=` assigns, but its left side is not a variable. Write `==` to compare";
  } else if (std::regex_search(words, match, stray)) {
    const std::string sign = match[2].matched ? match[2].str() : match[1].str();
    const bool quote = text.find("\xe2\x80\x98") != std::string::npos ||
                       text.find("\xe2\x80\x9c") != std::string::npos ||
                       text.find("\xe2\x80\x99") != std::string::npos ||
                       text.find("\xe2\x80\x9d") != std::string::npos;
    if (const std::optional<std::string> meant = sign_meant(sign))
      message = *meant;
    else
      message = sign.front() != '@' && sign.front() != '#' && quote
                    ? "C++ does not accept curly quotes. Write a straight ' or \""
                    : fmt::format("`{}` is not valid here. Remove it", sign);
  } else if (words.starts_with("expected initializer before")) {
    const Place place = end_of_code_before(source, text, diagnostic);
    if (place.line == diagnostic.line) {
      message =
          "this line does not continue the code before it. Something is missing there, such as "
          "`=`, `(` or `;`";
    } else if (!has_lone_closer(diagnostic, source, text, place.line)) {
      const bool of_head = without_blanks_behind(source.code_line(place.line)).ends_with(')');
      put(diagnostic, text, place.line, place.column,
          of_head ? "a `{` is missing after this line. Write it where the block begins"
                  : std::string{missing_semicolon});
    }
  } else if (words.starts_with("expected unqualified-id before") ||
             words.starts_with("expected declaration before")) {
    message = "this is outside every function. Look above it for an extra `}`, or a missing `{`";
  }
}

}  // namespace histolab::kernels::worker
