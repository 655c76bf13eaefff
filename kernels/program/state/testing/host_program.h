// HostProgram: makes the calls of a host program for tests, one line of its file per call.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "kernels/program/state/cuda_values.h"
#include "kernels/program/state/program_state.h"
#include "kernels/program/state/written_bits.h"

namespace histolab::kernels::program::testing {

class HostProgram {
 public:
  static constexpr std::uint64_t load_base = 0x5555'0000'0000;
  static constexpr std::uint64_t memory_bytes = 64 << 20;
  // Addresses of a kernel `add(const float* in, float* out, int n)`, of a cooperative kernel, of a
  // variable `int table[4]`, of a managed `int counter`, and of host memory.
  static constexpr std::uint64_t add = load_base + 0x1000, coop = load_base + 0x1100;
  static constexpr std::uint64_t table = load_base + 0x4000, managed = load_base + 0x5000,
                                 host = 0x7fff'1000'0000;

  explicit HostProgram(std::uint64_t written_bytes = memory_bytes / 8)
      : written(written_bytes), state(setup()) {
    call(Function::hello, calls::Hello{protocol_version, load_base});
    line = 0;
  }

  template <class Values>
  Reply call(Function function, const Values& values) {
    ++line;
    Call made(function, load_base + static_cast<std::uint64_t>(line), values);
    made.arguments = arguments;
    Answer answer = state.call(made);
    released = answer.released;
    for (const Answer::Released& each : released)
      WrittenBits(written).set(each.offset, each.bytes, false);
    has_launch = answer.launch.has_value();
    if (answer.launch) answer.reply = state.launched(*answer.launch, next_result);
    error = answer.reply.error;
    last = answer.reply;
    return answer.reply;
  }
  Reply call(Function function) { return call(function, calls::Device{}); }

  std::uint64_t allocate(std::uint64_t bytes, Function function = Function::cudaMalloc) {
    return call(function, calls::Allocate{1, bytes, 1, 1, 0, 0}).values[0];
  }
  int free(std::uint64_t address, Function function = Function::cudaFree) {
    return call(function, calls::Pointer{address, 0, 0, 0, 0}).error;
  }
  int copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, std::uint64_t kind,
           Function function = Function::cudaMemcpy, std::uint64_t stream = 0) {
    return call(function,
                calls::Copy{to, from, bytes, 1, 1, bytes, bytes, bytes, bytes, kind, stream})
        .error;
  }
  int set(std::uint64_t address, std::uint64_t bytes, Function function = Function::cudaMemset) {
    return call(function, calls::Set{address, 0, bytes, 1, 1, bytes, bytes, 0}).error;
  }
  int to_symbol(std::uint64_t symbol, std::uint64_t bytes, std::uint64_t offset = 0,
                std::uint64_t kind = cudaMemcpyHostToDevice) {
    return call(Function::cudaMemcpyToSymbol,
                calls::SymbolCopy{symbol, host, bytes, offset, kind, 0})
        .error;
  }
  // Launches `add` or another kernel. Returns the error that is set then.
  int launch(std::uint64_t in, std::uint64_t out, std::uint32_t grid = 1, std::uint32_t block = 32,
             std::uint64_t shared = 0, std::uint64_t stream = 0, std::uint64_t kernel = add,
             Function function = Function::launch) {
    arguments = {};
    arguments.integers = {in, out, 1};
    return call(function, calls::Launch{kernel, {grid, 1, 1}, {block, 1, 1}, shared, stream}).error;
  }
  std::uint64_t stream(std::uint64_t flags = 0) {
    return call(Function::cudaStreamCreateWithFlags, calls::Stream{0, flags, 0, 0}).values[0];
  }
  std::uint64_t event(std::uint64_t flags = 0) {
    return call(Function::cudaEventCreateWithFlags, calls::Event{0, 0, flags, 0}).values[0];
  }
  int on_event(Function function, std::uint64_t event, std::uint64_t stream = 0) {
    return call(function, calls::Event{event, stream, 0, 0}).error;
  }
  int on_stream(Function function, std::uint64_t stream, std::uint64_t event = 0) {
    return call(function, calls::Stream{stream, 0, event, 0}).error;
  }
  // Milliseconds between two events.
  float elapsed(std::uint64_t begin, std::uint64_t end) {
    const Reply reply = call(Function::cudaEventElapsedTime, calls::Event{begin, 0, 0, end});
    float ms = 0;
    std::memcpy(&ms, &reply.values[0], sizeof ms);
    return ms;
  }
  int synchronize() { return call(Function::cudaDeviceSynchronize).error; }
  int last_error() { return call(Function::cudaGetLastError).error; }
  // The host accesses memory that its mappings forbid.
  void access(std::uint64_t address, bool writes = false, std::uint64_t operation = 0,
              bool copying = false) {
    calls::Fault fault{address, writes ? 1u : 0u, operation, copying ? 1u : 0u, 0, {}};
    fault.callers[0] = load_base + static_cast<std::uint64_t>(line) + 1;
    call(Function::fault, fault);
  }
  // Kernels write memory without calls.
  void kernel_writes(std::uint64_t address, std::uint64_t bytes) {
    WrittenBits(written).set(address - program_memory_begin, bytes);
  }

  std::vector<std::uint8_t> written;
  KernelFacts add_facts, coop_facts;
  std::string text;  // of each line
  ProgramState state;
  LaunchResult next_result{.error = 0, .modelled_ms = 1, .printed = {}, .written = {}};
  emulator::RawArguments arguments;
  std::vector<Answer::Released> released;
  bool has_launch = false;
  int line = 0, error = 0;
  Reply last;

 private:
  ProgramSetup setup() {
    using Holds = ArgumentPlace::Holds;
    const auto word = [](std::uint32_t index, std::uint32_t bytes, Holds holds) {
      return std::vector<ArgumentPlace>{
          {index, 0, bytes, ArgumentPlace::Where::integer, index, holds}};
    };
    add_facts = {.name = "add",
                 .static_shared_bytes = 1024,
                 .max_threads_per_block = 512,
                 .calls_grid_sync = false,
                 .parameters = {{"in", 8, true, true, 4, word(0, 8, Holds::pointer_to_const)},
                                {"out", 8, true, false, 4, word(1, 8, Holds::pointer)},
                                {"n", 4, false, false, 0, word(2, 4, Holds::value)}}};
    coop_facts = {.name = "coop",
                  .static_shared_bytes = 0,
                  .max_threads_per_block = 0,
                  .calls_grid_sync = true,
                  .parameters = {}};
    ProgramSetup setup;
    setup.written = written;
    setup.variables_end = 4096;
    setup.variables = {{"table", 0x4000, 0, 16, false}, {"counter", 0x5000, 64, 4, true}};
    setup.memory_descriptor = 7;
    setup.line_of = [](std::uint64_t address) {
      return address < 1000 ? SourceLine{"main.cu", static_cast<int>(address)} : SourceLine{};
    };
    setup.kernel_at = [this](std::uint64_t address) -> const KernelFacts* {
      return address == add - load_base    ? &add_facts
             : address == coop - load_base ? &coop_facts
                                           : nullptr;
    };
    setup.text_of = [this](const SourceLine&) { return text; };
    return setup;
  }
};

}  // namespace histolab::kernels::program::testing
