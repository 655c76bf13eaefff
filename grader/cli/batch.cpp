// histolab batch
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "grader/batch/engine.h"
#include "grader/batch/gradings.h"
#include "grader/batch/intake.h"
#include "grader/batch/journal.h"
#include "grader/batch/overview.h"
#include "grader/batch/rubric.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/signals.h"
#include "grader/read_file.h"
#include "grader/words.h"
#include "kernels/worker/process.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using batch::Journal;
using grader::LabSpec;

constexpr const char* kept_rubric = "the journal's rubric";

struct BatchFlags {
  std::string dir, out;
  std::vector<std::string> words;
  unsigned jobs = default_jobs();
  bool resume = false, file_times = false, unsafe = false;
  std::string engine = "local", device = "emulator", rubric;
  std::optional<std::uint64_t> seed;
};

// For a shell, as it was typed but for what is not wanted again.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-") == std::string::npos) return word;
  return grader::single_quoted(word);
}
std::string command_to_go_on(const BatchFlags& flags) {
  std::string command = fmt::format("histolab batch {}", quoted(flags.dir));
  for (const std::string& word : flags.words) command += " " + quoted(word);
  command += fmt::format(" --out {} --resume --jobs {}", quoted(flags.out), flags.jobs);
  if (!flags.rubric.empty()) command += " --rubric " + quoted(flags.rubric);
  if (flags.device != "emulator") command += " --device " + flags.device;
  if (flags.file_times) command += " --file-times";
  if (flags.unsafe) command += " --unsafe";
  return command;
}

bool lies_in(const std::string& path, const std::string& folder) {
  std::error_code failure;
  const std::string outer = fs::weakly_canonical(folder, failure).string() + "/", inner = fs::weakly_canonical(path, failure).string() + "/";
  return inner.starts_with(outer);
}

// Nobody can guess it, and every JSON reader keeps it exactly.
Result<std::uint64_t> random_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) return Error{"this machine gives no random numbers for the class's seed; choose one by --seed"};
  return seed & max_seed;
}

// One live line at a terminal, else a line for every tenth.
class ProgressLine {
 public:
  void show(const batch::Standing& now) {
    if (live_) {
      if (now.seconds - shown_ < 0.1 && now.done < now.of) return;
      shown_ = now.seconds;
      note(fmt::format("\r\033[K{}", now.done == now.of ? std::string{} : grader::shortened(batch::told(now), 79)));
      return;
    }
    const std::size_t tenth = now.of == 0 ? 10 : now.done * 10 / now.of;
    if (tenth == told_) return;
    told_ = tenth;
    note(fmt::format("histolab: {}\n", batch::told(now)));
  }

 private:
  bool live_ = isatty(STDERR_FILENO) != 0;
  double shown_ = -1;
  std::size_t told_ = 0;
};

// Who goes on without naming one goes on with that of the last time.
Result<batch::Rubric> rubric_of(const BatchFlags& flags, const batch::Meta& before) {
  if (flags.rubric.empty()) return before.rubric.empty() ? Result<batch::Rubric>{batch::Rubric{}} : batch::read_rubric(kept_rubric, before.rubric);
  const Result<std::string> text = grader::read_text_file(flags.rubric, "rubric");
  return text ? batch::read_rubric(flags.rubric, *text) : Result<batch::Rubric>{text.error()};
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
  const Result<batch::Tree> tree = batch::read_tree(flags.dir);
  if (!tree) return tree.error();
  Result<batch::Intake> intake = batch::take_in(*tree, options);
  if (!intake) return Error{fmt::format("{}: {}", flags.dir, intake.error().message)};
  for (const std::string& remark : intake->remarks) note(fmt::format("histolab: {}\n", grader::harmless(remark)));
  return intake;
}

