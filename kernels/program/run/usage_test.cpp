// Tests of the limits of a running program: files and device memory.
#include "kernels/program/run/usage.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::kernels::program {
namespace {

struct Program {
  worker::TemporaryFolder folder = worker::TemporaryFolder::make().value();
  worker::Descriptor memory{memfd_create("memory", MFD_CLOEXEC)};

  void write(const std::string& name, std::size_t bytes) const {
    std::ofstream(folder.path() + "/" + name) << std::string(bytes, 'x') << std::flush;
  }
  // Returns the reason to end the program, at its first look.
  std::string look_after(const UsageLimits& limits, const auto& work) const {
    Usage usage({folder.path()}, memory.get(), limits);
    work();
    const bool exceeds = usage.exceeds();
    CHECK(exceeds == !usage.reason().empty());
    return usage.reason();
  }
};

TEST_CASE("files that were there before do not count") {
  const Program program;
  program.write("old", 100'000);
  CHECK(program.look_after({.file_bytes = 50'000, .files = 3}, [] {}).empty());
}

TEST_CASE("the bytes and the number of a program's files have limits, in folders, too") {
  const Program program;
  mkdir((program.folder.path() + "/in").c_str(), 0700);
  CHECK(
      program.look_after({.file_bytes = 500'000}, [&] { program.write("in/a", 100'000); }).empty());
  CHECK(program.look_after({.file_bytes = 500'000}, [&] { program.write("in/b", 1'000'000); }) ==
        "the program wrote more than 0.000466 GiB to files");
  const auto make_five = [&] {
    for (const char* name : {"c", "d", "in/e", "in/f", "in/g"}) program.write(name, 0);
  };
  CHECK(program.look_after({.files = 5}, make_five).empty());
  CHECK(program.look_after({.files = 4}, [&] {
    for (const char* name : {"h", "i", "in/j", "in/k", "in/l"}) program.write(name, 0);
  }) == "the program made more than 4 files");
}

TEST_CASE("only device memory with contents counts") {
  const Program program;
  REQUIRE(ftruncate(program.memory.get(), 1 << 30) == 0);
  const UsageLimits limits{.memory_bytes = 1 << 20};
  CHECK(program.look_after(limits, [] {}).empty());
  const std::string bytes(2 << 20, 'x');
  const std::string reason = program.look_after(limits, [&] {
    REQUIRE(pwrite(program.memory.get(), bytes.data(), bytes.size(), 0) == 2 << 20);
  });
  CHECK(reason.starts_with("the program filled more than 0.000977 GiB of device memory"));
}

TEST_CASE("the reason stays, and looks are rare") {
  const Program program;
  Usage usage({program.folder.path()}, program.memory.get(), {.files = 0});
  CHECK_FALSE(usage.exceeds());
  program.write("a", 0);
  CHECK_FALSE(usage.exceeds());
  usleep(300'000);
  CHECK(usage.exceeds());
  CHECK(unlink((program.folder.path() + "/a").c_str()) == 0);
  usleep(300'000);
  CHECK(usage.exceeds());
}

}  // namespace
}  // namespace histolab::kernels::program
