#include "grader/batch/rubric.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/batch/gradescope.h"
#include "grader/batch/journal.h"
#include "grader/files/read_file.h"
#include "grader/lab/lab_json.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::batch {
namespace {

using grader::Json;
using grader::LabSpec;
using grader::ObjectReader;
using grader::Problems;

// A journal may have an older rubric with times without a UTC offset.
std::optional<std::int64_t> time_at(ObjectReader& reader, const std::string& key, bool is_kept) {
  const std::string text = reader.text(key);
  if (text.empty()) return std::nullopt;
  if (const auto time = time_from_text(text); is_kept && time) return time;
  const Result<std::int64_t> time = time_with_offset(text);
  if (time) return *time;
  reader.problem(key, time.error().message);
  return std::nullopt;
}

LatePolicy read_late(const Json& json, bool is_kept, Problems& problems) {
  ObjectReader reader{json, "/late", problems};
  LatePolicy late;
  if (reader.has("deadline")) late.deadline = time_at(reader, "deadline", is_kept);
  if (reader.has("deadlines")) {
    const Json& each = reader.map("deadlines");
    ObjectReader of_labs{each, "/late/deadlines", problems};
    for (const auto& item : each.items())
      if (const auto time = time_at(of_labs, item.key(), is_kept))
        late.deadlines[item.key()] = *time;
  }
  late.percent_a_day = reader.number_or("percent_a_day", 0);
  late.most_percent = reader.number_or("most_percent", 100);
  late.grace_seconds = 60 * reader.integer_or("grace_minutes", 0, 0, 60 * 24 * 31);
  late.late_days = reader.integer_or("late_days", 0, 0, 366);
  if (late.percent_a_day > 100) reader.problem("percent_a_day", "expected at most 100");
  if (late.most_percent > 100) reader.problem("most_percent", "expected at most 100");
  if (late.percent_a_day == 0)
    reader.problem("percent_a_day", "is missing, or 0: then lateness costs nothing");
  reader.done();
  return late;
}

constexpr const char* rubric_schema = "histolab/rubric/1";
constexpr const char* assignment_schema = "histolab/assignment/1";

// Reads the parts that only an assignment has: the graded labs, their weights and deadlines, the
// seed, the roster and the extensions.
void read_assignment(ObjectReader& root, const std::string& folder, bool is_kept, Rubric& rubric,
                     Problems& problems) {
  for (auto& [name, json] : rubric.labs) {
    rubric.chosen.push_back(name);
    if (!json.is_object()) continue;  // reported by Overlay
    ObjectReader reader{json, "/labs/" + name, problems};
    if (reader.has("weight")) {
      const double weight = rubric.weights[name] = reader.number_or("weight", 1);
      if (weight > 1000) reader.problem("weight", "expected a number from 0 to 1000");
    }
    if (reader.has("deadline"))
      if (const auto time = time_at(reader, "deadline", is_kept))
        rubric.late.deadlines[name] = *time;
    json.erase("weight"), json.erase("deadline");
  }
  std::erase_if(rubric.labs,
                [](const auto& lab) { return lab.second.is_object() && lab.second.empty(); });
  if (rubric.chosen.empty())
    root.problem("labs", "an assignment names the graded labs, such as {\"01-race\": {}}");
  if (root.has("seed"))
    rubric.seed = static_cast<std::uint64_t>(
        root.integer("seed", 0, static_cast<long long>(reference::max_seed)));
  const auto path = [&](const char* key) {
    const std::string given = root.text_or(key, "");
    return given.empty() ? given : (std::filesystem::path(folder) / given).string();
  };
  rubric.roster = path("roster"), rubric.extensions = path("extensions");
}

std::vector<std::string> ids_in(const Json& lab, const char* list) {
  std::vector<std::string> ids;
  for (const Json& each : lab.at(list)) ids.push_back(each.at("id").get<std::string>());
  return ids;
}

Json* with_id(Json& list, const std::string& id) {
  for (Json& each : list)
    if (each.at("id") == id) return &each;
  return nullptr;
}

// Applies one lab's changes to its lab.json.
class Overlay {
 public:
  Overlay(Json& lab, const Json& changes, const std::string& name, Problems& problems)
      : lab_(lab), reader_(changes, "/labs/" + name, problems), problems_(problems) {}

