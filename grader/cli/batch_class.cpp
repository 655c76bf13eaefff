#include "grader/cli/batch_class.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "grader/batch/extensions.h"
#include "grader/batch/gradings.h"
#include "grader/batch/keys.h"
#include "grader/batch/known_sources.h"
#include "grader/batch/merge.h"
#include "grader/batch/overview.h"
#include "grader/batch/shared_answers.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/files/read_file.h"
#include "grader/lab/catalogue.h"
#include "grader/words/words.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "reference/fnv1a.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using batch::Journal;
using grader::LabSpec;

bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code failure;
  // A relative path that does not exist stays relative without absolute().
  const auto whole = [&](const std::string& each) {
    const fs::path path_to = fs::weakly_canonical(fs::absolute(each, failure), failure);
    return (path_to / "").string();
  };
  return whole(path).starts_with(whole(folder));
}

// A name for this OUT, used in the names of temporary folders. They are created before OUT exists.
std::string mark_of(const std::string& out) {
  std::error_code failure;
  fs::path path = fs::weakly_canonical(fs::absolute(out, failure), failure);
  if (!path.has_filename() || path.filename() == ".") path = path.parent_path();
  fs::path there = path;
  while (there.has_relative_path() && !fs::exists(there, failure)) there = there.parent_path();
  struct stat found {};
  const auto device = stat(there.c_str(), &found) == 0 ? found.st_dev : 0;
  return fmt::format("{:016x}", reference::fnv1a(fmt::format("{} {}", device, path.string())));
}

// Without --assignment, a resumed batch keeps the assignment of its last run.
Result<batch::Rubric> rubric_of(const BatchFlags& flags, const batch::Meta& before) {
  return flags.rubric.empty() ? batch::rubric_in(before) : batch::load_rubric(flags.rubric);
}

std::string kept_path(const std::string& path) {
  std::error_code failure;
  return fs::absolute(path, failure).lexically_normal().string();
}

// A list of students. The command's own list comes first, then the list of the assignment that the
// command names, then the journal's.
Result<CsvText> list_of(const std::string& of_command, const std::string& of_assignment,
                        const std::string& assignment, const CsvText& kept,
                        const std::string& what) {
  const std::string& path = of_command.empty() ? of_assignment : of_command;
  if (path.empty()) return kept;
  const Result<std::string> text = grader::read_text_file(path, what);
  if (text) return CsvText{path, *text, kept_path(path)};
  return Error{of_command.empty()
                   ? fmt::format("{} ({} names it)", text.error().message, assignment)
                   : text.error().message};
}

// A resumed class uses the text in its journal. Prints a note if the file has changed since.
void report_edited(const std::string& option, const std::string& path, const std::string& text) {
  if (path.empty() || text.empty()) return;
  const Result<std::string> now = grader::read_text_file(path, "file");
  if (!now || *now == text) return;
  note(grader::paragraph(
      grader::harmless(fmt::format("histolab: {} has changed, but this class still uses the stored "
                                   "version. To use the changed file, add {} {}",
                                   path, option, quoted(path))),
      0));
}

// The labs that were named, or those of the assignment, or every lab with a submission.
Result<batch::Intake> take_in(const BatchFlags& flags, const ClassToGrade& of,
                              const std::vector<std::string>& all) {
  batch::IntakeOptions options;
  options.file_times = flags.file_times;
  options.only_handed_in = flags.words.empty() && of.rubric.chosen.empty();
  options.labs = grader::names_of(of.labs);
  for (const LabSpec& lab : of.labs)
    if (Result<std::string> stub = grader::read_text_file(lab.stub_path(), "stub"); stub)
      options.stubs[lab.name] = std::move(*stub);
  for (const std::string& lab : all)
    if (std::ranges::find(options.labs, lab) == options.labs.end())
      options.other_labs.push_back(lab);
  if (!of.roster.text.empty())
    options.roster = TRY(batch::read_roster(of.roster.file, of.roster.text));
  batch::Tree tree = TRY(batch::read_tree(flags.dir));
  Result<batch::Intake> intake = batch::Intake::of(std::move(tree), std::move(options));
  if (!intake) return Error{fmt::format("{}: {}", flags.dir, intake.error().message)};
  for (const std::string& remark : intake->remarks())
    note(fmt::format("histolab: {}\n", grader::harmless(remark)));
  return intake;
}

