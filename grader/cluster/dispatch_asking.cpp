// Dispatch: what the scheduler tells of tasks, and what of that somebody has to know.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cluster/dispatch.h"
#include "grader/words/words.h"

namespace histolab::cluster {
namespace {

using namespace std::chrono_literals;

constexpr auto silence = 10s;        // of the scheduler, before anybody is told
constexpr auto longest_pause = 60s;  // between two questions to it
constexpr auto patience = 5min;  // with tasks that wait and none that runs, before anybody is told

std::string ended_as(const TaskState& state, unsigned minutes) {
  if (state.word == "TIMEOUT")
    return fmt::format("its time ran out (the batch asks for {} min)", minutes);
  if (state.word == "NODE_FAIL" || state.word == "BOOT_FAIL") return "the node failed";
  if (state.word == "OUT_OF_MEMORY") return "its memory ran out";
  if (state.word == "PREEMPTED") return "another job took its place";
  if (state.word == "PENDING") return fmt::format("a node could not begin it ({})", state.reason);
  if (state.exit_code == started_too_often) return "Slurm started it again and again";
  if (state.exit_code != 0) return fmt::format("it ended with exit code {}", state.exit_code);
  if (state.word == "COMPLETED") return "it ended without a result";
  return fmt::format("Slurm says {}{}", state.word,
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

Status Dispatch::ask() {
  const Time begun = now();
  if (begun < ask_next_) return Done{};
  const Result<std::vector<TaskState>> states = states_of(names(false));
  const auto took = now() - begun;
  ask_next_ =
      now() + (states
                   ? std::clamp<std::chrono::steady_clock::duration>(
                         20 * took, options_.ask,
                         std::max<std::chrono::steady_clock::duration>(options_.ask, longest_pause))
                   : options_.ask);
  if (!states) {
    if (!silent_since_) silent_since_ = now();
    if (!told_of_silence_ && now() - *silent_since_ > silence) {
      told_of_silence_ = true;
      events_.tell(fmt::format(
          "Slurm does not answer ({}); what runs goes on, and so does this once it answers",
          states.error().message));
    }
    return Done{};
  }
  silent_since_.reset();
  told_of_silence_ = false;

  std::map<std::string, std::map<std::size_t, const TaskState*>> by_array;
  for (const TaskState& state : *states) by_array[state.array][state.index] = &state;
  if (doubtful_) {
    const std::size_t array = *std::exchange(doubtful_, std::nullopt);
    if (by_array.contains(spool_.job_name(assignment_, array)))
      refusals_ = refusals_alone_ = 0;
    else
      taken_back(array, doubt_);
  }
  queue_ = {};
  for (auto& [number, chunk] : chunks_) {
    if (chunk.array == 0) continue;
    const auto& tasks = by_array[spool_.job_name(assignment_, chunk.array)];
    const auto state = tasks.find(chunk.index);
    if (state != tasks.end()) {
      chunk.seen = true;
      if (const auto left_out = excluded_.find(chunk.phase == Phase::measure);
          state->second->reason == "BadConstraints" && left_out != excluded_.end() &&
          !left_out->second.empty())
        return Error{
            "no node is left that can grade, since all that Slurm has for these tasks were left "
            "out. What was graded is kept; once they are mended, --resume goes on"};
      note(*state->second, chunk);
    } else if (!chunk.gone_since) {  // Slurm forgets what ended some time ago
      chunk.gone_since = now();
      if (!chunk.failed && chunk.failure.why.empty())
        chunk.failure = {chunk.seen ? "Slurm no longer knows the task"
                                    : "Slurm has taken the task and never told of it",
                         "",
                         {},
                         0};
    }
  }
  return Done{};
}

void Dispatch::note(const TaskState& state, InFlight& chunk) {
  if (state.kind != TaskState::Kind::ended) {
    chunk.gone_since.reset();
    const bool runs = state.kind == TaskState::Kind::running,
               stuck = state.kind == TaskState::Kind::stuck;
    ++(runs ? queue_.running : queue_.waiting);
    if (!runs && (queue_.reason.empty() || (stuck && queue_.stuck == 0)))
      queue_.reason = state.reason;
    queue_.stuck += stuck;
    return;
  }
  if (!chunk.gone_since) chunk.gone_since = now();
  if (chunk.failed) return;
  const std::string said = spool_.last_words(chunk.array, chunk.index),
                    where = state.node.empty() ? "Slurm" : state.node;
  chunk.cancelled = state.word == "CANCELLED";
  chunk.failure = {
      fmt::format("{}: {}{}", where, ended_as(state, options_.minutes),
                  said.empty() ? "" : fmt::format(" (its last words: {})", grader::harmless(said))),
      state.node,
      {},
      state.exit_code};
  if (state.exit_code == no_spool || state.exit_code == spool_not_writable ||
      state.exit_code == no_program) {  // task.sh says so: there is nothing to wait for
    chunk.failed = true;
    chunk.away = state.exit_code != no_program && toll_.nodes.contains(state.node);
    if (chunk.away && told_of_away_.insert(state.node).second)
      events_.tell(fmt::format(
          "{} has graded, and does not find {} now; its tasks are submitted again every {} until "
          "it does",
          state.node, spool_.folder(),
          grader::counted(static_cast<std::uint64_t>(longest_wait().count()), "second")));
    if (!toll_.nodes.contains(state.node))
      leave_out(state.node, chunk.phase == Phase::measure,
                state.exit_code == no_program
                    ? assignment_.program + " is not there"
                    : spool_.folder() + (state.exit_code == no_spool ? " is not there"
                                                                     : " cannot be written to"));
  }
}

// Without a terminal nobody sees why.
void Dispatch::tell_what_waits() {
  if (queue_.stuck == 0 && (queue_.running > 0 || queue_.waiting == 0)) {
    waits_since_.reset();
    told_of_waiting_ = false;
    return;
  }
  if (!waits_since_) waits_since_ = now();
  if (told_of_waiting_ || now() - *waits_since_ < (queue_.stuck > 0 ? silence : patience)) return;
  told_of_waiting_ = true;
  if (queue_.stuck > 0)
    return events_.tell(fmt::format(
        "{} cannot begin until somebody changes that, says Slurm ({}): `scontrol show job` tells "
        "more, `scontrol release` and `scontrol update` are for those who may, "
        "and after Ctrl-C the batch can ask for something else (--partition, --account, "
        "--sbatch-args)",
        grader::counted(queue_.stuck, "task"), queue_.reason));
  events_.tell(fmt::format(
      "no task has run for {} minutes: {} wait{}; `squeue --me` and `scontrol show job` tell more",
      std::chrono::duration_cast<std::chrono::minutes>(patience).count(),
      grader::counted(queue_.waiting, "task"),
      queue_.reason.empty() ? "" : fmt::format(", says Slurm, for {}", queue_.reason)));
}

}  // namespace histolab::cluster
