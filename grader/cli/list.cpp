// histolab list
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "grader/checks/quiz_check.h"
#include "grader/cli/command.h"
#include "grader/feedback/progress.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lab/work_folder.h"
#include "grader/quiz/answers.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using grader::LabSpec;

struct Standing {
  grader::LabProgress best;
  bool graded = false;
  std::optional<quiz::Outcome> quiz;  // empty without answers
};

// The student's standing in a lab. Files that cannot be read count as missing; `grade` and `quiz`
// report their errors.
Standing standing_in(const Context& context, const LabSpec& lab, const grader::Progress& progress) {
  Standing standing;
  if (const auto known = progress.find(lab.name); known != progress.end()) {
    standing.best = known->second;
    standing.graded = true;
  }
  const std::string sheet = quiz::sheet_in(work_folder, lab.name);
  std::error_code ignored;
  if (!std::filesystem::exists(sheet, ignored)) return standing;
  if (Result<std::optional<quiz::Outcome>> outcome =
          grader::quiz_outcome(lab, sheet, context.paths.measurements))
    standing.quiz = std::move(*outcome);
  return standing;
}

bool started(const LabSpec& lab) {
  std::error_code ignored;
  return std::filesystem::exists(grader::work_path(lab, work_folder), ignored);
}

std::string as_json(const Context& context, const std::vector<LabSpec>& labs,
                    const grader::Progress& progress) {
  nlohmann::ordered_json json;
  json["schema"] = "histolab/list/1";
  json["version"] = HISTOLAB_VERSION;
  json["labs"] = nlohmann::ordered_json::array();
  for (const LabSpec& lab : labs) {
    nlohmann::ordered_json item;
    item["lab"] = lab.name;
    item["number"] = lab.number;
    item["title"] = lab.title;
    item["summary"] = lab.summary;
    item["strategy"] = nullptr;
    if (!lab.strategy.empty()) item["strategy"] = lab.strategy;
    item["objectives"] = lab.objectives;
    item["max_score"] = lab.max_score;
    item["started"] = started(lab);
    const Standing standing = standing_in(context, lab, progress);
    item["progress"] = nullptr;
    if (standing.graded) {
      const grader::LabProgress& best = standing.best;
      item["progress"] = {{"passed", best.passed},
                          {"score", best.score},
                          {"max_score", best.max_score},
                          {"checks_passed", best.checks_passed},
                          {"checks", best.checks}};
    }
    item["quiz"] = nullptr;
    if (standing.quiz)
      item["quiz"] = {{"right", standing.quiz->count(quiz::Standing::right)},
                      {"questions", standing.quiz->questions.size()}};
    item["bin_labels"] = nlohmann::ordered_json::array();
    const grader::KernelSpec& first = lab.kernels.front();
    for (std::uint32_t bin = 0; bin < first.binning.bins; ++bin)
      item["bin_labels"].push_back(first.task.label(first.binning, bin));
    item["kernels"] = nlohmann::ordered_json::array();
    for (const grader::LabKernel& kernel : grader::kernels_of(lab, work_folder))
      item["kernels"].push_back({{"role", grader::name(kernel.role)},
                                 {"name", kernel.name},
                                 {"path", grader::shown(kernel.path)}});
    json["labs"].push_back(std::move(item));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string described(const LabSpec& lab, const Standing& standing) {
  std::string text;
  if (standing.graded)
    text = fmt::format("{:>7}  {} of {} checks",
                       fmt::format("{}/{}", standing.best.score, standing.best.max_score),
                       standing.best.checks_passed, standing.best.checks);
  else
    text = fmt::format("{:>7}", fmt::format("-/{}", lab.max_score));
  text = grader::padded(text, 26);
  if (standing.quiz) {
    const quiz::Standing counted =
        standing.quiz->has_key ? quiz::Standing::right : quiz::Standing::answered;
    text += fmt::format("quiz {} of {}", standing.quiz->count(counted),
                        standing.quiz->questions.size());
  }
  text = grader::padded(text, 41);
  return text + (standing.best.passed ? "passed" : started(lab) ? "started" : "");
}

std::string as_text(const Context& context, const std::vector<LabSpec>& labs,
                    const grader::Progress& progress) {
  std::string out;
  const LabSpec* unfinished = nullptr;
  std::size_t passed = 0;
  int points = 0, of = 0;
  for (const LabSpec& lab : labs) {
    const Standing standing = standing_in(context, lab, progress);
    std::string line = fmt::format("{:<27}{}", lab.name, described(lab, standing));
    while (line.back() == ' ') line.pop_back();
    out += line + "\n";
    for (const std::string& each : grader::wrapped(lab.summary, 76)) out += "    " + each + "\n";
    if (standing.quiz && !standing.quiz->problem.empty() &&
        standing.quiz->problem == grader::practice_note(lab, standing.quiz->person))
      out += grader::paragraph(standing.quiz->problem, 4);
    if (!standing.best.passed && unfinished == nullptr) unfinished = &lab;
    passed += standing.best.passed ? 1 : 0;
    points += standing.best.score;
    of += lab.max_score;
  }
  out += fmt::format("\n{} of {} labs passed, {} of {} points\n", passed, labs.size(), points, of);
  return out + (unfinished == nullptr
                    ? fmt::format("next: {} grade\n", program_words(context))
                    : fmt::format("next: {} watch {}\n", program_words(context), unfinished->name));
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "list", "lists the labs and your progress",
                                  "histolab list\nhistolab list --json");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([&context, json] {
    context.run = [&context, json] {
      const Result<std::vector<LabSpec>> labs = chosen_labs(context, {});
      if (!labs) return complain(labs.error());
      const Result<grader::Progress> progress = grader::read_progress(work_folder);
      if (!progress) note(fmt::format("histolab: {}\n", progress.error().message));
      const grader::Progress known = progress ? *progress : grader::Progress{};
      return print(*json ? as_json(context, *labs, known) : as_text(context, *labs, known));
    };
  });
}

}  // namespace histolab::cli
