#include "grader/lab/drawn_case.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace histolab::grader;

namespace {

constexpr std::uint64_t seeds = 300;

CaseSpec spec_of(std::uint64_t length, std::uint32_t block, std::uint32_t grid = 0) {
  CaseSpec spec;
  spec.id = "some";
  spec.length = length;
  spec.block = block;
  spec.grid = grid;
  return spec;
}

template <class F>
void for_each_draw(const CaseSpec& spec, const F& f) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) f(drawn_case(spec, seed));
}

}  // namespace

TEST_CASE("a drawn case keeps the properties that the case tests") {
  for (const std::uint64_t length :
       {0u, 1u, 15u, 16u, 31u, 33u, 41u, 52u, 803u, 2003u, 4096u, 8195u, 20011u, 65536u, 68003u})
    for (const std::uint32_t block : {1u, 3u, 4u, 31u, 32u, 64u, 100u, 256u, 1000u, 1024u})
      for (const std::uint32_t grid : {0u, 1u, 2u, 7u}) {
        CAPTURE(length);
        CAPTURE(block);
        for_each_draw(spec_of(length, block, grid), [&](const CaseSpec& drawn) {
          CHECK((drawn.block % 32 == 0) == (block % 32 == 0));
          CHECK((drawn.block < 32) == (block < 32));
          CHECK(drawn.block >= block - block / 4);
          CHECK(drawn.block <= block);
          CHECK(drawn.grid >= grid);
          CHECK(drawn.grid <= grid + grid / 2);
          CHECK((drawn.length % 4 == 0) == (length % 4 == 0));
          CHECK((drawn.length % 16 == 0) == (length % 16 == 0));
          if (length < 16) CHECK(drawn.length == length);
          if (length >= 16 && length < 64) CHECK(drawn.length - length <= length / 16);
          if (length >= 64) CHECK(drawn.length + length / 32 - length <= 2 * (length / 32));
        });
      }
}

TEST_CASE("a drawn length never equals that of lab.json, whatever the seed") {
  for (const std::uint64_t length : {803u, 2003u, 8195u, 8209u, 9217u, 65536u}) {
    std::set<std::uint64_t> lengths;
    for_each_draw(spec_of(length, 256, 2), [&](const CaseSpec& drawn) {
      CHECK(drawn.length != length);
      lengths.insert(drawn.length);
    });
    CHECK(lengths.size() >= 7);
  }
}

TEST_CASE("the same seed draws the same case, independent of other cases") {
  const CaseSpec spec = spec_of(8195, 256, 4);
  CaseSpec other = spec;
  other.id = "other";
  std::size_t alike = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const CaseSpec once = drawn_case(spec, seed), again = drawn_case(spec, seed);
    CHECK(once.length == again.length);
    CHECK(once.block == again.block);
    CHECK(once.grid == again.grid);
    alike += once.length == drawn_case(other, seed).length;
  }
  CHECK(alike < seeds / 20);
}

TEST_CASE("fixed parts of a case are not changed") {
  CaseSpec spec = spec_of(2003, 100, 2);
  spec.fixed = {.length = true, .block = true, .grid = true};
  for_each_draw(spec, [&](const CaseSpec& drawn) {
    CHECK(drawn.length == 2003);
    CHECK(drawn.block == 100);
    CHECK(drawn.grid == 2);
  });
}

TEST_CASE("the emulator runs slightly more of a timed case than lab.json says") {
  TimedCaseSpec spec;
  spec.id = "large";
  spec.length = 1 << 26;
  spec.emulated_length = 131072;
  std::set<std::uint64_t> lengths;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    lengths.insert(drawn_emulated_length(spec, seed));
  CHECK(*lengths.begin() > 131072);
  CHECK(*lengths.rbegin() <= 131072 + 131072 / 16);
  CHECK(lengths.size() > seeds / 2);
}
