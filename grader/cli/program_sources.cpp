#include "grader/cli/program_sources.h"

#include <fmt/format.h>

#include <filesystem>

#include "grader/cli/console.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"
#include "kernels/program/build/source_files.h"

namespace histolab::cli {

void Sources::allow(const kernels::program::Build& build) {
  readable_.insert(readable_.end(), build.readable.begin(), build.readable.end());
  readable_.insert(readable_.end(), build.include_dirs.begin(), build.include_dirs.end());
  for (const std::string& source : build.sources) {
    const std::string folder = std::filesystem::path(source).parent_path().string();
    readable_.push_back(folder.empty() ? "." : folder);
  }
}

const std::string& Sources::text(const std::string& file) {
  const auto [known, is_new] = texts_.try_emplace(file);
  if (is_new) known->second = kernels::program::read_source(file, readable_);
  return known->second;
}

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
