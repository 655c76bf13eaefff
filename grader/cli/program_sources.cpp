#include "grader/cli/program_sources.h"

#include <fmt/format.h>

#include <filesystem>

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
