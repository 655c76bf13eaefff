#include "grader/cluster/dispatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "grader/read_file.h"
#include "grader/words.h"
#include "kernels/device.h"

namespace histolab::cluster {
namespace {

using namespace std::chrono_literals;

constexpr int most_refusals = 8;              // of a single task, with nothing else under way; of a probe's the first one is told
constexpr auto silence = 10s;                 // of the scheduler, before anybody is told
constexpr auto longest_pause = 60s;           // between two questions to it
constexpr auto patience = 5min;               // with tasks that wait and none that runs, before anybody is told
constexpr auto room_stays = 2min;             // how many tasks a refusal has left, before one more is tried
constexpr int most_strikes = 3;               // tasks that a node fails in a row, while another one works
constexpr std::uint64_t longest_part = 1ull << 30;

// A launch may take so much before its own limit ends it, a compiler less; the task itself takes little.
std::size_t mebibytes_of_task(unsigned jobs) { return jobs * (kernels::most_memory_of_launch >> 20) + 512; }

std::string ended_as(const TaskState& state, unsigned minutes) {
  if (state.word == "TIMEOUT") return fmt::format("its time ran out (the batch asks for {} min)", minutes);
  if (state.word == "NODE_FAIL" || state.word == "BOOT_FAIL") return "the node failed";
  if (state.word == "OUT_OF_MEMORY") return "its memory ran out";
  if (state.word == "PREEMPTED") return "another job took its place";
  if (state.word == "PENDING") return fmt::format("a node could not begin it ({})", state.reason);
  if (state.exit_code == started_too_often) return "Slurm started it again and again";
  if (state.exit_code != 0) return fmt::format("it ended with exit code {}", state.exit_code);
  if (state.word == "COMPLETED") return "it ended without a result";
  return fmt::format("Slurm says {}{}", state.word, state.reason.empty() ? "" : ": " + state.reason);
}

}  // namespace

Dispatch::Dispatch(Scheduler& scheduler, const Spool& spool, Assignment assignment, DispatchOptions options, DispatchEvents events)
    : scheduler_(scheduler), spool_(spool), assignment_(std::move(assignment)), options_(std::move(options)), events_(std::move(events)) {}

std::vector<std::string> Dispatch::names(bool all) const {
  std::set<std::size_t> wanted;
  if (all)
    for (const auto& [number, chunks] : arrays_) wanted.insert(number);
  else
    for (const auto& [number, chunk] : chunks_)
      if (chunk.array != 0) wanted.insert(chunk.array);
  std::vector<std::string> names;
  for (const std::size_t number : wanted) names.push_back(spool_.job_name(assignment_, number));
  return names;
}

Result<std::vector<TaskState>> Dispatch::states_of(const std::vector<std::string>& arrays) {
  std::vector<TaskState> all;
  for (const std::vector<std::string>& lot : in_lots(arrays)) {
    Result<std::vector<TaskState>> some = scheduler_.tasks(lot);
    if (!some) return some.error();
    all.insert(all.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
  }
  return all;
}

// No command line takes any number of names.
std::vector<std::vector<std::string>> Dispatch::in_lots(const std::vector<std::string>& names) {
  constexpr std::size_t names_at_once = 100;
  std::vector<std::vector<std::string>> lots;
  for (const std::string& name : names) {
    if (lots.empty() || lots.back().size() == names_at_once) lots.emplace_back();
    lots.back().push_back(name);
  }
  return lots;
}

Status Dispatch::add(Chunk chunk) {
  if (chunk.items.empty()) return Done{};
  chunk.number = next_chunk_++;
  if (Status written = spool_.put(chunk); !written) return written;
  InFlight& waiting = chunks_[chunk.number];
  waiting.phase = chunk.phase, waiting.tries = chunk.tries;
  for (const Item& item : chunk.items) waiting.left.insert(item.grading);
  to_submit_.push_back(chunk.number);
  return Done{};
}

// What tasks have found: the spool forgets a part when what is in it has been kept.
Status Dispatch::read_parts() {
  const Result<std::vector<std::string>> parts = spool_.parts();
  if (!parts) return Done{};  // a shared directory may be away for a moment
  for (const std::string& path : *parts) {
    if (seen_.contains(path)) continue;
    const Result<std::string> text = grader::read_text_file(path, "part", longest_part);
    if (!text) continue;  // likewise
    const Result<Part> part = part_from_json(*text, path);
    if (!part || part->spool != assignment_.id) {
      // Parts appear whole, so this is none of a task's. Its task will be missed, and tried again.
      events_.tell(fmt::format("{} is left out: {}", path, part ? "it is of another batch" : part.error().message));
      unlink(path.c_str());
      continue;
    }
    if (Status taken = take(path, *part); !taken) return taken;
  }
  return Done{};
}

Status Dispatch::take(const std::string& path, const Part& part) {
  if (!part.found.empty()) toll_.nodes.insert(part.node.name);
  if (part.complete || !part.failure.empty()) ++toll_.tasks, toll_.seconds += part.seconds, toll_.seconds_to_begin += part.seconds_to_begin;
  const auto array = arrays_.find(part.array);
  const bool known = array != arrays_.end() && part.index < array->second.size();
  const auto at = known ? chunks_.find(array->second[part.index]) : chunks_.end();
  const bool measures = at != chunks_.end() && at->second.phase == Phase::measure;
  const bool has_results = std::ranges::any_of(part.found, [](const Found& each) { return !each.outcome.status.empty(); });
  if (!part.found.empty())
    if (Status kept = events_.found(part); !kept) return kept;
  if (!part.found.empty()) strikes_.erase(part.node.name), told_of_away_.erase(part.node.name);
  const bool is_of_its_task = at != chunks_.end() && at->second.array == part.array;
  // One that has graded can: what it lacks now may be back in a moment.
  if (is_of_its_task && !part.failure.empty() && !part.node.obstacles.empty() && !toll_.nodes.contains(part.node.name)) leave_out(part.node.name, measures, part.failure);
  const auto take_off = [](InFlight& chunk, const Found& each) {
    if ((chunk.phase == Phase::measure) != each.outcome.status.empty() || chunk.left.erase(each.grading) == 0) return false;
    chunk.found_some = true;
    if (chunk.phase == Phase::measure) chunk.measured[each.grading] = each.measured;
    return true;
  };
  for (const Found& each : part.found) {
    if (at != chunks_.end() && take_off(at->second, each)) continue;
    for (auto& [number, chunk] : chunks_)  // whoever found it, it is found: also for a chunk that was submitted again
      if (take_off(chunk, each)) break;
  }
  if (measures && !has_results && !part.found.empty()) {
    at->second.files.push_back(path);
    seen_.insert(path);
  } else {
    unlink(path.c_str());
  }
  // A late word of an earlier task of the same chunk says nothing of the one that is under way.
  if (is_of_its_task && !part.failure.empty() && !at->second.failed) {
    at->second.failed = true;
    at->second.failure = {fmt::format("{}: {}", part.node.name, part.failure), part.node.name, part.node, 0};
  }
  return Done{};
}

std::chrono::seconds Dispatch::longest_wait() const { return options_.pauses.empty() ? std::chrono::seconds{0} : options_.pauses.back(); }

void Dispatch::leave_out(const std::string& node, bool measures, const std::string& why) {
  if (options_.most_tries > 0 && excluded_[measures].emplace(node, next_array_).second)
    events_.tell(fmt::format("{} cannot {} and is left out from now on: {}", node, measures ? "take times" : "grade", why));
}

// A node that fails fast is always free, and would take all tasks.
void Dispatch::strike(const InFlight& chunk) {
  const std::string& node = chunk.failure.node;
  const bool another_works = std::ranges::any_of(toll_.nodes, [&](const std::string& each) { return each != node && !strikes_.contains(each); });
  if (!node.empty() && ++strikes_[node] >= most_strikes && another_works) leave_out(node, chunk.phase == Phase::measure, fmt::format("{} tasks in a row gave nothing there ({})", strikes_[node], chunk.failure.why));
}

Status Dispatch::settle(std::size_t number, InFlight& chunk) {
  if (chunk.phase == Phase::measure) {
    Result<Chunk> judged = spool_.chunk(number);
    if (!judged) return judged.error();
    judged->phase = Phase::judge, judged->tries = 0;
    std::erase_if(judged->items, [&](const Item& item) { return !chunk.measured.contains(item.grading); });
    for (Item& item : judged->items) item.measured = chunk.measured.at(item.grading);
    if (Status added = add(std::move(*judged)); !added) return added;
  }
  for (const std::string& path : chunk.files) seen_.erase(path), unlink(path.c_str());
  return Done{};
}

void Dispatch::note(const TaskState& state, InFlight& chunk) {
  if (state.kind != TaskState::Kind::ended) {
    chunk.gone_since.reset();
    const bool runs = state.kind == TaskState::Kind::running, stuck = state.kind == TaskState::Kind::stuck;
    ++(runs ? queue_.running : queue_.waiting);
    if (!runs && (queue_.reason.empty() || (stuck && queue_.stuck == 0))) queue_.reason = state.reason;
    queue_.stuck += stuck;
    return;
  }
  if (!chunk.gone_since) chunk.gone_since = now();
  if (chunk.failed) return;
  const std::string said = spool_.last_words(chunk.array, chunk.index), where = state.node.empty() ? "Slurm" : state.node;
  chunk.cancelled = state.word == "CANCELLED";
  chunk.failure = {fmt::format("{}: {}{}", where, ended_as(state, options_.minutes), said.empty() ? "" : fmt::format(" (its last words: {})", grader::harmless(said))), state.node, {}, state.exit_code};
  if (state.exit_code == no_spool || state.exit_code == spool_not_writable || state.exit_code == no_program) {  // task.sh says so: there is nothing to wait for
    chunk.failed = true;
    chunk.away = state.exit_code != no_program && toll_.nodes.contains(state.node);
    if (chunk.away && told_of_away_.insert(state.node).second)
      events_.tell(fmt::format("{} has graded, and does not find {} now; its tasks are submitted again every {} until it does", state.node, spool_.folder(), grader::counted(static_cast<std::uint64_t>(longest_wait().count()), "second")));
    if (!toll_.nodes.contains(state.node))
      leave_out(state.node, chunk.phase == Phase::measure, state.exit_code == no_program ? assignment_.program + " is not there" : spool_.folder() + (state.exit_code == no_spool ? " is not there" : " cannot be written to"));
  }
}

Status Dispatch::ask() {
  const Time begun = now();
  if (begun < ask_next_) return Done{};
  const Result<std::vector<TaskState>> states = states_of(names(false));
  const auto took = now() - begun;
  ask_next_ = now() + (states ? std::clamp<std::chrono::steady_clock::duration>(20 * took, options_.ask, std::max<std::chrono::steady_clock::duration>(options_.ask, longest_pause)) : options_.ask);
  if (!states) {
    if (!silent_since_) silent_since_ = now();
    if (!told_of_silence_ && now() - *silent_since_ > silence) {
      told_of_silence_ = true;
      events_.tell(fmt::format("Slurm does not answer ({}); what runs goes on, and so does this once it answers", states.error().message));
    }
    return Done{};
  }
  silent_since_.reset();
  told_of_silence_ = false;

  std::map<std::string, std::map<std::size_t, const TaskState*>> by_array;
  for (const TaskState& state : *states) by_array[state.array][state.index] = &state;
  if (doubtful_) {
    const std::size_t array = *std::exchange(doubtful_, std::nullopt);
    if (by_array.contains(spool_.job_name(assignment_, array))) refusals_ = refusals_alone_ = 0;
    else taken_back(array, doubt_);
  }
  queue_ = {};
  for (auto& [number, chunk] : chunks_) {
    if (chunk.array == 0) continue;
    const auto& tasks = by_array[spool_.job_name(assignment_, chunk.array)];
    const auto state = tasks.find(chunk.index);
    if (state != tasks.end()) {
      chunk.seen = true;
      if (const auto left_out = excluded_.find(chunk.phase == Phase::measure); state->second->reason == "BadConstraints" && left_out != excluded_.end() && !left_out->second.empty())
        return Error{"no node is left that can grade, since all that Slurm has for these tasks were left out. What was graded is kept; once they are mended, --resume goes on"};
      note(*state->second, chunk);
    } else if (!chunk.gone_since) {  // Slurm forgets what ended some time ago
      chunk.gone_since = now();
      if (!chunk.failed && chunk.failure.why.empty()) chunk.failure = {chunk.seen ? "Slurm no longer knows the task" : "Slurm has taken the task and never told of it", "", {}, 0};
    }
  }
  return Done{};
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
    return events_.tell(fmt::format("{} cannot begin until somebody changes that, says Slurm ({}): `scontrol show job` tells more, `scontrol release` and `scontrol update` are for those who may, "
                                    "and after Ctrl-C the batch can ask for something else (--partition, --account, --sbatch-args)", grader::counted(queue_.stuck, "task"), queue_.reason));
  events_.tell(fmt::format("no task has run for {} minutes: {} wait{}; `squeue --me` and `scontrol show job` tell more", std::chrono::duration_cast<std::chrono::minutes>(patience).count(),
                           grader::counted(queue_.waiting, "task"), queue_.reason.empty() ? "" : fmt::format(", says Slurm, for {}", queue_.reason)));
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
  may_submit_ = now() + std::min<std::chrono::milliseconds>(30s, 1s * (1 << std::min(refusals_, 5)));
}

Status Dispatch::give_back_gone() {
  std::vector<std::size_t> settled, gone;
  for (auto& [number, chunk] : chunks_) {
    if (chunk.left.empty()) settled.push_back(number);
    else if (chunk.array != 0 && (chunk.failed || (chunk.gone_since && now() - *chunk.gone_since >= options_.grace))) gone.push_back(number);
  }
  for (const std::size_t number : settled) {
    if (Status done = settle(number, chunks_.at(number)); !done) return done;
    chunks_.erase(number);
  }
  std::erase_if(to_submit_, [&](std::size_t number) { return !chunks_.contains(number); });
  for (const std::size_t number : gone) {
    if (Status done = try_again(number, chunks_.at(number)); !done) return done;
    chunks_.erase(number);
  }
  return Done{};
}

Status Dispatch::try_again(std::size_t number, InFlight& chunk) {
  if (chunk.cancelled) {  // whoever cancels a task does not want to see it again
    cancelled_by_others_ += chunk.left.size();
    return Done{};
  }
  if (!chunk.found_some) strike(chunk);
  const auto& left_out = excluded_[chunk.phase == Phase::measure];
  const auto bad_node = left_out.find(chunk.failure.node);
  const bool of_bad_node = bad_node != left_out.end() && chunk.array < bad_node->second;  // then it was not the chunk's fault
  const int tries = chunk.found_some ? 0 : of_bad_node || chunk.away ? chunk.tries : chunk.tries + 1;
  if (tries > options_.most_tries) return events_.given_up({chunk.left.begin(), chunk.left.end()}, tries, chunk.failure);
  Result<Chunk> whole = spool_.chunk(number);
  if (!whole) return whole.error();
  ++toll_.submitted_again;
  // What is measured already goes on by itself.
  if (chunk.phase == Phase::measure && !chunk.measured.empty()) {
    InFlight done = chunk;
    done.left.clear();
    if (Status settled = settle(number, done); !settled) return settled;
  }
  std::vector<Item> left;
  for (Item& item : whole->items)
    if (chunk.left.contains(item.grading)) left.push_back(std::move(item));
  // In so many pieces that the last try has one item.
  const double pieces = tries > chunk.tries ? std::pow(static_cast<double>(left.size()), 1.0 / (options_.most_tries - tries + 1)) : 1;
  const std::size_t size = std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(static_cast<double>(left.size()) / std::ceil(pieces - 1e-9))));
  const auto pause = chunk.away ? longest_wait() : tries > chunk.tries && !options_.pauses.empty() ? options_.pauses[std::min(static_cast<std::size_t>(tries), options_.pauses.size()) - 1] : std::chrono::seconds{0};
  for (std::size_t begin = 0; begin < left.size(); begin += size) {
    const auto first = left.begin() + static_cast<std::ptrdiff_t>(begin), last = left.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, left.size()));
    if (Status added = add({0, chunk.phase, tries, {std::make_move_iterator(first), std::make_move_iterator(last)}}); !added) return added;
    chunks_.at(to_submit_.back()).not_before = now() + pause;
  }
  return Done{};
}

