// Dispatch: results, finished chunks and new tries.
#include "grader/cluster/dispatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "grader/files/read_file.h"

namespace histolab::cluster {
namespace {

constexpr int most_strikes = 3;  // failures of a node in a row, while another node works
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

// The length of a command line is limited.
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
  waiting.phase = chunk.phase;
  waiting.tries = chunk.tries;
  for (const Item& item : chunk.items) waiting.left.insert(item.grading);
  to_submit_.push_back(chunk.number);
  return Done{};
}

// Deletes a part once its results are in the journal.
Status Dispatch::read_parts() {
  const Result<std::vector<std::string>> parts = spool_.parts();
  if (!parts) return Done{};  // the shared directory may be unavailable for a moment
  for (const std::string& path : *parts) {
    if (seen_.contains(path)) continue;
    const Result<std::string> text = grader::read_text_file(path, "part", longest_part);
    if (!text) continue;  // for the same reason
    const Result<Part> part = part_from_json(*text, path);
    if (!part || part->spool != assignment_.id) {
      // A part appears whole, so no task of this batch wrote this file. If it replaced a part, that
      // task is missed and submitted again.
      events_.report(fmt::format("{} is ignored: {}", path,
                                 part ? "it belongs to another batch" : part.error().message));
      unlink(path.c_str());
      continue;
    }
    TRY(take(path, *part));
  }
  return Done{};
}

Status Dispatch::take(const std::string& path, const Part& part) {
  if (!part.found.empty()) totals_.nodes.insert(part.node.name);
  if (part.complete || !part.failure.empty()) {
    ++totals_.tasks;
    totals_.seconds += part.seconds;
    totals_.seconds_to_begin += part.seconds_to_begin;
  }
  const auto array = arrays_.find(part.array);
  const bool known = array != arrays_.end() && part.index < array->second.size();
  const auto at = known ? chunks_.find(array->second[part.index]) : chunks_.end();
  const bool measures = at != chunks_.end() && at->second.phase == Phase::measure;
  const bool has_results = std::ranges::any_of(
      part.found, [](const Found& each) { return !each.outcome.status.empty(); });
  if (!part.found.empty()) {
    TRY(events_.found(part));
    strikes_.erase(part.node.name);
    reported_away_.erase(part.node.name);
  }
  const bool is_of_its_task = at != chunks_.end() && at->second.array == part.array;
  // A node that has graded before is able to: whatever it lacks now may return in a moment.
  if (is_of_its_task && !part.failure.empty() && !part.node.obstacles.empty() &&
      !totals_.nodes.contains(part.node.name))
    exclude_node(part.node.name, measures, part.failure);
  const auto remove_item = [](InFlight& chunk, const Found& each) {
    if ((chunk.phase == Phase::measure) != each.outcome.status.empty() ||
        chunk.left.erase(each.grading) == 0)
      return false;
    chunk.found_some = true;
    if (chunk.phase == Phase::measure) chunk.measured[each.grading] = each.measured;
    return true;
  };
  for (const Found& each : part.found) {
    if (at != chunks_.end() && remove_item(at->second, each)) continue;
    // The result counts for every chunk that has the item, also for one that is submitted again.
    for (auto& [number, chunk] : chunks_)
      if (remove_item(chunk, each)) break;
  }
  if (measures && !has_results && !part.found.empty()) {
    at->second.files.push_back(path);
    seen_.insert(path);
  } else {
    unlink(path.c_str());
  }
  // A late part of an earlier task of the chunk says nothing about the current task.
  if (is_of_its_task && !part.failure.empty() && !at->second.failed) {
    at->second.failed = true;
    at->second.failure = {.why = fmt::format("{}: {}", part.node.name, part.failure),
                          .node = part.node.name,
                          .reported = part.node};
  }
  return Done{};
}

std::chrono::seconds Dispatch::longest_pause() const {
  return options_.pauses.empty() ? std::chrono::seconds{0} : options_.pauses.back();
}

void Dispatch::exclude_node(const std::string& node, bool measures, const std::string& why) {
  if (options_.most_tries > 0 && excluded_[measures].emplace(node, next_array_).second)
    events_.report(fmt::format("{} cannot {} and is excluded from now on: {}", node,
                               measures ? "measure times" : "grade", why));
}

// A node that fails fast is always free, so it would get all tasks.
void Dispatch::count_strike(const InFlight& chunk) {
  const std::string& node = chunk.failure.node;
  const bool another_works = std::ranges::any_of(totals_.nodes, [&](const std::string& each) {
    return each != node && !strikes_.contains(each);
  });
  if (!node.empty() && ++strikes_[node] >= most_strikes && another_works)
    exclude_node(node, chunk.phase == Phase::measure,
                 fmt::format("{} tasks in a row failed there without a result ({})", strikes_[node],
                             chunk.failure.why));
}

Status Dispatch::finish(std::size_t number, InFlight& chunk) {
  if (chunk.phase == Phase::measure) {
    Chunk judged = TRY(spool_.chunk(number));
    judged.phase = Phase::judge;
    judged.tries = 0;
    std::erase_if(judged.items,
                  [&](const Item& item) { return !chunk.measured.contains(item.grading); });
    for (Item& item : judged.items) item.measured = chunk.measured.at(item.grading);
    TRY(add(std::move(judged)));
  }
  for (const std::string& path : chunk.files) {
    seen_.erase(path);
    unlink(path.c_str());
  }
  return Done{};
}

// Finishes the chunks without items left, and tries those again whose task is gone.
Status Dispatch::finish_chunks() {
  std::vector<std::size_t> finished, gone;
  for (auto& [number, chunk] : chunks_) {
    if (chunk.left.empty())
      finished.push_back(number);
    else if (chunk.array != 0 &&
             (chunk.failed || (chunk.gone_since && now() - *chunk.gone_since >= options_.grace)))
      gone.push_back(number);
  }
  for (const std::size_t number : finished) {
    TRY(finish(number, chunks_.at(number)));
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
  if (chunk.cancelled) {  // the user cancelled the task and does not want it again
    cancelled_by_others_ += chunk.left.size();
    return Done{};
  }
  if (!chunk.found_some) count_strike(chunk);
  const auto& excluded = excluded_[chunk.phase == Phase::measure];
  const auto bad_node = excluded.find(chunk.failure.node);
  // The chunk was submitted before its node was excluded: the node is to blame.
  const bool is_the_nodes_fault = bad_node != excluded.end() && chunk.array < bad_node->second;
  int tries = chunk.tries + 1;
  if (is_the_nodes_fault || chunk.away) tries = chunk.tries;
  if (chunk.found_some) tries = 0;
  if (tries > options_.most_tries)
    return events_.given_up({chunk.left.begin(), chunk.left.end()}, tries, chunk.failure);
  Chunk whole = TRY(spool_.chunk(number));
  ++totals_.submitted_again;
  // Items that are measured already are judged now.
  if (chunk.phase == Phase::measure && !chunk.measured.empty()) {
    InFlight measured = chunk;
    measured.left.clear();
    TRY(finish(number, measured));
  }
  std::vector<Item> left;
  for (Item& item : whole.items)
    if (chunk.left.contains(item.grading)) left.push_back(std::move(item));
  const bool costs_a_try = tries > chunk.tries;
  // So many pieces per try that the last try has one item.
  double pieces = 1;
  if (costs_a_try)
    pieces = std::pow(static_cast<double>(left.size()), 1.0 / (options_.most_tries - tries + 1));
  const double items = static_cast<double>(left.size()) / std::ceil(pieces - 1e-9);
  const std::size_t size = std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(items)));
  std::chrono::seconds pause{0};
  if (costs_a_try && !options_.pauses.empty())
    pause = options_.pauses[std::min(static_cast<std::size_t>(tries), options_.pauses.size()) - 1];
  if (chunk.away) pause = longest_pause();
  for (std::size_t begin = 0; begin < left.size(); begin += size) {
    const std::size_t end = std::min(begin + size, left.size());
    Chunk piece{0, chunk.phase, tries, {}};
    for (std::size_t i = begin; i < end; ++i) piece.items.push_back(std::move(left[i]));
    TRY(add(std::move(piece)));
    chunks_.at(to_submit_.back()).not_before = now() + pause;
  }
  return Done{};
}

Result<Dispatch::Ending> Dispatch::run() {
  while (true) {
    if (events_.stopped()) return Ending::stopped;
    if (spool_.is_cancelled()) return Ending::cancelled;
    for (const auto step : {&Dispatch::read_parts, &Dispatch::finish_chunks, &Dispatch::submit,
                            &Dispatch::poll, &Dispatch::finish_chunks})
      TRY((this->*step)());
    events_.progress(queue_);
    report_waiting();
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