// Returns an Error if the list cannot be read or names an unknown lab. Prints a note for rows that
// match no student.
Status check_extensions(const ClassToGrade& of, const std::vector<std::string>& all) {
  if (of.extensions.text.empty()) return Done{};
  batch::Extensions extensions =
      TRY(batch::read_extensions(of.extensions.file, of.extensions.text));
  TRY(batch::name_labs(extensions, all));
  std::vector<batch::Student> students;
  for (std::size_t i = 0; i < of.intake.size(); ++i) students.push_back(of.intake.student(i));
  batch::Allowances allowances = TRY(batch::allowances_of(extensions, students));
  std::vector<std::string> useless = batch::useless_rows(extensions, of.rubric.late, all);
  for (std::string& each : allowances.unmatched) useless.push_back(std::move(each));
  for (const std::string& each : useless)
    note(fmt::format("histolab: {}\n", grader::harmless(each)));
  return Done{};
}

// Reports submissions of the last run that are missing now although their student is still in the
// class (for example through a roster).
Status report_lost_hand_ins(ClassToGrade& of, const BatchFlags& flags) {
  // The student's name, by key and lab.
  std::map<std::pair<std::string, std::string>, std::string> before;
  Status read = of.journal->database().each(
      "SELECT student.key, work.lab, student.name FROM work JOIN student ON student.key = "
      "work.student WHERE work.kernel <> ''",
      {}, [&](const batch::Row& row) -> Status {
        const std::string key = row.text(0), lab = row.text(1);
        const bool is_graded =
            std::ranges::any_of(of.labs, [&](const LabSpec& each) { return each.name == lab; });
        if (is_graded && of.intake.has(key)) before[{key, lab}] = row.text(2);
        return Done{};
      });
  if (!read || before.empty()) return read;
  for (std::size_t i = 0; i < of.intake.size(); ++i) {
    const batch::HandIn now = of.intake.at(i);
    for (const auto& [lab, work] : now.works) before.erase({now.student.key, lab});
  }
  if (before.empty()) return Done{};
  const auto& [first, name] = *before.begin();
  note(
      fmt::format("histolab: {} no longer has {} of the last run ({} in {}{}): they count as not "
                  "handed in. To keep their marks, name the whole class\n",
                  flags.dir, grader::counted(before.size(), "hand-in"), grader::harmless(name),
                  first.second, before.size() == 1 ? "" : ", ..."));
  return Done{};
}

// A resumed shard stays the shard that it was.
Result<batch::Shard> shard_of(const BatchFlags& flags, const batch::Meta& before, bool resumes) {
  batch::Shard shard = TRY(batch::shard_from(flags.shard));
  if (resumes) {
    const batch::Shard kept = TRY(batch::shard_from(before.shard));
    if (!flags.shard.empty() && shard != kept)
      return Error{fmt::format("--shard {}: {} has the results of {}; choose another --out",
                               flags.shard, flags.out,
                               kept.is_whole() ? "the whole class" : "shard " + before.shard)};
    shard = kept;
  }
  if (shard.is_whole()) return shard;
  if (flags.engine != "local")
    return Error{"--shard is for --engine local: Slurm's tasks divide the class themselves"};
  if (!flags.merge.empty())
    return Error{"--merge makes the whole class: use an --out of its own, and no --shard"};
  return shard;
}

