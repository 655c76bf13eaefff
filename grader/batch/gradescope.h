// Reads the description of the submissions in a Gradescope export: submission_metadata.yml, which
// is YAML written by Ruby.
//
//   submission_815:
//     :submitters:
//     - :name: Ada Lovelace
//       :sid: '4711'
//       :email: ada@example.edu
//     :created_at: 2026-10-17 18:27:32.362437000 Z
//     :results: ...        output of the autograder with students' text: ignored
//
// libyaml reads it event by event: aliases are not expanded, and the depth is bounded. The format
// is undocumented; keys are accepted with or without a leading colon.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::batch {

struct GradescopeSubmission {
  struct Submitter {
    std::string name, sid, email;
  };
  std::vector<Submitter> submitters;
  std::optional<std::int64_t> at;  // seconds since 1970
};

// Returns the submissions by folder name. Returns an Error with the line if the text is not YAML.
[[nodiscard]] Result<std::map<std::string, GradescopeSubmission>> read_gradescope(
    const std::string& yaml);

// Parses "2026-10-17 18:27:32.362437000 Z", "2026-10-17T18:27:32+02:00" or "2026-10-17" (midnight,
// UTC). Returns seconds since 1970, or nullopt if the text is not a time.
[[nodiscard]] std::optional<std::int64_t> time_from_text(const std::string& text);
// The same for a time that a person wrote, which needs a UTC offset: "+01:00" or "Z". The message
// of the Error shows the corrected value.
[[nodiscard]] Result<std::int64_t> time_with_offset(const std::string& text);

}  // namespace histolab::batch