// Whom and what a journal has shown until now and will not show any more.
Status tell_what_goes(Journal& journal, const BatchFlags& flags, const std::vector<LabSpec>& labs, const batch::Intake& intake) {
  std::vector<std::string> students, gone_labs;
  Status read = journal.database().each("SELECT key, name FROM student ORDER BY key", {}, [&](const batch::Row& row) -> Status {
    if (std::ranges::none_of(intake.class_, [&](const batch::HandIn& each) { return each.student.key == row.text(0); })) students.push_back(row.text(1));
    return Done{};
  });
  if (!read) return read;
  read = journal.database().each("SELECT name FROM lab ORDER BY position", {}, [&](const batch::Row& row) -> Status {
    if (std::ranges::none_of(labs, [&](const LabSpec& each) { return each.name == row.text(0); })) gone_labs.push_back(row.text(0));
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

// What of a class is to be graded, put into the journal.
Status begin_class(Journal& journal, const std::vector<LabSpec>& labs, const batch::Intake& intake, const batch::Meta& meta, const batch::Rubric& rubric, const std::string& profile) {
  std::vector<batch::Lab> summaries;
  for (const LabSpec& lab : labs) {
    batch::Lab& summary = summaries.emplace_back();
    summary.name = lab.name, summary.title = lab.title, summary.max_score = lab.max_score;
    Result<std::string> stub = grader::read_text_file(lab.stub_path(), "stub");
    if (!stub) return stub.error();
    summary.stub = std::move(*stub);
  }
  const Result<batch::Gradings> gradings = batch::Gradings::make(labs, meta, profile, rubric.of_labs());
  if (!gradings) return gradings.error();
  if (Status kept = journal.set_meta(meta); !kept) return kept;
  return journal.set_class(summaries, intake.class_, [&](const std::string& lab, const batch::Work& work) { return gradings->of(lab, work); });
}

// Strangers' kernels are not run on a machine that cannot keep them from anything.
Status check_sandbox(const Context& context, const BatchFlags& flags) {
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  if (!sandbox) return sandbox.error();
  if ((*sandbox)->tier() != sandbox::Tier::none || flags.unsafe) return Done{};
  const auto& obstacles = (*sandbox)->obstacles();
  const std::string why = obstacles.empty() ? "HISTOLAB_SANDBOX says so" : obstacles.front().what;
  return Error{fmt::format("this machine confines a kernel by nothing but limits ({}). `histolab doctor` says what would change that; --unsafe grades all the same, "
                           "where you know everybody who handed in", why)};
}

int run_batch(const Context& context, const BatchFlags& flags) {
  if (flags.engine != "local") return complain({fmt::format("--engine {}: this version has the engine local", flags.engine)});
  std::error_code failure;
  // What is there already is taken up first, as it decides what is graded; what is not is made last, when nothing can be missing any more.
  std::optional<Journal> journal;
  const auto open_journal = [&]() -> Status {
    Result<Journal> begun = Journal::begin(flags.out, flags.resume);
    if (begun) journal = std::move(*begun);
    return begun ? Status{Done{}} : Status{begun.error()};
  };
  if (flags.resume && fs::exists(batch::journal_path(flags.out), failure))
    if (Status opened = open_journal(); !opened) return complain(opened.error());
  const Result<batch::Meta> before = journal ? journal->meta() : Result<batch::Meta>{batch::Meta{}};
  if (!before) return complain(before.error());
  const Result<batch::Rubric> rubric = rubric_of(flags, *before);
  if (!rubric) return complain(rubric.error());
  const Result<std::vector<LabSpec>> labs = class_labs(context, flags.words, *rubric, flags.rubric.empty() ? kept_rubric : flags.rubric);
  if (!labs) return complain(labs.error());
  if (!fs::exists(flags.dir, failure)) return complain({fmt::format("{}: there is no such folder or archive", flags.dir)});
  if (lies_in(flags.out, flags.dir)) return complain({fmt::format("--out {} lies in {}: the results would be taken for a student's; choose a folder elsewhere", flags.out, flags.dir)});
  Result<ClassMachine> machine = make_class_machine(context, flags.device, 0, flags.jobs);
  if (!machine) return complain(machine.error());
  if (Status safe = check_sandbox(context, flags); !safe) return complain(safe.error());
  const Result<batch::Intake> intake = take_in(context, flags, *labs);
  if (!intake) return complain(intake.error());
  const Result<std::uint64_t> seed = flags.seed ? Result<std::uint64_t>{*flags.seed} : journal && !journal->is_new() ? Result<std::uint64_t>{before->seed} : random_seed();
  if (!seed) return complain(seed.error());
  if (!journal)
    if (Status opened = open_journal(); !opened) return complain(opened.error());
  advise_when_interrupted(fmt::format("what was graded is kept; go on with\n  {}", command_to_go_on(flags)));

  machine->grading.seed = *seed;
  batch::Engine engine{.device = *machine->device, .labs = *labs, .grading = machine->grading, .measurements = context.paths.measurements};
  engine.stopped = [] { return kernels::worker::cancelled(); };
  ProgressLine line;
  engine.progress = [&line](const batch::Standing& now) { line.show(now); };

  const batch::Meta meta = machine->meta(flags.device, rubric->text);
  if (Status told = tell_what_goes(*journal, flags, *labs, *intake); !told) return complain(told.error());
  if (Status begun = begin_class(*journal, *labs, *intake, meta, *rubric, machine->profile); !begun) return complain(begun.error());

  grader::SolutionStages stages{*machine->device, engine.grading};
  const Result<std::vector<grader::LabResult>> solutions = batch::grade_solutions(engine, stages);
  wait_if_interrupted();
  if (!solutions) return complain(solutions.error());
  for (const grader::LabResult& solution : *solutions)
    if (Status kept = journal->set_solution(solution.lab, batch::report_of(solution, meta.device_kind)); !kept) return complain(kept.error());
  const Status graded = batch::grade_outstanding(*journal, engine, stages);
  wait_if_interrupted();
  if (!graded) return complain({fmt::format("{}\n  {}", graded.error().message, command_to_go_on(flags))});
  if (Status folded = journal->fold(); !folded) return complain(folded.error());
  const Result<batch::Overview> overview = batch::overview_of(*journal);
  if (!overview) return complain(overview.error());
  if (const int printed = print(batch::to_text(*overview, quoted(flags.out))); printed != done) return printed;
  return overview->machine_failed > 0 ? cannot : overview->all_passed() ? done : not_passed;
}

}  // namespace

void add_batch(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "batch", "grades a whole class and keeps each result at once in a journal",
                                  "histolab batch handed-in --out results\n"
                                  "histolab batch handed-in --out results --resume\n"
                                  "histolab batch gradescope-export.zip 01 02 --out results --jobs 8");
  const auto flags = std::make_shared<BatchFlags>();
  command->add_option("DIR", flags->dir, "what the class handed in, in a folder or an archive: a folder, an archive or a file a student, or an export of Gradescope, Moodle or Canvas")->type_name("")->required();
  command->add_option("LAB", flags->words, "name, number or a unique beginning; all without")->type_name("");
  command->add_option("--out", flags->out, "folder of the results; made where it is missing")->type_name("DIR")->required();
  add_jobs_option(*command, flags->jobs);
  command->add_flag("--resume", flags->resume, "go on in --out: what is finished is not repeated, what was handed in anew is graded");
  command->add_option_function<std::uint64_t>("--seed", [flags](const std::uint64_t& seed) { flags->seed = seed; }, "of all generated data (a random one, kept in --out: students must not know it)")
      ->check(CLI::Range(std::uint64_t{0}, max_seed).description(""))
      ->type_name("N");
  command->add_option("--rubric", flags->rubric, "other points, cases, limits, and what lateness costs; kept in --out, and --resume goes on with it")->type_name("FILE");
  command->add_flag("--file-times", flags->file_times, "where nobody tells when a file was handed in, its own time counts");
  add_device_option(*command, flags->device);
  command->add_option("--engine", flags->engine, "local")->type_name("NAME");
  command->add_flag("--unsafe", flags->unsafe, "grade also where the machine has no sandbox");
  command->callback([&context, flags] { context.run = [&context, flags] { return run_batch(context, *flags); }; });
}

}  // namespace histolab::cli
