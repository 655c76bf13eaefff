#include "viewer/model/race_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "grader/race/race_report.h"
#include "grader/race/race_words.h"
#include "grader/words/words.h"
#include "reference/fields.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {

// The parts of a recording that are shown. The times of lost updates start at 1.
struct Recording {
  std::string kernel, message;
  std::uint32_t threads = 2;
  bool cut = false;
  std::vector<RaceStep> steps;
  std::vector<reference::LostUpdate> lost;
};

// CUDA's name of the operation. A missing thread wraps to a number that is too large.
template <class F, Describes<RaceStep> Value>
void fields(F& f, Value& step) {
  std::string variable;
  std::uint64_t index = 0;
  f("thread", step.thread), f("operation", step.operation), f("line", step.line);
  f("variable", variable), f("index", index);
  f.group("register", [&](auto& value) { value("after", step.register_after); });
  f.group("memory", [&](auto& value) {
    value("before", step.memory_before), value("after", step.memory_after);
  });
  --step.thread;
  step.line = std::max(0, step.line);
  step.place = variable.empty() ? "histo[b]" : fmt::format("{}[{}]", variable, index);
  if (step.operation == "compare_and_swap") step.operation = "atomicCAS";
  if (step.operation == "exchange") step.operation = "atomicExch";
}
template <class F, Describes<reference::LostUpdate> Value>
void fields(F& f, Value& lost) {
  f("stored_at", lost.stored_at), f("overwritten_at", lost.lost_at);
}
template <class F, Describes<Recording> Value>
void fields(F& f, Value& recording) {
  f("kernel", recording.kernel), f("threads", recording.threads);
  f.group("trace", [&](auto& trace) {
    trace("steps", recording.steps, RaceScript::most_steps + 1), trace("cut", recording.cut);
    trace("lost", recording.lost), trace("message", recording.message);
  });
}

namespace {

using reference::Increments;
using reference::Interleaving;

bool is_atomic(const RaceStep& step) { return step.operation.starts_with("atomic"); }

// A recording that consists only of increments of one bin.
struct AsIncrements {
  Increments shape;
  Interleaving order;
  std::string place;
  std::vector<std::vector<int>> lines;  // per thread, the line of each step
};

// Whether playing the increments in this order gives the recorded values of memory.
bool plays_alike(const AsIncrements& increments, const std::vector<RaceStep>& recorded) {
  auto next = recorded.begin();
  for (const reference::TraceStep& step :
       reference::play(increments.shape, increments.order).steps) {
    if (step.step == reference::IncrementStep::add && next->operation != "add") continue;
    if (next->memory_before != step.memory_before || next->memory_after != step.memory_after)
      return false;
    ++next;
  }
  return true;
}

std::optional<AsIncrements> as_increments(const std::vector<RaceStep>& steps,
                                          std::uint32_t threads) {
  const bool adds =
      std::ranges::any_of(steps, [](const RaceStep& step) { return step.operation == "add"; });
  AsIncrements out{{threads, 0, is_atomic(steps.front())},
                   {},
                   steps.front().place,
                   std::vector<std::vector<int>>(threads)};
  const std::span<const reference::IncrementStep> cycle =
      reference::steps_of_increment(out.shape.atomic);
  for (const RaceStep& step : steps) {
    std::vector<int>& own = out.lines[step.thread];
    const auto make = [&] {
      out.order.push_back(step.thread);
      own.push_back(step.line);
    };
    const bool due = out.shape.atomic ? is_atomic(step)
                                      : step.operation == name(cycle[own.size() % cycle.size()]);
    if (!due || step.place != out.place) return {};
    make();
    // An unrecorded add follows the load; no other thread can observe when.
    if (step.operation == "load" && !adds) make();
  }
  const std::size_t each = out.lines.front().size();
  const bool alike =
      std::ranges::all_of(out.lines, [&](const auto& own) { return own.size() == each; });
  if (!alike || each % cycle.size() != 0 || each / cycle.size() > reference::max_increments)
    return {};
  out.shape.increments = static_cast<std::uint32_t>(each / cycle.size());
  if (!plays_alike(out, steps)) return {};
  return out;
}

std::string describe_start(const std::optional<Increments>& shape) {
  if (!shape) return "Forward makes the first recorded step.";
  return fmt::format("{}, {} each, on one bin. Click a thread to make its next step.",
                     grader::counted(shape->threads, "thread"),
                     grader::counted(shape->increments, shape->atomic ? "atomicAdd" : "increment"));
}

}  // namespace

std::string shown(const std::optional<std::uint64_t>& value, const char* none) {
  return value ? fmt::format("{}", *value) : none;
}

std::string about(const RaceStep& step) {
  const std::string who = grader::thread_name(step.thread);
  if (step.operation == "load")
    return fmt::format("{} loads {} into its register", who, step.place);
  if (step.operation == "add") return fmt::format("{} adds one in its register", who);
  if (step.operation == "store")
    return fmt::format("{} stores its register into {}", who, step.place);
  return fmt::format("{} performs an {} on {} in one step", who, step.operation, step.place);
}

RaceScript::RaceScript(const Increments& shape, Interleaving order)
    : shape_(shape), order_(std::move(order)) {
  play();
  go_to(0);
}

