#include "kernels/emulator/launch/finding_log.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/emulator/arch/stack_room.h"

namespace histolab::kernels::emulator {

RaceName race_name(const Finding& race) {
  const auto [line, other_line] = std::minmax(race.line, race.other_line);
  return {race.variable, race.space, line, other_line};
}

std::size_t FindingLog::add(Finding finding) {
  need_stack_room();
  const bool diverges = finding.kind == FindingKind::barrier_divergence;
  if (diverges && !std::exchange(out_of_step_, true))
    for (std::size_t i = epoch_begin_; i < findings_.size(); ++i)
      facts_[i].before_divergence = true;
  const auto known = std::find_if(findings_.begin(), findings_.end(),
                                  [&](const Finding& f) { return same_cause(f, finding); });
  if (known != findings_.end()) {
    merge(*known, finding);
    return static_cast<std::size_t>(known - findings_.begin());
  }
  findings_.push_back(std::move(finding));
  facts_.push_back({.after_divergence = out_of_step_ && !diverges});
  if (on_new) on_new(findings_.back());
  return findings_.size() - 1;
}

std::size_t FindingLog::add_race(Finding finding, RaceHarm harm, bool decides_barrier) {
  const std::size_t before = findings_.size(), number = add(finding);
  Facts& facts = facts_[number];
  facts.decides_barrier |= decides_barrier;
  if (number == before) {
    facts.harm = harm;
  } else if (harm < facts.harm) {
    facts.harm = harm;
    finding.count = findings_[number].count;
    findings_[number] = std::move(finding);
  }
  return number;
}

void FindingLog::soften(std::size_t number, std::string message) {
  findings_[number].severity = Severity::note;
  findings_[number].message = std::move(message);
}

namespace {

bool involves(const Finding& race, int line) {
  return race.line == line || race.other_line == line;
}

// Returns true for a race on the variable that `read` reads. The race's lines may belong to another
// read of the same element, because the observer does not remember each read.
bool is_race_on(const Finding& race, const Finding& read) {
  return race.kind == FindingKind::data_race && race.variable == read.variable &&
         race.space == read.space;
}

}  // namespace

bool FindingLog::is_consequence(std::size_t number) const {
  const Finding& finding = findings_[number];
  const Facts& facts = facts_[number];
  const bool follows =
      facts.after_divergence || (facts.before_divergence && !facts.decides_barrier);
  if (finding.kind == FindingKind::data_race) return follows;
  if (finding.kind != FindingKind::uninitialized_read || !follows) return false;
  if (facts.after_divergence) return true;
  // Before the barrier, an uninitialized read is a consequence only if a race on the variable is
  // one.
  for (std::size_t i = 0; i < findings_.size(); ++i)
    if (is_race_on(findings_[i], finding) && is_consequence(i)) return true;
  return false;
}

bool FindingLog::is_dropped_consequence(std::size_t number) const {
  return is_consequence(number) && findings_[number].space == Space::shared;
}

bool FindingLog::explains(std::size_t cause, std::size_t number) const {
  const Finding &other = findings_[cause], &finding = findings_[number];
  if (cause == number || other.severity == Severity::note || other.kind != FindingKind::data_race)
    return false;
  if (other.variable != finding.variable || other.space != finding.space ||
      is_dropped_consequence(cause))
    return false;
  switch (finding.kind) {
    case FindingKind::uninitialized_read:
      // In global memory, a lost update is a second mistake: nothing was written before either
      // thread read.
      return involves(other, finding.line) &&
             (finding.space != Space::global || facts_[cause].harm != RaceHarm::lost_update);
    case FindingKind::out_of_bounds:
      return facts_[number].about_freed && facts_[cause].about_freed &&
             involves(other, finding.line);
    case FindingKind::data_race: {
      if (facts_[cause].harm != RaceHarm::lost_update) return false;
      // A lost update explains another one only if that one is on two lines and this one on one
      // line.
      if (facts_[number].harm == RaceHarm::lost_update &&
          (finding.line == finding.other_line || other.line != other.other_line))
        return false;
      return involves(other, finding.line) || involves(other, finding.other_line);
    }
    default: return false;
  }
}

int FindingLog::rank(std::size_t number) const {
  const Finding& finding = findings_[number];
  if (finding.severity == Severity::note) return 3;
  const auto is_worse = [&](const Finding& other) {
    const Facts& facts = facts_[static_cast<std::size_t>(&other - findings_.data())];
    return other.kind == FindingKind::data_race && facts.harm != RaceHarm::both_write &&
           other.variable == finding.variable && other.space == finding.space;
  };
  const bool is_race = finding.kind == FindingKind::data_race;
  if (is_race && facts_[number].harm == RaceHarm::both_write &&
      std::ranges::any_of(findings_, is_worse))
    return 2;
  return is_consequence(number) ? 1 : 0;
}

void FindingLog::settle() {
  std::vector<std::size_t> order(findings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t number) {
    if (is_dropped_consequence(number)) return true;
    for (std::size_t cause = 0; cause < findings_.size(); ++cause)
      if (explains(cause, number)) return true;
    return false;
  });
  std::ranges::stable_sort(order, {}, [&](std::size_t number) { return rank(number); });
  std::vector<Finding> findings;
  std::vector<Facts> facts;
  for (const std::size_t number : order) {
    findings.push_back(std::move(findings_[number]));
    facts.push_back(facts_[number]);
  }
  findings_ = std::move(findings);
  facts_ = std::move(facts);
}

std::set<RaceName> FindingLog::undecided() const {
  std::set<RaceName> races;
  for (std::size_t i = 0; i < findings_.size(); ++i)
    if (findings_[i].kind == FindingKind::data_race && findings_[i].severity == Severity::error &&
        facts_[i].harm == RaceHarm::both_write)
      races.insert(race_name(findings_[i]));
  return races;
}

}  // namespace histolab::kernels::emulator
