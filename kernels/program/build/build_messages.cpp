#include "kernels/program/build/build_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "kernels/program/build/source_files.h"
#include "kernels/worker/explaining/explain.h"
#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::program {
namespace {

using worker::FileDiagnostic;

constexpr const char* wrong_values =
    "the values in this launch's <<<...>>> have wrong types: write the blocks and the threads per "
    "block (each an int or a dim3), then, if needed, the bytes of dynamic shared memory and the "
    "stream";

bool is_error(const FileDiagnostic& each) { return each.diagnostic.severity == Severity::error; }

bool is_readable(const BuildSettings& settings, const std::string& file) {
  return std::ranges::any_of(settings.readable, [&](const std::string& folder) {
    return file.starts_with(folder.ends_with('/') ? folder : folder + "/");
  });
}

// Returns whether a file belongs to the program: it is not of the system or the shim.
bool is_ours(const BuildSettings& settings, const std::string& file) {
  return file.starts_with('/') && !file.starts_with(settings.paths.include_dir) &&
         (is_readable(settings, file) || !file.starts_with("/usr/"));
}

// Returns the parts of a text that the line markers say are this line of the file. Usually there is
// one.
std::vector<std::string_view> lines_of(std::string_view text, const std::string& file, int line) {
  std::vector<std::string_view> lines;
  bool in_file = false;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view here = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t open = here.find('"'), close = here.rfind('"');
    if (here.starts_with("# ") && open != close) {
      std::from_chars(here.data() + 2, here.data() + here.size(), number);
      in_file = here.substr(open + 1, close - open - 1) == file;
      continue;
    }
    if (in_file && number == line) lines.push_back(here);
    ++number;
  }
  return lines;
}

// Macros and blanks in front of it may have moved a column. Returns it if the compiled line is the
// source's line up to there, except for removed characters; else 0.
int column_in_source(const std::string& source_line, std::string_view compiled, int column) {
  const std::size_t bytes = worker::bytes_before(std::string(compiled), column);
  if (bytes >= source_line.size() || bytes >= compiled.size()) return 0;
  for (std::size_t i = 0; i <= bytes; ++i)
    if (compiled[i] != source_line[i] && compiled[i] != ' ') return 0;
  return compiled[bytes] == source_line[bytes] ? column : 0;
}

void explain_missing_file(Diagnostic& diagnostic) {
  static const std::regex missing(
      R"(^(?:.*/\.\./)?(.*): (?:No such file or directory|Permission denied)$)");
  std::smatch match;
  if (diagnostic.message.size() > 500 || !std::regex_match(diagnostic.message, match, missing))
    return;
  const std::string name = match[1].str();
  if (worker::is_cuda_header(name) && !name.starts_with("helper_")) return;
  const bool climbs = match.position(1) > 0;
  diagnostic.message = fmt::format(
      "{}{} was not found in the folders that the sources may read: their own and those of -I. "
      "Name its folder with -I",
      climbs ? "../" : "", name);
}

void move_into_source(const BuildSettings& settings, FileDiagnostic& each, const PassText& pass) {
  Diagnostic& diagnostic = each.diagnostic;
  const std::vector<std::string_view> compiled = lines_of(pass.text, each.file, diagnostic.line);
  for (const Launch& launch : pass.launches) {
    if (launch.call_line != diagnostic.line || launch.file != each.file) continue;
    const bool within = std::ranges::any_of(compiled, [&](std::string_view line) {
      const std::size_t at = worker::bytes_before(std::string(line), diagnostic.column) + 1;
      return at >= launch.call_column && at < launch.call_column + launch.call_bytes &&
             line.size() >= launch.call_column + launch.call_bytes - 1;
    });
    if (!within) continue;
    diagnostic.line = launch.line;
    diagnostic.column = 0;
    return;
  }
  const std::string source_line =
      worker::line_of(read_source(each.file, settings.readable), diagnostic.line);
  int column = 0;
  for (const std::string_view line : compiled)
    if (column == 0) column = column_in_source(source_line, line, diagnostic.column);
  diagnostic.column = column;
}

}  // namespace

std::string shown_name(const BuildSettings& settings, const std::string& path) {
  std::string shown = path;
  for (const auto& [folder, name] : settings.shown)
    if (path.starts_with(folder)) shown = name + path.substr(folder.size());
  return shown;
}

std::vector<FileDiagnostic> compiler_diagnostics(const BuildSettings& settings,
                                                 const std::string& output, const PassText* text) {
  std::vector<FileDiagnostic> diagnostics = worker::parse_file_diagnostics(
      output, [&](const std::string& file) { return is_ours(settings, file); });
  for (FileDiagnostic& each : diagnostics) {
    if (text != nullptr && each.diagnostic.line > 0) move_into_source(settings, each, *text);
    if (each.diagnostic.message.find("histolab_go") != std::string::npos)
      each.diagnostic.message = wrong_values;
  }
  return diagnostics;
}

