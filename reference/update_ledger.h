// UpdateLedger: the updates that a counter in memory contains, and the updates that are lost. A
// stored value contains the thread's own update and all updates in the value that it had loaded.
// So a store removes from the counter all updates made since that load. They are lost, unless a
// later store restores them from another thread's register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace histolab::reference {

// An update that is not in the final counter. Positions are the times passed to the ledger.
struct LostUpdate {
  std::uint32_t thread = 0;
  std::size_t stored_at = 0;
  std::size_t lost_at = 0;  // the last store that removed the update
  // The load from which that store was computed; nullopt if the counter was just set.
  std::optional<std::size_t> lost_loaded_at;
};

class UpdateLedger {
 public:
  // In all calls, `time` must rise from call to call.
  void load(std::uint32_t thread, std::size_t time);
  // Stores the value that the thread loaded last, plus its update. If the thread has never loaded,
  // the store sets the counter and does not count as an update.
  void store(std::uint32_t thread, std::size_t time);
  // Adds an update atomically.
  void add(std::uint32_t thread, std::size_t time);
  // Overwrites the counter with a value that contains no updates.
  void set(std::size_t time);

  // Returns the number of updates that the counter contains.
  [[nodiscard]] std::uint32_t held() const { return static_cast<std::uint32_t>(counter_.size()); }
  // Returns the lost updates in the order of stored_at.
  [[nodiscard]] std::vector<LostUpdate> lost() const;

 private:
  using Updates = std::vector<std::size_t>;  // the times of the stores, oldest first
  struct Register {
    Updates updates;
    std::size_t loaded_at = 0;
  };
  void replace(const Updates& stored, std::size_t time, std::optional<std::size_t> loaded_at);
  [[nodiscard]] static bool contains(const Updates& updates, std::size_t one);

  Updates counter_;
  std::map<std::uint32_t, Register> registers_;     // by thread, if it has loaded
  std::map<std::size_t, LostUpdate> last_removal_;  // by the time of the update's store
  std::map<std::size_t, std::uint32_t> made_by_;    // thread, by the time of the update's store
};

}  // namespace histolab::reference