  void apply(bool is_assignment) {
    leave_out_cases();
    add_cases();
    change_checks();
    change_points();
    if (reader_.has("limits")) (void)reader_.object("limits");  // see read_limits()
    if (is_assignment)                                          // read and removed before
      for (const char* key : {"weight", "deadline"}) reader_.ignore(key);
    reader_.done();
  }

 private:
  void leave_out_cases() {
    const std::vector<std::string> out = reader_.words("leave_out_cases", false),
                                   known = ids_in(lab_, "cases");
    for (const std::string& id : out)
      if (std::find(known.begin(), known.end(), id) == known.end())
        reader_.unknown_word("leave_out_cases", id, known);
    const auto is_out = [&](const std::string& id) {
      return std::find(out.begin(), out.end(), id) != out.end();
    };
    Json cases = Json::array();
    for (const Json& each : lab_.at("cases"))
      if (!is_out(each.at("id"))) cases.push_back(each);
    lab_["cases"] = cases;
    for (Json& check : lab_.at("checks")) {
      if (!check.contains("cases")) continue;
      Json left = Json::array();
      for (const Json& id : check["cases"])
        if (!is_out(id)) left.push_back(id);
      check["cases"] = left;
    }
  }
  void add_cases() {
    for (const Json& each : reader_.array("add_cases", false))
      lab_["cases"].push_back(each);  // checked by the reader of lab.json
  }
  void change_checks() {
    if (!reader_.has("checks")) return;
    for (const auto& [id, change] : reader_.map("checks").items()) {
      Json* check = with_id(lab_.at("checks"), id);
      ObjectReader of_check{change, reader_.at("checks") + "/" + id, problems_};
      const std::vector<std::string> cases = of_check.words("cases", true);
      of_check.done();
      if (check == nullptr)
        reader_.unknown_word("checks", id, ids_in(lab_, "checks"));
      else
        (*check)["cases"] = cases;
    }
  }
  void change_points() {
    const bool says_points = reader_.has("points");
    if (says_points) {
      const Json& points = reader_.map("points");
      ObjectReader each{points, reader_.at("points"), problems_};
      for (const auto& item : points.items()) {
        const long long worth = each.integer(item.key(), 1, 1000);
        Json* check = with_id(lab_.at("checks"), item.key());
        if (check == nullptr)
          each.unknown_word(item.key(), item.key(), ids_in(lab_, "checks"));
        else
          (*check)["points"] = worth;
      }
    }
    const long long max_score =
        reader_.integer_or("max_score", lab_.at("max_score").get<long long>(), 1, 1000);
    lab_["max_score"] = max_score;
    long long sum = 0;
    for (const Json& check : lab_.at("checks")) sum += check.at("points").get<long long>();
    if (sum != max_score)
      reader_.problem(
          says_points ? "points" : "max_score",
          fmt::format(
              "the points of the checks add up to {}, but max_score is {}; change one of them", sum,
              max_score));
  }

  Json& lab_;
  ObjectReader reader_;
  Problems& problems_;
};

void read_limits(const Json& changes, const std::string& name, LabSpec& lab, Problems& problems) {
  if (!changes.is_object() || !changes.contains("limits")) return;
  ObjectReader reader{changes["limits"], "/labs/" + name + "/limits", problems};
  const double seconds =
      reader.number_or("launch_seconds", static_cast<double>(lab.launch_limit.count()) / 1000);
  if (seconds < 0.1 || seconds > 600)
    reader.problem("launch_seconds", "expected 0.1 to 600");
  else
    lab.launch_limit = std::chrono::milliseconds{static_cast<long long>(1000 * seconds)};
  const double all_seconds = reader.number_or(
      "submission_seconds",
      LabSpec::launches_per_submission * static_cast<double>(lab.launch_limit.count()) / 1000);
  if (all_seconds < 0.1 || all_seconds > 3600)
    reader.problem("submission_seconds", "expected 0.1 to 3600");
  else
    lab.submission_limit = std::chrono::milliseconds{static_cast<long long>(1000 * all_seconds)};
  lab.source_limit = static_cast<std::uint64_t>(
      reader.integer_or("source_bytes", static_cast<long long>(lab.source_limit), 1,
                        static_cast<long long>(lab.source_limit)));
  reader.done();
}

std::string description_of(const LabSpec& lab) { return lab.directory + "/lab.json"; }

Result<Json> overlaid(const LabSpec& lab, const Json& changes, bool is_assignment,
                      Problems& problems) {
  Result<Json> json = grader::read_json_file(description_of(lab), "lab description");
  if (json) Overlay{*json, changes, lab.name, problems}.apply(is_assignment);
  return json;
}

}  // namespace

