// histolab batch --engine slurm and histolab batch --cancel: carries out a SlurmPlan.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "grader/batch/groups.h"
#include "grader/batch/overview.h"
#include "grader/cli/batch_class.h"
#include "grader/cli/console.h"
#include "grader/cli/signals.h"
#include "grader/cli/slurm_plan.h"
#include "grader/cluster/chunks.h"
#include "grader/cluster/collector.h"
#include "grader/cluster/dispatch.h"
#include "grader/cluster/probe.h"
#include "grader/words/words.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using cluster::Assignment;
using cluster::Dispatch;
using cluster::Phase;
using cluster::Spool;
using Groups = std::vector<std::vector<batch::Task>>;  // equal submissions, graded once

Status cancel_all(cluster::Scheduler& scheduler, const Spool& spool, const Assignment& assignment) {
  Dispatch dispatch{scheduler, spool, assignment, {}, {}};
  TRY(dispatch.load_arrays());
  return dispatch.cancel();
}

struct Begun {
  Assignment assignment;
  // Parts of an earlier run, whose spool was removed. A result counts if its grading is still in
  // the class.
  std::vector<cluster::Part> unread;
};

// Takes the spool of an earlier run if its assignment was the same; its tasks may still run. Else
// creates a new spool.
Result<Begun> open_spool(Spool& spool, cluster::Scheduler& scheduler, Assignment wanted,
                         ProgressLine& line) {
  Begun begun;
  if (spool.exists()) {
    const Result<Assignment> before = spool.assignment();
    if (!before)
      return Error{
          fmt::format("{}; it belongs to an earlier run of this batch. Try again when it is "
                      "readable, or remove {} if none of its tasks runs",
                      before.error().message, spool.folder())};
    const std::optional<std::vector<cluster::Part>> probe = TRY(spool.probe());
    wanted.id = before->id;
    const unsigned jobs = std::exchange(wanted.jobs, before->jobs);
    if (probe && *before == wanted) {
      if (jobs != before->jobs)
        line.tell(fmt::format(
            "the tasks keep --jobs {}, because the first of them were submitted with it",
            before->jobs));
      TRY(spool.take_cancel_back());
      return Begun{*before, {}};
    }
    wanted.jobs = jobs;
    if (Status cancelled = cancel_all(scheduler, spool, *before); !cancelled)
      return Error{
          fmt::format("{}: tasks of an earlier run with another program, rubric, seed or labs are "
                      "in Slurm's queue and cannot be cancelled: {}",
                      spool.folder(), cancelled.error().message)};
    if (probe)
      line.tell(
          "the program, the labs or the grading settings have changed: the earlier tasks are "
          "cancelled, and their results count if their submissions are graded in the same way");
    begun.unread = spool.readable_parts(before->id);
  }
  begun.assignment = TRY(spool.make(std::move(wanted)));
  return begun;
}

// Asks on Ctrl-C whether to leave the tasks on the cluster or to cancel them, as long as it lives.
class InterruptPrompt {
 public:
  // Keeps references to all arguments.
  InterruptPrompt(cluster::Scheduler& scheduler, const Spool& spool, const Assignment& assignment,
                  const BatchFlags& flags, const std::string& go_on) {
    const std::string end = fmt::format("histolab batch --cancel {}", quoted(flags.out));
    advise_when_interrupted(
        fmt::format("the tasks keep running on the cluster, and the results are kept. To resume "
                    "the batch\n  {}\nto end it\n  {}",
                    go_on, end));
    ask_when_interrupted([&scheduler, &spool, &assignment, &go_on, end] {
      const std::string answer = answer_to(
          "histolab: tasks are on the cluster; leave them there (Enter), or cancel them (c)? ");
      if (answer != "c" && answer != "C") return;
      // The mark comes first, so that a submission in progress is not repeated.
      Status cancelled = spool.cancel();
      if (cancelled) cancelled = cancel_all(scheduler, spool, assignment);
      advise_when_interrupted(
          cancelled
              ? fmt::format(
                    "the tasks are cancelled, and the results are kept; continue with\n  {}", go_on)
              : fmt::format("the tasks could not be cancelled: {}. Try\n  {}",
                            cancelled.error().message, end));
    });
  }
  InterruptPrompt(const InterruptPrompt&) = delete;
  InterruptPrompt& operator=(const InterruptPrompt&) = delete;
  ~InterruptPrompt() { ask_when_interrupted({}); }
};

