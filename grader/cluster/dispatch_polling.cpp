// Dispatch: polls the scheduler, and reports to the user why tasks wait.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cluster/dispatch.h"
#include "grader/words/words.h"

namespace histolab::cluster {
namespace {

using namespace std::chrono_literals;

constexpr auto silence = 10s;          // of the scheduler, before it is reported
constexpr auto longest_between = 60s;  // two polls
constexpr auto patience = 5min;        // if tasks wait and none runs, before it is reported

bool no_node_fits(const TaskState& state) {
  return state.word == "FAILED" && state.reason == "BadConstraints";
}

std::string describe_end(const TaskState& state, unsigned minutes) {
  if (state.word == "TIMEOUT")
    return fmt::format("its time ran out (the batch asks for {} min)", minutes);
  if (state.word == "NODE_FAIL" || state.word == "BOOT_FAIL") return "the node failed";
  if (state.word == "OUT_OF_MEMORY") return "its memory ran out";
  if (state.word == "PREEMPTED") return "another job preempted it";
  if (state.word == "PENDING") return fmt::format("the node could not start it ({})", state.reason);
  if (state.exit_code == started_too_often) return "Slurm restarted it too often";
  if (state.exit_code != 0) return fmt::format("it ended with exit code {}", state.exit_code);
  if (state.word == "COMPLETED") return "it ended without a result";
  return fmt::format("Slurm reports {}{}", state.word,
                     state.reason.empty() ? "" : ": " + state.reason);
}

}  // namespace

Result<std::vector<TaskState>> Dispatch::states_of(const std::vector<std::string>& arrays) {
  std::vector<TaskState> all;
  for (const std::vector<std::string>& lot : in_lots(arrays)) {
    std::vector<TaskState> some = TRY(scheduler_.tasks(lot));
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

Status Dispatch::poll() {
  using Pause = std::chrono::steady_clock::duration;
  const Time begun = now();
  if (begun < poll_next_) return Done{};
  const Result<std::vector<TaskState>> states = states_of(names(false));
  const Pause shortest = options_.poll;
  const Pause longest = std::max<Pause>(shortest, longest_between);
  const Pause pause =
      states ? std::clamp<Pause>(20 * (now() - begun), shortest, longest) : shortest;
  poll_next_ = now() + pause;
  if (!states) {
    if (!silent_since_) silent_since_ = now();
    if (!reported_silence_ && now() - *silent_since_ > silence) {
      reported_silence_ = true;
      events_.report(fmt::format(
          "Slurm does not answer ({}). Tasks keep running; the batch continues when it answers",
          states.error().message));
    }
    return Done{};
  }
  silent_since_.reset();
  reported_silence_ = false;

  std::map<std::string, std::map<std::size_t, const TaskState*>> by_array;
  for (const TaskState& state : *states) by_array[state.array][state.index] = &state;
  if (doubtful_) {
    const std::size_t array = *std::exchange(doubtful_, std::nullopt);
    if (by_array.contains(spool_.job_name(assignment_, array)))
      refusals_ = refusals_alone_ = 0;
    else
      return_to_queue(array, doubt_);
  }
  queue_ = {};
  for (auto& [number, chunk] : chunks_) {
    if (chunk.array == 0) continue;
    const auto& tasks = by_array[spool_.job_name(assignment_, chunk.array)];
    const auto state = tasks.find(chunk.index);
    if (state != tasks.end()) {
      chunk.seen = true;
      const auto excluded = excluded_.find(chunk.phase == Phase::measure);
      const bool has_excluded = excluded != excluded_.end() && !excluded->second.empty();
      if (state->second->reason == "BadConstraints" && has_excluded)
        return Error{
            "no node is left that can grade: the batch excluded all nodes that Slurm has for these "
            "tasks. The results so far are kept; once the nodes are repaired, continue with "
            "--resume"};
      record_state(*state->second, chunk);
    } else if (!chunk.gone_since) {  // Slurm forgets a task some time after its end
      chunk.gone_since = now();
      if (!chunk.failed && chunk.failure.why.empty())
        chunk.failure.why = chunk.seen ? "Slurm no longer knows the task"
                                       : "Slurm accepted the task but never listed it";
    }
  }
  return Done{};
}

void Dispatch::record_state(const TaskState& state, InFlight& chunk) {
  if (state.kind == TaskState::Kind::ended) return record_end(state, chunk);
  chunk.gone_since.reset();
  const bool runs = state.kind == TaskState::Kind::running;
  const bool stuck = state.kind == TaskState::Kind::stuck;
  ++(runs ? queue_.running : queue_.waiting);
  if (!runs && (queue_.reason.empty() || (stuck && queue_.stuck == 0)))
    queue_.reason = state.reason;
  queue_.stuck += stuck ? 1 : 0;
}

void Dispatch::record_end(const TaskState& state, InFlight& chunk) {
  if (!chunk.gone_since) chunk.gone_since = now();
  if (chunk.failed) return;
  const std::string last_line = spool_.last_log_line(chunk.array, chunk.index);
  chunk.cancelled = state.word == "CANCELLED";
  chunk.failure = {
      .why = fmt::format(
          "{}: {}{}", state.node.empty() ? "Slurm" : state.node,
          describe_end(state, options_.minutes),
          last_line.empty() ? "" : fmt::format(" (its log: {})", grader::harmless(last_line))),
      .node = state.node,
      .exit_code = state.exit_code};
  if (no_node_fits(state)) {
    chunk.failed = true;  // the task never started
    chunk.failure.no_node_fits = true;
    chunk.failure.why = explain_no_fit(chunk.phase);
  }
  const bool has_no_program = state.exit_code == no_program;
  if (state.exit_code != no_spool && state.exit_code != spool_not_writable && !has_no_program)
    return;
  chunk.failed = true;  // task.sh reported it, so there is nothing to wait for
  const bool has_graded = totals_.nodes.contains(state.node);
  chunk.away = !has_no_program && has_graded;
  if (chunk.away && reported_away_.insert(state.node).second)
    events_.report(fmt::format(
        "{} has graded before but cannot find {} now; its tasks are submitted again every {} until "
        "it can",
        state.node, spool_.folder(),
        grader::counted(static_cast<std::uint64_t>(longest_pause().count()), "second")));
  if (has_graded) return;
  std::string why = assignment_.program + " is missing there";
  if (state.exit_code == no_spool) why = spool_.folder() + " is missing there";
  if (state.exit_code == spool_not_writable) why = spool_.folder() + " is not writable";
  exclude_node(state.node, chunk.phase == Phase::measure, why);
}

// Without a terminal there is no progress line that shows the reason.
void Dispatch::report_waiting() {
  if (queue_.stuck == 0 && (queue_.running > 0 || queue_.waiting == 0)) {
    waits_since_.reset();
    reported_waiting_ = false;
    return;
  }
  if (!waits_since_) waits_since_ = now();
  const auto limit = queue_.stuck > 0 ? std::chrono::seconds{silence} : patience;
  if (reported_waiting_ || now() - *waits_since_ < limit) return;
  reported_waiting_ = true;
  if (queue_.stuck > 0)
    return events_.report(fmt::format(
        "{} cannot start without your action; Slurm's reason: {}. `scontrol show job` has details. "
        "`scontrol release` and `scontrol update` change a task, if you may use them. Or press "
        "Ctrl-C and resume with another --partition, --account or --sbatch-args",
        grader::counted(queue_.stuck, "task"), queue_.reason));
  events_.report(fmt::format(
      "no task has run for {} minutes: {} wait{}; `squeue --me` and `scontrol show job` have "
      "details",
      std::chrono::duration_cast<std::chrono::minutes>(patience).count(),
      grader::counted(queue_.waiting, "task"),
      queue_.reason.empty() ? "" : fmt::format(" (Slurm's reason: {})", queue_.reason)));
}

}  // namespace histolab::cluster
