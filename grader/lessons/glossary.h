// The glossary as entries: docs/glossary.md is its one source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::grader::lessons {

struct GlossaryEntry {
  std::vector<std::string> terms;  // "L1, L2" has two
  std::string text;                // the paragraph, as Markdown
};

// Paragraphs that begin with a term in bold type.
[[nodiscard]] std::vector<GlossaryEntry> glossary_of(std::string_view page);

// The entries that a reader may mean: those of this term, else those whose terms contain it.
// Capital letters, hyphens and a plural `s` make no difference.
[[nodiscard]] std::vector<GlossaryEntry> find_entries(const std::vector<GlossaryEntry>& all,
                                                      std::string_view term);

}  // namespace histolab::grader::lessons
