// lab.json: checks.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/lab/case_counters.h"
#include "grader/lab/lab_json.h"
#include "reference/fields.h"

namespace histolab::grader {
namespace {

template <class Words>
std::vector<std::string> names_of(const Words& words) {
  std::vector<std::string> names;
  for (const auto each : words) names.emplace_back(name(each));
  return names;
}

std::optional<kernels::FindingKind> finding_kind(ObjectReader& reader, const std::string& key,
                                                 const std::string& text) {
  const auto kind = value_named<kernels::FindingKind>(text);
  if (kind || text.empty()) return kind;
  reader.unknown_word(key, text, names_of(kernels::all_finding_kinds));
  return std::nullopt;
}

std::vector<kernels::FindingKind> finding_kinds(ObjectReader& reader, const std::string& key) {
  std::vector<kernels::FindingKind> kinds;
  const std::vector<std::string> words = reader.words(key, false);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const auto found = finding_kind(reader, fmt::format("{}/{}", key, i), words[i]))
      kinds.push_back(*found);
  return kinds;
}

void read_limit(const Json& json, const std::string& pointer, Limit& limit, Problems& problems) {
  ObjectReader reader{json, pointer, problems};
  if (json.is_object() && json.empty())
    problems.add(pointer,
                 "expected at least one of constant, per_element, per_thread, per_warp, per_block "
                 "and per_share");
  limit = {reader.number_or("constant", 0),   reader.number_or("per_element", 0),
           reader.number_or("per_thread", 0), reader.number_or("per_warp", 0),
           reader.number_or("per_block", 0),  reader.number_or("per_share", 0)};
  reader.done();
}

// Reads the cases of a check. Checks of counters skip empty data, which have nothing to count, and
// cases below `min_block`.
void read_check_cases(ObjectReader& reader, const LabSpec& lab, CheckSpec& check) {
  const std::vector<std::string> named = reader.words("cases", false);
  if (reader.has("cases") && named.empty())
    reader.problem("cases", "expected a non-empty array of case ids");
  for (std::size_t i = 0; i < named.size(); ++i)
    if (std::none_of(lab.cases.begin(), lab.cases.end(),
                     [&](const CaseSpec& c) { return c.id == named[i]; }))
      reader.problem(fmt::format("cases/{}", i), fmt::format("no case is called \"{}\"", named[i]));
  const bool counts = !check.counter.empty();
  const std::uint32_t min_block = counts ? word(reader.integer_or("min_block", 1, 1, 1024)) : 1;
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const CaseSpec& candidate = lab.cases[i];
    if (!named.empty() && std::find(named.begin(), named.end(), candidate.id) == named.end())
      continue;
    if (counts && (candidate.block < min_block || candidate.length == 0)) continue;
    check.cases.push_back(i);
  }
  if (check.cases.empty()) reader.problem("cases", "this check has no case left to judge");
}

void read_timed_cases(ObjectReader& reader, const LabSpec& lab, CheckSpec& check) {
  const std::vector<std::string> named = reader.words("timed", false);
  for (std::size_t i = 0; i < named.size(); ++i)
    if (std::none_of(lab.timed.begin(), lab.timed.end(),
                     [&](const TimedCaseSpec& c) { return c.id == named[i]; }))
      reader.problem(fmt::format("timed/{}", i),
                     fmt::format("no timed case is called \"{}\"", named[i]));
  for (std::size_t i = 0; i < lab.timed.size(); ++i)
    if (named.empty() || std::find(named.begin(), named.end(), lab.timed[i].id) != named.end())
      check.timed.push_back(i);
  if (check.timed.empty()) reader.problem("timed", "the lab has no timed case for this check");
}

// Reads {"data_race": "what to try"}, or {"too_many": "what to try"} for wrong counts.
void read_hints(ObjectReader& reader, CheckSpec& check, Problems& problems) {
  if (!reader.has("hints")) return;
  const Json& hints = reader.map("hints");
  ObjectReader each{hints, reader.at("hints"), problems};
  const std::vector<std::string> known = check.kind == CheckKind::no_findings
                                             ? names_of(kernels::all_finding_kinds)
                                             : names_of(all_symptoms);
  for (const auto& [key, text] : hints.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end())
      check.hints.emplace_back(key, each.text(key));
    else {
      each.ignore(key);
      each.unknown_word(key, key, known);
    }
  }
  each.done();
}

