#include "kernels/program/runtime/callbacks.h"

#include <mutex>
#include <thread>
#include <utility>

namespace histolab::kernels::program {
namespace {

struct Running {
  std::mutex mutex;
  std::thread thread;
};
Running& running() {
  static auto* const only = new Running;  // lives until the process ends
  return *only;
}
thread_local bool is_callback = false;

}  // namespace

void run_callback(std::function<void()> callback) {
  if (is_callback) return callback();
  const std::lock_guard lock(running().mutex);
  if (running().thread.joinable()) running().thread.join();
  running().thread = std::thread([run = std::move(callback)] {
    is_callback = true;
    run();
  });
}

void wait_for_callback() {
  if (is_callback) return;
  const std::lock_guard lock(running().mutex);
  if (running().thread.joinable()) running().thread.join();
}

}  // namespace histolab::kernels::program
