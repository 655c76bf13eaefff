// histolab batch
#include <fmt/format.h>

#include <filesystem>
#include <tuple>

#include "grader/batch/engine.h"
#include "grader/cli/batch_class.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "kernels/worker/processes/process.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

int run_here(const Context& context, const BatchFlags& flags) {
  Result<ClassToGrade> of = class_to_grade(context, flags);
  if (!of) return complain(of.error());
  Result<ClassMachine> machine = make_class_machine(context, flags.device, of->seed,
                                                    flags.jobs > 0 ? flags.jobs : default_jobs());
  if (!machine) return complain(machine.error());
  if (Status safe = may_run_strangers(context, flags.unsafe); !safe) return complain(safe.error());
  if (Status opened = open_journal(*of, flags); !opened) return complain(opened.error());
  std::error_code failure;
  if (std::filesystem::exists(flags.out + "/slurm", failure))
    note(
        fmt::format("histolab: an earlier run of this batch may still have tasks on a cluster, "
                    "which repeat the work of this run; `histolab batch --cancel {}` ends them\n",
                    quoted(flags.out)));
  advise_when_interrupted(
      fmt::format("results so far are kept; resume with\n  {}", command_to_go_on(context, flags)));

  batch::Journal& journal = *of->journal;
  batch::Engine engine{.device = *machine->device,
                       .labs = of->labs,
                       .grading = machine->grading,
                       .measurements = context.paths.measurements,
                       .shard = of->shard};
  engine.stopped = [] { return kernels::worker::cancelled(); };
  ProgressLine line;
  engine.progress = [&line](const batch::Standing& now) { line.show(now); };

  batch::Meta meta = machine->meta(flags.device, of->rubric.text);
  of->put_into(meta);
  if (Status begun = begin_class(*of, flags, meta, machine->figures); !begun)
    return complain(begun.error());
  grader::SolutionStages stages{*machine->device, engine.grading};
  const Result<std::vector<grader::LabResult>> solutions = batch::grade_solutions(engine, stages);
  wait_if_interrupted();
  if (!solutions) return complain(solutions.error());
  for (const grader::LabResult& solution : *solutions)
    if (Status kept =
            journal.set_solution(solution.lab, batch::report_of(solution, meta.device_kind));
        !kept)
      return complain(kept.error());
  if (Status merged = merge_shards(*of, flags); !merged) return complain(merged.error());
  const Status graded = batch::grade_outstanding(journal, engine, stages);
  wait_if_interrupted();
  if (!graded)
    return complain(
        {fmt::format("{}\n  {}", graded.error().message, command_to_go_on(context, flags))});
  return end_class(*of, flags);
}

int run_batch(const Context& context, const BatchFlags& flags) {
  if (!flags.cancel.empty())
    return flags.dir.empty() && flags.out.empty()
               ? cancel_on_slurm(flags)
               : complain({"--cancel takes only the folder of the results: histolab "
                           "batch --cancel OUT"});
  for (const auto& [value, name] : {std::pair{&flags.dir, "DIR"}, {&flags.out, "--out"}})
    if (value->empty())
      return complain({fmt::format("{} is required (`histolab batch --help` shows how)", name)});
  const bool on_slurm = flags.engine == "slurm";
  if (!on_slurm && flags.engine != "local")
    return complain({fmt::format("--engine {}: must be local or slurm", flags.engine)});
  constexpr const char* local = "local: Slurm's tasks divide the class themselves";
  constexpr const char* slurm = "slurm";
  for (const auto& [given, name, engine] :
       {std::tuple{!flags.merge.empty(), "--merge", local},
        {!flags.shard.empty(), "--shard", local},
        {!flags.partition.empty(), "--partition", slurm},
        {!flags.timing_partition.empty(), "--timing-partition", slurm},
        {!flags.account.empty(), "--account", slurm},
        {!flags.gres.empty(), "--gres", slurm},
        {!flags.sbatch.empty(), "--sbatch-args", slurm},
        {flags.chunk > 0, "--chunk", slurm},
        {flags.most_tasks > 0, "--max-tasks", slurm}})
    if (given && on_slurm != (engine == slurm))
      return complain({fmt::format("{} needs --engine {}", name, engine)});
  if (on_slurm) return run_on_slurm(context, flags);
  return run_here(context, flags);
}

}  // namespace