// Reports the students and labs that the journal has shown until now but will not show any longer.
Status report_hidden_results(ClassToGrade& of, const BatchFlags& flags) {
  Journal& journal = *of.journal;
  std::vector<std::string> students, gone_labs;
  TRY(journal.database().each("SELECT key, name FROM student ORDER BY key", {},
                              [&](const batch::Row& row) -> Status {
                                if (!of.intake.has(row.text(0))) students.push_back(row.text(1));
                                return Done{};
                              }));
  TRY(journal.database().each(
      "SELECT name FROM lab ORDER BY position", {}, [&](const batch::Row& row) -> Status {
        if (std::ranges::none_of(of.labs,
                                 [&](const LabSpec& each) { return each.name == row.text(0); }))
          gone_labs.push_back(row.text(0));
        return Done{};
      }));
  TRY(report_lost_hand_ins(of, flags));
  if (!students.empty())
    note(fmt::format(
        "histolab: {} of the last run {} not in {} ({}{}): their results are kept, but no longer "
        "shown. To show them, name the whole class\n",
        grader::counted(students.size(), "student"), students.size() == 1 ? "is" : "are", flags.dir,
        grader::harmless(students.front()), students.size() == 1 ? "" : ", ..."));
  if (!gone_labs.empty())
    note(fmt::format(
        "histolab: results of {}{} are kept, but no longer shown; name all labs, or none, to show "
        "them\n",
        gone_labs.front(),
        gone_labs.size() == 1 ? "" : fmt::format(" and {} more", gone_labs.size() - 1)));
  return Done{};
}

}  // namespace

void ClassToGrade::put_into(batch::Meta& meta) const {
  meta.roster = roster.text;
  meta.extensions = extensions.text;
  meta.shard = batch::to_text(shard);
  meta.rubric_file = rubric_path;
  meta.roster_file = roster.path;
  meta.extensions_file = extensions.path;
  for (const std::string& remark : intake.remarks()) {
    std::string line = batch::as_utf8(remark);
    std::ranges::replace(line, '\n', ' ');
    meta.remarks += line + "\n";
  }
}

std::string command_to_go_on(const Context& context, const BatchFlags& flags) {
  std::string command = program_words(context);
  command += " batch " + quoted(flags.dir);
  for (const std::string& word : flags.words) command += " " + quoted(word);
  command += fmt::format(" --out {} --resume", quoted(flags.out));
  if (flags.jobs > 0) command += fmt::format(" --jobs {}", flags.jobs);
  for (const auto& [option, value] : {std::pair{"--assignment", &flags.rubric},
                                      {"--roster", &flags.roster},
                                      {"--extensions", &flags.extensions},
                                      {"--partition", &flags.partition},
                                      {"--timing-partition", &flags.timing_partition},
                                      {"--shard", &flags.shard},
                                      {"--account", &flags.account},
                                      {"--gres", &flags.gres},
                                      {"--sbatch-args", &flags.sbatch}})
    if (!value->empty()) command += fmt::format(" {} {}", option, quoted(*value));
  for (const auto& [option, value] :
       {std::pair{"--chunk", flags.chunk}, {"--max-tasks", flags.most_tasks}})
    if (value > 0) command += fmt::format(" {} {}", option, value);
  if (flags.engine != "local") command += " --engine " + flags.engine;
  if (flags.device != "emulator") command += " --device " + flags.device;
  if (flags.file_times) command += " --file-times";
  if (flags.unsafe) command += " --unsafe";
  if (!flags.merge.empty()) command += " --merge";
  for (const std::string& folder : flags.merge) command += " " + quoted(folder);
  return command;
}

