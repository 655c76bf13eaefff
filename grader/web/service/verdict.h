// The events of a save, as lines of JSON for its page.
//
//   saved, or conflict; then queued, verdict (quick), verdict (complete); superseded or error
//
// docs/serve.md describes them.
#pragma once

#include <cstddef>
#include <string>

#include "grader/watch/grading.h"
#include "grader/web/service/work_files.h"

namespace histolab::web {

[[nodiscard]] std::string saved_line(const std::string& sha256);
[[nodiscard]] std::string conflict_line(const KernelText& there);
[[nodiscard]] std::string changed_line(const KernelText& there);
[[nodiscard]] std::string queued_line(const std::string& sha256, std::size_t ahead);
[[nodiscard]] std::string superseded_line(const std::string& sha256);
[[nodiscard]] std::string error_line(const std::string& sha256, const std::string& message,
                                     bool of_machine);
// `sha256` is that of the graded text.
[[nodiscard]] std::string verdict_line(const std::string& sha256, const grader::GradingStep& step,
                                       double elapsed_ms, std::size_t labs_passed);
inline constexpr const char* alive_line = "{\"event\":\"alive\"}\n";

}  // namespace histolab::web