void add_batch(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "batch", "grades a whole class; stores each result in a journal immediately",
                  "histolab batch handed-in --out results\n"
                  "histolab batch handed-in --out results --resume\n"
                  "histolab batch gradescope-export.zip 01 02 --out results --jobs 8\n"
                  "histolab batch handed-in --out results --assignment week2.json\n"
                  "histolab batch handed-in --out results --engine slurm --partition cpu\n"
                  "histolab batch handed-in --out shard-2 --seed 7 --shard 2/5\n"
                  "histolab batch handed-in --out results --seed 7 --merge shard-*");
  const auto flags = std::make_shared<BatchFlags>();
  command
      ->add_option("DIR", flags->dir,
                   "the class's submissions in a folder or an archive: one folder, archive or file "
                   "per student, or an export of Gradescope, Moodle or Canvas")
      ->type_name("");
  command
      ->add_option("LAB", flags->words,
                   "name, number or first letters (the labs of the assignment, or those that were "
                   "handed in)")
      ->type_name("");
  command->add_option("--out", flags->out, "folder of the results; created if it is missing")
      ->type_name("DIR");
  add_jobs_option(*command, flags->jobs);
  command->get_option("--jobs")->description(
      "kernels that run at once (one per core; slurm: 1 per task)");
  command->add_flag(
      "--resume", flags->resume,
      "continue the batch in --out: keeps finished results and grades new submissions");
  command
      ->add_option_function<std::uint64_t>(
          "--seed", [flags](const std::uint64_t& seed) { flags->seed = seed; },
          "seed for generated data (random, stored in --out; keep it from students)")
      ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
      ->type_name("N");
  command
      ->add_option("--assignment,--rubric", flags->rubric,
                   "file with the labs that count, their weights, points, limits and deadlines, "
                   "the seed, roster and extensions; stored in --out for --resume")
      ->type_name("FILE");
  command
      ->add_option("--roster", flags->roster,
                   "CSV with the class's names, e-mail addresses, ids and sections: adds students "
                   "who handed in nothing")
      ->type_name("FILE");
  command
      ->add_option("--extensions", flags->extensions,
                   "CSV with later deadlines, extra days and late days for individual students")
      ->type_name("FILE");
  command
      ->add_option("--earlier", flags->earlier,
                   "an earlier class to compare submissions with: the --out folder of its batch, "
                   "or a folder or archive of submissions; repeatable, stored in --out")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  command->add_flag("--file-times", flags->file_times,
                    "use a file's own time if its submission time is unknown");
  command
      ->add_option("--shard", flags->shard,
                   "grade only part I of N, on one of N machines; all parts need the same DIR, "
                   "options and --seed")
      ->type_name("I/N");
  command
      ->add_option("--merge", flags->merge,
                   "take the results from the --out folders of shards, and grade only what is "
                   "missing; several folders may follow")
      ->type_name("DIR");
  add_device_option(*command, flags->device);
  command->add_option("--engine", flags->engine, "local, or slurm: tasks on a cluster (local)")
      ->type_name("NAME");
  command->add_option("--partition", flags->partition, "slurm: partition of the tasks")
      ->type_name("NAME");
  command
      ->add_option(
          "--timing-partition", flags->timing_partition,
          "slurm, with --device gpu: partition whose nodes measure times; the others judge")
      ->type_name("NAME");
  command->add_option("--account", flags->account, "slurm: account to charge")->type_name("NAME");
  command
      ->add_option("--gres", flags->gres,
                   "slurm: resources of the tasks that measure times, such as gpu:1")
      ->type_name("WORDS");
  command
      ->add_option("--sbatch-args", flags->sbatch,
                   "slurm: more options for sbatch, as typed in a shell")
      ->type_name("WORDS");
  command
      ->add_option("--chunk", flags->chunk, "slurm: submissions per task (about a minute of work)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}).description(""))
      ->type_name("N");
  command
      ->add_option("--max-tasks", flags->most_tasks,
                   "slurm: maximum number of tasks submitted at a time (half of MaxJobCount)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}).description(""))
      ->type_name("N");
  command
      ->add_option("--cancel", flags->cancel, "slurm: ends the tasks of the batch with this --out")
      ->type_name("DIR");
  command->add_flag("--unsafe", flags->unsafe, "grade even if the machine has no sandbox");
  command->callback([&context, flags] {
    if (flags->device != "emulator") context.needs = "gpu";
    context.run = [&context, flags] { return run_batch(context, *flags); };
  });
}

}  // namespace histolab::cli
