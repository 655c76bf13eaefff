#include "viewer/feed/worker_thread.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace histolab::viewer {
namespace {

struct Running {
  std::mutex mutex;
  std::condition_variable none_left;
  int threads = 0;
};
Running& running() {
  static auto* const all = new Running;  // never destroyed: a thread may still use it while it ends
  return *all;
}

}  // namespace

WorkerThread::WorkerThread(std::function<void(std::stop_token)> work) {
  stop_ = std::stop_source{};
  {
    const std::lock_guard lock{running().mutex};
    ++running().threads;
  }
  std::thread{[work = std::move(work), token = stop_.get_token()] {
    work(token);
    const std::lock_guard lock{running().mutex};
    if (--running().threads == 0) running().none_left.notify_all();
  }}.detach();
}

WorkerThread& WorkerThread::operator=(WorkerThread&& other) noexcept {
  if (this == &other) return *this;
  stop_.request_stop();
  stop_ = std::exchange(other.stop_, std::stop_source{std::nostopstate});
  return *this;
}

void WorkerThread::wait_for_all() {
  std::unique_lock lock{running().mutex};
  running().none_left.wait(lock, [] { return running().threads == 0; });
}

}  // namespace histolab::viewer
