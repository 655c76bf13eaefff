#include "grader/stream/read_so_far.h"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using namespace histolab;
using namespace histolab::grader;
using Counts = std::vector<std::uint64_t>;

namespace {

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("a marked element is counted once, and stays counted") {
  const std::vector<std::uint8_t> data = bytes_of("abz m");
  ReadSoFar read(data, {});
  CHECK(read.elements() == 0);
  CHECK(read.histogram() == Counts(7));
  read.update(Counts{0b00101});
  CHECK(read.elements() == 2);
  CHECK(read.histogram() == Counts{1, 0, 0, 0, 0, 0, 1});
  read.update(Counts{0b01000});  // a blank, which is in no bin; the earlier marks are missing
  CHECK(read.elements() == 3);
  CHECK(read.histogram() == Counts{1, 0, 0, 0, 0, 0, 1});
  read.update(Counts{0b11111});
  CHECK(read.elements() == 5);
  CHECK(read.histogram() == reference::histogram(data, {}));
}

TEST_CASE("marks beyond the data are ignored") {
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64},
                                   std::size_t{65}, std::size_t{1000}}) {
    CAPTURE(length);
    const std::vector<std::uint8_t> data(length, 'm');
    ReadSoFar read(data, {reference::Domain::bytes, 256, 1});
    read.update(Counts(100, ~std::uint64_t{0}));
    CHECK(read.elements() == length);
    CHECK(read.histogram() == reference::histogram(data, {reference::Domain::bytes, 256, 1}));
    read.update({});
    CHECK(read.elements() == length);
  }
}
