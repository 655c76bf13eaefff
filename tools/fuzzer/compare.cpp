#include "tools/fuzzer/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tools/fuzzer/model.h"

namespace histolab::fuzzer {
namespace {

using kernels::FindingKind;
using kernels::Schedule;

constexpr std::uint32_t most_rounds = 2000;
constexpr std::uint64_t most_steps = 20'000;

struct Run {
  std::vector<kernels::Observation> observations;
  std::vector<std::uint32_t> histo;
};

Result<Run> launch(kernels::Device& device, const kernels::Compiled& compiled,
                   const Program& program, Schedule schedule, kernels::BlockOrder order) {
  auto data = TRY(kernels::Buffer::copy_of(program.data));
  auto histo = TRY(kernels::Buffer::zeroed(std::size_t{program.arrays[histo_array].elements} * 4));
  using Kind = kernels::Argument::Kind;
  const std::vector<kernels::Argument> arguments = {
      {Kind::input, "data", program.arrays[data_array].element_bytes, &data, nullptr, 0},
      {Kind::word, "length", 4, nullptr, nullptr, program.length},
      {Kind::output, "histo", 4, nullptr, &histo, 0}};
  kernels::Options options;
  options.schedule = schedule;
  options.block_order = order;
  options.steps_per_thread = most_steps;
  options.time_limit = std::chrono::seconds(60);
  auto observed = TRY(device.launch(
      compiled, {{program.grid, 1, 1}, {program.block / program.rows, program.rows, 1}, 0},
      std::vector<std::vector<kernels::Argument>>(static_cast<std::size_t>(program.launches),
                                                  arguments),
      options));
  Run run{std::move(observed), std::vector<std::uint32_t>(program.arrays[histo_array].elements)};
  std::memcpy(run.histo.data(), histo.bytes().data(), histo.size());
  return run;
}

// Returns "name: expected 3, got 4" for each counter that differs. The model does not know the
// addresses of shared arrays. It does not know whether g++ found that an addend is always 1, in
// which case lanes share a pass. And it does not know the number of accesses of a copy.
std::string difference(const Expected& of, reference::Counters got) {
  reference::Counters expected = of.counters;
  got.static_shared_bytes = expected.static_shared_bytes = 0;
  if (of.unclear_additions) {
    for (reference::Counters* each : {&expected, &got})
      each->shared_atomic.wavefronts = each->shared_atomic.bank_conflicts = 0;
  }
  if (of.in_pieces)
    for (reference::Counters* each : {&expected, &got}) {
      for (reference::SharedTraffic* traffic : {&each->shared_load, &each->shared_store}) {
        const std::uint64_t bytes = of.unclear_bytes ? 0 : traffic->bytes;
        *traffic = {};
        traffic->bytes = bytes;
      }
      each->busiest = {};
    }
  // The model does not compute these counters.
  expected.busiest.input = got.busiest.input;
  expected.busiest.used_shared_writes = got.busiest.used_shared_writes;
  std::string all;
  const auto wanted = reference::values(expected), had = reference::values(got);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i].value != had[i].value)
      all += fmt::format("  {}: expected {}, got {}\n", wanted[i].title, wanted[i].value,
                         had[i].value);
  return all;
}

// Counters that do not depend on the grouping of lanes.
std::array<std::uint64_t, 6> totals(const reference::Counters& c) {
  return {c.global_load.lanes,         c.global_store.lanes,        c.global_atomic.lanes,
          c.global_contention.updates, c.shared_contention.updates, c.barriers};
}

std::string words(const std::set<FindingKind>& kinds) {
  std::string all;
  for (const FindingKind kind : kinds)
    all += (all.empty() ? "" : ", ") + std::string(kernels::name(kind));
  return all.empty() ? "none" : all;
}

// Each reported kind must be expected. If any is expected, at least one must be reported, because a
// launch may end at the first one.
bool agree(const Expected& expected, const std::set<FindingKind>& told) {
  if (expected.faults.empty() != told.empty()) return false;
  for (const FindingKind kind : told) {
    // The order of two racing threads decides whether the memory was already zeroed.
    const bool follows = kind == FindingKind::uninitialized_read && expected.shared_race;
    // An endless loop whose atomics add 0 looks like a waiting loop.
    const bool waits =
        kind == FindingKind::deadlock && expected.faults.contains(FindingKind::step_limit);
    if (!expected.faults.contains(kind) && !follows && !waits) return false;
  }
  return true;
}