CheckSpec read_check(const Json& item, const LabSpec& lab, Problems& problems) {
  ObjectReader reader{item, fmt::format("/checks/{}", lab.checks.size()), problems};
  CheckSpec check;
  check.id = reader.text("id");
  for (const CheckSpec& other : lab.checks)
    if (other.id == check.id)
      reader.problem("id", fmt::format("two checks are called \"{}\"", check.id));
  check.kind = reader.named("kind", all_check_kinds, true);
  const CheckGroup group = group_of(check.kind);
  check.points = static_cast<int>(reader.integer("points", 1, 1000));
  if (check.kind == CheckKind::no_findings || check.kind == CheckKind::matches_reference)
    read_hints(reader, check, problems);
  check.title = reader.text_or("title", "");
  check.hint = reader.text_or("hint", "");
  if (group == CheckGroup::quiz) {
    reader.done();
    return check;
  }
  if (group == CheckGroup::times) {
    const bool of_read_limit = check.kind == CheckKind::share_of_read_limit;
    const std::string key = of_read_limit ? "percent" : "factor";
    check.factor = reader.number_or(key, 0);
    if (check.factor < 1 || (of_read_limit && check.factor > 100))
      reader.problem(key, of_read_limit ? "expected a number from 1 to 100"
                                        : "expected a number of at least 1");
    if (of_read_limit && !std::filesystem::exists(lab.read_path()))
      reader.problem("kind",
                     fmt::format("there is no {}, which only reads the data", lab.read_path()));
    if (check.kind == CheckKind::speedup_over) check.rival = reader.text("lab");
    read_timed_cases(reader, lab, check);
    reader.done();
    return check;
  }
  if (check.kind == CheckKind::no_findings) {
    check.except = finding_kinds(reader, "except");
    check.hint_for = finding_kinds(reader, "hint_for");
  } else if (check.kind == CheckKind::expects_finding) {
    check.finding = finding_kind(reader, "finding", reader.text("finding"));
    check.variable = reader.text_or("variable", "");
    check.loses_updates = reader.boolean_or("loses_updates", false);
  } else if (check.kind == CheckKind::matches_reference) {
    if (reader.has("thread_reads"))
      read_limit(reader.object("thread_reads"), reader.at("thread_reads"),
                 check.thread_reads.emplace(), problems);
    check.one_by_one = reader.boolean_or("one_by_one", false);
  } else if (check.kind != CheckKind::registers_only || reader.has("counter")) {
    check.counter = reader.text("counter");
    const std::vector<std::string> known = counter_names();
    if (!check.counter.empty() &&
        std::find(known.begin(), known.end(), check.counter) == known.end())
      reader.unknown_word("counter", check.counter, known);
    read_limit(reader.object("limit"), reader.at("limit"), check.limit, problems);
  }
  read_check_cases(reader, lab, check);
  reader.done();
  return check;
}

}  // namespace

void read_checks(ObjectReader& root, LabSpec& lab, Problems& problems) {
  int points = 0;
  for (const Json& item : root.array("checks", true)) {
    const std::string at = fmt::format("/checks/{}/kind", lab.checks.size());
    lab.checks.push_back(read_check(item, lab, problems));
    const auto is_quiz = [](const CheckSpec& check) { return check.kind == CheckKind::quiz; };
    if (is_quiz(lab.checks.back()) &&
        std::count_if(lab.checks.begin(), lab.checks.end(), is_quiz) > 1)
      problems.add(at, "a lab can have only one quiz check");
    points += lab.checks.back().points;
  }
  lab.max_score = static_cast<int>(root.integer("max_score", 1, 1000));
  if (problems.empty() && points != lab.max_score)
    root.problem("max_score", fmt::format("is {}, but the points of the checks add up to {}",
                                          lab.max_score, points));
}

}  // namespace histolab::grader
