// Dispatch: submits chunks as arrays, as many tasks as the scheduler accepts.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cluster/dispatch.h"
#include "grader/cluster/requirements.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::cluster {
namespace {

using namespace std::chrono_literals;

constexpr int most_refusals = 8;   // of a single task when nothing else runs
constexpr auto room_stays = 2min;  // after a refusal, before one more task is tried

// A launch may use its whole limit, a compiler less, the task itself little.
std::size_t mebibytes_of_task(unsigned jobs) {
  return jobs * (kernels::most_memory_of_launch >> 20) + 512;
}

// Slurm's messages when it refuses an array that no node can run.
bool no_node_fits(const std::string& refusal) {
  return refusal.find("Requested node configuration is not available") != std::string::npos ||
         refusal.find("Memory specification can not be satisfied") != std::string::npos;
}

}  // namespace

Status Dispatch::submit() {
  if (to_submit_.empty() || doubtful_) return Done{};
  const std::size_t under_way = chunks_.size() - to_submit_.size();
  const bool is_probe = options_.most_tries == 0;
  if (refusals_alone_ >= (is_probe ? 1 : most_refusals) && under_way == 0)
    return Error{fmt::format(
        "Slurm refuses every task: {}\nThe results so far are kept; then continue with --resume",
        no_node_fits(doubt_) ? explain_no_fit(chunks_.at(to_submit_.front()).phase) : doubt_)};
  if (now() < may_submit_) return Done{};
  // Chunks that have to wait move behind the others.
  std::ranges::stable_partition(
      to_submit_, [&](std::size_t number) { return chunks_.at(number).not_before <= now(); });
  if (chunks_.at(to_submit_.front()).not_before > now()) return Done{};
  if (!limits_) {
    const Result<Limits> limits = scheduler_.limits();
    limits_ = limits ? *limits : Limits{};
  }
  const std::size_t most =
      std::max<std::size_t>(1, options_.most_tasks > 0 ? options_.most_tasks : limits_->jobs / 2);
  const std::size_t allowed = room_ > 0 ? std::min(room_, most) : most;
  if (under_way >= allowed) return Done{};
  const std::size_t room = allowed - under_way;
  if (room < to_submit_.size() && room < std::max<std::size_t>(1, allowed / 4))
    return Done{};  // avoids an array for every single task that ends
  const Phase phase = chunks_.at(to_submit_.front()).phase;
  std::size_t count = 0;
  while (count < to_submit_.size() && count < room &&
         count < std::max<std::size_t>(1, limits_->tasks_of_array) &&
         chunks_.at(to_submit_[count]).phase == phase &&
         chunks_.at(to_submit_[count]).not_before <= now())
    ++count;
  return submit_array(count);
}

ArrayRequest Dispatch::request_for(std::size_t array, std::size_t tasks, Phase phase) const {
  std::vector<std::string> excluded = options_.excluded;
  if (const auto nodes = excluded_.find(phase == Phase::measure); nodes != excluded_.end())
    for (const auto& [node, first] : nodes->second) excluded.push_back(node);
  const bool elsewhere = phase == Phase::measure && !options_.timing_partition.empty();
  return {.name = spool_.job_name(assignment_, array),
          .tasks = tasks,
          .script = spool_.script(),
          .arguments = {std::to_string(array)},
          .cpus = assignment_.jobs,
          .minutes = options_.minutes,
          .mebibytes = mebibytes_of_task(assignment_.jobs),
          .partition = elsewhere ? options_.timing_partition : options_.partition,
          .account = options_.account,
          .gres = options_.timing_partition.empty() || elsewhere ? options_.gres : "",
          .excluded = std::move(excluded),
          .more = options_.sbatch};
}

std::string Dispatch::explain_no_fit(Phase phase) const {
  const Result<std::vector<NodeSize>> nodes = scheduler_.node_sizes();
  return cluster::explain_no_fit(request_for(0, 1, phase),
                                 nodes ? *nodes : std::vector<NodeSize>{});
}

Status Dispatch::submit_array(std::size_t count) {
  Array array{next_array_++,
              options_.tier,
              options_.compiler,
              {to_submit_.begin(), to_submit_.begin() + static_cast<std::ptrdiff_t>(count)}};
  TRY(spool_.put(array));
  to_submit_.erase(to_submit_.begin(), to_submit_.begin() + static_cast<std::ptrdiff_t>(count));
  const Phase phase = chunks_.at(array.chunks.front()).phase;
  for (std::size_t i = 0; i < count; ++i) {
    InFlight& chunk = chunks_.at(array.chunks[i]);
    chunk.array = array.number;
    chunk.index = i;
    chunk.gone_since.reset();
    chunk.seen = false;
  }
  arrays_[array.number] = array.chunks;
  const Status submitted = scheduler_.submit(request_for(array.number, count, phase));
  if (!submitted) {  // Slurm may have accepted it nevertheless: the next poll shows
    doubtful_ = array.number;
    doubt_ = submitted.error().message;
    poll_next_ = now() + 2 * options_.poll;  // an earlier poll could miss the array
    return Done{};
  }
  refusals_ = refusals_alone_ = 0;
  if (room_ > 0 && now() >= room_grows_) {  // other jobs may have used the room
    room_ += 1 + room_ / 8;
    room_grows_ = now() + room_stays;
  }
  return Done{};
}

// The scheduler has not accepted the array: its chunks wait again.
void Dispatch::return_to_queue(std::size_t array, const std::string& why) {
  doubt_ = why;
  const auto& numbers = arrays_.at(array);
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    const auto chunk = chunks_.find(*number);
    if (chunk == chunks_.end()) continue;
    chunk->second.array = chunk->second.index = 0;
    chunk->second.gone_since.reset();
    chunk->second.failed = chunk->second.cancelled = false;
    chunk->second.failure = {};
    to_submit_.push_front(*number);
  }
  const auto under_way = chunks_.size() - to_submit_.size();
  room_ = std::max<std::size_t>(1, under_way > 0 ? under_way : numbers.size() / 2);
  room_grows_ = now() + room_stays;
  // A smaller array is tried at once. After a single task, or while others run, wait first.
  if (under_way > 0 || numbers.size() == 1) ++refusals_;
  if (under_way == 0 && numbers.size() == 1) ++refusals_alone_;
  may_submit_ =
      now() + std::min<std::chrono::milliseconds>(30s, 1s * (1 << std::min(refusals_, 5)));
}

}  // namespace histolab::cluster
