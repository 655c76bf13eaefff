// RaceScript: threads that update memory at the same time, stepped forward and back, and in any
// order.
//
// It is either the increments of one bin that reference/increments.h plays, or what the threads of
// a real kernel did, as `histolab race --kernel` recorded it. A recording in which each thread does
// nothing but load one bin, add one and store (or add one atomically) is taken for such increments;
// any other can only be stepped as it was recorded.
//
// A script always holds a whole order, of which the first made() steps are made. A thread that is
// asked to step out of turn makes the step that it would have made later; the order of all the
// others stays.
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
  // "load", "add", "store", "atomicAdd"; of a recording also "atomic", "atomicCAS", "atomicExch".
  std::string operation;
  std::string place;                                         // in memory: "histo[b]"
  int line = 0;                                              // of the kernel; 0: not known
  std::optional<std::uint64_t> register_after;               // none: nothing that is known
  std::optional<std::uint64_t> memory_before, memory_after;  // none: nobody has set it yet
  std::size_t cell = 0;  // the place, as a number of RaceScript::cells()
  std::size_t lost_at =
      0;  // the step that takes this one's update out of the bin for good; 0: none does
  std::string remark;  // what the step itself does to others: "loses T1's update"
};

class RaceScript {
 public:
  static constexpr std::uint32_t most_threads = 4, most_increments = 4;
  static constexpr std::size_t most_steps = 4096;  // of a recording; what comes later is left out

  // Nothing is made yet. `order` is an interleaving of `shape`.
  RaceScript(const reference::Increments& shape, reference::Interleaving order);
  // Of a `histolab/race/1` object. Error: there are no steps in it that can be shown.
  static Result<RaceScript> of_recording(const nlohmann::json& report);

  [[nodiscard]] bool any_order() const { return shape_.has_value(); }
  [[nodiscard]] const std::optional<reference::Increments>& shape() const {
    return shape_;
  }                                                                    // none: not any_order()
  [[nodiscard]] const std::string& kernel() const { return kernel_; }  // empty: no recording
  [[nodiscard]] std::uint32_t threads() const { return static_cast<std::uint32_t>(own_.size()); }

  [[nodiscard]] const std::vector<RaceStep>& steps() const { return steps_; }
  [[nodiscard]] std::size_t made() const { return made_; }
  [[nodiscard]] bool ended() const { return made_ == steps_.size(); }
  // The step made last; nullptr: none is made.
  [[nodiscard]] const RaceStep* last() const { return made_ == 0 ? nullptr : &steps_[made_ - 1]; }
  void go_to(std::size_t made);
  void forward() { go_to(made_ + 1); }
  void back() { go_to(made_ == 0 ? 0 : made_ - 1); }

  // A thread's steps, as places in steps(), and how many of them are made.
  [[nodiscard]] const std::vector<std::size_t>& steps_of(std::uint32_t thread) const {
    return own_[thread];
  }
  [[nodiscard]] std::size_t made_by(std::uint32_t thread) const { return made_by_[thread]; }
  [[nodiscard]] std::optional<std::uint64_t> register_of(std::uint32_t thread) const;
  [[nodiscard]] bool can_step(std::uint32_t thread) const;
  void step(std::uint32_t thread);                               // nothing where it cannot
  [[nodiscard]] bool rearranged() const { return rearranged_; }  // a thread has stepped out of turn

  // What memory holds now: each place that the script touches, in the order in which it first does.
  struct Cell {
    std::string place;
    std::optional<std::uint64_t> value;  // none: nobody has set it yet
  };
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const Cell* touched_last()
      const;  // by the last step; the first cell before any; nullptr: there is none
  // Updates stored and not in the bin now; 0 where that cannot be said.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
  [[nodiscard]] bool loses() const { return loses_; }  // an update, when all is done
  [[nodiscard]] bool cut() const { return cut_; }  // the kernel went on, and that was not recorded

  // What the last step did, in a sentence; what there is to see before the first and after the
  // last.
  [[nodiscard]] const std::string& sentence() const { return sentence_; }

 private:
  RaceScript() = default;
  void play();  // steps_ from order_
  void mark(const std::vector<reference::LostUpdate>& lost);
  void index();  // own_ and cells_ from steps_
  [[nodiscard]] std::string said() const;

  std::optional<reference::Increments> shape_;
  reference::Interleaving order_;
  std::string kernel_, place_ = "histo[b]", verdict_;
  std::vector<std::vector<int>> lines_;  // of each thread's steps; empty: no kernel
  std::vector<RaceStep> steps_;
  std::vector<std::vector<std::size_t>> own_;
  std::size_t made_ = 0;
  bool loses_ = false, cut_ = false, rearranged_ = false;
  std::vector<Cell> cells_;
  // Of the first made_ steps, as are the cells' values:
  std::vector<std::size_t> made_by_;
  std::uint64_t missing_ = 0;
  std::string sentence_;
};

[[nodiscard]] std::string shown(const std::optional<std::uint64_t>& value, const char* none);
// What it does, for someone who is about to make it: "T1 loads histo[b] into its register".
[[nodiscard]] std::string about(const RaceStep& step);

}  // namespace histolab::viewer
