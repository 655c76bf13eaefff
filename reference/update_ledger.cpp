#include "reference/update_ledger.h"

#include <algorithm>

namespace histolab::reference {

bool UpdateLedger::contains(const Updates& updates, std::size_t one) {
  return std::find(updates.begin(), updates.end(), one) != updates.end();
}

void UpdateLedger::load(std::uint32_t thread, std::size_t time) {
  registers_[thread] = {counter_, time};
}

void UpdateLedger::store(std::uint32_t thread, std::size_t time) {
  const auto loaded = registers_.find(thread);
  if (loaded == registers_.end()) return set(time);
  loaded->second.updates.push_back(time);
  made_by_[time] = thread;
  replace(loaded->second.updates, time, loaded->second.loaded_at);
}

void UpdateLedger::set(std::size_t time) { replace({}, time, std::nullopt); }

void UpdateLedger::replace(const Updates& stored, std::size_t time,
                           std::optional<std::size_t> loaded_at) {
  for (const std::size_t update : counter_)
    if (!contains(stored, update))
      last_removal_[update] = {made_by_.at(update), update, time, loaded_at};
  counter_ = stored;
}

void UpdateLedger::add(std::uint32_t thread, std::size_t time) {
  counter_.push_back(time);
  made_by_[time] = thread;
}

std::vector<LostUpdate> UpdateLedger::lost() const {
  std::vector<LostUpdate> lost;
  for (const auto& [update, removal] : last_removal_)
    if (!contains(counter_, update)) lost.push_back(removal);
  return lost;
}

}  // namespace histolab::reference
