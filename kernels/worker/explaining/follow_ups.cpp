#include "kernels/worker/explaining/follow_ups.h"

#include <algorithm>
#include <regex>
#include <string>

#include "kernels/worker/explaining/explain_names.h"

namespace histolab::kernels::worker {
namespace {

bool is_error(const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; }
bool begins_with(const Diagnostic& diagnostic, std::string_view words) {
  return diagnostic.message.starts_with(words);
}

std::string undeclared_name(const std::string& message) {
  static const std::regex undeclared(R"(^'(\w+)' (?:was not declared|does not name a type))");
  std::smatch match;
  return std::regex_search(message, match, undeclared) ? match[1].str() : std::string{};
}

bool is_of_the_host(const Diagnostic& diagnostic, const SourceText& source) {
  if (undeclared_name(diagnostic.message).starts_with("cuda")) return true;
  const bool of_a_launch = begins_with(diagnostic, "expected primary-expression before '<'") ||
                           begins_with(diagnostic, "expected primary-expression before '>'");
  return of_a_launch && source.text_of_line(diagnostic.line).find("<<<") != std::string::npos;
}

// Does no function end between the two positions? A closing brace belongs to its function.
bool in_one_function(const SourceText& source, std::size_t from, std::size_t to) {
  int depth = 0;
  for (std::size_t at = 0; at < to; ++at) {
    const char c = source.code()[at];
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == '}' && depth == 0 && at >= from) return false;
  }
  return true;
}

// Does the parser report `later` only because it is still inside the bracket that `known` is about?
bool is_within_the_bracket(const Diagnostic& later, const Diagnostic& known,
                           const SourceText& source) {
  static constexpr std::string_view lost[] = {"expected primary-expression before",
                                              "expected ')' before",
                                              "expected '(' before",
                                              "expected ']' before",
                                              "'else' without a previous",
                                              "could not convert"};
  if (!begins_with(known, "expected") || later.line < known.line ||
      std::ranges::none_of(lost, [&](std::string_view words) { return begins_with(later, words); }))
    return false;
  const auto place = [&](const Diagnostic& each) {
    return source.position(each.line, each.column);
  };
  const auto is_open = [&](const Diagnostic& each) {
    return source.unclosed_before(place(each)) != std::string::npos;
  };
  return is_open(known) && !is_open(later) && in_one_function(source, place(known), place(later));
}

bool is_of_syntax(const Diagnostic& diagnostic) {
  return begins_with(diagnostic, "expected") || begins_with(diagnostic, "missing terminating") ||
         begins_with(diagnostic, "stray");
}

// Does the parser no longer know a name only because it lost its way at `known`? The braces say
// that the name is declared, or its declaration is in the text that an open quote has swallowed.
bool is_lost_name(const Diagnostic& later, const Diagnostic& known, const SourceText& source) {
  const std::string name = undeclared_name(later.message);
  if (name.empty() || !is_of_syntax(known) || known.line >= later.line) return false;
  const std::vector<std::size_t> declarations = declarations_of(name, source);
  if (declarations.empty()) return begins_with(known, "missing terminating");
  const std::size_t use = source.position(later.line, later.column);
  return std::ranges::any_of(declarations,
                             [&](std::size_t at) { return source.in_scope(at, use); });
}

// Is it only known because the head of a block, or of a function, was not understood?
bool is_within_lost_head(const Diagnostic& later, const Diagnostic& known,
                         const SourceText& source) {
  const bool of_block =
      begins_with(known, "expected '(' before") || begins_block_by_colon(source, known.line);
  if (!of_block && !begins_with(known, "storage class specified for parameter")) return false;
  const auto place = [&](const Diagnostic& each) {
    return source.position(each.line, each.column);
  };
  return later.line > known.line &&
         (in_one_function(source, place(known), place(later)) || may_be_of_a_brace(later));
}

bool braces_agree(const SourceText& source) {
  const std::string& code = source.code();
  return std::ranges::count(code, '{') == std::ranges::count(code, '}');
}

// Does the parser believe that a block or a function has ended, although the braces of the file
// agree?
bool is_lost_block(const Diagnostic& later, const Diagnostic& known, const SourceText& source) {
  static constexpr std::string_view lost[] = {
      "expected '}' before", "expected declaration before '}'", "expected unqualified-id before",
      "expected constructor, destructor", "expected initializer before"};
  const bool is_known = begins_with(known, "expected") || begins_with(known, "lvalue required");
  return is_known && known.line < later.line && braces_agree(source) &&
         std::ranges::any_of(lost,
                             [&](std::string_view words) { return begins_with(later, words); });
}

// Is it a statement that the parser reads as the rest of the one before, whose `;` is missing?
bool continues_statement(const Diagnostic& later, const Diagnostic& known,
                         const SourceText& source) {
  static const std::regex semicolon(R"(^expected (?:',' or )?';' before '(\w+)')");
  std::smatch match;
  if (!is_of_syntax(later) || known.line >= later.line ||
      !std::regex_search(known.message, match, semicolon))
    return false;
  const std::string code = source.code_line(later.line);
  return code.compare(std::min(code.find_first_not_of(" \t"), code.size()), match[1].length(),
                      match[1].str()) == 0;
}

// Is it another sign of what `known` says?
bool follows(const Diagnostic& later, const Diagnostic& known, const SourceText& source) {
  if (later.line == known.line && later.line > 0) return true;
  if (begins_with(known, "missing terminating") && begins_with(later, "expected") &&
      later.line > known.line)
    return true;
  if (begins_with(known, "expected") &&
      begins_with(later, "expected primary-expression before '}'") && later.line == known.line + 1)
    return true;
  if (is_within_the_bracket(later, known, source) || is_lost_name(later, known, source) ||
      is_within_lost_head(later, known, source) || is_lost_block(later, known, source) ||
      continues_statement(later, known, source))
    return true;
  return is_of_the_host(known, source) && is_of_the_host(later, source);
}

// Returns whether the name's declaration is in a line with an error of its own, reported or not.
bool is_declared_in_error(const Diagnostic& later, const Diagnostic& known,
                          const SourceText& source) {
  const std::string name = undeclared_name(later.message);
  return !name.empty() && known.line > 0 && known.line < later.line &&
         contains_word(source.text_of_line(known.line), {name});
}

constexpr std::string_view unended_macro = "unterminated argument list invoking macro \"";

// g++ reports it at the end of the file. Moves it to the macro's use, whose `(` is never closed.
void find_unended_macro(Diagnostic& diagnostic, const SourceText& source) {
  if (!begins_with(diagnostic, unended_macro)) return;
  std::string name = diagnostic.message.substr(unended_macro.size());
  name = name.substr(0, name.find('"'));
  const std::string& code = source.code();
  for (const std::size_t at : source.find(name)) {
    const std::size_t open = code.find_first_not_of(" \t\r\n", at + name.size());
    if (open == std::string::npos || code[open] != '(') continue;
    int depth = 0;
    std::size_t end = open;
    for (; end < code.size() && (end == open || depth > 0); ++end)
      depth += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
    if (depth == 0) continue;
    diagnostic.line = source.line(at);
    diagnostic.column = 0;
    return;
  }
}

// Returns the first diagnostic that changes the meaning of everything after it, or nullptr. Earlier
// lines are not affected.
const Diagnostic* first_that_hides_all(const std::vector<Diagnostic>& diagnostics,
                                       const SourceText& source) {
  const auto comment =
      std::find_if(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& d) { return begins_with(d, "unterminated comment"); });
  if (comment != diagnostics.end()) return &*comment;
  const auto macro = std::ranges::find_if(
      diagnostics, [](const Diagnostic& d) { return begins_with(d, unended_macro); });
  if (macro != diagnostics.end()) return &*macro;
  if (braces_agree(source)) return nullptr;
  const auto brace = std::find_if(diagnostics.begin(), diagnostics.end(), may_be_of_a_brace);
  return brace == diagnostics.end() ? nullptr : &*brace;
}