std::optional<Disagreement> judge(const Run& run, const Expected& expected, const Program& program,
                                  Schedule schedule) {
  const auto disagree = [&](const char* about, std::string detail) {
    return Disagreement{about, fmt::format("{} ({}):\n{}", about, kernels::name(schedule), detail)};
  };
  std::set<FindingKind> told;
  std::string messages;
  for (const auto& observation : run.observations)
    for (const kernels::Finding& finding : observation.findings) {
      if (finding.severity == kernels::Severity::error) told.insert(finding.kind);
      messages += fmt::format("  line {}: {}\n", finding.line, finding.message);
    }
  messages += fmt::format("  {} {}\n", kernels::name(run.observations.back().ending),
                          run.observations.back().ending_detail);
  if (!agree(expected, told))
    return disagree("findings", fmt::format("  expected {}, got {}\n{}", words(expected.faults),
                                            words(told), messages));
  if (!expected.faults.empty()) return std::nullopt;
  const kernels::Observation& last = run.observations.back();
  if (last.ending != kernels::Ending::completed ||
      run.observations.size() != static_cast<std::size_t>(program.launches))
    return disagree("ending",
                    fmt::format("  {}: {}\n", kernels::name(last.ending), last.ending_detail));
  if (run.histo != expected.histo)
    return disagree("histogram",
                    fmt::format("  expected {}\n  got      {}\n", expected.histo, run.histo));
  if (const std::string differs = difference(expected, last.counters); !differs.empty()) {
    Disagreement found = disagree("counters", differs);
    // The grouping of lanes is reconstructed; each lane's accesses are exact.
    const bool grouping = totals(expected.counters) == totals(last.counters);
    if (grouping && expected.hidden_round)
      found.known = "a lane's accesses do not show that it went round a loop";
    return found;
  }
  return std::nullopt;
}

// g++ removes a load whose value is unused.
bool has_idle_load(const Body& all, const Body& body) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt& s) {
    return (s.what == Stmt::What::load && !reads(all, s.variable)) || has_idle_load(all, s.body) ||
           has_idle_load(all, s.otherwise);
  });
}

// Collects all lists of statements in a program, recursively.
void lists_of(Body& body, std::vector<Body*>& lists) {
  lists.push_back(&body);
  for (Stmt& s : body) {
    lists_of(s.body, lists);
    lists_of(s.otherwise, lists);
  }
}

}  // namespace

Result<std::optional<Disagreement>> compare(kernels::Device& device, const Program& program,
                                            bool right) {
  const Expected expected = execute(program, most_rounds);
  using Found = std::optional<Disagreement>;
  if (right) {
    if (!expected.faults.empty())
      return Found(Disagreement{
          "model", fmt::format("a right kernel has, by the model: {}\n", words(expected.faults))});
    if (const auto sequential = count_sequentially(program); sequential != expected.histo)
      return Found(Disagreement{
          "model", fmt::format("sequentially {}\nby the model {}\n", sequential, expected.histo)});
  }
  using Parameter = kernels::KernelSignature::Parameter;
  const kernels::KernelSignature signature{
      "k", {Parameter::pointer, Parameter::word, Parameter::pointer}, "", {}};
  const auto compiled = TRY(device.compile({"k.cu", source_of(program)}, {signature}));
  if (!compiled.ok)
    return Found(
        Disagreement{"compiler", fmt::format("line {}: {}\n", compiled.diagnostics.at(0).line,
                                             compiled.diagnostics.at(0).message)});
  using kernels::BlockOrder;
  std::vector<std::pair<Schedule, BlockOrder>> orders;
  for (const Schedule schedule : kernels::all_schedules)
    orders.emplace_back(schedule, BlockOrder::ascending);
  if (right) orders.emplace_back(Schedule::adversarial, BlockOrder::interleaved);
  for (const auto& [schedule, order] : orders) {
    const auto run = TRY(launch(device, compiled, program, schedule, order));
    if (auto found = judge(run, expected, program, schedule)) return Found(std::move(found));
  }
  return Found();
}

Program minimized(kernels::Device& device, const Program& program, const Disagreement& disagreement,
                  const std::atomic<bool>& stop) {
  Program best = program;
  const auto still = [&](const Program& candidate) {
    if (has_idle_load(candidate.body, candidate.body)) return false;
    const auto found = compare(device, candidate, false);
    return found && *found && (*found)->about == disagreement.about &&
           (*found)->known == disagreement.known;
  };
  for (bool smaller = true; smaller && !stop;) {
    smaller = false;
    for (const auto shrink : {+[](Program& p) { p.grid = 1; },
                              +[](Program& p) {
                                p.block = 32;
                                p.rows = 1;
                              },
                              +[](Program& p) { p.launches = 1; }}) {
      Program candidate = best;
      shrink(candidate);
      if ((candidate.grid != best.grid || candidate.block != best.block ||
           candidate.launches != best.launches) &&
          still(candidate)) {
        best = std::move(candidate);
        smaller = true;
      }
    }
    std::vector<Body*> lists;
    lists_of(best.body, lists);
    for (std::size_t l = 0; l < lists.size() && !smaller && !stop; ++l)
      for (std::size_t i = 0; i < lists[l]->size() && !smaller && !stop; ++i) {
        // Remove the statement, or replace it by the statements inside it.
        for (const bool keep : {false, true}) {
          Program candidate = best;
          std::vector<Body*> same;
          lists_of(candidate.body, same);
          const Stmt removed = (*same[l])[i];
          if (keep && removed.what != Stmt::What::branch) continue;
          same[l]->erase(same[l]->begin() + static_cast<std::ptrdiff_t>(i));
          if (keep)
            same[l]->insert(same[l]->begin() + static_cast<std::ptrdiff_t>(i), removed.body.begin(),
                            removed.body.end());
          if (!still(candidate)) continue;
          best = std::move(candidate);
          smaller = true;
          break;
        }
      }
  }
  return best;
}

}  // namespace histolab::fuzzer