std::vector<FileDiagnostic> foreign_headers(const BuildSettings& settings,
                                            std::string_view preprocessed) {
  constexpr std::string_view of_includes = "/include/";
  std::vector<FileDiagnostic> found;
  std::string file;
  int line = 0;  // of the last line
  for (std::size_t begin = 0; begin < preprocessed.size() && found.size() < 20;) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view here = preprocessed.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    const std::size_t open = here.find('"'), close = here.rfind('"');
    if (!here.starts_with("# ") || open == close) continue;
    const std::string name(here.substr(open + 1, close - open - 1));
    const std::size_t at = name.rfind(of_includes);
    if (at != std::string::npos && is_ours(settings, file) && !is_ours(settings, name) &&
        !name.starts_with(settings.paths.include_dir) && here.substr(close).starts_with("\" 1")) {
      const std::string header = name.substr(at + of_includes.size());
      if (worker::is_cuda_header(header))
        found.push_back(
            {file, {Severity::error, line, 0, worker::unsupported_message("<" + header + ">")}});
    }
    file = name;
    std::from_chars(here.data() + 2, here.data() + open, line);
    --line;
  }
  return found;
}

std::vector<FileDiagnostic> linker_diagnostics(const BuildSettings& settings,
                                               const std::vector<std::string>& inputs,
                                               const std::string& output) {
  static const std::regex undefined(
      R"(^(?:\S*ld: )?(?:(/[^:]*):(\d+):|[^:]*:(?:[^:]*:)?)? ?undefined reference to `(.*)'$)");
  static const std::regex twice(
      R"(^(?:\S*ld: )?(?:\S+: in function `[^']*':|(?:(/[^:]*):(\d+):)?.*: )?)"
      R"(multiple definition of `(.*)'; .*$)");
  std::vector<FileDiagnostic> diagnostics;
  std::set<std::string> known;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && diagnostics.size() < 20;) {
    std::smatch match;
    const bool is_undefined = line.size() < 2000 &&
                              line.find("undefined reference") != std::string::npos &&
                              std::regex_search(line, match, undefined);
    const bool is_twice = !is_undefined && line.size() < 2000 &&
                          line.find("multiple definition") != std::string::npos &&
                          std::regex_search(line, match, twice);
    if ((!is_undefined && !is_twice) || !known.insert(match[3].str()).second) continue;
    FileDiagnostic found;
    std::string file = match[1].str();
    bool ours = is_ours(settings, file);
    for (const std::string& input : inputs) {
      const std::string folder = input.substr(0, input.rfind('/') + 1);
      if (!file.starts_with(folder)) continue;
      file.erase(0, folder.size());  // it is a name of the build then
      ours = !file.starts_with('/');
    }
    if (ours) {
      found.file = std::move(file);
      found.diagnostic.line = std::atoi(match[2].str().c_str());
    }
    found.diagnostic.message =
        is_twice ? fmt::format("`{}` is defined in more than one file: keep one definition",
                               match[3].str())
                 : fmt::format(
                       "undefined reference to `{}`: it is declared, but no file of this "
                       "program defines it",
                       match[3].str());
    diagnostics.push_back(std::move(found));
  }
  // The code addresses variables by 32-bit distances.
  if (diagnostics.empty() && output.find("relocation truncated to fit") != std::string::npos)
    diagnostics.push_back({{},
                           {Severity::error, 0, 0,
                            "the program's variables need more than 2 GiB. Allocate large arrays "
                            "with cudaMalloc or new"}});
  return diagnostics;
}

std::vector<FileDiagnostic> merge_diagnostics(const BuildSettings& settings,
                                              std::vector<FileDiagnostic> diagnostics) {
  const auto has_line = [](const FileDiagnostic& each) { return each.diagnostic.line > 0; };
  if (std::ranges::any_of(diagnostics, is_error)) {  // the others are only its consequences
    std::erase_if(diagnostics, [](const FileDiagnostic& each) { return !is_error(each); });
    if (std::ranges::any_of(diagnostics, has_line))
      std::erase_if(diagnostics, [&](const FileDiagnostic& each) { return !has_line(each); });
  }
  // A mistake in host code is in both passes, perhaps in other words.
  std::vector<std::string> files;
  std::map<std::string, std::vector<Diagnostic>> of_file;
  for (FileDiagnostic& each : diagnostics) {
    if (std::ranges::find(files, each.file) == files.end()) files.push_back(each.file);
    of_file[each.file].push_back(std::move(each.diagnostic));
  }
  bool lacks_something = false;
  for (auto& [file, here] : of_file) {
    std::ranges::stable_sort(here, {}, &Diagnostic::line);
    for (Diagnostic& each : here) explain_missing_file(each);
    worker::explain_program(here,
                            file.empty() ? std::string{} : read_source(file, settings.readable));
    lacks_something |= std::ranges::any_of(here, worker::is_unsupported);
  }
  std::vector<FileDiagnostic> merged;
  for (const std::string& file : files) {
    std::vector<Diagnostic>& here = of_file[file];
    if (lacks_something) std::erase_if(here, std::not_fn(worker::is_unsupported));
    const auto again = std::ranges::unique(here, [](const Diagnostic& a, const Diagnostic& b) {
      return a.line == b.line && (a.line > 0 || a.message == b.message);
    });
    here.erase(again.begin(), again.end());
    std::set<std::pair<int, std::string>> known;
    for (Diagnostic& each : here)
      if (known.emplace(worker::is_unsupported(each) ? 0 : each.line, each.message).second)
        merged.push_back({shown_name(settings, file), std::move(each)});
  }
  return merged;
}

}  // namespace histolab::kernels::program
