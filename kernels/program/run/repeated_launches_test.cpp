// Tests of launches whose result is known from an earlier one.
#include "kernels/program/run/repeated_launches.h"

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {
namespace {

using Inputs = RepeatedLaunches::Inputs;

// One allocation of 4096 bytes, and a kernel with a pointer and a number as parameters.
struct Launched {
  ProgramMemoryFiles files = ProgramMemoryFiles::make(1ull << 32).value();
  RepeatedLaunches repeated{files};
  KernelFacts facts;
  KernelLaunch launch;
  std::uint64_t at = 1 << 20;  // offset of the allocation

  Launched() {
    facts.parameters.resize(2);
    facts.parameters[0].places = {{.bytes = 8, .index = 0, .holds = ArgumentPlace::Holds::pointer}};
    facts.parameters[1].places = {{.argument = 1, .bytes = 4, .index = 1}};
    launch.facts = &facts;
    launch.kernel = 77;
    launch.config.grid.x = 3;
    launch.arguments.integers = {program_memory_begin + at, 5, 1, 2, 3, 4};
  }
  void write(std::uint64_t offset, std::vector<std::uint64_t> words) {
    REQUIRE(files.write(at + offset,
                        {reinterpret_cast<const std::uint8_t*>(words.data()), 8 * words.size()}));
  }
  std::uint64_t read(std::uint64_t offset) {
    std::uint64_t word = 0;
    std::memcpy(&word, files.bytes({at + offset, sizeof word}).data(), sizeof word);
    return word;
  }
  Inputs inputs() { return repeated.inputs_of(launch, {{at, 4096}}); }
  // The kernel writes `result` behind its input.
  void run(std::uint64_t result, const std::string& printed = {}) {
    const Inputs before = inputs();
    write(1024, {result});
    repeated.remember(before, printed);
  }
  bool knows() { return repeated.knows(inputs()); }
};

TEST_CASE("an equal launch gets the memory and the output of the first one") {
  Launched a;
  a.write(0, {1, 2});
  CHECK_FALSE(a.knows());
  a.run(42, "hello\n");
  CHECK_FALSE(a.knows());  // the result is an input, too
  a.write(1024, {0});
  REQUIRE(a.knows());
  CHECK(a.repeated.repeat(a.inputs()).value() == "hello\n");
  CHECK(a.read(1024) == 42);
  CHECK(a.read(8) == 2);
}

TEST_CASE("another kernel, shape, argument or byte of memory is another launch") {
  Launched a;
  a.write(0, {1, 2});
  a.run(42);
  a.write(1024, {0});
  REQUIRE(a.knows());
  const auto differs = [&](auto change) {
    const KernelLaunch before = a.launch;
    change();
    const bool is_known = a.knows();
    a.launch = before;
    return !is_known;
  };
  CHECK(differs([&] { a.launch.kernel = 78; }));
  CHECK(differs([&] { a.launch.config.grid.y = 2; }));
  CHECK(differs([&] { a.launch.config.block.z = 2; }));
  CHECK(differs([&] { a.launch.config.dynamic_shared_bytes = 4; }));
  CHECK(differs([&] { a.launch.arguments.integers[1] = 6; }));
  CHECK(differs([&] { a.launch.arguments.integers[0] += 8; }));
  CHECK_FALSE(differs([&] { a.launch.arguments.integers[2] = 9; }));            // holds no argument
  CHECK_FALSE(differs([&] { a.launch.arguments.integers[1] |= 1ull << 32; }));  // 4 bytes count
  a.write(8, {3});
  CHECK_FALSE(a.knows());
}

TEST_CASE("an allocation may be elsewhere, unless memory has addresses") {
  const auto moved = [](std::uint64_t input, std::uint64_t result) {
    Launched a;
    a.write(0, {input});
    a.run(result);
    a.at += 1 << 20;
    a.launch.arguments.integers[0] += 1 << 20;
    a.write(0, {input});
    a.write(1024, {0});
    if (!a.knows()) return false;
    REQUIRE(a.repeated.repeat(a.inputs()));
    CHECK(a.read(1024) == result);
    return true;
  };
  CHECK(moved(1, 42));
  CHECK(moved(program_memory_begin - 1, program_memory_begin + program_memory_bytes));
  CHECK_FALSE(moved(program_memory_begin + 8, 42));
  CHECK_FALSE(moved(1, program_memory_begin + program_memory_bytes - 1));
}

TEST_CASE("memory with addresses is known at its place") {
  Launched a;
  a.write(0, {program_memory_begin + 8});
  a.run(program_memory_begin + 16);
  a.write(1024, {0});
  CHECK(a.knows());
}

TEST_CASE("memory is compared in parts, up to the end of the data, without the holes") {
  constexpr std::uint64_t part = 1 << 20, at = 8 << 20;
  ProgramMemoryFiles files = ProgramMemoryFiles::make(1ull << 32).value();
  const std::vector<std::uint8_t> data(5 * part / 2, 7);
  REQUIRE(files.write(at, data));
  REQUIRE(files.write(at + 4 * part, std::span(data).first(1)));
  const auto parts = [&](const ByteRange& range, std::uint64_t most) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for (const ByteRange& each : files.data_in(range, most))
      found.emplace_back(each.offset - at, each.bytes);
    return found;
  };
  using Parts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  constexpr std::uint64_t all = ~0ull;
  CHECK(parts({at, 8 * part}, all) ==
        Parts{{0, part}, {part, part}, {2 * part, part / 2}, {4 * part, 4096}});
  CHECK(parts({at + part / 2, part}, all) == Parts{{part / 2, part}});
  CHECK(parts({at, 8 * part}, part + 5) == Parts{{0, part}, {part, 5}});
  CHECK(parts({at + 5 * part, part}, all).empty());
}

TEST_CASE("the places of all arguments are known, or not") {
  KernelFacts facts;
  CHECK(facts.places_are_known());
  facts.parameters.push_back({.name = "n", .bytes = 4, .places = {{.bytes = 4}}});
  CHECK(facts.places_are_known());
  facts.parameters.push_back({.name = "unknown", .places = {}});
  CHECK_FALSE(facts.places_are_known());
}

}  // namespace
}  // namespace histolab::kernels::program
