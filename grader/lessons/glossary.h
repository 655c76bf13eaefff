// The glossary's entries, read from docs/glossary.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::grader::lessons {

struct GlossaryEntry {
  std::vector<std::string> terms;  // "L1, L2" has two
  std::string text;                // a Markdown paragraph
};

// Returns an entry for each paragraph that begins with a term in bold type.
[[nodiscard]] std::vector<GlossaryEntry> glossary_of(std::string_view page);

// Returns the entries for exactly this term, or else those whose terms contain it. Case, hyphens
// and a plural `s` make no difference.
[[nodiscard]] std::vector<GlossaryEntry> find_entries(const std::vector<GlossaryEntry>& all,
                                                      std::string_view term);

}  // namespace histolab::grader::lessons
