#include "kernels/worker/explaining/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "kernels/worker/explaining/explain_names.h"
#include "kernels/worker/explaining/explain_syntax.h"
#include "kernels/worker/explaining/follow_ups.h"
#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/source/source_text.h"
#include "kernels/worker/source_rules/forbidden.h"

namespace histolab::kernels::worker {
namespace {

using Explanation = std::optional<std::string>;

constexpr const char* device_code_only = "a submission contains only GPU code (device code)";
constexpr const char* uses_library_memory =
    "a kernel can allocate memory only with malloc and new, not through std::vector or "
    "std::string. Use an array of fixed size";

Explanation about_built_ins(const std::string& message, const std::string& line) {
  static const std::regex whole(R"(\b(threadIdx|blockIdx|blockDim|gridDim)\b(?!\s*\.))");
  static const std::regex any(R"(\b(threadIdx|blockIdx|blockDim|gridDim)\b)");
  std::smatch match;
  if (message.find("read-only") != std::string::npos &&
      message.find("uint3") != std::string::npos && std::regex_search(line, match, any))
    return fmt::format(
        "{} is set by the launch and cannot be changed. Copy it into a variable of your own",
        match[1].str());
  if (message.find("uint3") != std::string::npos && std::regex_search(line, match, whole))
    return fmt::format("{0} is a triple (x, y, z), not a number. Write {0}.x", match[1].str());
  return std::nullopt;
}

// Explains an unsuitable type of the first argument. Returns nullopt if it is a pointer to
// something writable.
Explanation about_address(const std::string& name, const std::string& type) {
  if (!type.ends_with('*'))
    return name + " takes the address of what it updates. Write & in front of its first argument";
  if (type.starts_with("const "))
    return name +
           " changes the value at its address, but that value is const here. Pass it the address "
           "of an output";
  if (type.starts_with("volatile "))
    return name +
           " does not take a pointer to volatile. Declare the variable that it updates without "
           "volatile";
  return std::nullopt;
}

Explanation about_atomics(const std::string& message, const std::string& line) {
  static const std::regex call(R"(^no matching function for call to '(atomic\w+)\(([^()]*)\)')");
  static const std::regex conversion(
      R"(^invalid conversion from '([^']*)' to '(?!const )[^']*\*')");
  static const std::regex used(R"(\b(atomic\w+)\s*\()");
  std::smatch match, name_match;
  if (std::regex_search(message, match, conversion) && std::regex_search(line, name_match, used))
    return about_address(name_match[1].str(), match[1].str());
  if (!std::regex_search(message, match, call)) return std::nullopt;
  const std::string name = match[1].str(), arguments = match[2].str();
  const bool compares = name.starts_with("atomicCAS");
  const auto count =
      arguments.empty() ? 0 : 1 + std::count(arguments.begin(), arguments.end(), ',');
  if (count != (compares ? 3 : 2))
    return name +
           (compares
                ? " takes three arguments. Pass it an address, the expected value and the new value"
                : " takes two arguments. Pass it an address and a value");
  std::string type = arguments.substr(0, arguments.find(','));
  if (count == 2 && type.find('*') == std::string::npos && arguments.find('*') != std::string::npos)
    return name + " takes the address first. Write " + name + "(address, value)";
  while (type.ends_with('&')) type.pop_back();
  if (Explanation wrong_address = about_address(name, type)) return wrong_address;
  type.pop_back();
  if (type.ends_with('*'))
    return fmt::format(
        "{} gets the address of a pointer here. Remove the &, or name the element to update, as in "
        "&histo[bin]",
        name);
  if (compares && (type == "float" || type == "double"))
    return fmt::format(
        "{} compares and swaps bits, not a {}. Cast the address to a pointer to an integer of the "
        "same size, and convert values with {}",
        name, type,
        type == "float" ? "__float_as_uint and __uint_as_float"
                        : "__double_as_longlong and __longlong_as_double");
  return fmt::format("{} has no overload for {}: it works on whole words. Count in unsigned int",
                     name, type);
}

// Explains messages for which the message itself is enough.
// CUDA's words in other spelling.
Explanation about_spelling(const std::string& message) {
  static const std::regex underscores(
      R"('_{0,2}(shared|global|device|constant|synch?_?threads?|syncwarp|threadfence)_{0,2}'.* )"
      R"((was not declared|does not name a type|has not been declared))",
      std::regex::icase);
  std::smatch match;
  if (!std::regex_search(message, match, underscores)) return std::nullopt;
  const std::string written = message.substr(1, message.find('\'', 1) - 1);
  std::string word = match[1].str();
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (word.starts_with("sync") && word != "syncwarp") word = "syncthreads";
  const bool called = word.starts_with("sync") || word.starts_with("thread");
  return called ? fmt::format("CUDA has no `{}`. Write `__{}()`, with two underscores in front",
                              written, word)
                : fmt::format(
                      "CUDA has no `{}`. Write `__{}__`, in lower case with two underscores on "
                      "each side",
                      written, word);
}

Explanation about_words(const std::string& message, const std::string& line) {
  static const std::regex undeclared(
      R"('(cuda\w+|malloc|free|new|main|std)'.* (was not declared|has not been declared))");
  static const std::regex no_file(R"(^(\S+): No such file or directory)");
  static const std::regex not_in_std(
      R"(^'(\w+)' (is not a member of 'std'|in namespace 'std' does not name))");
  static const std::regex const_target(R"(read-only location '\*\s*\(?(\w+))");
  static const std::regex size(R"(^storage size of '(\w+)' isn't constant)");
  static const std::regex computed_length(R"(variable length array '?(\w*)'?)");
  static const std::regex built_in(R"(non-'constexpr' function 'const \w+& _ZTW\d+(\w+)\(\)')");
  static const std::regex memory(
      R"(^`(operator (new|delete)[^`]*|malloc|calloc|realloc|free|std::__throw[^`]*)` cannot be )"
      R"(used in a kernel)");
  static const std::regex not_device(R"(^`([^`]+)` cannot be used in a kernel)");
  std::smatch match;
  if (message == "standard attributes in middle of decl-specifiers" &&
      line.find("alignas") != std::string::npos)
    return "alignas cannot follow __shared__ or another specifier of this declaration. Use CUDA's "
           "own, as in `__shared__ __align__(16) int s[8];`";
  if (Explanation spelling = about_spelling(message)) return spelling;
  if (std::regex_search(message, match, undeclared))
    return fmt::format(
        "`{}` runs on the CPU (host code): {}. Remove it: the harness allocates, copies and "
        "launches",
        match[1].str(), device_code_only);
  if (std::regex_search(message, match, no_file)) return about_missing_header(match[1].str());
  if (std::regex_search(message, match, not_in_std))
    return fmt::format(
        "std::{} is not available: GPU code cannot use the standard library. Use plain arrays "
        "and loops, and printf to print",
        match[1].str());
  if (std::regex_search(message, match, const_target))
    return fmt::format(
        "{} points to const: it can be read but not written. Write results to the output only",
        match[1].str());
  const bool shared = line.find("__shared__") != std::string::npos;
  if (std::regex_search(message, match, computed_length) ||
      (shared && std::regex_search(message, match, size)))
    return fmt::format(
        "the size of the {}array {} must be known when the kernel is compiled{}. Write a number or "
        "a constexpr{}",
        shared ? "__shared__ " : "", match[1].str(),
        shared ? "" : ": CUDA has no arrays of computed length",
        line.find("warpSize") != std::string::npos ? ": warpSize is a variable" : "");
  static const std::regex constructor(
      // shared_objects.h
      R"(^'constinit' variable '(?:[^']*::)?(\w+)' does not have a constant initializer)");
  if (std::regex_search(message, match, constructor))
    return fmt::format(
        "`{}` is a __shared__ variable whose type has a constructor; shared memory is not "
        "initialized. Use a plain type, set it in the kernel, then call __syncthreads()",
        match[1].str());
  if (std::regex_search(message, match, built_in))
    return fmt::format("`{}` is a variable, but a constant is required here. {}", match[1].str(),
                       match[1] == "warpSize" ? "Write 32" : "Write a number, or remove constexpr");
  if (std::regex_search(message, match, memory)) return uses_library_memory;
  if (std::regex_search(message, match, not_device)) {
    const std::string name = match[1].str();
    if (name.starts_with("std::cout") || name.starts_with("std::cerr"))
      return name + " runs on the CPU (host code), and " + device_code_only + ". Print with printf";
    return fmt::format(
        "`{}` is not a device function that this emulator knows, and {}. Write the kernel without "
        "it",
        name, device_code_only);
  }
  if (message.starts_with("exception handling disabled"))
    return "device code has no exceptions. Remove throw, try and catch";
  if ((message.find("before '<' token") != std::string::npos ||
       message.ends_with("does not name a type")) &&
      line.find("<<<") != std::string::npos)
    return fmt::format("{} and the harness launches the kernel. Remove the launch <<<...>>>",
                       device_code_only);
  return std::nullopt;
}

// Explains g++'s warnings.
Explanation about_warnings(const std::string& message) {
  static const std::regex empty_body(
      R"(^suggest braces around empty body in an '(if|else)' statement)");
  static const std::regex indented(R"(^this '(\w+)' clause does not guard)");
  static const std::regex format(
      R"(^format '([^']+)' expects argument of type '([^']+)', but argument \d+ has type )"
      R"('([^']+)')");
  static const std::regex shadows(
      R"(^declaration of '(?:[^']*[ *&])?(\w+)' shadows a previous local)");
  std::smatch match;
  if (message.starts_with("suggest parentheses around assignment used as truth value"))
    return "`=` assigns, and the assigned value is the condition. Did you mean `==`?";
  if (message.starts_with("comparisons like 'X<=Y<=Z'"))
    return "`a <= b <= c` compares 0 or 1 with c. Write `a <= b && b <= c`";
  if (message.starts_with("value computed is not used") ||
      message.starts_with("statement has no effect"))
    return "the value computed here is not used. Is an assignment missing?";
  if (std::regex_search(message, match, empty_body))
    return fmt::format("the `;` right after this `{}` is its whole body. Remove it",
                       match[1].str());
  if (std::regex_search(message, match, indented))
    return fmt::format(
        "the indented code below this `{}` does not belong to it. Look for missing braces, or for "
        "an extra `;`",
        match[1].str());
  if (std::regex_search(message, match, format))
    return fmt::format(
        "printf expects `{}` ({}) but gets a value of type {}. Make the format fit: %d int, %u "
        "unsigned int, %f double",
        match[1].str(), match[2].str(), match[3].str());
  if (message.starts_with("format '") && message.find("expects a matching") != std::string::npos)
    return "printf's format has more `%` than there are values. Pass one value for each `%`";
  if (message.starts_with("too many arguments for format"))
    return "printf gets more values than its format has `%`. Write a `%` for each value";
  if (std::regex_search(message, match, shadows))
    return fmt::format(
        "this is another variable named `{0}`: the outer one does not change. To change the outer "
        "one, write it without the type",
        match[1].str());
  return std::nullopt;
}

// A device function of the file that has no body: its name comes with the types of its parameters.
// Or a variable that is only declared, by `extern`.
void find_missing_definition(Diagnostic& diagnostic, const SourceText& source) {
  static const std::regex not_device(
      R"(^[^`]*`(?:[^`(]*::)?(\w+)(\([^`]*)?`(?: cannot be used in a kernel|: this file ))");
  std::smatch match;
  if (!std::regex_search(diagnostic.message, match, not_device)) return;
  const std::string name = match[1].str();
  const bool is_function = match[2].matched;
  for (const std::size_t at : source.find(name)) {
    const std::string before = source.declaration_before(at);
    if (!contains_word(before, {is_function ? "__device__" : "extern"})) continue;
    diagnostic.message =
        is_function
            ? fmt::format("`{}` is declared (line {}) but never defined. Write its body", name,
                          source.line(at))
            : fmt::format(
                  "`{0}` is declared on line {1} and has no value. Write one there: {0} = ...;",
                  name, source.line(at));
    return;
  }
}

constexpr std::string_view no_kernel = "there is no kernel called `";

// The name of the kernel that is missing; empty if the message is about something else.
std::string missing_kernel(const std::string& message) {
  return message.starts_with(no_kernel)
             ? message.substr(no_kernel.size(),
                              message.find('`', no_kernel.size()) - no_kernel.size())
             : std::string{};
}

// If there is no kernel with the wanted name, looks for it in another form.
void find_misplaced_kernel(Diagnostic& diagnostic, const SourceText& source) {
  const std::string wanted = missing_kernel(diagnostic.message);
  if (wanted.empty()) return;
  for (const std::size_t at : source.find("__global__")) {
    if (source.kernel_name(at) != wanted) continue;
    diagnostic.line = source.line(at);
    if (contains_word(source.declaration_before(at), {"template"}))
      diagnostic.message = fmt::format(
          "`{}` is a template, but the harness launches a plain kernel. Remove template<...> and "
          "write out the types",
          wanted);
    else if (source.is_prototype(at))
      diagnostic.message =
          fmt::format("`{}` is declared but never defined. Write its body", wanted);
    else
      diagnostic.message = fmt::format(
          "`{}` is inside a namespace or a class, but the harness looks for it at file scope. Move "
          "it out",
          wanted);
    return;
  }
}

// One message for all `kernels` that are missing. If the file has one kernel too many and one is
// missing, it was meant.
void explain_missing_kernels(std::vector<Diagnostic>& diagnostics, const SourceText& source,
                             const std::vector<std::string>& kernels) {
  std::vector<std::string> missing;
  for (const Diagnostic& each : diagnostics)
    if (const std::string name = missing_kernel(each.message); !name.empty())
      missing.push_back(name);
  if (missing.empty()) return;
  const auto first = std::ranges::find_if(
      diagnostics, [](const Diagnostic& each) { return !missing_kernel(each.message).empty(); });
  if (missing.size() == 1 && source.code().find_first_not_of(" \t\r\n") == std::string::npos) {
    first->message = fmt::format(
        "this file has no kernel. {}; `histolab reset` with the lab's number brings the stub back",
        parts_of(first->message).next);
    return;
  }
  std::vector<std::size_t> others;
  for (const std::size_t at : source.find("__global__"))
    if (const std::string name = source.kernel_name(at);
        !name.empty() && std::ranges::find(kernels, name) == kernels.end())
      others.push_back(at);
  const std::set<std::string> all(kernels.begin(), kernels.end());
  const std::string all_of_them = all.size() == 2 ? "both" : fmt::format("all {}", all.size());
  if (missing.size() == 1 && others.size() == 1) {
    first->line = source.line(others[0]);
    first->message = fmt::format("there is no kernel called `{}`, but one called `{}`. Rename it",
                                 missing[0], source.kernel_name(others[0]));
  } else if (missing.size() == 1 && all.size() > 1) {
    const std::size_t declaration = first->message.find("__global__");
    first->message = fmt::format(
        "the kernel `{}` is missing: the file needs {} kernels of the lab{}. Write it{}",
        missing[0], all_of_them,
        all.size() == 2 ? fmt::format(", {}", fmt::join(kernels, " and ")) : std::string{},
        declaration == std::string::npos ? "" : ": " + first->message.substr(declaration));
  } else if (missing.size() > 1) {
    first->message = fmt::format(
        "{} kernels are missing: {}. The file needs {} kernels of the lab. Copy the ones that you "
        "do not change from the stub. (`histolab run --function NAME` launches one alone)",
        missing.size(), fmt::join(missing, ", "), all_of_them);
    std::erase_if(diagnostics,
                  [](const Diagnostic& each) { return !missing_kernel(each.message).empty(); });
  }
}

// The shim's type of a parameter that gets a pointer.
Explanation about_results(const std::string& message) {
  static const std::regex no_address(R"(could not convert '(.+)' from '.*' to 'histolab_result')");
  std::smatch match;
  if (message.size() > 500 || !std::regex_search(message, match, no_address)) return std::nullopt;
  return fmt::format(
      "`{0}` is not the address of a pointer. The call stores a pointer there: if `{0}` is the "
      "pointer, write `&{0}`",
      match[1].str());
}

}  // namespace

void explain(std::vector<Diagnostic>& diagnostics, const std::string& text,
             const std::vector<std::string>& kernels) {
  const SourceText source(text);
  drop_follow_ups(diagnostics, source);
  explain_not_yet(diagnostics, source.includes());
  static const std::regex wrapper(R"(_ZTW\d+(\w+)\(\))");  // of a __shared__ variable
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.message.ends_with("cannot be used as a function"))
      diagnostic.message = std::regex_replace(diagnostic.message, wrapper, "$1");
    const std::string line = source.code_line(diagnostic.line);
    find_missing_definition(diagnostic, source);
    Explanation better = about_built_ins(diagnostic.message, line);
    if (!better) better = about_atomics(diagnostic.message, line);
    if (!better) better = about_words(diagnostic.message, line);
    if (!better && diagnostic.severity == Severity::note)
      better = about_warnings(diagnostic.message);
    if (!better && diagnostic.severity == Severity::error) {
      explain_syntax(diagnostic, source, text);
      better = about_names(diagnostic.message, line, diagnostic.line, source);
    }
    if (better) diagnostic.message = std::move(*better);
    find_misplaced_kernel(diagnostic, source);
  }
  explain_missing_kernels(diagnostics, source, kernels);
  // Drops messages that only repeat the same mistake.
  std::vector<Diagnostic> kept;
  for (Diagnostic& diagnostic : diagnostics) {
    const bool of_a_launch =
        diagnostic.message.starts_with("expected primary-expression before '>'") &&
        source.code_line(diagnostic.line).find(">>>") != std::string::npos;
    const bool again = std::any_of(kept.begin(), kept.end(), [&](const Diagnostic& known) {
      return known.message == diagnostic.message &&
             (known.line == diagnostic.line || known.message == uses_library_memory);
    });
    if (!of_a_launch && !again) kept.push_back(std::move(diagnostic));
  }
  diagnostics = std::move(kept);
}

void explain_program(std::vector<Diagnostic>& diagnostics, const std::string& text) {
  const SourceText source(text);
  explain_unsupported(diagnostics);
  // A type that is missing makes g++ misread what follows.
  if (std::ranges::any_of(diagnostics, is_unsupported))
    std::erase_if(diagnostics, std::not_fn(is_unsupported));
  drop_follow_ups(diagnostics, source);
  explain_not_yet(diagnostics, source.includes());
  for (Diagnostic& diagnostic : diagnostics) {
    Explanation better = about_built_ins(diagnostic.message, source.code_line(diagnostic.line));
    if (!better) better = about_atomics(diagnostic.message, source.code_line(diagnostic.line));
    if (!better) better = about_spelling(diagnostic.message);
    if (!better) better = about_results(diagnostic.message);
    if (!better && diagnostic.severity == Severity::note)
      better = about_warnings(diagnostic.message);
    if (!better && diagnostic.severity == Severity::error) explain_syntax(diagnostic, source, text);
    if (better) diagnostic.message = std::move(*better);
  }
}

}  // namespace histolab::kernels::worker
