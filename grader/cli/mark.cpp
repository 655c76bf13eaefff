// histolab mark
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>

#include "grader/batch/people.h"
#include "grader/batch/scores.h"
#include "grader/cli/batch_class.h"
#include "grader/cli/command.h"
#include "grader/lab/catalogue.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using batch::HandMark;
using batch::Journal;

struct MarkFlags {
  std::string results, student, lab, reason, author, points_word;
  std::optional<double> points;  // the value of points_word
  bool undo = false;
};

// The user's full name, if the system knows it, else the login.
std::string user_name() {
  const passwd* const user = getpwuid(getuid());
  if (user == nullptr) return fmt::format("user {}", getuid());
  const std::string full{user->pw_gecos == nullptr ? "" : user->pw_gecos};
  const std::string name = full.substr(0, full.find(','));
  return name.empty() ? user->pw_name : name;
}

struct LabOfClass {
  std::string name;
  int max_score = 0;
};

Result<std::vector<LabOfClass>> labs_of(Journal& journal) {
  std::vector<LabOfClass> labs;
  TRY(journal.database().each("SELECT name, max_score FROM lab ORDER BY position", {},
                              [&](const batch::Row& row) -> Status {
                                labs.push_back({row.text(0), static_cast<int>(row.integer(1))});
                                return Done{};
                              }));
  return labs;
}

Result<LabOfClass> lab_called(const std::vector<LabOfClass>& labs, const std::string& word) {
  std::vector<std::string> names;
  for (const LabOfClass& lab : labs) names.push_back(lab.name);
  return labs[TRY(grader::find_lab_name(names, word))];
}

// Lists the results that have no mark.
Result<std::string> results_without_mark(Journal& journal, const batch::Scores& scores) {
  std::string text;
  TRY(journal.database().each(
      "SELECT student.key, student.name, work.lab, work.problem, work.path FROM student CROSS JOIN "
      "lab CROSS JOIN work ON work.student = student.key AND work.lab = lab.name"
      " JOIN result ON result.student = work.student AND result.lab = work.lab AND result.grading "
      "= work.grading ORDER BY student.key, lab.position",
      {}, [&](const batch::Row& row) -> Status {
        if (scores.of(row.text(0), row.text(2)) != nullptr) return Done{};
        const std::string why =
            row.text(3).empty() ? "the machine failed, or the result is disputed; see the report"
                                : row.text(3);
        text += grader::paragraph(
            grader::harmless(fmt::format("{} in {}: {}", row.text(1), row.text(2), why)), 2);
        return Done{};
      }));
  return text;
}

std::string describe(const HandMark& mark, const std::string& name, std::size_t indent) {
  return grader::paragraph(
      grader::harmless(fmt::format("{} in {}: {}", name, mark.lab, batch::to_text(mark))), indent);
}

// Prints the marks and the results without one; only those of a student and lab if they are named.
int list_marks(Journal& journal, const std::vector<batch::Student>& students,
               const batch::Scores& scores, const std::string& key, const std::string& lab) {
  const Result<std::vector<HandMark>> marks = journal.hand_marks();
  if (!marks) return complain(marks.error());
  std::string entries;
  for (const HandMark& each : *marks) {
    if ((!key.empty() && each.student != key) || (!lab.empty() && each.lab != lab)) continue;
    const auto student = std::ranges::find(students, each.student, &batch::Student::key);
    entries += describe(each, student == students.end() ? each.student : student->name, 2);
  }
  std::string text =
      entries.empty()
          ? "no mark was set by hand\n"
          : "marks set by hand, oldest first; the last one per student and lab counts\n" + entries;
  if (key.empty()) {
    const Result<std::string> open = results_without_mark(journal, scores);
    if (!open) return complain(open.error());
    if (!open->empty()) text += "\nresults without a mark\n" + *open;
  }
  return print(text);
}

// Returns an Error if the word is not a number.
Result<double> points_of(const std::string& word) {
  double points = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), points);
  if (failure == std::errc{} && end == word.data() + word.size()) return points;
  std::string with_point = word;
  std::ranges::replace(with_point, ',', '.');
  if (with_point != word && std::ranges::count(with_point, '.') == 1)
    if (const Result<double> meant = points_of(with_point); meant)
      return Error{fmt::format("{} points: a decimal point is needed: {}", word, with_point)};
  return Error{fmt::format("{} is not a number of points, such as 8 or 7.5", word)};
}

// The points that count now: "8", or "no mark".
Result<std::string> points_now(Journal& journal, const batch::Rubric& rubric,
                               const std::string& student, const std::string& lab) {
  const batch::Scores scores = TRY(batch::Scores::read(journal, rubric));
  const batch::Score* const score = scores.of(student, lab);
  return score == nullptr ? std::string{"no mark"} : grader::plain(score->points);
}

Status check_flags(const MarkFlags& flags, const LabOfClass& lab) {
  if (flags.points && flags.undo) return Error{"give POINTS or --undo, not both"};
  if (flags.points && !(*flags.points >= 0 && *flags.points <= lab.max_score))
    return Error{fmt::format("{} points: {} has 0 to {}", grader::plain(*flags.points), lab.name,
                             lab.max_score)};
  if (flags.points && std::abs(*flags.points * 100 - std::round(*flags.points * 100)) > 1e-6)
    return Error{"points have at most two decimals"};
  if (grader::harmless(flags.reason).find_first_not_of(" \n\t") == std::string::npos)
    return Error{
        "--reason TEXT is required: it is kept with the mark and shown in the report and the "
        "exports"};
  return Done{};
}

