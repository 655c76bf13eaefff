#include "grader/cli/batch_class.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "grader/batch/gradings.h"
#include "grader/batch/overview.h"
#include "grader/batch/shared_answers.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/files/read_file.h"
#include "grader/words/words.h"
#include "kernels/worker/temporary_folder.h"
#include "reference/fnv1a.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using batch::Journal;
using grader::LabSpec;

bool lies_in(const std::string& path, const std::string& folder) {
  std::error_code failure;
  // A relative path that does not exist stays relative without absolute().
  const auto whole = [&](const std::string& each) {
    const fs::path path_to = fs::weakly_canonical(fs::absolute(each, failure), failure);
    return (path_to / "").string();
  };
  return whole(path).starts_with(whole(folder));
}

// A mark of this OUT for the names of temporary folders; these are made before OUT is.
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

// Who goes on without naming one goes on with that of the last time.
Result<batch::Rubric> rubric_of(const BatchFlags& flags, const batch::Meta& before) {
  return flags.rubric.empty() ? batch::rubric_in(before) : batch::load_rubric(flags.rubric);
}

// Who handed in what. What belongs to nobody is told.
Result<batch::Intake> take_in(const Context& context, const BatchFlags& flags, const std::vector<LabSpec>& labs) {
  batch::IntakeOptions options;
  options.file_times = flags.file_times;
  for (const LabSpec& lab : labs) options.labs.push_back(lab.name);
  const Result<std::vector<LabSpec>> all = chosen_labs(context, {});
  if (!all) return all.error();
  for (const LabSpec& lab : *all)
    if (std::find(options.labs.begin(), options.labs.end(), lab.name) == options.labs.end()) options.other_labs.push_back(lab.name);
  Result<batch::Tree> tree = batch::read_tree(flags.dir);
  if (!tree) return tree.error();
  Result<batch::Intake> intake = batch::Intake::of(std::move(*tree), std::move(options));
  if (!intake) return Error{fmt::format("{}: {}", flags.dir, intake.error().message)};
  for (const std::string& remark : intake->remarks()) note(fmt::format("histolab: {}\n", grader::harmless(remark)));
  return intake;
}

// Whom and what a journal has shown until now and will not show any more.
Status tell_what_goes(ClassToGrade& of, const BatchFlags& flags) {
  Journal& journal = *of.journal;
  std::vector<std::string> students, gone_labs;
  Status read = journal.database().each("SELECT key, name FROM student ORDER BY key", {}, [&](const batch::Row& row) -> Status {
    if (!of.intake.has(row.text(0))) students.push_back(row.text(1));
    return Done{};
  });
  if (!read) return read;
  read = journal.database().each("SELECT name FROM lab ORDER BY position", {}, [&](const batch::Row& row) -> Status {
    if (std::ranges::none_of(of.labs, [&](const LabSpec& each) { return each.name == row.text(0); })) gone_labs.push_back(row.text(0));
    return Done{};
  });
  if (!read) return read;
  if (!students.empty())
    note(fmt::format("histolab: {} of the last run {} not in {} ({}{}): what they got is kept, but no longer shown. To show it, hand in the whole class\n", grader::counted(students.size(), "student"),
                     students.size() == 1 ? "is" : "are", flags.dir, grader::harmless(students.front()), students.size() == 1 ? "" : ", ..."));
  if (!gone_labs.empty())
    note(fmt::format("histolab: results of {}{} are kept, but no longer shown; name all labs, or none, to show them\n", gone_labs.front(), gone_labs.size() == 1 ? "" : fmt::format(" and {} more", gone_labs.size() - 1)));
  return Done{};
}

}  // namespace

std::string command_to_go_on(const Context& context, const BatchFlags& flags) {
  std::string command = program_words(context);
  command += " batch " + quoted(flags.dir);
  for (const std::string& word : flags.words) command += " " + quoted(word);
  command += fmt::format(" --out {} --resume", quoted(flags.out));
  if (flags.jobs > 0) command += fmt::format(" --jobs {}", flags.jobs);
  for (const auto& [option, value] : {std::pair{"--rubric", &flags.rubric}, {"--partition", &flags.partition}, {"--timing-partition", &flags.timing_partition}, {"--account", &flags.account},
                                      {"--gres", &flags.gres}, {"--sbatch-args", &flags.sbatch}})
    if (!value->empty()) command += fmt::format(" {} {}", option, quoted(*value));
  for (const auto& [option, value] : {std::pair{"--chunk", flags.chunk}, {"--max-tasks", flags.most_tasks}})
    if (value > 0) command += fmt::format(" {} {}", option, value);
  if (flags.engine != "local") command += " --engine " + flags.engine;
  if (flags.device != "emulator") command += " --device " + flags.device;
  if (flags.file_times) command += " --file-times";
  if (flags.unsafe) command += " --unsafe";
  return command;
}