std::string queue_text(const cluster::Queue& queue) {
  if (queue.running == 0 && queue.waiting > 0)
    return fmt::format("; no task runs, {} wait{}", grader::grouped(queue.waiting),
                       queue.reason.empty() ? "" : " (" + queue.reason + ")");
  if (queue.running + queue.waiting == 0) return "";
  return fmt::format("; {} run, {} wait", grader::counted(queue.running, "task"),
                     grader::grouped(queue.waiting));
}

// Adds the names to the list of an earlier run: "A", {"B"} -> "A, B".
std::string joined_names(const std::string& before, std::set<std::string> names) {
  constexpr std::string_view between = ", ";
  for (std::size_t at = 0; at < before.size();) {
    const std::size_t end = std::min(before.find(between, at), before.size());
    names.insert(before.substr(at, end - at));
    at = end + between.size();
  }
  return fmt::format("{}", fmt::join(names, between));
}

// "27 tasks on 3 nodes; 91 % of their 14 min 2 s was grading, 120 ms to begin".
std::string summary_of(const cluster::Totals& totals, const cluster::Collector& collector,
                       unsigned jobs) {
  std::string text = fmt::format("{} on {}", grader::counted(totals.tasks, "task"),
                                 grader::counted(totals.nodes.size(), "node"));
  if (totals.tasks > 0 && totals.seconds > 0)
    text += fmt::format(
        "; {:.0f} % of {} {} was grading, {} to begin",
        std::min(100.0, 100 * collector.seconds() / (totals.seconds * jobs)),
        totals.tasks == 1 ? "its" : "their", batch::hours_and_minutes(totals.seconds),
        grader::duration(1000 * totals.seconds_to_begin / static_cast<double>(totals.tasks)));
  if (totals.submitted_again > 0)
    text += fmt::format("; {} submitted again", totals.submitted_again);
  if (collector.found_twice() > 0)
    text +=
        fmt::format("; {} graded twice, {} of them differently",
                    grader::counted(collector.found_twice(), "submission"), collector.disputed());
  return text;
}

// Adds the results that earlier runs have for these groups: those in the journal, and parts that
// were not read yet.
Status add_known(cluster::Collector& collector, const Groups& groups, batch::Journal& journal,
                 const std::vector<cluster::Part>& unread) {
  for (const auto& group : groups) {
    const std::vector<batch::Journal::Done> known = TRY(batch::results_alike(journal, group));
    if (known.empty()) continue;
    TRY(collector.take_known(known));
  }
  for (const cluster::Part& part : unread) TRY(collector.take(part));
  return Done{};
}

// Sends the groups as chunks. Ends early on Ctrl-C.
Status send(Dispatch& dispatch, const Groups& groups, batch::Journal& journal,
            const cluster::Sizes& sizes, Phase phase, ProgressLine& line) {
  std::size_t written = 0;
  for (const std::vector<std::size_t>& part : cluster::divide_into_chunks(groups, sizes)) {
    if (kernels::worker::cancelled()) return Done{};  // the caller's run() ends, too
    line.wait_for(fmt::format("writing tasks: {} of {}", grader::grouped(written),
                              grader::counted(groups.size(), "submission")));
    written += part.size();
    cluster::Chunk chunk;
    chunk.phase = phase;
    for (const std::size_t i : part) {
      const batch::Task& task = groups[i].front();
      batch::Work work = TRY(batch::work_of(journal, task));
      chunk.items.push_back({.grading = task.grading, .lab = task.lab, .work = std::move(work)});
    }
    TRY(dispatch.add(std::move(chunk)));
  }
  return Done{};
}

// Takes over running tasks for the groups without a result, and sends the remaining groups.
Status adopt_and_send(Dispatch& dispatch, const Groups& groups, const cluster::Collector& collector,
                      batch::Journal& journal, const cluster::Sizes& sizes, Phase phase,
                      ProgressLine& line) {
  std::set<std::string> wanted;
  for (const auto& group : groups)
    if (!collector.has(group.front().grading)) wanted.insert(group.front().grading);
  TRY(dispatch.adopt(wanted));
  const std::set<std::string> expected = dispatch.expected();
  Groups left;
  for (const auto& group : groups)
    if (!collector.has(group.front().grading) && !expected.contains(group.front().grading))
      left.push_back(group);
  return send(dispatch, left, journal, sizes, phase, line);
}

