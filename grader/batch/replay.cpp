#include "grader/batch/replay.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/batch/people.h"
#include "grader/words/words.h"
#include "reference/nesting.h"

namespace histolab::batch {
namespace {

using nlohmann::json;

constexpr std::size_t most_differences = 10;

std::string brief(const json& value) {
  return grader::shortened(value.dump(-1, ' ', false, json::error_handler_t::replace), 100);
}

std::string brief(const json& root, const std::string& pointer) {
  const json::json_pointer at{pointer};
  return root.contains(at) ? brief(root[at]) : "nothing";
}

}  // namespace

std::vector<std::string> differences_of(const std::string& then, const std::string& now) {
  if (then == now) return {};
  if (nests_too_deep(then)) return {"the stored report is nested too deep"};
  std::vector<std::string> found;
  try {
    const json before = json::parse(then), after = json::parse(now);
    for (const json& change : json::diff(before, after)) {
      if (found.size() == most_differences) break;
      const std::string pointer = change.at("path");
      // Missing for a removed value. A value appended to an array has no pointer in either
      // document.
      const auto value = change.find("value");
      found.push_back(fmt::format("{}: {}, now {}", pointer, brief(before, pointer),
                                  value == change.end() ? "nothing" : brief(*value)));
    }
  } catch (const json::exception&) {
    found.emplace_back("the stored report is not JSON");
  }
  if (found.empty()) found.emplace_back("the values are the same, but written in another way");
  return found;
}

Result<std::vector<Task>> works_of_student(Journal& journal, const std::string& word) {
  const std::vector<Student> students = TRY(journal.students());
  const std::size_t found = TRY(People{students}.find(word));
  return journal.works_of(students[found].key);
}

Status same_data(std::uint32_t then) {
  if (then == datasets::data_version) return histolab::Done{};
  return Error{fmt::format(
      "its data came from version {} of the generators, and this histolab has version {}: the same "
      "seed gives other data. Replay it with the build that graded it",
      then, datasets::data_version)};
}

Result<Replayed> replay(Journal& journal, const Engine& engine, grader::SolutionStages& stages,
                        const Gradings& gradings, const Meta& meta, const Task& task) {
  if (meta.version != HISTOLAB_VERSION)
    return Error{
        fmt::format("it was graded by histolab {}, and this is {}: replay it with that version",
                    meta.version, HISTOLAB_VERSION)};
  TRY(same_data(meta.data_version));
  if (!meta.gpu_name.empty())
    return Error{
        fmt::format("its times were measured on {}; measurements are never the same to the byte",
                    meta.gpu_name)};
  const std::optional<Outcome> kept = TRY(journal.finished(task));
  if (!kept) return Error{"it is not graded yet; `histolab batch ... --resume` grades it"};
  const Work work = TRY(work_of(journal, task));
  if (gradings.of(task.lab, work).grading != task.grading)
    return Error{fmt::format(
        "{} has changed since this was graded: its lab.json, its solution, its quiz or the "
        "seed is different; use the labs of that time (--labs DIR)",
        task.lab)};
  const grader::LabResult again = TRY(grade_work(engine, stages, task.lab, work));
  if (!has_mark(again.status) && task.problem.empty())
    return Error{fmt::format("this machine cannot grade it: {}", again.message)};
  Replayed replayed{task.lab, kept->status, kept->score, false,
                    differences_of(kept->report, report_of(again, engine.device.kind()))};
  replayed.same = replayed.differences.empty();
  return replayed;
}

std::string to_text(const Replayed& replayed) {
  const std::string mark = replayed.status == "needs_review"
                               ? "no mark"
                               : fmt::format("{} points", grader::plain(replayed.score));
  const std::string by_hand =
      replayed.by_hand.empty()
          ? ""
          : grader::paragraph(grader::harmless("but the mark that counts was " + replayed.by_hand),
                              2);
  if (replayed.same)
    return fmt::format("{}: the same, to the byte: {}, {}\n{}", replayed.lab, replayed.status, mark,
                       by_hand);
  std::string text =
      fmt::format("{}: NOT the same; it was {}, {}\n", replayed.lab, replayed.status, mark);
  for (const std::string& each : replayed.differences)
    text += grader::paragraph(grader::harmless(each), 2);
  return text + by_hand;
}

}  // namespace histolab::batch
