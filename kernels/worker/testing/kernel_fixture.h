// Kernels in tests: a source and its arguments in, what the emulator saw out, by the same way that the grader goes
// (g++, worker process, protocol).
//
// The kernel is called `k`. A line of it that ends with `//@name` is called @name in what told() says, so no test counts
// lines. Some compiled sources are kept: a source is compiled once for several schedules.
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
  Value value{Argument::Kind::input, std::move(name), sizeof(T), std::vector<std::uint8_t>(elements.size() * sizeof(T)), 0};
  if (!elements.empty()) std::memcpy(value.bytes.data(), elements.data(), value.bytes.size());
  return value;
}
template <class T = std::uint32_t>
[[nodiscard]] Value out(std::string name, std::size_t elements) {
  return {Argument::Kind::output, std::move(name), sizeof(T), std::vector<std::uint8_t>(elements * sizeof(T)), 0};
}

// An output that the harness hands out as it comes.
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
  int times = 1;  // launches in one process, on the same buffers
  bool shared_opt_in = false;
};

struct Outcome {
  std::vector<Observation> launches;                 // never empty
  std::vector<std::vector<std::uint8_t>> outputs;    // of each output argument, after the last launch
  std::string source;

  [[nodiscard]] const Observation& last() const { return launches.back(); }
  template <class T = std::uint32_t>
  [[nodiscard]] std::vector<T> output(std::size_t number = 0) const {
    std::vector<T> elements(outputs[number].size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), outputs[number].data(), elements.size() * sizeof(T));
    return elements;
  }
};

[[nodiscard]] Options under(Schedule schedule, std::uint64_t seed = 1);

// While it lives, kernels are compiled and launched on this device instead of the emulator.
class OnDevice {
 public:
  explicit OnDevice(Device& device);
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();
};

// Where the build put the worker, and where the shim is.
// So many bytes, of all values, in no order.
[[nodiscard]] std::vector<std::uint8_t> mixed_bytes(std::size_t count);
[[nodiscard]] EmulatorPaths emulator_paths();
[[nodiscard]] worker::TemporaryFolder temporary_folder();
// Compiles `source` for these arguments; diagnostics are in the value. A failure of the machine fails the test.
[[nodiscard]] Compiled compile(const std::string& source, const std::vector<Value>& arguments);
// Compiles and launches; fails the test (REQUIRE) when either is not possible.
[[nodiscard]] Outcome run(const std::string& source, const Launch& launch);

// The findings of the last launch, sorted, one a line: "data_race histo[4] @a/@b" (the lower line first),
// "barrier_divergence @a", "step_limit 7".
[[nodiscard]] std::string told(const Outcome& outcome);
// "" when the launch completed without a finding; else what told() says and how it ended.
[[nodiscard]] std::string faults(const Outcome& outcome);

// Evaluates each expression in one thread of a kernel and compares its bits, as an unsigned 64-bit number, with what is
// expected. `v(x)` in an expression is x, hidden from the optimizer. `prelude` comes before the kernel.
struct Expectation {
  std::string expression;
  std::uint64_t value;
};
void check_values(const std::vector<Expectation>& expectations, const std::string& prelude = {});
// What an int or an unsigned of this value is among such bits.
[[nodiscard]] constexpr std::uint64_t i32(std::int64_t x) { return static_cast<std::uint32_t>(x); }

}  // namespace histolab::kernels::testing
