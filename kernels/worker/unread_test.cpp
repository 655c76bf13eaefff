// Tests of the report on bytes of its input that a launch has not read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr std::uint32_t bytes = 4096;

UnreadBytes unread_of(const std::string& body, Options options = {}, std::uint32_t block = 64) {
  const std::string source = fmt::format(
      "__device__ bool any(uint4 v) {{ return v.x + v.y + v.z + v.w == 7; }}\n"
      "__global__ void k(const char* data, unsigned n, unsigned* out) {{\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  {}\n}}\n",
      body);
  const Launch launch{
      .grid = {bytes / block},
      .block = {block},
      .arguments = {in("data", std::string(bytes, 'a')), word(bytes), out("out", 1)},
      .options = options};
  const Observation seen = run(source, launch).last();
  REQUIRE_MESSAGE(seen.ending == Ending::completed, source);
  REQUIRE(seen.unread);
  return *seen.unread;
}

void check_unread(const std::string& body, std::uint64_t count, std::uint64_t first,
                  Options options = {}, std::uint32_t block = 64) {
  const UnreadBytes unread = unread_of(body, options, block);
  CHECK_MESSAGE(unread.bytes == count, body);
  if (count != 0) CHECK_MESSAGE(unread.first == first, body);
}

}  // namespace

TEST_CASE("each byte that some thread reads is read, whatever the width and the order") {
  for (const Schedule schedule : all_schedules) {
    Options options;
    options.schedule = schedule;
    check_unread("if (data[i] == 'b') out[0] = 1;", 0, 0, options);
    check_unread("if (data[n - 1 - i] == 'b') out[0] = 1;", 0, 0, options);
    check_unread("if (data[i * 37 % n] == 'b') out[0] = 1;", 0, 0, options);
    check_unread("if (i < n / 16 && any(reinterpret_cast<const uint4*>(data)[i])) out[0] = 1;", 0,
                 0, options);
    check_unread(
        "if (i < n / 8 && reinterpret_cast<const unsigned long long*>(data)[i] == 7) out[0] = 1;",
        0, 0, options);
    check_unread("if (i == 0) for (unsigned j = 0; j < n; ++j) if (data[j] == 'b') out[0] = 1;", 0,
                 0, options);
  }
}

TEST_CASE("bytes that no thread reads are counted, and the first is named") {
  check_unread("", bytes, 0);
  check_unread("out[0] = n;", bytes, 0);
  check_unread("if (i != 77 && data[i] == 'b') out[0] = 1;", 1, 77);
  check_unread("if (i % 2 == 0 && data[i] == 'b') out[0] = 1;", bytes / 2, 1);
  check_unread("if (i + 1 < n && data[i] == 'b') out[0] = 1;", 1, bytes - 1);
  check_unread("if (i < 8 && data[i] == 'b') out[0] = 1;", bytes - 8, 8);
  check_unread(
      "if (i < n / 16 && i != 3 && any(reinterpret_cast<const uint4*>(data)[i])) out[0] = 1;", 16,
      48);
  check_unread("if (i < n / 16 && reinterpret_cast<const uint4*>(data)[i].w == 7) out[0] = 1;",
               3 * bytes / 4, 0);  // the compiler drops unused loads
}
