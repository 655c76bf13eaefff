// WorkerThread: a background thread. The frame never waits for it.
//
// The work gets a stop token and must end soon after a stop request. The destructor requests a stop
// and does not wait. The program calls wait_for_all() last; all threads have ended when it returns.
#pragma once

#include <functional>
#include <stop_token>

namespace histolab::viewer {

class WorkerThread {
 public:
  WorkerThread() = default;
  explicit WorkerThread(std::function<void(std::stop_token)> work);
  WorkerThread(WorkerThread&&) noexcept = default;
  WorkerThread& operator=(WorkerThread&& other) noexcept;
  ~WorkerThread() { stop_.request_stop(); }

  static void wait_for_all();

 private:
  std::stop_source stop_{std::nostopstate};
};

}  // namespace histolab::viewer