// Drops errors in the rest of a line that only follow from a missing sign: `coarsening_factor ++k`,
// `&(histo[b], 1)`, `int c = data i];`.
void drop_before_syntax(std::vector<Diagnostic>& diagnostics) {
  const std::vector<Diagnostic> all = diagnostics;
  std::erase_if(diagnostics, [&](const Diagnostic& each) {
    const bool of_rest = begins_with(each, "lvalue required") ||
                         begins_with(each, "invalid conversion") ||
                         begins_with(each, "invalid operands") ||
                         each.message.find("of read-only") != std::string::npos;
    return of_rest && std::ranges::any_of(all, [&](const Diagnostic& other) {
             return other.line == each.line && begins_with(other, "expected");
           });
  });
}

}  // namespace

bool begins_block_by_colon(const SourceText& source, int line) {
  static const std::regex head(R"(^\s*(?:\}\s*)?(?:if|else|for|while)\b.*:\s*$)");
  return line > 0 && std::regex_search(source.code_line(line), head);
}

bool may_be_of_a_brace(const Diagnostic& diagnostic) {
  for (const char* words : {"expected '}' at end of input", "expected declaration before '}'",
                            "expected unqualified-id before", "expected initializer before",
                            "a function-definition is not allowed here"})
    if (begins_with(diagnostic, words)) return is_error(diagnostic);
  return false;
}

void drop_follow_ups(std::vector<Diagnostic>& diagnostics, const SourceText& source) {
  drop_before_syntax(diagnostics);
  std::erase_if(diagnostics, [](const Diagnostic& d) {
    return d.message.find("attribute ignored because") != std::string::npos;
  });
  for (Diagnostic& each : diagnostics) find_unended_macro(each, source);
  if (const Diagnostic* found = first_that_hides_all(diagnostics, source)) {
    const Diagnostic first = *found;
    std::erase_if(diagnostics, [&](const Diagnostic& d) {
      const bool of_its_own =
          begins_with(d, "expected ';'") || begins_with(d, "expected ',' or ';'") ||
          begins_with(d, "missing terminating") || begins_with(d, "expected '(' before") ||
          begins_block_by_colon(source, d.line);
      return is_error(d) && d.message != first.message && !(of_its_own && d.line < first.line);
    });
  }
  std::vector<Diagnostic> kept;
  for (const Diagnostic& each : diagnostics) {
    const auto is_told_by = [&](const Diagnostic& known) {
      return is_error(known) && follows(each, known, source);
    };
    const auto declares_it = [&](const Diagnostic& known) {
      return is_error(known) && is_declared_in_error(each, known, source);
    };
    const bool told =
        is_error(each) && (std::any_of(kept.begin(), kept.end(), is_told_by) ||
                           std::any_of(diagnostics.begin(), diagnostics.end(), declares_it));
    if (!told) kept.push_back(each);
  }
  diagnostics = std::move(kept);
}

}  // namespace histolab::kernels::worker
