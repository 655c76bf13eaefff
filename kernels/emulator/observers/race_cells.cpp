#include "kernels/emulator/observers/race_cells.h"

#include <bit>

#include "kernels/emulator/arch/in_vectors.h"

namespace histolab::kernels::emulator {
namespace {

// Cells, parties and places as 64-bit words, for vector instructions.
using Word [[gnu::may_alias]] = std::uint64_t;
constexpr std::uint64_t epoch_mask = 0xffff'ffff, kinds_mask = 0xff;
constexpr int now_at = 32, before_at = 40, earlier_at = 48, written_at = 56;
constexpr int thread_at = 16, second_at = 32, second_thread_at = 48;
static_assert(sizeof(CellState) == sizeof(Word) && sizeof(Party) == sizeof(Word) &&
              sizeof(Place) == sizeof(Word));
static_assert(std::bit_cast<Word>(CellState{7, 1, 2, 3, true}) ==
              (7 | 1ull << now_at | 2ull << before_at | 3ull << earlier_at | 1ull << written_at));
static_assert(std::bit_cast<Word>(Party{{5, 6}, {8, 9}}) ==
              (5 | 6ull << thread_at | 8ull << second_at | 9ull << second_thread_at));
static_assert(std::bit_cast<Word>(Place{{5, 6}, 7}) == (5 | 6ull << thread_at | 7ull << second_at));

struct Collected {
  std::uint64_t now, earlier, stale, written;
};

IN_VECTORS Collected collect(const Word* __restrict states, std::uint32_t lanes, std::int64_t epoch,
                             std::int64_t block_epoch) {
  std::uint64_t now = 0, earlier = 0, stale = 0, written = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < lanes; ++i) {
    const std::uint64_t s = states[i];
    const auto e = static_cast<std::int64_t>(s & epoch_mask);
    const std::uint64_t same = e == epoch ? ~std::uint64_t{0} : 0,
                        older = e < block_epoch ? ~std::uint64_t{0} : 0;
    const std::uint64_t left = older & (s >> now_at | s >> before_at);
    now |= same & s >> now_at;
    earlier |= s >> earlier_at | left;
    stale |= left;
    written &= s & ~older;
  }
  return {now & kinds_mask, earlier & kinds_mask, stale & kinds_mask, written >> written_at & 1};
}

IN_VECTORS std::uint64_t count_others(const Word* __restrict states, const Word* __restrict parties,
                                      std::uint32_t lanes, std::int64_t epoch,
                                      std::uint64_t kind_bit, std::uint64_t thread) {
  std::uint64_t others = 0;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    const std::uint64_t s = states[i], p = parties[i];
    const std::uint64_t same =
        static_cast<std::int64_t>(s & epoch_mask) == epoch ? ~std::uint64_t{0} : 0;
    const std::uint64_t there = (s & kind_bit) != 0 ? ~std::uint64_t{0} : 0;
    const std::uint64_t themselves = (thread + i) | std::uint64_t{Witness::nobody}
                                                        << 32;  // no second access
    others |= same & there & ((p >> thread_at & 0xffff'0000'ffffull) ^ themselves);
  }
  return others;
}

IN_VECTORS void renew(Word* __restrict states, std::uint32_t lanes, std::uint64_t epoch,
                      std::int64_t block_epoch, std::uint64_t bits) {
  for (std::uint32_t i = 0; i < lanes; ++i) {
    const std::uint64_t s = states[i];
    const auto e = static_cast<std::int64_t>(s & epoch_mask);
    // mutant 0 -> 1: no kind uses the lowest bit
    const std::uint64_t same = e == static_cast<std::int64_t>(epoch) ? ~std::uint64_t{0} : 0,
                        own = e < block_epoch ? 0 : ~std::uint64_t{0};
    const std::uint64_t now = s & kinds_mask << now_at;
    const std::uint64_t before =
        (s & kinds_mask << before_at) | (now << (before_at - now_at) & ~same);
    const std::uint64_t kept =
        (own & (before | (s & std::uint64_t{1} << written_at))) | (s & kinds_mask << earlier_at);
    states[i] = epoch | (now & same) | kept | bits;
  }
}

IN_VECTORS void write_one_by_one(Word* __restrict words, std::uint32_t lanes, std::uint64_t first) {
  for (std::uint32_t i = 0; i < lanes; ++i) words[i] = first + (std::uint64_t{i} << thread_at);
}

const Word* states_of(const RaceCells& cells, const CellRun& run) {
  return reinterpret_cast<const Word*>(&cells.state[run.first]);
}

}  // namespace

RunSeen look_at(const RaceCells& cells, const CellRun& run) {
  const Collected seen = collect(states_of(cells, run), run.lanes, run.epoch, run.block_epoch);
  return {static_cast<std::uint32_t>(seen.now), static_cast<std::uint32_t>(seen.earlier),
          seen.stale != 0, seen.written != 0};
}

bool only_by_themselves(const RaceCells& cells, const CellRun& run, RaceKind kind) {
  const auto* parties = reinterpret_cast<const Word*>(&cells.of[kind].party[run.first]);
  return count_others(states_of(cells, run), parties, run.lanes, run.epoch,
                      std::uint64_t{1} << (now_at + kind), run.who.thread) == 0;
}

void note(RaceCells& cells, const CellRun& run, RaceKind kind) {
  ++cells.news;
  const std::uint64_t bits = std::uint64_t{1} << (now_at + kind) | std::uint64_t{kind >= write}
                                                                       << written_at;
  renew(reinterpret_cast<Word*>(&cells.state[run.first]), run.lanes, run.epoch, run.block_epoch,
        bits);
  write_one_by_one(reinterpret_cast<Word*>(&cells.of[kind].party[run.first]), run.lanes,
                   std::bit_cast<std::uint64_t>(Party{run.who, {}}));
}

void note_latest(RaceCells& cells, const CellRun& run, RaceKind kind, std::uint32_t block) {
  write_one_by_one(reinterpret_cast<Word*>(&cells.of[kind].latest[run.first]), run.lanes,
                   std::bit_cast<std::uint64_t>(Place{run.who, block}));
}

}  // namespace histolab::kernels::emulator