Result<ClassToGrade> class_to_grade(const Context& context, const BatchFlags& flags) {
  kernels::worker::mark_temporary_folders(mark_of(flags.out));
  ClassToGrade of;
  std::error_code failure;
  if (flags.resume && fs::exists(batch::journal_path(flags.out), failure))
    TRY(open_journal(of, flags));
  const batch::Meta before =
      TRY(of.journal ? of.journal->meta() : Result<batch::Meta>{batch::Meta{}});
  of.rubric = TRY(rubric_of(flags, before));
  std::vector<LabSpec> labs = TRY(class_labs(
      context, flags.words, of.rubric, flags.rubric.empty() ? batch::kept_rubric : flags.rubric));
  TRY(needs_whole_kit(labs, "batch"));
  of.labs = std::move(labs);
  const bool names_rubric = !flags.rubric.empty();
  of.rubric_path = names_rubric ? kept_path(flags.rubric) : before.rubric_file;
  if (!names_rubric) report_edited("--assignment", before.rubric_file, before.rubric);
  CsvText roster =
      TRY(list_of(flags.roster, names_rubric ? of.rubric.roster : "", flags.rubric,
                  {"the journal's roster", before.roster, before.roster_file}, "roster"));
  CsvText extensions = TRY(list_of(
      flags.extensions, names_rubric ? of.rubric.extensions : "", flags.rubric,
      {"the journal's extensions", before.extensions, before.extensions_file}, "extensions"));
  if (roster.text == before.roster) report_edited("--roster", roster.path, roster.text);
  if (extensions.text == before.extensions)
    report_edited("--extensions", extensions.path, extensions.text);
  of.roster = std::move(roster);
  of.extensions = std::move(extensions);
  if (!fs::exists(flags.dir, failure))
    return Error{fmt::format("{}: there is no such folder or archive", flags.dir)};
  if (is_inside(flags.out, flags.dir))
    return Error{fmt::format(
        "--out {} is inside {}: the results would be taken for a student's; choose another folder",
        flags.out, flags.dir)};
  const std::vector<LabSpec> kit = TRY(chosen_labs(context, {}));
  const std::vector<std::string> all = grader::names_of(kit);
  of.intake = TRY(take_in(flags, of, all));
  std::erase_if(of.labs, [&](const LabSpec& lab) {
    return std::ranges::find(of.intake.labs(), lab.name) == of.intake.labs().end();
  });
  if (!flags.earlier.empty())
    of.earlier = TRY(batch::earlier_sources(flags.earlier, grader::names_of(of.labs), flags.out));
  TRY(check_extensions(of, all));
  const bool resumes = of.journal && !of.journal->is_new();
  std::optional<std::uint64_t> seed = flags.seed;
  if (!seed && (names_rubric || !resumes)) seed = of.rubric.seed;
  if (!seed && resumes) seed = before.seed;
  of.shard = TRY(shard_of(flags, before, resumes));
  if (!seed && !(of.shard.is_whole() && flags.merge.empty()))
    return Error{
        "shards are comparable only with the same data: give all of them, and --merge, the same "
        "--seed N, or an assignment with a seed"};
  if (!seed) seed = TRY(random_seed());
  of.seed = *seed;
  return of;
}

Status open_journal(ClassToGrade& of, const BatchFlags& flags) {
  if (of.journal) return Done{};
  of.journal = TRY(Journal::begin(flags.out, flags.resume));
  // A killed batch on the same OUT has left its folders. It is dead, since this process has the
  // lock.
  if (flags.resume) kernels::worker::remove_left_folders(mark_of(flags.out));
  if (const auto damaged = of.journal->deleted_results(); damaged > 0)
    note(fmt::format("histolab: {} in {} had changed since {} written, and {} graded again\n",
                     grader::counted(damaged, "result"), flags.out,
                     damaged == 1 ? "it was" : "they were", damaged == 1 ? "is" : "are"));
  return Done{};
}