// Whether a mark set by hand counts now.
Result<bool> has_mark_by_hand(Journal& journal, const std::string& student,
                              const std::string& lab) {
  const std::vector<HandMark> marks = TRY(journal.hand_marks());
  bool counts = false;
  for (const HandMark& each : marks)
    if (each.student == student && each.lab == lab) counts = each.points.has_value();
  return counts;
}

int set_mark(Journal& journal, const batch::Rubric& rubric, const MarkFlags& flags,
             const batch::Student& student, const LabOfClass& lab) {
  if (Status fine = check_flags(flags, lab); !fine) return complain(fine.error());
  const Result<bool> is_set = has_mark_by_hand(journal, student.key, lab.name);
  if (!is_set) return complain(is_set.error());
  if (flags.undo && !*is_set)
    return complain(
        {fmt::format("{} has no mark by hand in {} to take back", student.name, lab.name)});
  const Result<std::string> before = points_now(journal, rubric, student.key, lab.name);
  if (!before) return complain(before.error());
  const Result<std::vector<batch::Task>> works = journal.works_of(student.key);
  if (!works) return complain(works.error());
  const auto work = std::ranges::find(*works, lab.name, &batch::Task::lab);
  const HandMark mark{student.key,
                      lab.name,
                      flags.points,
                      flags.reason,
                      flags.author.empty() ? user_name() : flags.author,
                      std::time(nullptr),
                      work == works->end() ? "" : work->grading};
  if (Status kept = journal.add(mark); !kept) return complain(kept.error());
  if (Status folded = journal.fold(); !folded) return complain(folded.error());
  const Result<std::string> now = points_now(journal, rubric, student.key, lab.name);
  if (!now) return complain(now.error());
  std::string next = *now == *before ? fmt::format("{} counts, as before\n", *now)
                                     : fmt::format("{} counts instead of {}\n", *now, *before);
  next += fmt::format("next: histolab mark {}\n", quoted(flags.results));
  if (mark.points) next += "undo: the same with --undo instead of the points\n";
  return print(describe(mark, student.name, 0) + next);
}

int run_mark(MarkFlags& flags) {
  if (!flags.points_word.empty()) {
    const Result<double> points = points_of(flags.points_word);
    if (!points) return complain(points.error());
    flags.points = *points;
  }
  if (!flags.student.empty() && flags.lab.empty() && (flags.points || flags.undo))
    return complain({"which lab? histolab mark RESULTS STUDENT LAB POINTS --reason TEXT"});
  const bool changes = flags.points || flags.undo;
  if (!changes && !flags.reason.empty())
    return complain({"how many points? histolab mark RESULTS STUDENT LAB POINTS --reason TEXT"});
  Result<Journal> journal = Journal::read(flags.results);
  if (!journal) return complain(journal.error());
  if (Status whole = journal->check_class(); !whole) return complain(whole.error());
  const Result<batch::Meta> meta = journal->meta();
  if (!meta) return complain(meta.error());
  const Result<batch::Rubric> rubric = batch::rubric_in(*meta);
  if (!rubric) return complain(rubric.error());
  const Result<std::vector<batch::Student>> students = journal->students();
  if (!students) return complain(students.error());
  const Result<std::vector<LabOfClass>> labs = labs_of(*journal);
  if (!labs) return complain(labs.error());
  batch::Student student;
  LabOfClass lab;
  if (!flags.student.empty()) {
    const Result<std::size_t> found = batch::People{*students}.find(flags.student);
    if (!found) return complain({fmt::format("{}: {}", flags.results, found.error().message)});
    student = (*students)[*found];
  }
  if (!flags.lab.empty()) {
    const Result<LabOfClass> found = lab_called(*labs, flags.lab);
    if (!found) return complain({fmt::format("{}: {}", flags.results, found.error().message)});
    lab = *found;
  }
  if (!changes) {
    const Result<batch::Scores> scores = batch::Scores::read(*journal, *rubric);
    return scores ? list_marks(*journal, *students, *scores, student.key, lab.name)
                  : complain(scores.error());
  }
  Result<Journal> to_change = Journal::begin(flags.results, true);
  return to_change ? set_mark(*to_change, *rubric, flags, student, lab)
                   : complain(to_change.error());
}

}  // namespace

void add_mark(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "mark", "sets a mark by hand, with a reason; lists such marks",
                  "histolab mark results\n"
                  "histolab mark results ada 04 8 --reason \"shown in the lab session\"\n"
                  "histolab mark results ada 04 --undo --reason \"was the wrong Ada\"");
  const auto flags = std::make_shared<MarkFlags>();
  command->add_option("RESULTS", flags->results, "the --out folder of histolab batch")
      ->type_name("")
      ->required();
  command
      ->add_option(
          "STUDENT", flags->student,
          "key, name, e-mail address or id; without POINTS, lists the marks of this student")
      ->type_name("");
  command->add_option("LAB", flags->lab, "name, number or first letters")->type_name("");
  command
      ->add_option("POINTS", flags->points_word,
                   "points instead of the grader's, regardless of lateness")
      ->type_name("");
  command
      ->add_option("--reason", flags->reason,
                   "stored with the mark; shown in the report and the exports")
      ->type_name("TEXT");
  command->add_option("--author", flags->author, "author of the mark (your user name)")
      ->type_name("NAME");
  command->add_flag("--undo", flags->undo,
                    "the grader's points count again; the entry stays in the list");
  command->callback([&context, flags] { context.run = [flags] { return run_mark(*flags); }; });
}

}  // namespace histolab::cli
