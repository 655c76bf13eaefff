#include "kernels/worker/source_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string_view>

namespace histolab::kernels::worker {
namespace {

int line_at(const std::string& text, std::size_t position) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size())), '\n'));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Positions of a whole word.
std::vector<std::size_t> find_words(const std::string& text, std::string_view word) {
  std::vector<std::size_t> found;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) found.push_back(at);
  }
  return found;
}

std::string source_line(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) begin = text.find('\n', begin) + 1;
  return begin >= text.size() ? std::string() : text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string without_comments(const std::string& text) {
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

std::vector<Diagnostic> refuse_source(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  const std::string code = without_comments(text);
  for (const std::size_t at : find_words(code, "__shared__")) {
    const std::size_t end = code.find_first_of(";={(", at);
    // `= ` or `{` before the semicolon is an initial value; a parenthesis is an attribute or an expression: g++ will say.
    if (end == std::string::npos || code[end] == ';' || code[end] == '(') continue;
    diagnostics.push_back({Severity::error, line_at(code, at), 0,
                           "a __shared__ variable cannot have an initial value: every block starts with whatever is left in shared "
                           "memory. Write the values in the kernel, then __syncthreads()"});
  }
  // A kernel's declaration, from the end of what stands before it to its parameters, says void.
  for (const std::size_t at : find_words(code, "__global__")) {
    const std::size_t before = code.find_last_of(";{}", at);
    std::string declaration = code.substr(before == std::string::npos ? 0 : before + 1);
    declaration = std::regex_replace(declaration.substr(0, declaration.find('{')), std::regex(R"(__launch_bounds__\s*\([^)]*\))"), "");
    if (find_words(declaration.substr(0, declaration.find('(')), "void").empty() && declaration.find('(') != std::string::npos)
      diagnostics.push_back({Severity::error, line_at(code, at), 0, "a kernel returns nothing: write `__global__ void` in front of its name"});
  }
  return diagnostics;
}

void explain(std::vector<Diagnostic>& diagnostics, const std::string& text) {
  static const std::regex built_in(R"(\b(threadIdx|blockIdx|blockDim|gridDim)\b(?!\s*\.))");
  static const std::regex undeclared(R"('(cuda\w+|malloc|free|new|main|std)'.* (was not declared|has not been declared))");
  const std::string code = without_comments(text);
  for (Diagnostic& diagnostic : diagnostics) {
    std::smatch match;
    const std::string line = source_line(code, diagnostic.line);
    if (diagnostic.message.find("uint3") != std::string::npos && std::regex_search(line, match, built_in)) {
      diagnostic.message = fmt::format("{} is a triple (x, y, z), not a number: write {}.x", match[1].str(), match[1].str());
    } else if (std::regex_search(diagnostic.message, match, undeclared)) {
      diagnostic.message += "; a submission holds device code only: the harness allocates, copies and launches";
    }
  }
}

// A message without a line begins with, or is about, a name in backquotes: its first place in the code is meant.
void locate(std::vector<Diagnostic>& diagnostics, const std::string& text) {
  const std::string code = without_comments(text);
  for (Diagnostic& diagnostic : diagnostics) {
    const std::size_t open = diagnostic.message.find('`');
    if (diagnostic.line != 0 || open == std::string::npos) continue;
    const std::string name = diagnostic.message.substr(open + 1, diagnostic.message.find_first_of("`(<", open + 1) - open - 1);
    const std::vector<std::size_t> places = find_words(code, name);
    if (!name.empty() && !places.empty()) diagnostic.line = line_at(code, places.front());
  }
}

void locate(std::vector<Finding>& findings, const std::string& text) {
  const std::string code = without_comments(text);
  const std::vector<std::size_t> places = find_words(code, "__shared__");
  for (Finding& finding : findings)
    if (finding.line == 0 && finding.kind == FindingKind::shared_memory_limit && !places.empty()) finding.line = line_at(code, places.front());
}

}  // namespace histolab::kernels::worker
