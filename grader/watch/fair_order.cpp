#include "grader/watch/fair_order.h"

#include <algorithm>

namespace histolab::grader {

void FairOrder::add(Number number, const std::string& student, bool quick) {
  waiting_.push_back({number, student, quick});
}

void FairOrder::remove(Number number) {
  std::erase_if(waiting_, [&](const Waiting& each) { return each.number == number; });
}

std::optional<FairOrder::Number> FairOrder::take() {
  auto next = waiting_.end();
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each)
    if (!is_busy(each->student) && (next == waiting_.end() || comes_before(*each, *next)))
      next = each;
  if (next == waiting_.end()) return std::nullopt;
  const Waiting taken = *next;
  waiting_.erase(next);
  running_[taken.number] = taken.student;
  turns_[taken.student] = ++turn_;
  return taken.number;
}

void FairOrder::finished(Number number) { running_.erase(number); }

std::size_t FairOrder::ahead_of(Number number) const {
  const auto own = std::ranges::find(waiting_, number, &Waiting::number);
  if (own == waiting_.end()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(waiting_, [&](const Waiting& each) {
    return each.number != number && comes_before(each, *own);
  }));
}

bool FairOrder::is_busy(const std::string& student) const {
  return std::ranges::any_of(running_, [&](const auto& each) { return each.second == student; });
}

std::uint64_t FairOrder::last_turn_of(const std::string& student) const {
  const auto known = turns_.find(student);
  return known == turns_.end() ? 0 : known->second;
}

bool FairOrder::comes_before(const Waiting& a, const Waiting& b) const {
  if (a.quick != b.quick) return a.quick;
  const std::uint64_t turn_a = last_turn_of(a.student), turn_b = last_turn_of(b.student);
  return turn_a != turn_b ? turn_a < turn_b : &a < &b;
}

}  // namespace histolab::grader
