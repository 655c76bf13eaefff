// WorkerThread: a thread that the frame never waits for.
//
// Its work gets a stop token and ends soon after it is asked to; letting go of a WorkerThread asks
// and does not wait. All of them have ended when wait_for_all() returns: the last thing that the
// program does.
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