// Returns the journal's settings so far.
Result<batch::Meta> begin_journal(SlurmPlan& plan, const BatchFlags& flags) {
  TRY(open_journal(plan.of, flags));
  // Now, so that --resume has the seed and the rubric however this run ends.
  if (plan.of.journal->is_new()) TRY(plan.of.journal->set_meta(plan.meta));
  return plan.of.journal->meta();
}

cluster::DispatchOptions options_of(const BatchFlags& flags, const SbatchWords& sbatch) {
  cluster::DispatchOptions options;
  options.partition = flags.partition;
  options.timing_partition = flags.timing_partition;
  options.account = flags.account;
  options.gres = flags.gres;
  options.sbatch = sbatch.words;
  options.excluded = sbatch.excluded;
  options.most_tasks = flags.most_tasks;
  return options;
}

Phase first_phase(const BatchFlags& flags) {
  return flags.timing_partition.empty() ? Phase::whole : Phase::measure;
}

// The events that the probe and the class share; the caller sets the others.
cluster::DispatchEvents events_on(ProgressLine& line) {
  cluster::DispatchEvents events;
  events.report = [&line](const std::string& text) { line.tell(grader::harmless(text)); };
  events.stopped = [] { return kernels::worker::cancelled(); };
  return events;
}

// Grades the labs' own solutions on a node.
Result<cluster::Probed> try_solutions(SlurmPlan& plan, const BatchFlags& flags, const Spool& spool,
                                      ProgressLine& line) {
  cluster::DispatchEvents events = events_on(line);
  events.progress = [&line](const cluster::Queue& queue) {
    line.wait_for(queue.running > 0
                      ? "a node grades the solutions of the labs"
                      : fmt::format("waiting for a node to grade the solutions of the labs{}",
                                    queue.reason.empty() ? "" : " (" + queue.reason + ")"));
  };
  Result<cluster::Probed> probed =
      cluster::probe(plan.slurm, spool, plan.assignment, options_of(flags, plan.sbatch), events,
                     first_phase(flags), plan.solutions);
  wait_if_interrupted();
  return probed;
}

Status keep_solutions(SlurmPlan& plan, const BatchFlags& flags, const cluster::Probed& probed) {
  plan.meta.device_name = probed.node.device_name;
  plan.meta.sandbox = probed.node.sandbox;
  plan.meta.compiler = probed.node.compiler;
  plan.meta.gpu_name = probed.node.gpu_name;
  plan.meta.gpu_driver = probed.node.gpu_driver;
  TRY(begin_class(plan.of, flags, plan.meta, plan.figures));
  for (const auto& [lab, report] : probed.reports) TRY(plan.of.journal->set_solution(lab, report));
  return Done{};
}

// Keeps the names of all GPUs that measured times, for the class's report. Each result names its
// own GPU.
Status keep_gpus(SlurmPlan& plan, const batch::Meta& before, const cluster::Collector& collector) {
  if (collector.gpus().empty()) return Done{};
  plan.meta.gpu_name = joined_names(before.gpu_name, collector.gpus());
  plan.meta.gpu_driver = joined_names(before.gpu_driver, collector.drivers());
  return plan.of.journal->set_meta(plan.meta);
}

// Returns an Error if submissions are left to grade.
Status check_ending(Dispatch& dispatch, Dispatch::Ending how, const std::string& go_on,
                    ProgressLine& line) {
  if (how != Dispatch::Ending::settled)
    return Error{
        fmt::format("the batch was cancelled; the results are kept. Continue with\n  {}", go_on)};
  if (dispatch.cancelled_by_others() > 0)
    return Error{
        fmt::format("the tasks of {} were cancelled with scancel; the other results are kept. "
                    "Submit them again with\n  {}",
                    grader::counted(dispatch.cancelled_by_others(), "submission"), go_on)};
  if (Status cancelled = dispatch.cancel(); !cancelled)
    line.tell(fmt::format("duplicate tasks could not be cancelled: {}", cancelled.error().message));
  return Done{};
}