Status begin_class(ClassToGrade& of, const BatchFlags& flags, const batch::Meta& meta,
                   const std::string& figures) {
  TRY(report_hidden_results(of, flags));
  std::vector<batch::Lab> summaries;
  for (const LabSpec& lab : of.labs) {
    batch::Lab& summary = summaries.emplace_back();
    summary.name = lab.name;
    summary.title = lab.title;
    summary.max_score = lab.max_score;
    summary.stub = TRY(grader::read_text_file(lab.stub_path(), "stub"));
  }
  const batch::Gradings gradings =
      TRY(batch::Gradings::make(of.labs, meta, figures, of.rubric.of_labs()));
  TRY(of.journal->set_meta(meta));
  const batch::SharedAnswers shared{of.intake.hand_ins(), of.labs};
  const auto hand_in = [&](std::size_t number) {
    batch::HandIn one = of.intake.at(number);
    shared.mark(one);
    return one;
  };
  TRY(batch::keep_known(of.journal->database(), TRY(batch::course_sources(of.labs)), of.earlier));
  return of.journal->set_class(
      summaries, {of.intake.size(), hand_in},
      [&](const std::string& lab, const batch::Work& work) { return gradings.of(lab, work); });
}

Status merge_shards(ClassToGrade& of, const BatchFlags& flags) {
  for (const std::string& from : flags.merge) {
    const batch::Merged merged = TRY(batch::merge_from(*of.journal, from, of.labs));
    note(fmt::format("histolab: {}: {}\n", from, batch::to_text(merged)));
  }
  if (flags.merge.empty()) return Done{};
  const std::vector<batch::Task> missing = TRY(of.journal->outstanding());
  if (!missing.empty())
    note(fmt::format("histolab: {} {} no mark yet, and {} graded here\n",
                     grader::counted(missing.size(), "submission"),
                     missing.size() == 1 ? "has" : "have", missing.size() == 1 ? "is" : "are"));
  return Done{};
}

namespace {

int end_shard(ClassToGrade& of, const BatchFlags& flags) {
  const Result<std::vector<batch::Task>> works = batch::works_in(*of.journal, of.shard);
  if (!works) return complain(works.error());
  const Result<std::vector<batch::Task>> left = batch::outstanding_in(*of.journal, of.shard);
  if (!left) return complain(left.error());
  const int printed = print(fmt::format(
      "shard {}: {} of {} graded\n\nresults in {}\nnext, with the same seed and options: histolab "
      "batch {} --out CLASS --seed N --merge {} ...\n",
      batch::to_text(of.shard), works->size() - left->size(),
      grader::counted(works->size(), "submission"), quoted(flags.out), quoted(flags.dir),
      quoted(flags.out)));
  if (printed != done) return printed;
  return left->empty() ? done : cannot;
}

}  // namespace

int end_class(ClassToGrade& of, const BatchFlags& flags) {
  if (Status folded = of.journal->fold(); !folded) return complain(folded.error());
  if (!of.shard.is_whole()) return end_shard(of, flags);
  const Result<batch::Overview> overview = batch::overview_of(*of.journal);
  if (!overview) return complain(overview.error());
  if (const int printed = print(batch::to_text(*overview, quoted(flags.out))); printed != done)
    return printed;
  return overview->machine_failed > 0 ? cannot : overview->all_passed() ? done : not_passed;
}

void ProgressLine::show_live(const std::string& text) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < 100ms && !text.empty()) return;
  shown_ = now;
  note("\r\033[K" + grader::shortened(text, 79));
}

void ProgressLine::show(const batch::Standing& now, const std::string& more) {
  if (live_)
    return show_live(now.done == now.of ? std::string{} : batch::progress_text(now) + more);
  const std::size_t tenth = now.of == 0 ? 10 : now.done * 10 / now.of;
  if (tenth == last_tenth_) return;
  last_tenth_ = tenth;
  note(fmt::format("histolab: {}\n", batch::progress_text(now)));
}

void ProgressLine::wait_for(const std::string& what) {
  using namespace std::chrono_literals;
  if (live_) return show_live(what);
  if (reported_waiting_ || std::chrono::steady_clock::now() - begin_ < 10s) return;
  reported_waiting_ = true;
  note(fmt::format("histolab: {}\n", what));
}

void ProgressLine::tell(const std::string& text) {
  note(fmt::format("{}histolab: {}\n", live_ ? "\r\033[K" : "", text));
}

}  // namespace histolab::cli
