// Later: a value that takes too long for a frame and is computed on its own thread.
//
// Each frame polls it. Destroying a Later requests its work to stop and does not wait.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "viewer/feed/worker_thread.h"

namespace histolab::viewer {

template <class T>
class Later {
 public:
  // The result of `work` is discarded if it was requested to stop.
  explicit Later(std::function<T(const std::stop_token&)> work)
      : shared_(std::make_shared<Shared>()) {
    thread_ = WorkerThread{[shared = shared_, work = std::move(work)](const std::stop_token& stop) {
      T value = work(stop);
      const std::lock_guard lock{shared->mutex};
      shared->value = std::move(value);
      shared->ended = true;
    }};
  }

  [[nodiscard]] bool running() const {
    const std::lock_guard lock{shared_->mutex};
    return !shared_->ended;
  }
  // Returns the value once, after it is computed.
  [[nodiscard]] std::optional<T> take() {
    const std::lock_guard lock{shared_->mutex};
    return std::exchange(shared_->value, {});
  }

 private:
  struct Shared {
    std::mutex mutex;
    bool ended = false;
    std::optional<T> value;
  };
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
