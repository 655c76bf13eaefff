#include "kernels/emulator/run/patience.h"

#include <algorithm>
#include <utility>

namespace histolab::kernels::emulator {

Patience::Patience(std::uint64_t budget, std::size_t warps) {
  rows_.waits_since.resize(warps);
  set_budget(budget);
}

void Patience::set_budget(std::uint64_t budget) {
  rows_per_turn_ = std::clamp<std::uint64_t>(budget / 16, 64, 64 * 1024);
}

void Patience::begin_block() {
  restart();
  std::ranges::fill(rows_.waits_since, 0);
}

void Patience::resume_block(Rows rows) {
  rows_ = std::move(rows);
  resumed_at_ = rows_.in_block;
}

void Patience::restart() {
  rows_.in_block = rows_.waited = 0;
  resumed_at_ = waited_by_all_ = 0;
}

bool Patience::has_waited_long(std::uint32_t warp) {
  std::uint64_t& since = rows_.waits_since[warp];
  const std::uint64_t now = rows_.in_block + 1;
  if (since == 0) since = now;
  return now - since > rows_of_all_turns();
}

void Patience::end_turn_of_block(bool only_waited) {
  if (!only_waited) return note_progress();
  rows_.waited += rows_since_resumed();
  waited_by_all_ += rows_since_resumed();
}

}  // namespace histolab::kernels::emulator
