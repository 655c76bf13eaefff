// Runs kernels in tests: takes a source and arguments, returns the emulator's observations. It uses
// the same path as the grader: g++, worker process, protocol.
//
// The kernel is called `k`. A source line that ends with `//@name` appears as @name in told(), so
// tests need no line numbers. Some compiled sources are cached for use under several schedules.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device.h"
#include "kernels/worker/client.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::kernels::testing {

struct Value {
  Argument::Kind kind = Argument::Kind::word;
  std::string name;
  std::uint32_t element_bytes = 1;
  std::vector<std::uint8_t> bytes;
  std::uint32_t word = 0;
  bool initialized = true;
};

[[nodiscard]] Value in(std::string name, const std::string& bytes);
[[nodiscard]] Value word(std::uint32_t value);
template <class T>
[[nodiscard]] Value in(std::string name, const std::vector<T>& elements) {
  Value value{Argument::Kind::input, std::move(name), sizeof(T),
              std::vector<std::uint8_t>(elements.size() * sizeof(T)), 0};
  if (!elements.empty()) std::memcpy(value.bytes.data(), elements.data(), value.bytes.size());
  return value;
}
template <class T = std::uint32_t>
[[nodiscard]] Value out(std::string name, std::size_t elements) {
  return {Argument::Kind::output, std::move(name), sizeof(T),
          std::vector<std::uint8_t>(elements * sizeof(T)), 0};
}

// An output that the harness does not initialize.
template <class T = std::uint32_t>
[[nodiscard]] Value scratch(std::string name, std::size_t elements) {
  Value value = out<T>(std::move(name), elements);
  value.initialized = false;
  return value;
}

struct Launch {
  Dim3 grid, block;
  std::vector<Value> arguments;
  std::uint32_t dynamic_shared_bytes = 0;
  Options options = {};
  int times = 1;  // launches in one process, on the same buffers.
  bool shared_opt_in = false;
};

struct Outcome {
  std::vector<Observation> launches;  // never empty.
  // Contents of each output argument after the last launch.
  std::vector<std::vector<std::uint8_t>> outputs;
  std::string source;

  [[nodiscard]] const Observation& last() const { return launches.back(); }
  template <class T = std::uint32_t>
  [[nodiscard]] std::vector<T> output(std::size_t number = 0) const {
    std::vector<T> elements(outputs[number].size() / sizeof(T));
    if (!elements.empty())
      std::memcpy(elements.data(), outputs[number].data(), elements.size() * sizeof(T));
    return elements;
  }
};

[[nodiscard]] Options under(Schedule schedule, std::uint64_t seed = 1);

// While it exists, kernels are compiled and launched on this device instead of the emulator.
class OnDevice {
 public:
  explicit OnDevice(Device& device);
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();
};

// Returns this many bytes with all values, in no particular order.
[[nodiscard]] std::vector<std::uint8_t> mixed_bytes(std::size_t count);
// Returns the paths of the built worker and the shim.
[[nodiscard]] EmulatorPaths emulator_paths();
[[nodiscard]] worker::TemporaryFolder temporary_folder();
// Compiles `source` for these arguments; the result holds the diagnostics. A machine failure fails
// the test.
[[nodiscard]] Compiled compile(const std::string& source, const std::vector<Value>& arguments);
// Compiles and launches. Fails the test (REQUIRE) if either is not possible.
[[nodiscard]] Outcome run(const std::string& source, const Launch& launch);

// Returns the findings of the last launch, sorted, one per line: "data_race histo[4] @a/@b" (lower
// line first), "barrier_divergence @a", "step_limit 7".
[[nodiscard]] std::string told(const Outcome& outcome);
// Returns "" if the launch completed without a finding, else the result of told(), messages and
// ending.
[[nodiscard]] std::string faults(const Outcome& outcome);

// Evaluates each expression in one thread of a kernel and compares its bits, as an unsigned 64-bit
// number, with `value`. In an expression, `v(x)` is x hidden from the optimizer. `prelude` comes
// before the kernel.
struct Expectation {
  std::string expression;
  std::uint64_t value;
};
void check_values(const std::vector<Expectation>& expectations, const std::string& prelude = {});
// Returns the bits of an int or unsigned with this value.
[[nodiscard]] constexpr std::uint64_t i32(std::int64_t x) { return static_cast<std::uint32_t>(x); }

}  // namespace histolab::kernels::testing
