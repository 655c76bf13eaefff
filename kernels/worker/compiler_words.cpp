#include "kernels/worker/compiler_words.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/worker/compiler_command.h"
#include "reference/nesting.h"

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr std::size_t most_warnings = 20;
constexpr std::size_t most_errors = 20;  // g++'s own limit, -fmax-errors, ends it before it writes any JSON

// A template's or a name's length is the student's to choose; nobody reads more than this.
std::string shortened(std::string message) {
  constexpr std::size_t longest = 300;
  if (message.size() <= longest) return message;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xc0u) == 0x80u) --end;  // not within a character
  message.resize(end);
  return message + "...";
}

bool is_machine_fault(const std::string& message) {
  for (const char* words : {"No space left on device", "Disk quota exceeded", "Read-only file system", "Input/output error", "cannot execute", "Cannot create temporary file"})
    if (message.find(words) != std::string::npos) return true;
  return false;
}

int number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// Of an array that was cut off: the items that are all there, as an array.
std::string whole_items(std::string text) {
  std::size_t end = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
    else if (text[i] == '[' || text[i] == '{') ++depth;
    else if ((text[i] == ']' || text[i] == '}') && --depth == 1) end = i + 1;
  }
  text.resize(end);
  return (end == 0 ? "[" : std::move(text)) + "]";
}

// The place in the student's file that a diagnostic speaks of: its own, or that of a note below it.
std::pair<int, int> place_of(const json& diagnostic, const std::string& file) {
  for (const json& location : diagnostic.value("locations", json::array())) {
    const json caret = location.value("caret", json::object());
    if (caret.value("file", "").ends_with(file)) return {number(caret, "line"), number(caret, "display-column")};
  }
  for (const json& child : diagnostic.value("children", json::array()))
    if (const auto place = place_of(child, file); place.first > 0) return place;
  return {0, 0};
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& file) {
  std::vector<Diagnostic> diagnostics;
  std::size_t errors = 0;
  // One JSON array a line, among lines of the driver's own.
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    const std::string text = output.substr(begin, end - begin);
    begin = end + 1;
    if (nests_too_deep(text)) continue;
    json lines = json::parse(text, nullptr, false);
    if (lines.is_discarded() && text.starts_with('[')) lines = json::parse(whole_items(text), nullptr, false);
    if (!lines.is_array()) continue;
    try {
      for (const json& item : lines) {
        const std::string kind = item.value("kind", "error");
        const bool unended_text = item.value("message", "").starts_with("missing terminating");  // a warning that errors follow
        const bool error = kind.find("error") != std::string::npos || unended_text;
        const auto [line, column] = place_of(item, file);
        if (!error && (line == 0 || !is_wanted_warning(item.value("option", "")))) continue;  // about the shim, or harmless
        if (!error && diagnostics.size() - errors == most_warnings) continue;
        if (errors == most_errors) return diagnostics;
        errors += error ? 1 : 0;
        diagnostics.push_back({error ? Severity::error : Severity::note, line, column, shortened(item.value("message", ""))});
      }
    } catch (const json::exception&) {
      continue;  // not the compiler's shape
    }
  }
  return diagnostics;
}

std::vector<Diagnostic> assembler_diagnostics(const std::string& output) {
  std::vector<Diagnostic> diagnostics;
  const std::string begin = std::string("\n") + source_name + ":";
  for (std::size_t at = output.find(begin); at != std::string::npos; at = output.find(begin, at + 1)) {
    const int line = std::atoi(output.c_str() + at + begin.size());
    const std::size_t behind_place = std::min(output.find(' ', at), output.size());  // what it says may be cut off anywhere
    const bool error = output.compare(behind_place, 7, " Error:") == 0;
    const bool again = !diagnostics.empty() && diagnostics.back().line == line;
    if (error && !again) diagnostics.push_back({Severity::error, line, 0, assembler_refused});
  }
  return diagnostics;
}

std::string machine_fault(const std::string& errors) {
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      for (const Diagnostic& d : parse_diagnostics(line, source_name))
        if (d.line == 0 && is_machine_fault(d.message)) return d.message;
    } else if (!line.starts_with(source_name) && is_machine_fault(line)) {
      return line;
    }
  }
  return {};
}

}  // namespace histolab::kernels::worker
