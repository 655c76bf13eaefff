#include "kernels/worker/explaining/explain_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

namespace histolab::kernels::worker {
namespace {

using Explanation = std::optional<std::string>;

// Limits the occurrences of a name that are read: a hostile source may repeat it half a million
// times.
constexpr std::size_t most_places = 200;
std::vector<std::size_t> first_places(const std::string& name, const SourceText& source) {
  std::vector<std::size_t> places = source.find(name);
  if (places.size() > most_places) places.resize(most_places);
  return places;
}

int line_of_declaration(const std::string& name, const SourceText& source) {
  const std::vector<std::size_t> places = declarations_of(name, source);
  return places.empty() ? 0 : source.line(places.front());
}

bool is_all_capitals(const std::string& name) {
  return name.size() > 1 && std::none_of(name.begin(), name.end(),
                                         [](unsigned char c) { return std::islower(c) != 0; });
}

// A type that C or another language has, or that is spelt in another way.
bool sounds_like_a_number(const std::string& name) {
  static const std::regex number(
      R"(u?_?int_?(8|16|32|64)?(_t)?|u(8|16|32|64)|[ui](8|16|32|64)|uchar|ushort|ulong|byte|word)"
      R"(|dword|integer|boolean)",
      std::regex::icase);
  return std::regex_match(name, number);
}

bool is_in_scope(const std::string& name, int line, const SourceText& source) {
  const std::size_t use = source.position(line, 1);
  return std::ranges::any_of(declarations_of(name, source),
                             [&](std::size_t at) { return source.in_scope(at, use); });
}

// The `if`, `else` or loop without braces whose only statement is the declaration of the name at
// `at`.
struct BareHead {
  std::string_view word;
  int line = 0;  // 0 if not found
};
BareHead bare_head_of(std::size_t at, const SourceText& source) {
  constexpr std::size_t longest = 2000;
  const std::string_view code = source.code();
  const std::size_t first = at - std::min(at, longest);
  const auto word_before = [&](std::size_t end) {
    while (end > first && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
    std::size_t begin = end;
    while (begin > first && is_word(code[begin - 1])) --begin;
    return code.substr(begin, end - begin);
  };
  std::size_t end = at;
  for (; end > first && code[end - 1] != ')'; --end) {
    if (is_word(code[end - 1])) {
      const std::string_view word = word_before(end);
      if (word == "else" || word == "do") return {word, source.line(end - 1)};
      end -= word.size() - 1;
    } else if (std::string_view(" \t\r\n*&").find(code[end - 1]) == std::string_view::npos) {
      return {};
    }
  }
  int depth = 0;
  while (end > first) {
    --end;
    depth += code[end] == ')' ? 1 : code[end] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::string_view word = word_before(end);
  const bool is_head = word == "if" || word == "for" || word == "while";
  return depth == 0 && is_head ? BareHead{word, source.line(end)} : BareHead{};
}

// Is it a name that a student can have meant? g++ also offers functions of the C library for a
// variable. `declares`: another name follows it, as behind a type.
bool may_be_meant(const std::string& near, bool called, bool declares, const SourceText& source) {
  static const std::regex of_cuda(
      R"((thread|block)Idx|(block|grid)Dim|warpSize|dim3|atomic\w+|__\w+)");
  static const std::regex of_the_language(
      R"(unsigned|signed|const|constexpr|int|char|short|long|float|double|bool|void|auto|static)"
      R"(|struct|return|size_t|u?int\d+_t)");
  static const std::regex statements_and_values(R"(break|continue|true|false|nullptr|NULL|sizeof)");
  return called || std::regex_match(near, of_cuda) ||
         std::regex_match(near, statements_and_values) ||
         (declares && std::regex_match(near, of_the_language)) || !source.find(near).empty();
}

Explanation about_undeclared(const std::string& message, const std::string& line, int number,
                             const SourceText& source) {
  static const std::regex undeclared(
      R"(^'(\w+)' (?:was not declared in this scope|does not name a type)(?:; did you mean )"
      R"('(\w+)'\?)?)");
  std::smatch match;
  if (!std::regex_search(message, match, undeclared)) return std::nullopt;
  const std::string name = match[1].str(), near = match[2].str();
  if (sounds_like_a_number(name))
    return fmt::format("`{}` is not a type here. Write `unsigned int`, or another C++ type", name);
  if (name == "string") return "a kernel cannot use std::string. Use an array of char";
  if (name.starts_with("atomic") && near.empty())
    return fmt::format("CUDA has no function `{}`. Use atomicAdd(address, value) or a related one",
                       name);
  const int declared = line_of_declaration(name, source);
  const std::size_t at = line.find(name);
  const bool called = at != std::string::npos && at + name.size() < line.size() &&
                      line[line.find_first_not_of(' ', at + name.size()) == std::string::npos
                               ? at
                               : line.find_first_not_of(' ', at + name.size())] == '(';
  if (declared > number)
    return called ? fmt::format("`{}` is defined below, on line {}. Move it above its first use",
                                name, declared)
                  : fmt::format("`{}` is declared below, on line {}. Declare it before it is used",
                                name, declared);
  if (declared > 0 && declared < number && !is_in_scope(name, number, source))
    return fmt::format(
        "`{}` is declared on line {}, in a block that has ended. Declare it in the block that "
        "contains both lines, or check for a brace in the wrong place",
        name, declared);
  if (declared > 0 && declared < number)
    if (const BareHead head = bare_head_of(declarations_of(name, source).front(), source);
        head.line > 0)
      return fmt::format(
          "`{0}` is declared on line {1}, and only line {1} belongs to the `{2}` above it. Put {{ "
          "and }} around all lines of the `{2}`",
          name, declared, head.word);
  const std::size_t behind =
      at == std::string::npos ? at : line.find_first_not_of(" \t*&", at + name.size());
  const bool declares = behind != std::string::npos && is_word(line[behind]);
  if (!near.empty() && may_be_meant(near, called, declares, source))
    return fmt::format("`{}` is not declared here. Did you mean `{}`?", name, near);
  if (is_all_capitals(name))
    return fmt::format(
        "`{0}` is a constant that nothing in this file defines. Define it above the kernel: "
        "constexpr unsigned int {0} = ...;",
        name);
  if (called)
    return fmt::format(
        "`{}` is not a function in this file or in CUDA. Define it above the kernel, with "
        "__device__, or correct its name",
        name);
  if (declared == 0 && line.find_first_not_of(" \t") == at &&
      std::regex_search(line, std::regex(R"(^\s*\w+\s*=[^=])")))
    return fmt::format("`{0}` is set here but not declared. Give it a type: unsigned int {0} = ...",
                       name);
  return fmt::format("`{}` is not declared here. Declare it before this line, or correct its name",
                     name);
}

Explanation about_constants(const std::string& message, const SourceText& source) {
  static const std::regex variable(
      R"(^(?:assignment|increment|decrement) of read-only variable '(\w+)')");
  static const std::regex parameter(
      R"(^(?:assignment|increment|decrement) of read-only (?:parameter|reference) '(\w+)')");
  static const std::regex location(
      R"(^(?:assignment|increment|decrement) of read-only location '(\w+))");
  std::smatch match;
  if (!std::regex_search(message, match, variable) &&
      !std::regex_search(message, match, parameter) && !std::regex_search(message, match, location))
    return std::nullopt;
  const std::string name = match[1].str();
  const int declared = line_of_declaration(name, source);
  return fmt::format(
      "`{}` is const and cannot be changed. Remove `const` where it is declared{}, or change a "
      "copy",
      name, declared > 0 ? fmt::format(" (line {})", declared) : "");
}

// The length of a list of types that is not empty. A type can have commas, too: Pair<int, float>.
int count_parameters(std::string_view list) {
  int parameters = 1, depth = 0;
  for (const char c : list) {
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    parameters += c == ',' && depth == 0;
  }
  return parameters;
}

// "'int bin_of(const char*, unsigned int)'": its name, and its parameters.
Explanation about_calls(const std::string& message) {
  static const std::regex count(
      R"(^too (few|many) arguments to function '(?:[^'(]*[ *&])?(\w+)\(([^']*)\)')");
  static const std::regex no_function(R"(^'(\w+)' cannot be used as a function)");
  static const std::regex conversion(R"(^invalid conversion from '([^']+)' to '([^']+)')");
  static const std::regex subscript(R"(^invalid types '(.+)\[([^\[\]]*)\]' for array subscript)");
  static const std::regex operands(
      R"(^invalid operands of types '([^']+)' and '([^']+)' to binary 'operator([^']+)')");
  static const std::regex member(R"(^'[^']*uint3' has no member named '(\w+)')");
  static const std::regex dereference(R"(^invalid type argument of unary '\*' \(have '([^']+)'\))");
  std::smatch match;
  if (std::regex_search(message, match, dereference))
    return fmt::format(
        "`*` takes an address, but a value ({}) follows it here. Remove the `*`: [...] already "
        "selects the element",
        match[1].str());
  if (std::regex_search(message, match, count)) {
    const std::string parameters = match[3].str();
    if (parameters.empty())
      return fmt::format("`{0}` takes no arguments. Leave its parentheses empty: {0}()",
                         match[2].str());
    return fmt::format(
        "`{0}` gets too {1} arguments: it is {0}({2}). Pass {3}, one for each parameter, in this "
        "order",
        match[2].str(), match[1].str(), parameters, count_parameters(parameters));
  }
  if (std::regex_search(message, match, no_function))
    return fmt::format(
        "`{0}` is not a function. Write {0}[...] for an element, or the `*` of a product",
        match[1].str());
  if (std::regex_search(message, match, conversion)) {
    const bool from = match[1].str().ends_with('*'), to = match[2].str().ends_with('*');
    const std::string kinds =
        fmt::format("of type {} cannot be converted to {}", match[1].str(), match[2].str());
    if (from && !to)
      return fmt::format(
          "an address {}. Select an element with [...], or check the order of the arguments",
          kinds);
    if (to && !from)
      return fmt::format(
          "a number {}. Are the arguments in the order of the declaration? Otherwise pass an "
          "address of that type",
          kinds);
    if (match[1].str() == "void*")
      return fmt::format("a pointer {} implicitly. Write a cast: ({})", kinds, match[2].str());
    return fmt::format("a pointer {}. Pass one of the required type{}", kinds,
                       match[1].str().starts_with("const ") ? ": const data must stay const" : "");
  }
  if (std::regex_search(message, match, subscript)) {
    const std::string of = match[1].str(), index = match[2].str();
    const bool has_elements = of.ends_with('*') || of.ends_with(']');
    if (has_elements && index.ends_with('*'))
      return fmt::format(
          "an index must be an integer, but this one is an address ({}). Use the value it points "
          "to: is an index [...] or a `*` missing?",
          index);
    if (has_elements)
      return fmt::format(
          "an index must be an integer, but this one is a {}. Divide by an integer, or convert it: "
          "(int)",
          index);
    return fmt::format(
        "[...] selects an element of an array, but here it follows a number ({}). Is a `*` missing "
        "where it is declared, or did you mean another name?",
        of);
  }
  if (std::regex_search(message, match, operands)) {
    const bool text = message.find("const char [") != std::string::npos;
    if (text)
      return "\"a\" in double quotes is a string, which is an array. Write the character in single "
             "quotes: 'a'";
    return fmt::format(
        "`{}` cannot combine {} and {}. Check the types of both sides: is an index [...] missing?",
        match[3].str(), match[1].str(), match[2].str());
  }
  if (std::regex_search(message, match, member))
    return fmt::format(
        "threadIdx, blockIdx, blockDim and gridDim have no member `{}`. Write x, y or z, in lower "
        "case",
        match[1].str());
  return std::nullopt;
}

Explanation about_second_declarations(const std::string& message, int number,
                                      const SourceText& source) {
  static const std::regex function(R"(^redefinition of '(?:[^'(]*[ *&])?(\w+)\()");
  static const std::regex variable(
      R"(^(?:redeclaration of|redefinition of|conflicting declaration) '(?:[^'(]*[ )"
      R"(*&])?(\w+)(?:\s*\[\d*\])?'?)");
  std::smatch match;
  const bool of_function = std::regex_search(message, match, function);
  if (!of_function && !std::regex_search(message, match, variable)) return std::nullopt;
  const std::string name = match[1].str();
  int first = 0;
  for (const std::size_t at : first_places(name, source))
    if (first == 0 && source.line(at) < number &&
        (of_function ? source.defines_function(at, name.size()) : true))
      first = source.line(at);
  const std::string where = first > 0 ? fmt::format(", first on line {}", first) : "";
  if (of_function)
    return fmt::format("`{}` is defined twice{}. Remove one of the two", name, where);
  return fmt::format(
      "`{}` is declared twice{}. To set it again, write it without its type; otherwise use another "
      "name",
      name, where);
}

}  // namespace

std::vector<std::size_t> declarations_of(const std::string& name, const SourceText& source) {
  static const std::regex type(
      R"((?:\b(?:unsigned|int|char|float|double|bool|auto|long|short|size_t|u?int\d+_t)"
      R"(|constexpr)\b[\s*&]*)$)");
  std::vector<std::size_t> declarations;
  for (const std::size_t at : first_places(name, source)) {
    const std::string before = source.declaration_before(at);
    if (std::regex_search(before.size() > 200 ? before.substr(before.size() - 200) : before, type))
      declarations.push_back(at);
  }
  return declarations;
}

std::optional<std::string> about_names(const std::string& message, const std::string& line,
                                       int number, const SourceText& source) {
  if (Explanation found = about_undeclared(message, line, number, source)) return found;
  if (Explanation found = about_constants(message, source)) return found;
  if (Explanation found = about_second_declarations(message, number, source)) return found;
  if (message.starts_with("return-statement with a value, in function returning 'void'"))
    return "a value is returned, but a kernel, like every void function, returns nothing. Write "
           "`return;`, and write results to the output";
  return about_calls(message);
}

}  // namespace histolab::kernels::worker
