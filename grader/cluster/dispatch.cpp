#include "grader/cluster/dispatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "grader/files/read_file.h"

namespace histolab::cluster {
namespace {

constexpr int most_strikes = 3;  // tasks that a node fails in a row, while another one works
constexpr std::uint64_t longest_part = 1ull << 30;

}  // namespace

Dispatch::Dispatch(Scheduler& scheduler, const Spool& spool, Assignment assignment,
                   DispatchOptions options, DispatchEvents events)
    : scheduler_(scheduler),
      spool_(spool),
      assignment_(std::move(assignment)),
      options_(std::move(options)),
      events_(std::move(events)) {}

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
  TRY(spool_.put(chunk));
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
      events_.tell(fmt::format("{} is left out: {}", path,
                               part ? "it is of another batch" : part.error().message));
      unlink(path.c_str());
      continue;
    }
    TRY(take(path, *part));
  }
  return Done{};
}

Status Dispatch::take(const std::string& path, const Part& part) {
  if (!part.found.empty()) toll_.nodes.insert(part.node.name);
  if (part.complete || !part.failure.empty())
    ++toll_.tasks, toll_.seconds += part.seconds, toll_.seconds_to_begin += part.seconds_to_begin;
  const auto array = arrays_.find(part.array);
  const bool known = array != arrays_.end() && part.index < array->second.size();
  const auto at = known ? chunks_.find(array->second[part.index]) : chunks_.end();
  const bool measures = at != chunks_.end() && at->second.phase == Phase::measure;
  const bool has_results = std::ranges::any_of(
      part.found, [](const Found& each) { return !each.outcome.status.empty(); });
  if (!part.found.empty()) TRY(events_.found(part));
  if (!part.found.empty()) strikes_.erase(part.node.name), told_of_away_.erase(part.node.name);
  const bool is_of_its_task = at != chunks_.end() && at->second.array == part.array;
  // One that has graded can: what it lacks now may be back in a moment.
  if (is_of_its_task && !part.failure.empty() && !part.node.obstacles.empty() &&
      !toll_.nodes.contains(part.node.name))
    leave_out(part.node.name, measures, part.failure);
  const auto take_off = [](InFlight& chunk, const Found& each) {
    if ((chunk.phase == Phase::measure) != each.outcome.status.empty() ||
        chunk.left.erase(each.grading) == 0)
      return false;
    chunk.found_some = true;
    if (chunk.phase == Phase::measure) chunk.measured[each.grading] = each.measured;
    return true;
  };
  for (const Found& each : part.found) {
    if (at != chunks_.end() && take_off(at->second, each)) continue;
    for (auto& [number, chunk] :
         chunks_)  // whoever found it, it is found: also for a chunk that was submitted again
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
    at->second.failure = {fmt::format("{}: {}", part.node.name, part.failure), part.node.name,
                          part.node, 0};
  }
  return Done{};
}

std::chrono::seconds Dispatch::longest_wait() const {
  return options_.pauses.empty() ? std::chrono::seconds{0} : options_.pauses.back();
}

void Dispatch::leave_out(const std::string& node, bool measures, const std::string& why) {
  if (options_.most_tries > 0 && excluded_[measures].emplace(node, next_array_).second)
    events_.tell(fmt::format("{} cannot {} and is left out from now on: {}", node,
                             measures ? "take times" : "grade", why));
}

// A node that fails fast is always free, and would take all tasks.
void Dispatch::strike(const InFlight& chunk) {
  const std::string& node = chunk.failure.node;
  const bool another_works = std::ranges::any_of(toll_.nodes, [&](const std::string& each) {
    return each != node && !strikes_.contains(each);
  });
  if (!node.empty() && ++strikes_[node] >= most_strikes && another_works)
    leave_out(node, chunk.phase == Phase::measure,
              fmt::format("{} tasks in a row gave nothing there ({})", strikes_[node],
                          chunk.failure.why));
}

