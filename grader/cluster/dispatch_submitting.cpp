// Dispatch: chunks become arrays, as many as the scheduler takes.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/cluster/dispatch.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::cluster {
namespace {

using namespace std::chrono_literals;

constexpr int most_refusals =
    8;  // of a single task, with nothing else under way; of a probe's the first one is told
constexpr auto room_stays = 2min;  // how many tasks a refusal has left, before one more is tried

// A launch may take so much before its own limit ends it, a compiler less; the task itself takes
// little.
std::size_t mebibytes_of_task(unsigned jobs) {
  return jobs * (kernels::most_memory_of_launch >> 20) + 512;
}

}  // namespace

Status Dispatch::submit() {
  if (to_submit_.empty() || doubtful_) return Done{};
  const std::size_t under_way = chunks_.size() - to_submit_.size();
  if (refusals_alone_ >= (options_.most_tries == 0 ? 1 : most_refusals) && under_way == 0)
    return Error{fmt::format(
        "Slurm takes no task: {}. What was graded is kept; once that is mended, --resume goes on",
        doubt_)};
  if (now() < may_submit_) return Done{};
  // What has to wait stands behind what has not.
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
    return Done{};  // no array for every single task that ends
  const Phase phase = chunks_.at(to_submit_.front()).phase;
  std::size_t count = 0;
  while (count < to_submit_.size() && count < room &&
         count < std::max<std::size_t>(1, limits_->tasks_of_array) &&
         chunks_.at(to_submit_[count]).phase == phase &&
         chunks_.at(to_submit_[count]).not_before <= now())
    ++count;
  return submit_array(count);
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
    chunk.array = array.number, chunk.index = i;
    chunk.gone_since.reset();
    chunk.seen = false;
  }
  arrays_[array.number] = array.chunks;
  std::vector<std::string> excluded = options_.excluded;
  for (const auto& [node, first] : excluded_[phase == Phase::measure]) excluded.push_back(node);
  const bool elsewhere = phase == Phase::measure && !options_.timing_partition.empty();
  const ArrayRequest request{
      .name = spool_.job_name(assignment_, array.number),
      .tasks = count,
      .script = spool_.script(),
      .arguments = {std::to_string(array.number)},
      .cpus = assignment_.jobs,
      .minutes = options_.minutes,
      .mebibytes = mebibytes_of_task(assignment_.jobs),
      .partition = elsewhere ? options_.timing_partition : options_.partition,
      .account = options_.account,
      .gres = options_.timing_partition.empty() || elsewhere ? options_.gres : "",
      .excluded = std::move(excluded),
      .more = options_.sbatch};
  const Status submitted = scheduler_.submit(request);
  if (submitted) {
    refusals_ = refusals_alone_ = 0;
    if (room_ > 0 && now() >= room_grows_)
      room_ += 1 + room_ / 8,
          room_grows_ = now() + room_stays;  // a limit may have been another's jobs
  } else {  // it may have been taken all the same: the next answer to tasks() tells
    doubtful_ = array.number, doubt_ = submitted.error().message;
    ask_next_ = now() + 2 * options_.ask;  // a question that overtakes it would say no
  }
  return Done{};
}

// The scheduler has not taken the array: its chunks wait again.
void Dispatch::taken_back(std::size_t array, const std::string& why) {
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
  // A smaller one may be taken at once; for the smallest, and beside others, there is only waiting.
  if (under_way > 0 || numbers.size() == 1) ++refusals_;
  if (under_way == 0 && numbers.size() == 1) ++refusals_alone_;
  may_submit_ =
      now() + std::min<std::chrono::milliseconds>(30s, 1s * (1 << std::min(refusals_, 5)));
}

}  // namespace histolab::cluster
