// LaunchEnding: whether a launch ends early, and why.
#pragma once

#include <optional>
#include <string>

#include "kernels/device.h"
#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/run/lane_fault.h"

namespace histolab::kernels::emulator {

class LaunchEnding {
 public:
  // The launch ends early. `detail`: the reason.
  void stop(std::string detail) { end(Ending::stopped, std::move(detail)); }
  void crash(std::string detail) { end(Ending::crashed, std::move(detail)); }
  // It ends early, for a reason that is known already, or follows.
  void leave() { has_come_ = true; }
  // It does not end after all: blocks run once more, to learn why it has to.
  void go_on() { has_come_ = false; }
  [[nodiscard]] bool has_come() const { return has_come_; }
  [[nodiscard]] Ending ending() const { return ending_; }
  [[nodiscard]] const std::string& detail() const { return detail_; }

  // An access to no memory that ends the launch. Its record is not in the log, so it is shown to
  // the observers after all earlier rows.
  std::optional<StrayAccess> stray;
  std::optional<LaneFault> fault;
  // The finding of a block that got stuck, until it is known if another block would free it.
  std::optional<Finding> stuck;

  // Shows the stray access to the observers, if there is one.
  void show_stray(const LaunchContext& context) const;
  // Sets the reason if a lane's fault ends the launch, and reports it, unless an observer has
  // already reported the access that caused it.
  void report_fault(const LaunchContext& context);

 private:
  void end(Ending ending, std::string detail) {
    ending_ = ending;
    detail_ = std::move(detail);
    has_come_ = true;
  }

  bool has_come_ = false;
  Ending ending_ = Ending::completed;
  std::string detail_;
};

}  // namespace histolab::kernels::emulator
