#include "kernels/emulator/observers/knowledge.h"

#include <algorithm>

namespace histolab::kernels::emulator {

bool Knowledge::knows(const Moment& moment) const {
  if (moment.block == now_.block) return now_.knows(moment);
  if (past_ == nullptr) return false;
  const auto found =
      std::lower_bound(past_->begin(), past_->end(), moment.block,
                       [](const Block& b, std::uint32_t block) { return b.block < block; });
  return found != past_->end() && found->block == moment.block && found->knows(moment);
}

namespace {

struct Comparison {
  bool some_less, some_greater;
};

// The loop has no early exit, so it can use vector instructions.
Comparison compare(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::uint32_t less = 0, greater = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    less |= a[i] < b[i];
    // mutant > -> >=: takes the maximum, or the known clock: the same knowledge, only in its own
    // memory
    greater |= a[i] > b[i];
  }
  return {less != 0, greater != 0};
}

}  // namespace

bool Knowledge::Block::covers(const Block& other) const {
  // mutant always: merges clocks that it does not recognize as greater, with the same result
  if (epoch < other.epoch) return false;
  // mutant true -> false: merges clocks that it does not recognize as greater, with the same result
  if (other.clocks == nullptr || clocks == other.clocks) return true;
  return clocks != nullptr && !compare(*clocks, *other.clocks).some_less;
}

void Knowledge::Block::join(const Block& other) {
  epoch = std::max(epoch, other.epoch);
  if (other.clocks == nullptr || clocks == other.clocks) return;
  if (clocks == nullptr) {
    clocks = other.clocks;
    return;
  }
  const Comparison c = compare(*clocks, *other.clocks);
  if (!c.some_greater) clocks = other.clocks;
  // mutant never: creates the maximum again: only costs time and memory
  if (!c.some_greater || !c.some_less) return;
  auto both = std::make_shared<std::vector<std::uint32_t>>(*clocks);
  for (std::size_t thread = 0; thread < both->size(); ++thread)
    (*both)[thread] = std::max((*both)[thread], (*other.clocks)[thread]);
  clocks = std::move(both);
}

bool Knowledge::covers(const Past& more, const Past& less) {
  auto at = more.begin();
  for (const Block& block : less) {
    // mutant != -> ==: merges clocks that it does not recognize as greater, with the same result
    while (at != more.end() && at->block < block.block) ++at;
    if (at == more.end() || at->block != block.block || !at->covers(block)) return false;
  }
  // mutant true -> false: merges instead: the same knowledge, only in its own memory
  return true;
}

std::shared_ptr<Knowledge::Past> Knowledge::merged(const Past& one, const Past& other) {
  auto all = std::make_shared<Past>();
  auto a = one.begin(), b = other.begin();
  while (a != one.end() || b != other.end()) {
    if (b == other.end() || (a != one.end() && a->block < b->block)) {
      all->push_back(*a++);
    } else if (a == one.end() || b->block < a->block) {
      all->push_back(*b++);
    } else {
      all->push_back(*a++);
      all->back().join(*b++);
    }
  }
  return all;
}

void Knowledge::join(const Knowledge& other) {
  now_.join(other.now_);
  if (other.past_ == nullptr || past_ == other.past_) return;
  if (past_ == nullptr || covers(*other.past_, *past_)) past_ = other.past_;
  // mutant always: the covered clock adds nothing: the same knowledge, only in its own memory
  else if (!covers(*past_, *other.past_))
    past_ = merged(*past_, *other.past_);
}

void Knowledge::add(std::uint32_t thread, std::uint32_t clock, std::uint32_t threads) {
  auto clocks = now_.clocks == nullptr ? std::make_shared<std::vector<std::uint32_t>>(threads)
                                       : std::make_shared<std::vector<std::uint32_t>>(*now_.clocks);
  (*clocks)[thread] = std::max((*clocks)[thread], clock);
  now_.clocks = std::move(clocks);
}

void Knowledge::enter_block(std::uint32_t block) {
  if (now_.block == block) return;
  if (!now_.empty()) {
    if (past_ == nullptr) past_ = std::make_shared<Past>();
    // mutant > -> >=: copies a clock that is not shared: same result, only slower
    else if (past_.use_count() > 1)
      past_ = std::make_shared<Past>(*past_);
    const auto next = std::ranges::lower_bound(*past_, now_.block, {}, &Block::block);
    // Blocks often do the same, so neighbours share one copy of their threads' clocks.
    const auto share = [&](const Block& neighbour) {
      if (neighbour.clocks != nullptr && now_.clocks != nullptr &&
          *neighbour.clocks == *now_.clocks)
        now_.clocks = neighbour.clocks;
    };
    if (next != past_->end()) share(*next);
    if (next != past_->begin()) share(*std::prev(next));
    past_->insert(next, now_);
  }
  now_ = {block, 0, nullptr};
}

}  // namespace histolab::kernels::emulator
