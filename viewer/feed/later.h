// Later: a value that takes too long for a frame, worked out on a thread of its own.
//
// The frame asks each time whether it is done. Letting go of a Later asks its work to stop and does
// not wait for it.
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
  // What `work` returns after it was asked to stop is thrown away.
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
  // Once, when it is done.
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
