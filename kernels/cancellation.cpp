#include "kernels/cancellation.h"

#include <signal.h>

namespace histolab::kernels {

void Cancellation::cancel() {
  const std::lock_guard lock{lock_};
  cancelled_ = true;
  for (const pid_t group : groups_) kill(-group, SIGKILL);
}

void Cancellation::add(pid_t group) const {
  const std::lock_guard lock{lock_};
  groups_.push_back(group);
  if (cancelled_) kill(-group, SIGKILL);
}

void Cancellation::forget(pid_t group) const {
  const std::lock_guard lock{lock_};
  std::erase(groups_, group);
}

}  // namespace histolab::kernels