Status Dispatch::submit() {
  if (to_submit_.empty() || doubtful_) return Done{};
  const std::size_t under_way = chunks_.size() - to_submit_.size();
  if (refusals_alone_ >= (options_.most_tries == 0 ? 1 : most_refusals) && under_way == 0)
    return Error{fmt::format("Slurm takes no task: {}. What was graded is kept; once that is mended, --resume goes on", doubt_)};
  if (now() < may_submit_) return Done{};
  // What has to wait stands behind what has not.
  std::ranges::stable_partition(to_submit_, [&](std::size_t number) { return chunks_.at(number).not_before <= now(); });
  if (chunks_.at(to_submit_.front()).not_before > now()) return Done{};
  if (!limits_) {
    const Result<Limits> limits = scheduler_.limits();
    limits_ = limits ? *limits : Limits{};
  }
  const std::size_t most = std::max<std::size_t>(1, options_.most_tasks > 0 ? options_.most_tasks : limits_->jobs / 2);
  const std::size_t allowed = room_ > 0 ? std::min(room_, most) : most;
  if (under_way >= allowed) return Done{};
  const std::size_t room = allowed - under_way;
  if (room < to_submit_.size() && room < std::max<std::size_t>(1, allowed / 4)) return Done{};  // no array for every single task that ends
  const Phase phase = chunks_.at(to_submit_.front()).phase;
  std::size_t count = 0;
  while (count < to_submit_.size() && count < room && count < std::max<std::size_t>(1, limits_->tasks_of_array) && chunks_.at(to_submit_[count]).phase == phase && chunks_.at(to_submit_[count]).not_before <= now()) ++count;
  return submit_array(count);
}

