// Values for pages, for tests: with ordinary text, or with hostile text in every value.
#pragma once

#include "grader/web/pages/pages.h"

namespace histolab::web::testing {

// Markup, quotes, control characters, a change of direction and invalid UTF-8.
inline constexpr std::string_view hostile =
    "</textarea></pre></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onfocus=\"alert(3)\" autofocus ' {} {0} &amp; \x1B[31m \xFF \xE2\x80\xAE";

struct Samples {
  Frame frame;
  std::vector<LabProgress> labs;
  LabPage lab;
  QuizPage quiz;
  RenderedMarkdown document;
};
[[nodiscard]] Samples samples();
// The same with hostile text, in place of every value that a student or a file determines.
[[nodiscard]] Samples hostile_samples();

}  // namespace histolab::web::testing
