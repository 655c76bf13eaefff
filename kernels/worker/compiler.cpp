#include "kernels/worker/compiler.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/worker/compiler_command.h"
#include "kernels/worker/precompiled_shim.h"
#include "kernels/worker/process.h"
#include "kernels/worker/temporary_folder.h"
#include "kernels/worker/wide_accesses.h"

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr std::size_t most_warnings = 20;
constexpr std::size_t most_dump_bytes = 4 << 20;
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

// The assembler's words, `kernel.cu:3: Error: no such instruction`, without what it knows of this processor.
std::vector<Diagnostic> assembler_diagnostics(const std::string& output) {
  std::vector<Diagnostic> diagnostics;
  const std::string begin = std::string("\n") + source_name + ":";
  for (std::size_t at = output.find(begin); at != std::string::npos; at = output.find(begin, at + 1)) {
    const int line = std::atoi(output.c_str() + at + begin.size());
    const bool error = output.compare(output.find(' ', at), 7, " Error:") == 0;
    const bool again = !diagnostics.empty() && diagnostics.back().line == line;
    if (error && !again) diagnostics.push_back({Severity::error, line, 0, assembler_refused});
  }
  return diagnostics;
}

int number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// What the compiler says about the machine; empty when it says nothing of the kind. Only lines that do not speak of the
// student's file count, or a source could say these words itself.
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

// Why the compiler was never begun; empty: it was. These are the first words of bubblewrap and histolab-confine; g++'s are a
// bracket, its own name or the file's.
std::string confinement_fault(const ProcessResult& ran) {
  const bool begun = ran.end != ProcessResult::End::exited || ran.code == 0 || !(ran.errors.starts_with("bwrap: ") || ran.errors.starts_with("histolab-confine: "));
  return begun ? std::string{} : fmt::format("the compiler's sandbox could not be made: {}; see `histolab doctor`", ran.errors.substr(0, ran.errors.find('\n')));
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

// What the compiler wrote about a kernel, as far as it is of a reasonable length; nothing where there is no such file.
std::string dump_in(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::string dump(error ? 0 : std::min<std::uintmax_t>(bytes, most_dump_bytes), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(dump.data(), static_cast<std::streamsize>(dump.size()));
  dump.resize(static_cast<std::size_t>(file.gcount()));
  return dump;
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
    json lines = json::parse(output.begin() + static_cast<std::ptrdiff_t>(begin), output.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (lines.is_discarded() && output[begin] == '[') lines = json::parse(whole_items(output.substr(begin, end - begin)), nullptr, false);
    begin = end + 1;
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

Result<std::string> preprocess_for_emulator(const std::string& text, const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = TemporaryFolder::with(source_name, text);
  if (!folder) return folder.error();
  ProcessSpec spec = preprocessing(paths, text, folder->path());
  spec.limits.output_bytes = most_preprocessed_bytes;
  Result<ProcessResult> ran = run_process(spec);
  if (!ran) return ran.error();
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  return std::move(ran->output);
}

Result<std::string> optimize_for_registers(const std::string& text, const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = TemporaryFolder::with(source_name, text);
  if (!folder) return folder.error();
  Result<ProcessResult> ran = run_process(optimizing(paths, text, folder->path()));
  if (!ran) return ran.error();
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  if (ran->end != ProcessResult::End::exited || ran->code != 0) return std::string{};
  return dump_in(folder->path() + "/" + optimized_name);
}

Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths, const std::string& debugged_path) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = TemporaryFolder::with(source_name, text);
  if (!folder) return folder.error();
  const std::string precompiled = paths.shim == nullptr ? std::string{} : paths.shim->folder();
  Result<ProcessResult> ran = run_process(debugged_path.empty() ? compiling(paths, text, folder->path(), precompiled)
                                                                : compiling_debugged(paths, text, folder->path(), debugged_path));
  if (!ran) return ran.error();

  CompilerOutput output;
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran->end == ProcessResult::End::exited && ran->code == 127)
    return Error{fmt::format("there is no compiler `{}`; install g++ (Debian, Ubuntu: apt-get install g++)", paths.compiler)};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  output.diagnostics = parse_diagnostics(ran->errors, source_name);
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (std::any_of(output.diagnostics.begin(), output.diagnostics.end(), is_error))  // beside an error a warning is one more sign of it
    std::erase_if(output.diagnostics, [&](const Diagnostic& d) { return !is_error(d); });
  for (Diagnostic& diagnostic : output.diagnostics)  // our folders are no business of the student's
    for (const std::string& ours : {paths.include_dir + "/", folder->path() + "/"})
      if (const std::size_t at = diagnostic.message.find(ours); at != std::string::npos) diagnostic.message.erase(at, ours.size());
  if (ran->end == ProcessResult::End::exited && ran->code == 0) {
    std::ifstream object(folder->path() + "/" + object_name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(object)), std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{"the compiler ended without an error, but left no object file; is the disk full? Set TMPDIR to a folder with room"};
    auto buffer = Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (!buffer) return buffer.error();
    output.object = std::move(*buffer);
    output.call_graph = dump_in(folder->path() + "/" + calls_name);
    output.wide_accesses = wide_accesses(dump_in(folder->path() + "/" + accesses_name), source_name);
    return output;
  }
  if (const std::string fault = machine_fault(ran->errors); !fault.empty())
    return Error{fmt::format("the compiler could not do its work: {}; set TMPDIR to a folder with room, or install g++ again", fault)};
  output.timed_out = ran->end == ProcessResult::End::timed_out;
  if (std::none_of(output.diagnostics.begin(), output.diagnostics.end(), is_error)) {
    // Killed by a limit, or died of the source: the source is to blame, the compiler has compiled the labs.
    const char* what = "the compiler used up its memory or its time on this source. Look for a template, a macro or an #include that "
                       "repeats itself without end";
    output.diagnostics = assembler_diagnostics(ran->errors);
    if (output.diagnostics.empty()) output.diagnostics.push_back({Severity::error, 0, 0, what});
  }
  return output;
}

}  // namespace histolab::kernels::worker