Result<RaceScript> RaceScript::of_recording(const Json& report) {
  auto recording = read_leniently<Recording>(report);
  if (recording.steps.empty() && recording.message.empty())
    return Error{"this kernel did not access memory that its threads share"};
  if (recording.steps.empty()) return Error{recording.message};
  RaceScript script;
  script.kernel_ = std::move(recording.kernel);
  script.steps_ = std::move(recording.steps);
  script.cut_ = recording.cut || script.steps_.size() > most_steps;
  if (script.steps_.size() > most_steps) script.steps_.resize(most_steps);
  std::uint32_t threads = std::clamp(recording.threads, 1u, most_threads);
  for (std::size_t i = 0; i < script.steps_.size(); ++i) {
    const RaceStep& step = script.steps_[i];
    if (step.thread >= most_threads || step.operation.empty())
      return Error{fmt::format("cannot interpret step {} of this recording: {}", i + 1,
                               report["trace"]["steps"][i].dump(-1, ' ', true).substr(0, 200))};
    threads = std::max(threads, step.thread + 1);
  }
  if (std::optional<AsIncrements> same =
          script.cut_ ? std::nullopt : as_increments(script.steps_, threads)) {
    script.shape_ = same->shape;
    script.order_ = std::move(same->order);
    script.place_ = std::move(same->place);
    script.lines_ = std::move(same->lines);
    script.play();
  } else {
    std::erase_if(recording.lost, [&](reference::LostUpdate& lost) {
      if (lost.stored_at == 0 || lost.lost_at <= lost.stored_at ||
          lost.lost_at > script.steps_.size())
        return true;
      lost.thread = script.steps_[--lost.stored_at].thread, --lost.lost_at;
      return false;
    });
    script.mark(recording.lost);
    script.verdict_ = std::move(recording.message);
    script.own_.resize(threads);
    script.index();
  }
  script.go_to(0);
  return script;
}

void RaceScript::play() {
  const reference::Trace trace = reference::play(*shape_, order_);
  own_.resize(shape_->threads);
  steps_.clear();
  std::vector<std::size_t> made(shape_->threads, 0);
  for (std::size_t time = 0; time < trace.steps.size(); ++time) {
    const reference::TraceStep& from = trace.steps[time];
    RaceStep step;
    step.thread = from.thread;
    step.operation = name(from.step);
    step.place = place_;
    if (!lines_.empty()) step.line = lines_[from.thread][made[from.thread]++];
    step.register_after = from.register_after;
    step.memory_before = from.memory_before;
    step.memory_after = from.memory_after;
    steps_.push_back(std::move(step));
  }
  mark(trace.lost);
  verdict_ = grader::verdict(trace);
  index();
}

void RaceScript::mark(const std::vector<reference::LostUpdate>& lost) {
  loses_ = !lost.empty();
  for (const reference::LostUpdate& update : lost)
    steps_[update.stored_at].lost_at = update.lost_at;
  for (const reference::LostUpdate& update : lost)
    steps_[update.lost_at].remark = grader::remark(lost, update.lost_at);
}

void RaceScript::index() {
  for (auto& own : own_) own.clear();
  cells_.clear();
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    RaceStep& step = steps_[i];
    own_[step.thread].push_back(i);
    const auto [place, is_new] = known.try_emplace(step.place, cells_.size());
    step.cell = place->second;
    if (is_new) cells_.push_back({step.place, step.memory_before});
  }
}

void RaceScript::go_to(std::size_t made) {
  made_ = std::min(made, steps_.size());
  made_by_.assign(own_.size(), 0);
  std::uint64_t updates = 0;
  for (std::size_t i = steps_.size(); i-- > made_;)
    cells_[steps_[i].cell].value = steps_[i].memory_before;
  for (std::size_t i = 0; i < made_; ++i) {
    const RaceStep& step = steps_[i];
    cells_[step.cell].value = step.memory_after;
    ++made_by_[step.thread];
    updates += step.operation == "store" || is_atomic(step);
  }
  const std::uint64_t kept = cells_.front().value.value_or(0);
  missing_ = any_order() && updates > kept ? updates - kept : 0;
  sentence_ = describe_last_step();
}

std::optional<std::uint64_t> RaceScript::register_of(std::uint32_t thread) const {
  const std::size_t made = made_by_[thread];
  return made == 0 ? std::nullopt : steps_[own_[thread][made - 1]].register_after;
}

bool RaceScript::can_step(std::uint32_t thread) const {
  if (thread >= threads() || made_by_[thread] == own_[thread].size()) return false;
  return any_order() || own_[thread][made_by_[thread]] == made_;
}

void RaceScript::step(std::uint32_t thread) {
  if (!can_step(thread)) return;
  const std::size_t from = own_[thread][made_by_[thread]];
  if (from != made_) {
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(made_),
               its = order_.begin() + static_cast<std::ptrdiff_t>(from);
    std::rotate(first, its, its + 1);
    rearranged_ = true;
    play();
  }
  forward();
}

const RaceScript::Cell* RaceScript::touched_last() const {
  if (cells_.empty()) return nullptr;
  return made_ == 0 ? &cells_.front() : &cells_[steps_[made_ - 1].cell];
}

std::string RaceScript::describe_last_step() const {
  if (made_ == 0) return describe_start(shape_);
  if (ended() && !verdict_.empty()) return verdict_;
  const RaceStep& step = steps_[made_ - 1];
  const std::string who = grader::thread_name(step.thread);
  const std::string then = step.remark.empty() ? "." : fmt::format(": that {}.", step.remark);
  const std::string before = shown(step.memory_before, "an unset value"),
                    after = shown(step.memory_after, "nothing");
  if (step.operation == "load")
    return fmt::format("{} loads {} from {} into its register.", who, before, step.place);
  if (step.operation == "add")
    return fmt::format("{} adds one in its register, which no other thread sees; {} is still {}.",
                       who, step.place, after);
  if (step.operation == "store")
    return fmt::format("{} stores {} into {}, which held {}{}", who, after, step.place, before,
                       then);
  return fmt::format("{}'s {} reads {} from {} and leaves {}, in one step{}", who, step.operation,
                     before, step.place, after, then);
}

}  // namespace histolab::viewer
