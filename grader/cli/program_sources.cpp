#include "grader/cli/program_sources.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "grader/cli/console.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"

namespace histolab::cli {

void Sources::allow(const kernels::program::Build& build) {
  for (const std::string& folder : build.readable) files_.allow(folder);
  for (const std::string& folder : build.include_dirs) files_.allow(folder);
  for (const std::string& source : build.sources) {
    const std::string folder = std::filesystem::path(source).parent_path().string();
    files_.allow(folder.empty() ? "." : folder);
  }
}

const std::string& Sources::text(const std::string& file) { return files_.text(file); }

std::string Sources::excerpt(const std::string& file, int line, int column) {
  return grader::source_excerpt(file, text(file), line, column);
}

std::set<std::string> watched_files(const std::vector<std::string>& sources) {
  static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,200})")re");
  std::set<std::string> files;
  std::vector<std::string> open = sources;
  while (!open.empty() && files.size() < 200) {
    const std::string file = std::move(open.back());
    open.pop_back();
    if (!files.insert(file).second) continue;
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) {
      std::smatch match;
      if (line.size() > 1000 || !std::regex_search(line, match, include)) continue;
      const std::filesystem::path name = std::filesystem::path(file).parent_path() / match[1].str();
      if (std::filesystem::is_regular_file(name)) open.push_back(name.lexically_normal().string());
    }
  }
  return files;
}

void note_diagnostics(const std::vector<kernels::worker::FileDiagnostic>& diagnostics,
                      Sources& sources) {
  for (const auto& [file, diagnostic] : diagnostics) {
    const bool is_error = diagnostic.severity == kernels::Severity::error;
    note(grader::paragraph(
        fmt::format("{}: {}", is_error ? "error" : "warning", diagnostic.message), 0));
    note(sources.excerpt(file, diagnostic.line, diagnostic.column));
  }
}

}  // namespace histolab::cli
