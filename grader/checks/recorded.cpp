#include "grader/checks/recorded.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/checks/rivals.h"
#include "grader/files/backup.h"
#include "grader/files/json_fields.h"

namespace histolab::grader {

template <class F, Describes<Recorded::Time> Value>
void fields(F& f, Value& time) {
  f("case", time.timed_case), f("rival", time.rival), f("ms", time.ms);
}
template <class F, Describes<Recorded::Counter> Value>
void fields(F& f, Value& counter) {
  f("case", counter.case_id), f("counter", counter.counter), f("launches", counter.launches);
}
template <class F, Describes<Recorded> Value>
void fields(F& f, Value& recorded) {
  f.schema("histolab/recorded/1");
  if constexpr (F::writes) f("version", HISTOLAB_VERSION);
  f("seed", recorded.seed), f("profile", recorded.profile);
  f("counters", recorded.counters), f("times", recorded.times);
}

std::optional<double> Recorded::ms(const std::string& timed_case, const std::string& rival) const {
  const auto found = std::ranges::find_if(times, [&](const Time& each) {
    return each.timed_case == timed_case && each.rival == rival;
  });
  return found == times.end() ? std::nullopt : std::optional{found->ms};
}

std::optional<double> Recorded::counter(const std::string& case_id, const std::string& name,
                                        std::size_t launch) const {
  const auto found = std::ranges::find_if(counters, [&](const Counter& each) {
    return each.case_id == case_id && each.counter == name;
  });
  if (found == counters.end() || launch == 0 || launch > found->launches.size())
    return std::nullopt;
  return found->launches[launch - 1];
}

std::string recorded_path(const LabSpec& lab) { return lab.directory + "/recorded.json"; }

Result<std::optional<Recorded>> read_recorded(const LabSpec& lab) {
  const std::string path = recorded_path(lab);
  if (!is_there(path)) return std::optional<Recorded>{};
  const Json json = TRY(read_json_file(path, "file of recorded numbers"));
  Problems problems{path};
  Fields in{json, "", problems};
  Recorded recorded;
  fields(in, recorded);
  if (!problems.empty()) return problems.error();
  return std::optional{std::move(recorded)};
}

std::string to_json(const Recorded& recorded) {
  return FieldWriter::written(recorded).dump(1) + "\n";
}

Result<std::optional<double>> recorded_ms(const LabSpec& lab, const std::string& timed_case,
                                          const std::string& rival, std::uint64_t seed,
                                          const std::string& profile) {
  if (is_there(rival_path(lab, rival))) return std::optional<double>{};
  const std::optional<Recorded> recorded = TRY(read_recorded(lab));
  if (!recorded || recorded->seed != seed || recorded->profile != profile)
    return std::optional<double>{};
  return recorded->ms(timed_case, rival);
}

std::optional<double> recorded_counter(const LabSpec& lab, std::uint64_t seed,
                                       const std::string& case_id, const std::string& counter,
                                       std::size_t launch) {
  const Result<std::optional<Recorded>> recorded = read_recorded(lab);
  if (!recorded || !*recorded || (*recorded)->seed != seed) return std::nullopt;
  return (*recorded)->counter(case_id, counter, launch);
}

Result<std::string> why_not_timed(const LabSpec& lab, const CheckSpec& check, std::uint64_t seed,
                                  const std::string& profile) {
  const std::string rival = rival_of(lab, check);
  if (is_there(rival_path(lab, rival))) return std::string{};
  for (const std::size_t each : check.timed) {
    const std::optional<double> known =
        TRY(recorded_ms(lab, lab.timed[each].id, rival, seed, profile));
    if (!known)
      return fmt::format(
          "its time is compared with a solution, and the student edition has no times for seed {}",
          seed);
  }
  return std::string{};
}

bool has_recorded_only(const LabSpec& lab) {
  return !is_there(lab.solution_path()) && is_there(recorded_path(lab));
}

Result<Submission> read_solution(const LabSpec& lab) {
  if (has_recorded_only(lab))
    return Error{
        fmt::format("the student edition has no solution of {}; ask your instructor", lab.name)};
  return read_submission(lab.solution_path());
}

}  // namespace histolab::grader
