// Tests of ProgramState beyond its findings: errors, memory, streams and events, limits, and calls
// that no program of ours makes.
#include "kernels/program/state/program_state.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "kernels/program/state/testing/host_program.h"

namespace histolab::kernels::program {
namespace {

using testing::HostProgram;
using enum Function;
constexpr std::uint64_t host = HostProgram::host;

TEST_CASE("the last error stays until cudaGetLastError returns it") {
  HostProgram p;
  p.free(host);
  p.synchronize();
  CHECK(p.error == cudaSuccess);
  CHECK(p.call(cudaPeekAtLastError).error == cudaErrorInvalidValue);
  CHECK(p.call(cudaPeekAtLastError).error == cudaErrorInvalidValue);
  CHECK(p.last_error() == cudaErrorInvalidValue);
  CHECK(p.last_error() == cudaSuccess);
}

TEST_CASE("a kernel's error is reported by the next call that waits, and by all later ones") {
  HostProgram p;
  const std::uint64_t d = p.allocate(64);
  p.next_result.error = cudaErrorIllegalAddress;
  CHECK(p.launch(0, d) == cudaSuccess);
  CHECK(p.last_error() == cudaSuccess);
  CHECK(p.set(d, 64) == cudaSuccess);
  CHECK(p.copy(host, d, 64, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(p.last_error() == cudaErrorIllegalAddress);
  CHECK(p.last_error() == cudaSuccess);
  CHECK(p.allocate(64) == 0);
  CHECK(p.error == cudaErrorIllegalAddress);
  p.next_result.error = cudaSuccess;
  CHECK(p.launch(0, d) == cudaErrorIllegalAddress);
  CHECK_FALSE(p.has_launch);
  CHECK(p.call(cudaGetDeviceCount).error == cudaSuccess);
  CHECK(p.call(cudaDeviceReset).error == cudaSuccess);
  CHECK(p.allocate(64) != 0);
}

TEST_CASE("memory that could not be freed after a kernel's error is not a leak") {
  HostProgram p;
  p.text = "CHECK(f());";
  const std::uint64_t d = p.allocate(64);
  p.next_result.error = cudaErrorIllegalAddress;
  p.launch(0, d);
  CHECK(p.synchronize() == cudaErrorIllegalAddress);
  p.free(d);
  p.state.ended({});
  for (const Finding& each : p.state.findings()) CHECK(each.kind != FindingKind::leak);
}

TEST_CASE("an unchecked error is a note if the program may have seen it in a result") {
  const auto severity = [](const char* text, bool waits, int status) {
    HostProgram p;
    p.text = text;
    p.next_result.error = cudaErrorAssert;
    p.launch(0, 0);
    if (waits) p.synchronize();
    p.state.ended({.exited = true, .status = status});
    if (p.state.findings().empty()) return std::string("none");
    CHECK(p.state.findings().size() == 1);
    return std::string(name(p.state.findings()[0].severity));
  };
  const char *in_macro = "WAIT();", *used = "CHECK(cudaDeviceSynchronize());",
             *ignored = "cudaDeviceSynchronize();";
  CHECK(severity(in_macro, false, 0) == "error");
  CHECK(severity(in_macro, true, 0) == "note");
  CHECK(severity(used, true, 0) == "none");
  CHECK(severity(ignored, true, 0) == "error");
  CHECK(severity(ignored, true, 1) == "none");
}

TEST_CASE("the ending of a launch decides its error") {
  Observation observation;
  CHECK(error_of(observation) == cudaSuccess);
  observation.ending = Ending::timed_out;
  CHECK(error_of(observation) == cudaErrorLaunchTimeout);
  observation.ending = Ending::crashed;
  CHECK(error_of(observation) == cudaErrorLaunchFailure);
  observation.ending = Ending::stopped;
  CHECK(error_of(observation) == cudaErrorLaunchFailure);
  observation.findings.resize(2);
  observation.findings[1].severity = Severity::note;
  for (const auto& [kind, error] : {std::pair{FindingKind::out_of_bounds, cudaErrorIllegalAddress},
                                    {FindingKind::misaligned_access, cudaErrorMisalignedAddress},
                                    {FindingKind::illegal_instruction, cudaErrorLaunchFailure},
                                    {FindingKind::deadlock, cudaErrorLaunchTimeout},
                                    {FindingKind::unsupported, cudaErrorNotSupported}}) {
    observation.findings[0].kind = kind;
    CHECK(error_of(observation) == error);
  }
  observation.findings[0].kind = FindingKind::illegal_instruction;
  observation.findings[0].message = "the assertion `x` failed";
  CHECK(error_of(observation) == cudaErrorAssert);
}

TEST_CASE("allocations are aligned, apart, and new as long as there is room") {
  HostProgram p;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(p.allocate(100));
    p.free(all.back());
    CHECK(p.released.size() == 1);
  }
  CHECK(std::ranges::is_sorted(all));
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(all[i] - all[i - 1] >= 100 + 2 * program_red_zone);
    CHECK(all[i] % allocation_alignment == 0);
  }
  CHECK(all[0] > program_memory_begin + 4096);
}

TEST_CASE("freed memory is used again when all other memory was used once") {
  HostProgram p;
  constexpr std::uint64_t large = 20 << 20;
  std::uint64_t kept = 0;
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t a = p.allocate(large), b = p.allocate(1000);
    REQUIRE(a != 0);
    REQUIRE(b != 0);
    CHECK(p.copy(a, host, large, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(p.copy(b, host, 1000, cudaMemcpyHostToDevice) == cudaSuccess);
    if (kept != 0) p.free(kept);
    kept = b;
    p.free(a);
    // Two live allocations never overlap.
    std::uint64_t end = 0;
    for (const auto& [offset, allocation] : p.state.memory().allocations())
      if (!allocation.freed) {
        CHECK(offset >= end);
        end = offset + allocation.bytes + program_red_zone;
      }
  }
  // Bytes that another allocation has written do not count.
  const std::uint64_t a = p.allocate(large);
  p.copy(host, a, 16, cudaMemcpyDeviceToHost);
  REQUIRE(p.state.findings().size() == 1);
  CHECK(p.state.findings()[0].kind == FindingKind::uninitialized_copy);
}

TEST_CASE("there is a limit for all memory and one for an allocation") {
  HostProgram p;
  CHECK(p.allocate(HostProgram::memory_bytes) == 0);
  CHECK(p.error == cudaErrorMemoryAllocation);
  for (const std::uint64_t bytes : {std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    p.allocate(bytes);
    CHECK(p.error == cudaErrorMemoryAllocation);
    p.call(cudaMalloc3D, calls::Allocate{1, bytes, bytes, bytes, 0, 0});
    CHECK(p.error == cudaErrorMemoryAllocation);
  }
  const Reply info = p.call(cudaMemGetInfo);
  CHECK(info.values[0] == info.values[1]);
  p.allocate(1 << 20);
  CHECK(p.call(cudaMemGetInfo).values[0] == info.values[1] - (1 << 20));
}

TEST_CASE("rows are padded to 512 bytes") {
  HostProgram p;
  const auto pitch = [&](std::uint64_t width) {
    return p.call(cudaMallocPitch, calls::Allocate{1, width, 3, 1, 0, 0}).values[1];
  };
  CHECK(pitch(100) == 512);
  CHECK(pitch(512) == 512);
  CHECK(pitch(600) == 1024);
}

TEST_CASE("work of one stream is in order, work of two streams can overlap") {
  HostProgram p;
  const std::uint64_t h = p.allocate(50'000'000, cudaMallocHost), d = p.allocate(1000);
  const std::uint64_t s = p.stream(1), t = p.stream(1);
  const auto time_of = [&](auto&& work) {
    const double before = (p.synchronize(), p.state.modelled_ms());
    work();
    p.synchronize();
    return p.state.modelled_ms() - before;
  };
  p.next_result.modelled_ms = 1;
  const auto launch_in = [&](std::uint64_t stream) { p.launch(0, 0, 1, 32, 0, stream); };
  const auto copy_in = [&](std::uint64_t stream) {
    p.call(cudaMemcpyAsync,
           calls::Copy{d, h, 1000, 1, 1, 1000, 1000, 1000, 1000, cudaMemcpyHostToDevice, stream});
  };
  const double one_copy = time_of([&] { copy_in(s); });
  CHECK(one_copy > 0);
  CHECK(time_of([&] { launch_in(s), launch_in(s); }) == doctest::Approx(2));
  CHECK(time_of([&] { launch_in(s), copy_in(s); }) == doctest::Approx(1 + one_copy));
  CHECK(time_of([&] { launch_in(s), copy_in(t); }) == doctest::Approx(1));
  // The default stream waits for other streams, but not for those that do not block.
  const std::uint64_t blocking = p.stream(0);
  CHECK(time_of([&] { launch_in(blocking), copy_in(0); }) == doctest::Approx(1 + one_copy));
  CHECK(time_of([&] { copy_in(0), launch_in(s); }) == doctest::Approx(1));
  // A larger copy takes longer.
  CHECK(time_of([&] { p.copy(p.allocate(10'000'000), h, 10'000'000, cudaMemcpyHostToDevice); }) >
        10 * one_copy);
  // The same calls take the same time in every run.
  HostProgram again;
  again.launch(0, 0);
  again.synchronize();
  CHECK(again.state.modelled_ms() == 1);
}

TEST_CASE("an operation on memory of the host is open until the host has waited for it") {
  HostProgram p;
  const std::uint64_t m = p.allocate(100, cudaMallocManaged), h = p.allocate(100, cudaMallocHost),
                      d = p.allocate(100), s = p.stream(1), e = p.event();
  p.set(d, 100);
  const auto opened = [&] {
    CHECK(p.last.operation != 0);
    CHECK(p.last.guarded.size() == 1);
    return p.last.operation;
  };
  p.launch(m, 0, 1, 32, 0, s);  // `in` points to const: the host may read it, too
  const std::uint64_t reading = opened();
  CHECK(p.last.guarded[0].begin == m);
  CHECK(p.last.guarded[0].bytes == 100);
  CHECK(p.last.guarded[0].reads == 1);
  p.launch(0, m, 1, 32, 0, s);
  const std::uint64_t writing = opened();
  CHECK(p.last.guarded[0].reads == 0);
  p.on_event(cudaEventRecord, e, s);
  p.launch(0, d, 1, 32, 0, s);
  CHECK(p.last.operation == 0);
  p.copy(h, d, 100, cudaMemcpyDeviceToHost, cudaMemcpyAsync, s);
  const std::uint64_t copying = opened();
  CHECK(p.last.guarded[0].begin == h);
  p.on_event(cudaEventSynchronize, e);
  CHECK(p.last.completed == std::vector{reading, writing});
  p.on_stream(cudaStreamSynchronize, s);
  CHECK(p.last.completed == std::vector{copying});
  p.synchronize();
  CHECK(p.last.completed.empty());
  // A later launch with the same memory takes the place of the one before.
  p.launch(0, m);
  const std::uint64_t first = opened();
  p.launch(0, m);
  CHECK(p.last.completed == std::vector{first});
  p.free(m);
  CHECK(p.last.completed.size() == 1);
}

TEST_CASE("the runtime places arguments for an untyped launch as the state says") {
  HostProgram p;
  const std::string text = p.call(argument_places, calls::Kernel{p.add, 0, 0, 0, 0}).text;
  REQUIRE(text.size() == 3 * sizeof(ArgumentPlace));
  ArgumentPlace last;
  std::memcpy(&last, text.data() + 2 * sizeof last, sizeof last);
  CHECK(last.argument == 2);
  CHECK(last.bytes == 4);
  CHECK(last.index == 2);
}

TEST_CASE("attributes of kernels and occupancy follow the device's limits") {
  HostProgram p;
  const auto kernel = [](std::uint64_t what, std::uint64_t block, std::uint64_t shared,
                         std::int64_t value) {
    return calls::Kernel{HostProgram::add, what, block, shared, value};
  };
  cudaFuncAttributes attributes;
  const auto get = [&] {
    const Reply reply = p.call(cudaFuncGetAttributes, kernel(0, 0, 0, 0));
    REQUIRE(reply.text.size() == sizeof attributes);
    std::memcpy(&attributes, reply.text.data(), sizeof attributes);
  };
  get();
  CHECK(attributes.sharedSizeBytes == 1024);
  CHECK(attributes.maxThreadsPerBlock == 512);
  CHECK(attributes.maxDynamicSharedSizeBytes == 47 * 1024);
  p.call(cudaFuncSetAttribute, kernel(cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0, 100'000));
  CHECK(p.error == cudaSuccess);
  get();
  CHECK(attributes.maxDynamicSharedSizeBytes == 100'000);
  CHECK(p.launch(0, 0, 1, 32, 100'000) == cudaSuccess);
  CHECK(p.has_launch);
  CHECK(p.launch(0, 0, 1, 32, 100'001) == cudaErrorInvalidValue);
  const auto blocks = [&](std::uint64_t block, std::uint64_t shared) {
    return p.call(cudaOccupancyMaxActiveBlocksPerMultiprocessor, kernel(0, block, shared, 0))
        .values[0];
  };
  CHECK(blocks(512, 0) == 4);
  CHECK(blocks(32, 0) == 32);
  CHECK(blocks(256, 100'000) == 2);
  CHECK(blocks(1024, 0) == 0);  // __launch_bounds__(512)
  p.call(cudaOccupancyMaxPotentialBlockSize, kernel(0, 0, 0, 0));
  CHECK(p.last.values[1] == 512);
  CHECK(p.last.values[0] == 4 * 132);
  p.call(cudaOccupancyMaxPotentialBlockSize, kernel(0, 0, 0, 100));
  CHECK(p.last.values[1] == 64);
}

TEST_CASE("the launch has the kernel, its shape and its arguments") {
  HostProgram p;
  Call call(launch, HostProgram::load_base + 5,
            calls::Launch{HostProgram::add, {2, 3, 4}, {32, 2, 1}, 128, 0});
  call.arguments.integers[2] = 9;
  Answer answer = p.state.call(call);
  REQUIRE(answer.launch);
  CHECK(answer.launch->kernel == 0x1000);
  CHECK(answer.launch->facts == &p.add_facts);
  CHECK(answer.launch->config.grid == Dim3{2, 3, 4});
  CHECK(answer.launch->config.block == Dim3{32, 2, 1});
  CHECK(answer.launch->config.dynamic_shared_bytes == 128);
  CHECK(answer.launch->arguments.integers[2] == 9);
  CHECK(answer.launch->line.line == 5);
}

TEST_CASE("output of a kernel is printed when the host waits, or launches again") {
  HostProgram p;
  p.next_result.printed = "one ";
  p.launch(0, 0);
  CHECK(p.last.printed.empty());
  p.next_result.printed = "two";
  p.launch(0, 0);
  CHECK(p.last.printed == "one ");
  p.last_error();
  CHECK(p.last.printed.empty());
  p.synchronize();
  CHECK(p.last.printed == "two");
  p.launch(0, 0);
  p.state.ended({});
  CHECK(p.state.unprinted() == "two");
  REQUIRE(p.state.findings().size() == 1);
  CHECK(p.state.findings()[0].kind == FindingKind::missing_synchronization);
  CHECK(p.state.findings()[0].line == 5);
}

TEST_CASE("a launch sees allocations by the names of its parameters") {
  HostProgram p;
  const std::uint64_t a = p.allocate(64), b = p.allocate(128), c = p.allocate(32),
                      d = p.allocate(8), m = p.allocate(16, cudaMallocManaged), old = p.allocate(8);
  p.set(a, 64);
  p.set(b, 100);
  p.copy(d, host, 8, cudaMemcpyHostToDevice);
  p.free(old);
  for (int i = 0; i < 100; ++i) p.free(p.allocate(8));
  p.free(c);
  Call call(launch, 0, calls::Launch{HostProgram::add, {1, 1, 1}, {1, 1, 1}, 0, 0});
  call.arguments.integers = {a, b};
  const auto seen = [&] {
    const Answer answer = p.state.call(call);
    return p.state.allocations_of(answer.launch.value());
  };
  std::vector<emulator::ProgramAllocation> all = seen();
  REQUIRE(all.size() == 4 + 32);
  CHECK(all[0].name == "in");
  CHECK(all[0].element_bytes == 4);
  CHECK(all[0].written == emulator::WrittenState::all);
  CHECK(all[1].name == "out");
  CHECK(all[1].bytes == 128);
  CHECK(all[1].written == emulator::WrittenState::some);
  CHECK(all[2].name == "cudaMalloc@3");
  CHECK(all[2].is_freed);
  CHECK(all[2].freed_at == "main.cu:" + std::to_string(p.line));
  CHECK(all[3].written == emulator::WrittenState::all);
  CHECK(all[4].offset == m - program_memory_begin);
  CHECK(all[4].written == emulator::WrittenState::all);
  // A pointer to memory that was freed long ago.
  call.arguments.stack_bytes = 448;
  std::memcpy(&call.arguments.stack[440], &old, sizeof old);
  CHECK(seen().size() == all.size() + 1);
  // The launch reports what it wrote.
  Answer answer = p.state.call(call);
  LaunchResult result;
  for (const emulator::ProgramAllocation& each : p.state.allocations_of(*answer.launch))
    result.written.push_back(each.name == "out" ? emulator::WrittenState::all : each.written);
  (void)p.state.launched(*answer.launch, result);
  CHECK(seen()[1].written == emulator::WrittenState::all);
}

TEST_CASE("allocations to which a launch has pointers, to const or not") {
  using emulator::PointersInto;
  HostProgram p;
  const std::uint64_t a = p.allocate(64), b = p.allocate(64);
  const auto into = [&](std::uint64_t in, std::uint64_t out) {
    Call call(launch, 0, calls::Launch{HostProgram::add, {1, 1, 1}, {1, 1, 1}, 0, 0});
    call.arguments.integers = {in, out, b};  // the last one is an int
    const Answer answer = p.state.call(call);
    std::vector<PointersInto> all;
    for (const auto& each : p.state.allocations_of(answer.launch.value()))
      all.push_back(each.pointers);
    return all;
  };
  using All = std::vector<PointersInto>;
  CHECK(into(a, b) == All{PointersInto::to_const, PointersInto::others});
  CHECK(into(b, a) == All{PointersInto::others, PointersInto::to_const});
  CHECK(into(a + 60, a + 4) == All{PointersInto::others, PointersInto::none});
  CHECK(into(a + 63, 0) == All{PointersInto::to_const, PointersInto::none});
  CHECK(into(a + 64, 0) == All{PointersInto::none, PointersInto::none});
  // Another pointer may be in an argument of unknown type.
  p.add_facts.parameters.push_back({"unknown", 0, false, false, 0, {}});
  CHECK(into(a, b) == All{PointersInto::none, PointersInto::others});
}

TEST_CASE("a pointer to a managed variable becomes the device's address of it") {
  HostProgram p;
  Call call(launch, 0, calls::Launch{HostProgram::add, {1, 1, 1}, {1, 1, 1}, 0, 0});
  call.arguments.integers = {HostProgram::managed, HostProgram::managed + 2, HostProgram::managed};
  const Answer answer = p.state.call(call);
  const auto& words = answer.launch.value().arguments.integers;
  CHECK(words[0] == program_memory_begin + 64);
  CHECK(words[1] == program_memory_begin + 66);
  CHECK(words[2] == HostProgram::managed);  // an int
}

TEST_CASE("a reset reports memory that was not freed, and begins again") {
  HostProgram p;
  const std::uint64_t d = p.allocate(64), s = p.stream();
  CHECK(p.call(cudaDeviceReset).error == cudaSuccess);
  CHECK(p.released.size() == 1);
  REQUIRE(p.state.findings().size() == 1);
  CHECK(p.state.findings()[0].kind == FindingKind::leak);
  CHECK(p.state.findings()[0].severity == Severity::note);
  CHECK(p.set(d, 64) == cudaErrorInvalidValue);
  CHECK(p.on_stream(cudaStreamSynchronize, s) == cudaErrorInvalidResourceHandle);
  p.state.ended({});
  CHECK(p.state.findings()[0].count == 1);
}

TEST_CASE("properties and attributes are those of the profile") {
  HostProgram p;
  cudaDeviceProp properties;
  const Reply reply = p.call(cudaGetDeviceProperties);
  REQUIRE(reply.text.size() == sizeof properties);
  std::memcpy(&properties, reply.text.data(), sizeof properties);
  CHECK(std::string(properties.name) == "NVIDIA H200");
  CHECK(properties.major == 9);
  CHECK(properties.multiProcessorCount == 132);
  CHECK(properties.sharedMemPerBlockOptin == 227 * 1024);
  const auto attribute = [&](std::uint64_t what) {
    return static_cast<int>(p.call(cudaDeviceGetAttribute, calls::Device{0, what, 0}).values[0]);
  };
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == 132);
  CHECK(attribute(cudaDevAttrMaxGridDimX) == 0x7fffffff);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  attribute(999);
  CHECK(p.error == cudaErrorInvalidValue);
}

TEST_CASE("findings of one cause are counted") {
  HostProgram p;
  for (int i = 0; i < 3; ++i) {
    p.line = 9;
    p.free(host);
  }
  p.free(host);
  REQUIRE(p.state.findings().size() == 2);
  CHECK(p.state.findings()[0].count == 3);
}

TEST_CASE("any call gets a reply") {
  std::mt19937_64 random(7);
  HostProgram p;
  std::vector<std::uint64_t> words = {0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      8,
                                      64,
                                      1 << 16,
                                      ~std::uint64_t{0},
                                      host,
                                      HostProgram::add,
                                      HostProgram::coop,
                                      HostProgram::table,
                                      program_memory_begin,
                                      program_memory_begin + 5000};
  for (int round = 0; round < 20'000; ++round) {
    std::uint64_t values[Call::most_values];
    for (std::uint64_t& value : values)
      value = random() % 64 == 0 ? random() : words[random() % words.size()];
    struct Values {
      std::uint64_t values[Call::most_values];
    } all;
    std::copy(std::begin(values), std::end(values), all.values);
    const auto function = static_cast<Function>(random() % function_count);
    if (function == hello) continue;
    for (std::uint64_t& word : p.arguments.integers) word = words[random() % words.size()];
    p.next_result.error = random() % 100 == 0 ? cudaErrorIllegalAddress : 0;
    const Reply reply = p.call(function, all);
    if (reply.values[0] != 0 && words.size() < 200) words.push_back(reply.values[0]);
    CHECK(reply.guarded.size() <= most_listed);
  }
  p.state.ended({});
  for (const Finding& each : p.state.findings()) CHECK(each.message.size() < 1000);
}

TEST_CASE("written bits") {
  std::vector<std::uint8_t> memory(16);
  WrittenBits bits(memory);
  bits.set(3, 40);
  CHECK(bits.all(3, 40));
  CHECK_FALSE(bits.has(2));
  CHECK_FALSE(bits.has(43));
  CHECK(bits.first(true, 0, 100) == 3);
  CHECK(bits.first(false, 3, 100) == 43);
  CHECK(bits.first(true, 43, 57) == 100);
  bits.set(10, 3, false);
  CHECK(bits.first(false, 3, 40) == 10);
  bits.copy(64, 3, 40);
  CHECK(bits.first(false, 64, 40) == 71);
  CHECK(bits.has(74));
  bits.copy(65, 64, 40);  // overlapping
  CHECK(bits.first(false, 65, 40) == 72);
  bits.copy(64, 65, 40);
  CHECK(bits.first(false, 64, 40) == 71);
}

}  // namespace

TEST_CASE("a program cannot make its parent remember work, streams and events without end") {
  HostProgram p;
  const std::uint64_t device = p.allocate(1 << 20), stream = p.stream(),
                      pinned = p.allocate(1 << 20, Function::cudaMallocHost);
  std::vector<std::uint64_t> events;
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < 6000; ++i) {
    p.copy(device + i * 16, pinned + i * 16, 8, cudaMemcpyHostToDevice, Function::cudaMemcpyAsync,
           stream);
    completed += p.last.completed.size();
    if (events.size() < 1000) events.push_back(p.event());
    p.on_event(Function::cudaEventRecord, events[i % events.size()], stream);
    completed += p.last.completed.size();
  }
  CHECK(completed >= 6000 - 4096);  // the oldest ones are forgotten, without a finding
  CHECK(p.state.findings().empty());
  while (p.error == cudaSuccess && events.size() < 1 << 17) events.push_back(p.event());
  CHECK(p.error == cudaErrorMemoryAllocation);
  CHECK(events.size() < 1 << 17);
  p.on_event(Function::cudaEventDestroy, events[0]);
  CHECK(p.event() != 0);
}

}  // namespace histolab::kernels::program
