// Recorded: the counters and times of a lab's solution, for a kit without solutions. A student
// edition has one file per lab.
//
// `histolab package` writes it for one seed. With that seed such a kit gives the same points as the
// full kit. With another seed it omits the checks that compare a time with a solution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/submission.h"
#include "reference/result.h"

namespace histolab::grader {

struct Recorded {
  struct Time {
    std::string timed_case, rival;  // `rival` is a name from rivals_of()
    double ms = 0;                  // modelled
  };
  struct Counter {
    std::string case_id, counter;
    std::vector<double> launches;  // one value per launch of the case
  };
  std::uint64_t seed = 1;
  std::string profile;  // of the modelled times
  std::vector<Time> times;
  std::vector<Counter> counters;

  // Return nullopt if the number is not recorded.
  [[nodiscard]] std::optional<double> ms(const std::string& timed_case,
                                         const std::string& rival) const;
  [[nodiscard]] std::optional<double> counter(const std::string& case_id, const std::string& name,
                                              std::size_t launch) const;  // from 1
};

// Returns the path of the lab's file.
[[nodiscard]] std::string recorded_path(const LabSpec& lab);
// Returns nullopt if the lab has no such file. Returns an Error if it cannot be read.
[[nodiscard]] Result<std::optional<Recorded>> read_recorded(const LabSpec& lab);
[[nodiscard]] std::string to_json(const Recorded& recorded);

// Returns the recorded time of a rival without a solution file. Returns nullopt if the solution
// exists, or if there is no time for this seed and profile.
[[nodiscard]] Result<std::optional<double>> recorded_ms(const LabSpec& lab,
                                                        const std::string& timed_case,
                                                        const std::string& rival,
                                                        std::uint64_t seed,
                                                        const std::string& profile);
// Returns a counter of the solution, or nullopt if it is not recorded for this seed.
[[nodiscard]] std::optional<double> recorded_counter(const LabSpec& lab, std::uint64_t seed,
                                                     const std::string& case_id,
                                                     const std::string& counter,
                                                     std::size_t launch);
// Returns why this kit cannot judge a check of time, or an empty string if it can.
[[nodiscard]] Result<std::string> why_not_timed(const LabSpec& lab, const CheckSpec& check,
                                                std::uint64_t seed, const std::string& profile);

// Returns true if the lab comes from a student edition: it has recorded numbers but no solution.
[[nodiscard]] bool has_recorded_only(const LabSpec& lab);
// Returns an Error if the lab has no solution. In a student edition the message refers to the
// instructor.
[[nodiscard]] Result<Submission> read_solution(const LabSpec& lab);

}  // namespace histolab::grader