// Grades the submissions without a result.
Status grade_rest(SlurmPlan& plan, const BatchFlags& flags, const batch::Meta& before,
                  const Spool& spool, std::vector<cluster::Part> unread,
                  const cluster::Probed& probed, ProgressLine& line) {
  batch::Journal& journal = *plan.of.journal;
  std::vector<batch::Task> outstanding = TRY(journal.outstanding());
  const Groups groups = batch::groups_of_equal(std::move(outstanding));
  std::string queue_now;
  batch::Tally tally{groups, [&](const batch::Standing& now) { line.show(now, queue_now); }};
  cluster::Collector collector{journal, plan.of.labs, groups, tally};
  TRY(add_known(collector, groups, journal, std::exchange(unread, {})));

  const cluster::Sizes sizes{.seconds = probed.seconds, .works = flags.chunk};
  cluster::DispatchOptions options = options_of(flags, plan.sbatch);
  options.tier = probed.node.sandbox;
  options.compiler = probed.node.compiler;
  options.minutes = cluster::minutes_of_task(groups, sizes);
  cluster::DispatchEvents events = events_on(line);
  events.found = [&](const cluster::Part& part) { return collector.take(part); };
  events.given_up = [&](const std::vector<std::string>& works, int tries,
                        const cluster::Failure& failure) {
    line.tell(fmt::format("{} could not be graded after {} tries: {}",
                          grader::counted(works.size(), "submission"), tries,
                          grader::harmless(failure.why)));
    return collector.give_up(works, tries, failure);
  };
  events.progress = [&](const cluster::Queue& queue) {
    queue_now = queue_text(queue);
    if (tally.standing().done < tally.standing().of) line.show(tally.standing(), queue_now);
  };
  Dispatch dispatch{plan.slurm, spool, plan.assignment, options, events};
  TRY(adopt_and_send(dispatch, groups, collector, journal, sizes, first_phase(flags), line));
  const Result<Dispatch::Ending> how = dispatch.run();
  wait_if_interrupted();
  if (!how) return Error{fmt::format("{}\n  {}", how.error().message, plan.go_on)};
  TRY(keep_gpus(plan, before, collector));
  line.tell(summary_of(dispatch.totals(), collector, plan.assignment.jobs));
  return check_ending(dispatch, *how, plan.go_on, line);
}

// Everything that happens while tasks may be on the cluster.
Status grade_on_cluster(SlurmPlan& plan, const BatchFlags& flags, const batch::Meta& before) {
  Spool spool{Spool::folder_in(full_path(flags.out))};
  ProgressLine line;
  Begun begun = TRY(open_spool(spool, plan.slurm, std::move(plan.assignment), line));
  plan.assignment = std::move(begun.assignment);
  const InterruptPrompt prompt{plan.slurm, spool, plan.assignment, flags, plan.go_on};
  const cluster::Probed probed = TRY(try_solutions(plan, flags, spool, line));
  TRY(keep_solutions(plan, flags, probed));
  TRY(grade_rest(plan, flags, before, spool, std::move(begun.unread), probed, line));
  spool.remove();
  return Done{};
}

}  // namespace

int run_on_slurm(const Context& context, const BatchFlags& flags) {
  Result<SlurmPlan> plan = plan_for_slurm(context, flags);
  if (!plan) return complain(plan.error());
  const Result<batch::Meta> before = begin_journal(*plan, flags);
  if (!before) return complain(before.error());
  if (Status graded = grade_on_cluster(*plan, flags, *before); !graded)
    return complain(graded.error());
  advise_when_interrupted("the class is graded; `--resume` prints the table again");
  return end_class(plan->of, flags);
}

int cancel_on_slurm(const BatchFlags& flags) {
  Result<cluster::Slurm> slurm = cluster::Slurm::find();
  if (!slurm) return complain(slurm.error());
  const Spool spool{Spool::folder_in(full_path(flags.cancel))};
  if (std::error_code failure; !fs::is_directory(flags.cancel, failure))
    return complain({fmt::format(
        "{}: no such folder; --cancel needs the --out of the batch whose tasks should end",
        flags.cancel)});
  if (!spool.exists())
    return complain({fmt::format("{}: this batch has no tasks on a cluster", flags.cancel)});
  const Result<Assignment> assignment = spool.assignment();
  if (!assignment) return complain(assignment.error());
  // The mark comes first, so that a running batch does not submit the tasks again.
  if (Status marked = spool.cancel(); !marked) return complain(marked.error());
  if (Status cancelled = cancel_all(*slurm, spool, *assignment); !cancelled)
    return complain(
        {fmt::format("Slurm did not cancel the tasks: {}. Try again", cancelled.error().message)});
  note(
      fmt::format("histolab: the tasks are cancelled, and the results are kept; continue with "
                  "`histolab batch DIR --out {} --resume --engine slurm`\n",
                  quoted(flags.cancel)));
  return done;
}

}  // namespace histolab::cli