Result<ClassToGrade> class_to_grade(const Context& context, const BatchFlags& flags) {
  kernels::worker::mark_temporary_folders(mark_of(flags.out));
  ClassToGrade of;
  std::error_code failure;
  if (flags.resume && fs::exists(batch::journal_path(flags.out), failure))
    if (Status opened = open_journal(of, flags); !opened) return opened.error();
  const Result<batch::Meta> before = of.journal ? of.journal->meta() : Result<batch::Meta>{batch::Meta{}};
  if (!before) return before.error();
  Result<batch::Rubric> rubric = rubric_of(flags, *before);
  if (!rubric) return rubric.error();
  of.rubric = std::move(*rubric);
  Result<std::vector<LabSpec>> labs = class_labs(context, flags.words, of.rubric, flags.rubric.empty() ? batch::kept_rubric : flags.rubric);
  if (!labs) return labs.error();
  of.labs = std::move(*labs);
  if (!fs::exists(flags.dir, failure)) return Error{fmt::format("{}: there is no such folder or archive", flags.dir)};
  if (lies_in(flags.out, flags.dir)) return Error{fmt::format("--out {} lies in {}: the results would be taken for a student's; choose a folder elsewhere", flags.out, flags.dir)};
  Result<batch::Intake> intake = take_in(context, flags, of.labs);
  if (!intake) return intake.error();
  of.intake = std::move(*intake);
  const Result<std::uint64_t> seed = flags.seed ? Result<std::uint64_t>{*flags.seed} : of.journal && !of.journal->is_new() ? Result<std::uint64_t>{before->seed} : random_seed();
  if (!seed) return seed.error();
  of.seed = *seed;
  return of;
}

Status open_journal(ClassToGrade& of, const BatchFlags& flags) {
  if (of.journal) return Done{};
  Result<Journal> begun = Journal::begin(flags.out, flags.resume);
  if (!begun) return begun.error();
  of.journal = std::move(*begun);
  // A killed batch on the same OUT has left its folders. It is dead, since this process has the lock.
  if (flags.resume) kernels::worker::remove_left_folders(mark_of(flags.out));
  if (const auto damaged = of.journal->deleted_results(); damaged > 0)
    note(fmt::format("histolab: {} in {} had changed since {} written, and {} graded again\n",
                     grader::counted(damaged, "result"), flags.out,
                     damaged == 1 ? "it was" : "they were", damaged == 1 ? "is" : "are"));
  return Done{};
}

Status begin_class(ClassToGrade& of, const BatchFlags& flags, const batch::Meta& meta, const std::string& figures) {
  if (Status told = tell_what_goes(of, flags); !told) return told;
  std::vector<batch::Lab> summaries;
  for (const LabSpec& lab : of.labs) {
    batch::Lab& summary = summaries.emplace_back();
    summary.name = lab.name, summary.title = lab.title, summary.max_score = lab.max_score;
    Result<std::string> stub = grader::read_text_file(lab.stub_path(), "stub");
    if (!stub) return stub.error();
    summary.stub = std::move(*stub);
  }
  const Result<batch::Gradings> gradings = batch::Gradings::make(of.labs, meta, figures, of.rubric.of_labs());
  if (!gradings) return gradings.error();
  if (Status kept = of.journal->set_meta(meta); !kept) return kept;
  const batch::SharedAnswers shared{of.intake.hand_ins(), of.labs};
  const auto hand_in = [&](std::size_t number) {
    batch::HandIn one = of.intake.at(number);
    shared.mark(one);
    return one;
  };
  return of.journal->set_class(summaries, {of.intake.size(), hand_in}, [&](const std::string& lab, const batch::Work& work) { return gradings->of(lab, work); });
}

int end_class(ClassToGrade& of, const BatchFlags& flags) {
  if (Status folded = of.journal->fold(); !folded) return complain(folded.error());
  const Result<batch::Overview> overview = batch::overview_of(*of.journal);
  if (!overview) return complain(overview.error());
  if (const int printed = print(batch::to_text(*overview, quoted(flags.out))); printed != done) return printed;
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
  if (live_) return show_live(now.done == now.of ? std::string{} : batch::told(now) + more);
  const std::size_t tenth = now.of == 0 ? 10 : now.done * 10 / now.of;
  if (tenth == told_) return;
  told_ = tenth;
  note(fmt::format("histolab: {}\n", batch::told(now)));
}

void ProgressLine::wait_for(const std::string& what) {
  using namespace std::chrono_literals;
  if (live_) return show_live(what);
  if (told_of_waiting_ || std::chrono::steady_clock::now() - begin_ < 10s) return;
  told_of_waiting_ = true;
  note(fmt::format("histolab: {}\n", what));
}

void ProgressLine::tell(const std::string& text) { note(fmt::format("{}histolab: {}\n", live_ ? "\r\033[K" : "", text)); }

}  // namespace histolab::cli
