#include "grader/cli/program_sources.h"

#include <fmt/format.h>

#include "grader/cli/console.h"
#include "grader/files/read_file.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"

namespace histolab::cli {

const std::string& Sources::text(const std::string& file) {
  constexpr std::size_t most_bytes = 4 << 20;
  const auto [known, is_new] = texts_.try_emplace(file);
  if (is_new)
    if (Result<std::string> text = grader::read_text_file(file, "source", most_bytes))
      known->second = std::move(*text);
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
