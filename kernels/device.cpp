#include "kernels/device.h"

namespace histolab::kernels {

std::string_view name(Schedule schedule) {
  switch (schedule) {
    case Schedule::lockstep: return "lockstep";
    case Schedule::run_to_barrier: return "run_to_barrier";
    case Schedule::random: return "random";
    case Schedule::adversarial: break;
  }
  return "adversarial";
}

std::string_view name(BlockOrder order) {
  switch (order) {
    case BlockOrder::ascending: return "ascending";
    case BlockOrder::descending: return "descending";
    case BlockOrder::interleaved: return "interleaved";
    case BlockOrder::random: break;
  }
  return "random";
}

std::string_view name(Operation operation) {
  switch (operation) {
    case Operation::load: return "load";
    case Operation::store: return "store";
    case Operation::atomic: return "atomic";
    case Operation::compare_and_swap: return "compare_and_swap";
    case Operation::exchange: break;
  }
  return "exchange";
}

std::string_view name(Ending ending) {
  switch (ending) {
    case Ending::completed: return "completed";
    case Ending::stopped: return "stopped";
    case Ending::timed_out: return "timed_out";
    case Ending::crashed: break;
  }
  return "crashed";
}

}  // namespace histolab::kernels
