#include "grader/cluster/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "grader/batch/engine.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"

namespace histolab::cluster {
namespace {

constexpr const char* lacks = "the cluster cannot grade: ";
constexpr const char* nothing_submitted =
    "\nNothing of the class was submitted. Once that is fixed, continue with --resume";

Result<Probed> probed_by(const std::vector<Part>& parts, const std::vector<Item>& items) {
  Probed probed;
  for (const Part& part : parts) {
    const std::string gpu = probed.node.gpu_name, driver = probed.node.gpu_driver;
    probed.node = part.node;
    if (probed.node.gpu_name.empty()) {
      probed.node.gpu_name = gpu;
      probed.node.gpu_driver = driver;
    }
    for (const Found& found : part.found)
      for (const Item& item : items) {
        if (item.grading != found.grading) continue;
        double& seconds = probed.seconds[item.lab];
        seconds = std::max(seconds, found.outcome.seconds);
        if (found.outcome.status.empty()) continue;
        probed.reports[item.lab] = found.outcome.report;
        const grader::LabResult result = TRY(grader::lab_result_from_json(
            found.outcome.report, part.node.name + "'s report of the solution of " + item.lab));
        if (Status passes = batch::check_solution(result); !passes)
          return Error{fmt::format("on {} {}", part.node.name, passes.error().message)};
      }
  }
  return probed;
}

}  // namespace

std::int64_t clock_skew(std::int64_t node, std::int64_t before, std::int64_t after) {
  if (node < before) return node - before;
  return node > after ? node - after : 0;
}

std::string explain(const Failure& failure, const Spool& spool, const Assignment& assignment) {
  const std::string node = failure.node.empty() ? "a node" : failure.node;
  if (failure.no_node_fits) return lacks + failure.why + nothing_submitted;
  if (!failure.reported.obstacles.empty()) {
    std::string text = fmt::format("{}{} lacks what a task needs", lacks, node);
    for (const std::string& each : failure.reported.obstacles) text += "\n  - " + each;
    return text + nothing_submitted;
  }
  switch (failure.exit_code) {
    case no_spool:
      return fmt::format(
          "{}{} has no folder {}. --out must be on a file system that the nodes share, under the "
          "same path there{}",
          lacks, node, spool.folder(), nothing_submitted);
    case spool_not_writable:
      return fmt::format(
          "{}{} may not write into {}. The nodes need the folder with the same rights as you have "
          "here{}",
          lacks, node, spool.folder(), nothing_submitted);
    case no_program:
      return fmt::format(
          "{}{} has no program {}. Build or install histolab where the nodes have it under the "
          "same path, with the packages that it needs{}",
          lacks, node, assignment.program, nothing_submitted);
    case 127:
      return fmt::format("{}{} cannot start {}: a library that it needs is missing there ({}){}",
                         lacks, node, assignment.program, failure.why, nothing_submitted);
    default:
      return fmt::format("{}the first task ended without a result: {}{}", lacks, failure.why,
                         nothing_submitted);
  }
}

Result<Probed> probe(Scheduler& scheduler, const Spool& spool, const Assignment& assignment,
                     DispatchOptions options, DispatchEvents events, Phase phase,
                     const std::vector<Item>& items) {
  const std::optional<std::vector<Part>> before = TRY(spool.probe());
  if (before) return probed_by(*before, items);

  options.most_tries = 0;
  options.poll = std::min(options.poll, std::chrono::milliseconds{1'000});
  std::vector<Part> parts;
  const std::int64_t begin = std::time(nullptr);
  std::optional<Error> skewed;
  events.found = [&](const Part& part) -> Status {
    const std::int64_t skew = clock_skew(part.node.time, begin, std::time(nullptr));
    if (std::abs(skew) > most_skew)
      skewed =
          Error{fmt::format("{}the clock of {} is {} {}. From 5 min on, Slurm's credentials fail; "
                            "set all clocks from one source (chrony, systemd-timesyncd){}",
                            lacks, part.node.name,
                            grader::counted(static_cast<std::uint64_t>(std::abs(skew)), "second"),
                            skew < 0 ? "slow" : "fast", nothing_submitted)};
    parts.push_back(part);
    return Done{};
  };
  events.given_up = [&](const std::vector<std::string>&, int, const Failure& failure) -> Status {
    return Error{explain(failure, spool, assignment)};
  };
  const auto report = events.report;
  Dispatch dispatch{scheduler, spool, assignment, std::move(options), std::move(events)};
  TRY(dispatch.add({0, phase, 0, items}));
  const Result<Dispatch::Ending> ended = dispatch.run();
  if (!ended) {
    if (Status cancelled = dispatch.cancel(); !cancelled)
      report(fmt::format("the first task could not be cancelled: {}", cancelled.error().message));
    return ended.error();
  }
  if (*ended != Dispatch::Ending::settled || dispatch.cancelled_by_others() > 0)
    return Error{"the first task was cancelled; --resume submits it again"};
  if (skewed) return *skewed;
  Probed probed = TRY(probed_by(parts, items));
  TRY(spool.put_probe(parts));
  return probed;
}

}  // namespace histolab::cluster
