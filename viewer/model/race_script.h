// RaceScript: a few threads that update memory concurrently. It steps forward, back, and in any
// order.
//
// The script is either a set of increments of one bin (reference/increments.h), or a recording of a
// real kernel's threads (`histolab race --kernel`). A recording counts as increments if each thread
// only loads one bin, adds one and stores it, or adds one atomically. Any other recording can only
// be stepped in its recorded order.
//
// A script always holds a complete order of steps; the first made() of them are done. step() may
// choose a thread out of turn. Its next step then moves to the front of the remaining ones, whose
// order stays the same.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reference/increments.h"
#include "reference/result.h"

namespace histolab::viewer {

struct RaceStep {
  std::uint32_t thread = 0;
  // "load", "add", "store", "atomicAdd"; in a recording also "atomic", "atomicCAS", "atomicExch".
  std::string operation;
  std::string place;                                         // in memory: "histo[b]"
  int line = 0;                                              // in the kernel; 0 if unknown
  std::optional<std::uint64_t> register_after;               // nullopt if unknown
  std::optional<std::uint64_t> memory_before, memory_after;  // nullopt before the first write
  std::size_t cell = 0;                                      // index into RaceScript::cells()
  // The number of the step that overwrites this step's update for good, or 0.
  std::size_t lost_at = 0;
  std::string remark;  // effect on other threads: "loses T1's update"
};

class RaceScript {
 public:
  static constexpr std::uint32_t most_threads = 4, most_increments = 4;
  static constexpr std::size_t most_steps = 4096;  // of a recording; later steps are dropped

  // Starts before the first step. `order` is an interleaving of `shape`.
  RaceScript(const reference::Increments& shape, reference::Interleaving order);
  // Reads a `histolab/race/1` object. Returns an Error if it has no steps to show.
  static Result<RaceScript> of_recording(const nlohmann::json& report);

  [[nodiscard]] bool any_order() const { return shape_.has_value(); }
  // nullopt unless any_order().
  [[nodiscard]] const std::optional<reference::Increments>& shape() const { return shape_; }
  [[nodiscard]] const std::string& kernel() const { return kernel_; }  // empty if not a recording
  [[nodiscard]] std::uint32_t threads() const { return static_cast<std::uint32_t>(own_.size()); }

  [[nodiscard]] const std::vector<RaceStep>& steps() const { return steps_; }
  [[nodiscard]] std::size_t made() const { return made_; }
  [[nodiscard]] bool ended() const { return made_ == steps_.size(); }
  // The last step done, or nullptr before the first one.
  [[nodiscard]] const RaceStep* last() const { return made_ == 0 ? nullptr : &steps_[made_ - 1]; }
  void go_to(std::size_t made);
  void forward() { go_to(made_ + 1); }
  void back() { go_to(made_ == 0 ? 0 : made_ - 1); }

  // A thread's steps as indices into steps(), and how many of them are done.
  [[nodiscard]] const std::vector<std::size_t>& steps_of(std::uint32_t thread) const {
    return own_[thread];
  }
  [[nodiscard]] std::size_t made_by(std::uint32_t thread) const { return made_by_[thread]; }
  [[nodiscard]] std::optional<std::uint64_t> register_of(std::uint32_t thread) const;
  [[nodiscard]] bool can_step(std::uint32_t thread) const;
  void step(std::uint32_t thread);  // does nothing unless can_step()
  // Whether a thread has stepped out of turn.
  [[nodiscard]] bool rearranged() const { return rearranged_; }

  // The current memory: each address that the script accesses, in the order of first access.
  struct Cell {
    std::string place;
    std::optional<std::uint64_t> value;  // nullopt before the first write
  };
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  // The cell that the last step accessed, or the first cell before any step. Returns nullptr
  // without cells.
  [[nodiscard]] const Cell* touched_last() const;
  // Number of updates that were stored but are not in the bin now; 0 if unknown.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
  [[nodiscard]] bool loses() const { return loses_; }  // whether the complete order loses an update
  [[nodiscard]] bool cut() const { return cut_; }      // the recording ends before the kernel does

  // Describes the last step, the start before the first step, and the result after the last one.
  [[nodiscard]] const std::string& sentence() const { return sentence_; }

 private:
  RaceScript() = default;
  void play();  // computes steps_ from order_
  void mark(const std::vector<reference::LostUpdate>& lost);
  void index();  // computes own_ and cells_ from steps_
  [[nodiscard]] std::string describe_last_step() const;

  std::optional<reference::Increments> shape_;
  reference::Interleaving order_;
  std::string kernel_, place_ = "histo[b]", verdict_;
  std::vector<std::vector<int>> lines_;  // per thread and step; empty without a kernel
  std::vector<RaceStep> steps_;
  std::vector<std::vector<std::size_t>> own_;
  std::size_t made_ = 0;
  bool loses_ = false, cut_ = false, rearranged_ = false;
  std::vector<Cell> cells_;
  // State after the first made_ steps, like the values of cells_:
  std::vector<std::size_t> made_by_;
  std::uint64_t missing_ = 0;
  std::string sentence_;
};

[[nodiscard]] std::string shown(const std::optional<std::uint64_t>& value, const char* none);
// Describes a step that is not yet done: "T1 loads histo[b] into its register".
[[nodiscard]] std::string about(const RaceStep& step);

}  // namespace histolab::viewer