Status Dispatch::submit_array(std::size_t count) {
  Array array{next_array_++, options_.tier, options_.compiler, {to_submit_.begin(), to_submit_.begin() + static_cast<std::ptrdiff_t>(count)}};
  if (Status written = spool_.put(array); !written) return written;
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
  const ArrayRequest request{.name = spool_.job_name(assignment_, array.number), .tasks = count, .script = spool_.script(), .arguments = {std::to_string(array.number)}, .cpus = assignment_.jobs,
                             .minutes = options_.minutes, .mebibytes = mebibytes_of_task(assignment_.jobs), .partition = elsewhere ? options_.timing_partition : options_.partition, .account = options_.account,
                             .gres = options_.timing_partition.empty() || elsewhere ? options_.gres : "", .excluded = std::move(excluded), .more = options_.sbatch};
  const Status submitted = scheduler_.submit(request);
  if (submitted) {
    refusals_ = refusals_alone_ = 0;
    if (room_ > 0 && now() >= room_grows_) room_ += 1 + room_ / 8, room_grows_ = now() + room_stays;  // a limit may have been another's jobs
  } else {  // it may have been taken all the same: the next answer to tasks() tells
    doubtful_ = array.number, doubt_ = submitted.error().message;
    ask_next_ = now() + 2 * options_.ask;  // a question that overtakes it would say no
  }
  return Done{};
}

Result<Dispatch::Ending> Dispatch::run() {
  while (true) {
    if (events_.stopped()) return Ending::stopped;
    if (spool_.is_cancelled()) return Ending::cancelled;
    for (const auto step : {&Dispatch::read_parts, &Dispatch::give_back_gone, &Dispatch::submit, &Dispatch::ask, &Dispatch::give_back_gone})
      if (Status done = (this->*step)(); !done) return done.error();
    events_.progress(queue_);
    tell_what_waits();
    if (chunks_.empty()) return Ending::settled;
    if (options_.rest) options_.rest(options_.beat);
    else std::this_thread::sleep_for(options_.beat);
  }
}

Status Dispatch::cancel() {
  for (const std::vector<std::string>& lot : in_lots(names(true)))
    if (Status cancelled = scheduler_.cancel(lot); !cancelled) return cancelled;
  return Done{};
}

}  // namespace histolab::cluster
