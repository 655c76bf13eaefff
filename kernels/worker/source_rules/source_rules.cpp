#include "kernels/worker/source_rules/source_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {
namespace {

bool is_type_word(std::string_view word) {
  constexpr std::array words = {"const", "constexpr", "unsigned",  "int",  "char",
                                "float", "double",    "bool",      "auto", "long",
                                "short", "size_t",    "__shared__"};
  return std::ranges::find(words, word) != words.end();
}

// Returns whether a declaration gives its variable a value, by `=` or `{`. Array brackets, template
// arguments and the body of a type that is declared with it do not count. A parenthesis is an
// attribute or an expression, which g++ checks. It is a guess whether `<` in template arguments is
// a bracket or an operator; in both cases the declaration ends at its semicolon.
bool gives_a_value(std::string_view declaration) {
  std::string open;  // the brackets around a position
  // After `union` or the like and before the body; after the colon in there.
  bool type = false, derived = false;
  int names = 0;  // after `union`: a second name is the variable's
  for (std::size_t i = 0; i < declaration.size(); ++i) {
    const char c = declaration[i], around = open.empty() ? '\0' : open.back();
    if (is_word(c)) {
      const std::size_t begin = i;
      while (i + 1 < declaration.size() && is_word(declaration[i + 1])) ++i;
      if (!open.empty()) continue;
      const std::string_view word = declaration.substr(begin, i + 1 - begin);
      // After `__shared__ int s[7]` without `;`, the next statement may have an `=` for another
      // variable.
      const std::size_t last = declaration.substr(0, begin).find_last_not_of(" \t\r\n");
      const bool begins_line =
          last != std::string_view::npos &&
          declaration.substr(last, begin - last).find('\n') != std::string_view::npos;
      if (begins_line && (declaration[last] == ']' || is_type_word(word)) && names > 1)
        return false;
      if (word == "struct" || word == "class" || word == "union" || word == "enum") {
        type = true;
        derived = false;
        names = 0;
      } else {
        names += word != "final";
      }
    } else if (c == ';' && open.find_first_not_of('<') == std::string::npos) {
      return false;
    } else if (c == ')' || c == ']' || c == '}' ||
               (c == '>' && around == '<' && declaration[i - 1] != '-')) {
      if (open.empty()) return false;
      open.pop_back();
    } else if (!open.empty()) {
      if (c == '(' || c == '[' || c == '{' ||
          (c == '<' && around == '<' && is_word(declaration[i - 1])))
        open += c;
    } else if (c == '[' || c == '<') {
      open += c;
    } else if (c == ':') {
      derived |=
          type && names <= 1 && declaration.substr(i, 2) != "::" && declaration[i - 1] != ':';
    } else if (c == '{' && type && (derived || names <= 1)) {
      open += c;
      type = false;
    } else if (c == '=' || c == '{') {
      return true;
    } else if (c == '(') {
      return false;
    }
  }
  return false;
}

// A __shared__ variable must not be initialized.
void refuse_initial_values(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  for (const std::size_t at : source.find("__shared__")) {
    if (diagnostics.size() == most_diagnostics) return;
    if (!gives_a_value(std::string_view(source.code()).substr(at, longest_declaration))) continue;
    diagnostics.push_back({Severity::error, source.line(at), 0,
                           "a __shared__ variable cannot have an initial value: every block starts "
                           "with whatever is left in shared "
                           "memory. Write the values in the kernel, then __syncthreads()"});
  }
}

// A kernel must return void.
void refuse_results(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  static const std::vector<std::string> other_types = {
      "int", "unsigned", "long", "short", "char", "bool", "float", "double", "auto", "size_t"};
  for (const std::size_t at : source.find("__global__")) {
    if (diagnostics.size() == most_diagnostics) return;
    const std::string head = source.kernel_head(at);
    if (!contains_word(head, {"void"}) && contains_word(head, other_types))
      diagnostics.push_back(
          {Severity::error, source.line(at), 0,
           "a kernel returns nothing. Write `__global__ void` in front of its name"});
  }
}

// `__syncthreads;` only names the function. g++ and nvcc accept it, and no thread waits.
void refuse_calls_without_parentheses(const SourceText& source,
                                      std::vector<Diagnostic>& diagnostics) {
  const std::string& code = source.code();
  for (const std::string_view name :
       {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block"})
    for (const std::size_t at : source.find(name)) {
      if (diagnostics.size() == most_diagnostics) return;
      const std::size_t next = code.find_first_not_of(" \t\r\n", at + name.size());
      if (next == std::string::npos || code[next] != ';') continue;
      diagnostics.push_back(
          {Severity::error, source.line(at), 0,
           fmt::format("`{0};` only names the function and does not call it. Write `{0}();`",
                       name)});
    }
}

// The shim defines __shared__ as g++'s thread_local, so g++ could not distinguish them.
void refuse_thread_local(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  for (const std::string_view name : {"thread_local", "_Thread_local", "__thread"})
    for (const std::size_t at : source.find(name)) {
      if (diagnostics.size() == most_diagnostics) return;
      diagnostics.push_back(
          {Severity::error, source.line(at), 0,
           fmt::format("CUDA has no `{}` variables. Use a local variable for one thread, "
                       "or __shared__ for the threads of a block",
                       name)});
    }
}

// Returns whether a thread may leave this kernel before its end. Also true if that is unknown.
bool may_return_early(const SourceText& source, const std::string& kernel) {
  for (const std::size_t at : source.find("__global__")) {
    const std::string& code = source.code();
    const std::size_t open = source.kernel_name(at) == kernel && !source.is_prototype(at)
                                 ? code.find('{', at)
                                 : std::string::npos;
    if (open == std::string::npos) continue;
    std::size_t end = open;
    for (int depth = 0; end < code.size(); ++end) {
      depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::string body = code.substr(open, end - open);
    return contains_word(body, {"return"}) || contains_word(body, source.macros());
  }
  return true;
}

}  // namespace

std::vector<Diagnostic> refuse_source(const std::string& text) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  refuse_initial_values(source, diagnostics);
  refuse_results(source, diagnostics);
  refuse_calls_without_parentheses(source, diagnostics);
  refuse_thread_local(source, diagnostics);
  return diagnostics;
}

// A message without a line contains a name in backquotes. The diagnostic gets the line of the first
// occurrence of that name.
void locate(std::vector<Diagnostic>& diagnostics, const std::string& text) {
  const SourceText source(text);
  for (Diagnostic& diagnostic : diagnostics) {
    const std::size_t open = diagnostic.message.find('`');
    if (diagnostic.line != 0 || open == std::string::npos) continue;
    const std::string name = diagnostic.message.substr(
        open + 1, diagnostic.message.find_first_of("`(<", open + 1) - open - 1);
    const std::vector<std::size_t> places = source.find(name);
    if (!name.empty() && !places.empty()) diagnostic.line = source.line(places.front());
  }
}

void locate(std::vector<Finding>& findings, const std::string& text) {
  const SourceText source(text);
  const auto set_line = [&](Finding& finding, std::string_view word) {
    if (const auto places = source.find(word); !places.empty())
      finding.line = source.line(places.front());
  };
  for (Finding& finding : findings) {
    if (finding.line == 0 && finding.kind == FindingKind::shared_memory_limit)
      set_line(finding, "__shared__");
    if (finding.line == 0 && finding.kind == FindingKind::invalid_launch)
      set_line(finding, "__launch_bounds__");
  }
}

void judge_ended_lanes(std::vector<Finding>& findings, const std::string& text,
                       const std::string& kernel) {
  const auto is_note = [](const Finding& f) {
    return f.kind == FindingKind::invalid_mask && f.severity == Severity::note;
  };
  if (std::none_of(findings.begin(), findings.end(), is_note)) return;
  if (!may_return_early(SourceText(text), kernel))
    for (Finding& finding : findings)
      if (is_note(finding) && finding.other_thread) finding.severity = Severity::error;
  std::vector<int> wrong_lines;
  for (const Finding& finding : findings)
    if (finding.kind == FindingKind::invalid_mask && !is_note(finding))
      wrong_lines.push_back(finding.line);
  std::erase_if(findings, [&](const Finding& f) {
    return is_note(f) &&
           std::find(wrong_lines.begin(), wrong_lines.end(), f.line) != wrong_lines.end();
  });
}

}  // namespace histolab::kernels::worker