Status Dispatch::settle(std::size_t number, InFlight& chunk) {
  if (chunk.phase == Phase::measure) {
    Chunk judged = TRY(spool_.chunk(number));
    judged.phase = Phase::judge, judged.tries = 0;
    std::erase_if(judged.items,
                  [&](const Item& item) { return !chunk.measured.contains(item.grading); });
    for (Item& item : judged.items) item.measured = chunk.measured.at(item.grading);
    TRY(add(std::move(judged)));
  }
  for (const std::string& path : chunk.files) seen_.erase(path), unlink(path.c_str());
  return Done{};
}

Status Dispatch::give_back_gone() {
  std::vector<std::size_t> settled, gone;
  for (auto& [number, chunk] : chunks_) {
    if (chunk.left.empty())
      settled.push_back(number);
    else if (chunk.array != 0 &&
             (chunk.failed || (chunk.gone_since && now() - *chunk.gone_since >= options_.grace)))
      gone.push_back(number);
  }
  for (const std::size_t number : settled) {
    TRY(settle(number, chunks_.at(number)));
    chunks_.erase(number);
  }
  std::erase_if(to_submit_, [&](std::size_t number) { return !chunks_.contains(number); });
  for (const std::size_t number : gone) {
    TRY(try_again(number, chunks_.at(number)));
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
  const bool of_bad_node = bad_node != left_out.end() &&
                           chunk.array < bad_node->second;  // then it was not the chunk's fault
  const int tries = chunk.found_some            ? 0
                    : of_bad_node || chunk.away ? chunk.tries
                                                : chunk.tries + 1;
  if (tries > options_.most_tries)
    return events_.given_up({chunk.left.begin(), chunk.left.end()}, tries, chunk.failure);
  Chunk whole = TRY(spool_.chunk(number));
  ++toll_.submitted_again;
  // What is measured already goes on by itself.
  if (chunk.phase == Phase::measure && !chunk.measured.empty()) {
    InFlight done = chunk;
    done.left.clear();
    TRY(settle(number, done));
  }
  std::vector<Item> left;
  for (Item& item : whole.items)
    if (chunk.left.contains(item.grading)) left.push_back(std::move(item));
  // In so many pieces that the last try has one item.
  const double pieces = tries > chunk.tries ? std::pow(static_cast<double>(left.size()),
                                                       1.0 / (options_.most_tries - tries + 1))
                                            : 1;
  const std::size_t size = std::max<std::size_t>(
      1, static_cast<std::size_t>(
             std::floor(static_cast<double>(left.size()) / std::ceil(pieces - 1e-9))));
  const auto pause =
      chunk.away ? longest_wait()
      : tries > chunk.tries && !options_.pauses.empty()
          ? options_.pauses[std::min(static_cast<std::size_t>(tries), options_.pauses.size()) - 1]
          : std::chrono::seconds{0};
  for (std::size_t begin = 0; begin < left.size(); begin += size) {
    const auto first = left.begin() + static_cast<std::ptrdiff_t>(begin),
               last =
                   left.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, left.size()));
    TRY(add(
        {0, chunk.phase, tries, {std::make_move_iterator(first), std::make_move_iterator(last)}}));
    chunks_.at(to_submit_.back()).not_before = now() + pause;
  }
  return Done{};
}

Result<Dispatch::Ending> Dispatch::run() {
  while (true) {
    if (events_.stopped()) return Ending::stopped;
    if (spool_.is_cancelled()) return Ending::cancelled;
    for (const auto step : {&Dispatch::read_parts, &Dispatch::give_back_gone, &Dispatch::submit,
                            &Dispatch::ask, &Dispatch::give_back_gone})
      TRY((this->*step)());
    events_.progress(queue_);
    tell_what_waits();
    if (chunks_.empty()) return Ending::settled;
    if (options_.rest)
      options_.rest(options_.beat);
    else
      std::this_thread::sleep_for(options_.beat);
  }
}

Status Dispatch::cancel() {
  for (const std::vector<std::string>& lot : in_lots(names(true))) TRY(scheduler_.cancel(lot));
  return Done{};
}

}  // namespace histolab::cluster
