// UpdateLedger: which threads' updates a counter in memory holds, and which it has lost.
//
// What a thread stores holds its own update and those that were in what it had loaded. So a store takes out of the
// counter every update that came in since that load: they are lost, unless a later store brings them back from another
// thread's register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace histolab::reference {

// An update that was made and is not in the counter in the end. Places are the times that were given to the ledger.
struct LostUpdate {
  std::uint32_t thread = 0;
  std::size_t stored_at = 0;
  std::size_t lost_at = 0;                    // the store that took it out for good,
  std::optional<std::size_t> lost_loaded_at;  // and the load that this store was computed from; none: it was just set
};

class UpdateLedger {
 public:
  // `time` rises from call to call.
  void load(std::uint32_t thread, std::size_t time);
  // Of what the thread has loaded last, with its update. One that has never loaded sets the counter, which is no
  // update.
  void store(std::uint32_t thread, std::size_t time);
  void add(std::uint32_t thread, std::size_t time);  // an atomic operation
  void set(std::size_t time);                        // whatever was there is gone

  [[nodiscard]] std::uint32_t held() const { return static_cast<std::uint32_t>(counter_.size()); }  // updates
  [[nodiscard]] std::vector<LostUpdate> lost() const;  // in the order of stored_at

 private:
  using Updates = std::vector<std::size_t>;  // by the times at which they were stored, oldest first
  struct Register {
    Updates updates;
    std::size_t loaded_at = 0;
  };
  void replace(const Updates& stored, std::size_t time, std::optional<std::size_t> loaded_at);
  [[nodiscard]] static bool contains(const Updates& updates, std::size_t one);

  Updates counter_;
  std::map<std::uint32_t, Register> registers_;     // of each thread that has loaded
  std::map<std::size_t, LostUpdate> last_removal_;  // of the update stored at a time
  std::map<std::size_t, std::uint32_t> made_by_;
};

}  // namespace histolab::reference
