#include "kernels/emulator/observers/held_reads.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {
namespace {

// Records the reads that end, in order: "thread:site" for a plain read, "thread:site+" for one that
// counts as part of a swap.
struct HeldReadsFixture {
  HeldReads held;
  Region region, other;
  std::string told;

  HeldReadsFixture() { held.resize(2); }
  auto plain() {
    return [this](std::uint32_t thread, const HeldRead& read) {
      told += fmt::format("{}:{} ", thread, read.site);
    };
  }
  auto validated() {
    return [this](std::uint32_t thread, const HeldRead& read) {
      told += fmt::format("{}:{}+ ", thread, read.site);
    };
  }
  // A read of word number `word`, at the site of the same number.
  [[nodiscard]] HeldRead at(std::uint32_t word, std::uint8_t bytes = 4) const {
    return {&region, 4 * word, bytes, static_cast<SiteNumber>(word)};
  }
  void hold(std::uint32_t word, std::uint32_t thread = 0) { held.hold(thread, at(word), plain()); }
  void settle(const HeldRead& write, AccessKind kind, std::uint32_t thread = 0) {
    held.settle(thread, write, kind, plain(), validated());
  }
  std::string all() {
    held.release_all(plain());
    return std::exchange(told, {});
  }
};

TEST_CASE(
    "held reads: a compare-and-swap by the same thread on the same word validates a read, once") {
  HeldReadsFixture f;
  f.hold(7);
  CHECK(f.held.any());
  f.settle(f.at(7), AccessKind::compare_and_swap);
  CHECK(f.told == "0:7+ ");
  f.settle(f.at(7), AccessKind::compare_and_swap);
  CHECK(f.all() == "0:7+ ");
  CHECK_FALSE(f.held.any());
}

TEST_CASE(
    "held reads: another write to the word makes the read plain; other words and threads do not") {
  HeldReadsFixture f;
  for (const AccessKind kind : {AccessKind::store, AccessKind::atomic, AccessKind::exchange}) {
    f.hold(7);
    f.settle(f.at(7), kind);
    CHECK(std::exchange(f.told, {}) == "0:7 ");
  }
  f.hold(7);
  f.settle(f.at(7, 8), AccessKind::compare_and_swap);
  CHECK(std::exchange(f.told, {}) == "0:7 ");
  f.hold(7);
  f.settle(f.at(8), AccessKind::compare_and_swap);
  f.settle({&f.other, 28, 4, 7}, AccessKind::compare_and_swap);
  f.settle(f.at(7), AccessKind::compare_and_swap, 1);
  CHECK(f.told.empty());
  CHECK(f.all() == "0:7 ");
}

TEST_CASE("held reads: a second read of the same word makes the first one plain") {
  HeldReadsFixture f;
  f.hold(7);
  f.hold(8);
  f.hold(7);
  CHECK(f.told == "0:7 ");
  CHECK(f.all() == "0:7 0:7 0:8 ");
}

TEST_CASE("held reads: the same offset in another region is another word") {
  HeldReadsFixture f;
  f.hold(7);
  f.held.hold(0, {&f.other, 28, 4, 9}, f.plain());
  CHECK(f.told.empty());
  f.settle({&f.other, 28, 4, 9}, AccessKind::compare_and_swap);
  CHECK(f.told == "0:9+ ");
}

TEST_CASE(
    "held reads: a fifth read makes the oldest one plain; the other four stay held, in order") {
  HeldReadsFixture f;
  for (const std::uint32_t word : {1, 2, 3, 4}) f.hold(word);
  CHECK(f.told.empty());
  f.hold(5);
  CHECK(std::exchange(f.told, {}) == "0:1 ");
  f.settle(f.at(5), AccessKind::compare_and_swap);
  f.settle(f.at(2), AccessKind::compare_and_swap);
  CHECK(std::exchange(f.told, {}) == "0:5+ 0:2+ ");
  f.hold(6);
  f.hold(7);  // these take the places of those two
  CHECK(f.told.empty());
  CHECK(f.all() == "0:6 0:3 0:4 0:7 ");
}

TEST_CASE("held reads: each thread holds and releases its own") {
  HeldReadsFixture f;
  f.hold(1, 0);
  f.hold(2, 1);
  f.held.release(1, f.plain());
  CHECK(std::exchange(f.told, {}) == "1:2 ");
  f.hold(3, 1);
  CHECK(f.all() == "0:1 1:3 ");
  CHECK(f.all().empty());
}

TEST_CASE("held reads: none are in use before the first resize") {
  HeldReads held;
  CHECK_FALSE(held.in_use());
  CHECK_FALSE(held.any());
  held.resize(1);
  CHECK(held.in_use());
}

}  // namespace
}  // namespace histolab::kernels::emulator
