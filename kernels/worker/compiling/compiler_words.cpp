#include "kernels/worker/compiling/compiler_words.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/code_tokens.h"
#include "kernels/worker/compiling/compiler_command.h"
#include "reference/nesting.h"
#include "reference/utf8.h"

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr std::size_t most_warnings = 20;
// G++'s own limit, -fmax-errors, would end it before it writes JSON.
constexpr std::size_t most_errors = 20;

// The source determines the length of names in a message. Longer ones are not readable.
std::string shortened(const std::string& message) {
  constexpr std::size_t longest = 300;
  if (message.size() <= longest) return message;
  return std::string{beginning_of(message, longest)} + "...";
}

constexpr const char* compiler_crashed =
    "g++ itself failed on this source, with an internal error. Look for code that is nested very "
    "deeply or is very long, and simplify it";

std::string_view bare_name(std::string_view name) {
  const bool wrapped = name.size() > 4 && name.starts_with("__") && name.ends_with("__");
  return wrapped ? name.substr(2, name.size() - 4) : name;
}

constexpr std::string_view machine_faults[] = {
    "No space left on device", "Disk quota exceeded", "Read-only file system",
    "Input/output error",      "cannot execute",      "Cannot create temporary file"};

bool is_machine_fault(const std::string& message) {
  return std::ranges::any_of(machine_faults, [&](std::string_view words) {
    return message.find(words) != std::string::npos;
  });
}

int number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// Replaces each byte that is not part of a printable character by '?'. Keeps line feeds and tabs.
std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool shown = character.bytes != 0 && !is_control(character.code);
    if (shown)
      result += text.substr(0, character.bytes);
    else
      result += '?';
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return result;
}

// printable() is needed since g++ copies bytes of the source into its JSON that are invalid there.
json parsed(const std::string& array) {
  return nests_too_deep(array) ? json{} : json::parse(printable(array), nullptr, false);
}

// Returns the array that begins at `begin`, and the offset of its end. If the output was cut within
// the array, returns its complete items.
std::pair<std::string, std::size_t> array_at(const std::string& output, std::size_t begin) {
  std::size_t last_item = begin;
  int depth = 0;
  for (std::size_t i = begin; i < output.size(); ++i) {
    const char c = output[i];
    if (c == '"') {
      for (++i; i < output.size() && output[i] != '"'; ++i) i += output[i] == '\\' ? 1 : 0;
      continue;  // i may be past the end: the text may be cut after a backslash
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth == 0) return {output.substr(begin, i + 1 - begin), i + 1};
    if (depth == 1 && c == '}') last_item = i;
  }
  return {(last_item == begin ? "[" : output.substr(begin, last_item + 1 - begin)) + "]",
          output.size()};
}

