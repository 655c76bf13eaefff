// What a Gradescope export says of its submissions: submission_metadata.yml, YAML as Ruby writes
// it.
//
//   submission_815:
//     :submitters:
//     - :name: Ada Lovelace
//       :sid: '4711'
//       :email: ada@example.edu
//     :created_at: 2026-10-17 18:27:32.362437000 Z
//     :results: ...        the autograder's, with text of the students: not looked at
//
// Read by libyaml event by event: nothing is expanded, and depth is bounded. docs of the format
// there are none: names of keys with and without the leading colon are taken.
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

// By the folder's name. Error: it is no YAML, and where.
[[nodiscard]] Result<std::map<std::string, GradescopeSubmission>> read_gradescope(
    const std::string& yaml);

// "2026-10-17 18:27:32.362437000 Z", "2026-10-17T18:27:32+02:00", "2026-10-17" (its begin, UTC) as
// seconds since 1970; nullopt: it is none.
[[nodiscard]] std::optional<std::int64_t> time_from_text(const std::string& text);
// The same of a time that a person wrote, which needs a UTC offset: "+01:00" or "Z". The message of
// the Error shows the value with one.
[[nodiscard]] Result<std::int64_t> time_with_offset(const std::string& text);

}  // namespace histolab::batch