double Rubric::weight_of(const std::string& lab) const {
  const auto found = weights.find(lab);
  return found == weights.end() ? 1 : found->second;
}

std::map<std::string, std::string> Rubric::of_labs() const {
  std::map<std::string, std::string> texts;
  for (const auto& [name, json] : labs)
    texts[name] = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return texts;
}

Result<Rubric> read_rubric(const std::string& file, const std::string& text) {
  const Json json = TRY(grader::read_json_text(file, text));
  Problems problems{file};
  Rubric rubric;
  rubric.text = text;
  ObjectReader root{json, "", problems};
  const std::string schema = root.text("schema");
  if (!schema.empty() && schema != rubric_schema && schema != assignment_schema)
    root.problem("schema", fmt::format("expected \"{}\" or \"{}\", found \"{}\"", assignment_schema,
                                       rubric_schema, schema));
  if (root.has("labs")) {
    for (const auto& item : root.map("labs").items()) rubric.labs[item.key()] = item.value();
  }
  const bool is_kept = file == kept_rubric;
  if (root.has("late")) rubric.late = read_late(root.object("late"), is_kept, problems);
  if (schema == assignment_schema)
    read_assignment(root, std::filesystem::path(file).parent_path().string(), is_kept, rubric,
                    problems);
  root.done();
  if (!problems.empty()) return problems.error();
  return rubric;
}

Result<Rubric> load_rubric(const std::string& path) {
  return read_rubric(path, TRY(grader::read_text_file(path, "rubric")));
}

Result<Rubric> rubric_in(const Meta& meta) {
  return meta.rubric.empty() ? Result<Rubric>{Rubric{}} : read_rubric(kept_rubric, meta.rubric);
}

Result<std::vector<LabSpec>> with_rubric(const std::vector<LabSpec>& labs,
                                         const std::vector<std::string>& all, const Rubric& rubric,
                                         const std::string& file) {
  Problems problems{file};
  const auto look_for = [&](const std::string& name, const char* where) {
    if (std::find(all.begin(), all.end(), name) == all.end())
      problems.add(where + name, fmt::format("there is no lab with this name{}",
                                             grader::did_you_mean(name, all)));
  };
  for (const auto& [name, changes] : rubric.labs) look_for(name, "/labs/");
  for (const std::string& name : rubric.chosen)
    if (!rubric.labs.contains(name)) look_for(name, "/labs/");
  for (const auto& [name, deadline] : rubric.late.deadlines) look_for(name, "/late/deadlines/");
  std::vector<LabSpec> changed = labs;
  for (LabSpec& lab : changed) {
    const auto found = rubric.labs.find(lab.name);
    if (found == rubric.labs.end()) continue;
    const std::string source = description_of(lab);
    const Json json = TRY(overlaid(lab, found->second, !rubric.chosen.empty(), problems));
    read_limits(found->second, lab.name, lab, problems);
    if (!problems.empty()) continue;  // collect the problems of other labs too
    LabSpec read =
        TRY(grader::lab_from_json(json, fmt::format("{} over {}", file, source), lab.directory));
    read.launch_limit = lab.launch_limit, read.submission_limit = lab.submission_limit;
    read.source_limit = lab.source_limit;
    lab = std::move(read);
  }
  if (!problems.empty()) return problems.error();
  return changed;
}

Result<std::map<std::string, std::string>> changed_descriptions(const std::vector<LabSpec>& labs,
                                                                const Rubric& rubric) {
  std::map<std::string, std::string> texts;
  Problems problems{kept_rubric};
  for (const LabSpec& lab : labs) {
    const auto found = rubric.labs.find(lab.name);
    if (found == rubric.labs.end()) continue;
    const Json json = TRY(overlaid(lab, found->second, !rubric.chosen.empty(), problems));
    texts[lab.name] = json.dump(2) + "\n";
  }
  if (!problems.empty()) return problems.error();
  return texts;
}

}  // namespace histolab::batch