// g++ writes its diagnostics as arrays, each on one line, or since version 14 on many. Its driver
// and the assembler write lines between them.
struct Said {
  std::vector<std::string> arrays, lines;
};
Said said_in(const std::string& output) {
  Said said;
  for (std::size_t begin = 0; begin < output.size();) {
    if (output[begin] == '[') {
      auto [array, end] = array_at(output, begin);
      said.arrays.push_back(std::move(array));
      begin = std::min(output.find('\n', end), output.size()) + 1;
    } else {
      const std::size_t end = std::min(output.find('\n', begin), output.size());
      said.lines.push_back(output.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return said;
}

// Returns whether a line of the driver or assembler contains one of these words.
bool any_line_says(const Said& said, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(said.lines, [&](const std::string& line) {
    return std::ranges::any_of(
        words, [&](std::string_view each) { return line.find(each) != std::string::npos; });
  });
}

// Appends a diagnostic and its children. g++ makes an error the child of another if it happens to
// read both positions at once, which depends on whether the shim is precompiled.
void append_with_children(std::vector<json>& to, const json& diagnostic) {
  to.push_back(diagnostic);
  const json children = diagnostic.value("children", json::array());
  for (const json& child : children)
    if (child.value("kind", "note") != "note") append_with_children(to, child);
}

// Returns all diagnostics in g++'s order. Items that do not have g++'s format are dropped.
std::vector<json> diagnostics_in(const Said& said) {
  std::vector<json> diagnostics;
  for (const std::string& array : said.arrays) {
    const json items = parsed(array);
    if (!items.is_array()) continue;
    try {
      for (const json& item : items) append_with_children(diagnostics, item);
    } catch (const json::exception&) {
      continue;
    }
  }
  return diagnostics;
}

struct PlaceInFile {
  std::string file;
  int line = 0, column = 0;
};

// Returns the position of a diagnostic in one of the student's files: its own or that of a note
// below it.
PlaceInFile place_of(const json& diagnostic,
                     const std::function<bool(const std::string&)>& is_ours) {
  for (const json& location : diagnostic.value("locations", json::array())) {
    const json caret = location.value("caret", json::object());
    if (std::string file = caret.value("file", ""); is_ours(file))
      return {std::move(file), number(caret, "line"), number(caret, "display-column")};
  }
  for (const json& child : diagnostic.value("children", json::array()))
    if (PlaceInFile place = place_of(child, is_ours); place.line > 0) return place;
  return {};
}

std::function<bool(const std::string&)> ends_with(const std::string& file) {
  return [file](const std::string& each) { return each.ends_with(file); };
}

// Returns whether a diagnostic reports a failure of the machine. g++ then ends with a fatal error
// that has no position, or one in a file. All its other messages may contain text of the source,
// such as the name of a type, even if the error is in a header.
bool is_of_the_machine(const json& diagnostic) {
  const std::string message = diagnostic.value("message", "");
  if (diagnostic.value("kind", "") != "fatal error" ||
      place_of(diagnostic, ends_with(source_name)).line != 0)
    return false;
  const bool ends_with_it = std::ranges::any_of(
      machine_faults, [&](std::string_view words) { return message.ends_with(words); });
  return ends_with_it ||
         (diagnostic.value("locations", json::array()).empty() && is_machine_fault(message));
}

}  // namespace

std::vector<FileDiagnostic> parse_file_diagnostics(
    const std::string& output, const std::function<bool(const std::string&)>& is_ours) {
  std::vector<FileDiagnostic> diagnostics;
  std::size_t errors = 0;
  for (const json& item : diagnostics_in(said_in(output))) {
    try {
      const std::string kind = item.value("kind", "error");
      // g++ reports this as a warning, but errors follow from it.
      const bool unended_text = item.value("message", "").starts_with("missing terminating");
      const bool crashed = kind.find("internal compiler error") != std::string::npos;
      const bool error =
          kind.find("error") != std::string::npos || kind.starts_with("sorry") || unended_text;
      PlaceInFile place = place_of(item, is_ours);
      const bool wanted = place.line != 0 && is_wanted_warning(item.value("option", ""));
      if (!error && !wanted) continue;  // about the shim, or harmless
      if (!error && diagnostics.size() - errors == most_warnings) continue;
      if (errors == most_errors) return diagnostics;
      errors += error ? 1 : 0;
      diagnostics.push_back(
          {std::move(place.file),
           {error ? Severity::error : Severity::note, place.line, place.column,
            crashed ? compiler_crashed : shortened(printable(item.value("message", "")))}});
    } catch (const json::exception&) {
      continue;  // not g++'s format
    }
  }
  return diagnostics;
}

std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& file) {
  std::vector<Diagnostic> diagnostics;
  for (FileDiagnostic& each : parse_file_diagnostics(output, ends_with(file)))
    diagnostics.push_back(std::move(each.diagnostic));
  return diagnostics;
}

std::vector<Diagnostic> assembler_diagnostics(const std::string& output) {
  std::vector<Diagnostic> diagnostics;
  for (const std::string& line : said_in(output).lines) {
    const std::size_t place = line.find(':');
    // `x.s:7: Error: ` or `x.s: Fatal error: `. A file name does not contain these words.
    const bool error =
        place != std::string::npos && (line.find(": Error:", place) != std::string::npos ||
                                       line.find(": Fatal error:", place) != std::string::npos);
    const bool is_drivers = line.starts_with("g++:") || line.starts_with("cc1plus:");
    if (!error || is_drivers || diagnostics.size() == most_errors) continue;
    const int number = line.starts_with(source_name) ? std::atoi(line.c_str() + place + 1) : 0;
    const bool again = !diagnostics.empty() && diagnostics.back().line == number;
    if (!again) diagnostics.push_back({Severity::error, number, 0, assembler_refused});
  }
  return diagnostics;
}

Diagnostic describe_compiler_death(const ProcessResult& ran, const std::string& text) {
  const bool hit_limit = ran.end != ProcessResult::End::exited || says_memory_is_up(ran.errors) ||
                         says_time_is_up(ran.errors) ||
                         any_line_says(said_in(ran.errors), {"Killed signal"});
  const bool too_large =
      any_line_says(said_in(ran.errors),
                    {"File size limit exceeded", "File too large", "No space left on device"});
  if (hit_limit || too_large)
    for (const CodeToken& token : code_tokens(text))
      if (bare_name(token.spelling) == "vector_size")
        return {Severity::error, token.line, 0,
                "the compiler used up its memory or its time on this source: the vector type here "
                "may be too large. CUDA's own vector types have at most 16 bytes: use one of them, "
                "or an array"};
  if (hit_limit)
    return {Severity::error, 0, 0,
            "the compiler used up its memory or its time on this source. Look for a template, a "
            "macro or an #include that repeats itself endlessly"};
  if (too_large)
    return {Severity::error, 0, 0,
            "the compiled code of this source would exceed the limit of 64 MiB. Look for a large "
            "array with initial values, and for a macro or a template that generates much code or "
            "long names"};
  return {Severity::error, 0, 0, compiler_crashed};
}

bool says_memory_is_up(const std::string& errors) {
  return any_line_says(said_in(errors), {"out of memory", "memory exhausted",
                                         "Cannot allocate memory", "bad_alloc"});
}

bool says_time_is_up(const std::string& errors) {
  return any_line_says(said_in(errors), {"CPU time limit exceeded"});
}

std::string machine_complaint(const std::string& errors) {
  const Said said = said_in(errors);
  for (const std::string& line : said.lines)
    if (!line.starts_with(source_name) && is_machine_fault(line)) return shortened(printable(line));
  for (const json& item : diagnostics_in(said)) {
    try {
      if (is_of_the_machine(item)) return shortened(printable(item.value("message", "")));
    } catch (const json::exception&) {
      continue;  // not g++'s format
    }
  }
  return {};
}

}  // namespace histolab::kernels::worker
