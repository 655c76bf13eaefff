#include "reference/two_step_updates.h"

#include <doctest/doctest.h>

#include <vector>

using namespace histolab::reference;

TEST_CASE("two tellers") {
  const std::vector<std::int64_t> amounts{50, -30};
  const auto found = final_balances(100, amounts);
  CHECK(found ==
        std::map<std::int64_t, std::uint64_t>{{70, 2}, {120, 2}, {150, 2}});  // six interleavings
  CHECK(final_balances(100, std::vector<std::int64_t>{}) ==
        std::map<std::int64_t, std::uint64_t>{{100, 1}});
}

TEST_CASE("three tellers: 90 interleavings give the seven sums of non-empty subsets") {
  const std::vector<std::int64_t> amounts{1, 10, 100};
  std::uint64_t all = 0;
  const auto found = final_balances(0, amounts);
  for (const auto& [balance, times] : found) all += times;
  CHECK(all == 90);
  CHECK(found.size() == 7);  // the sum of each non-empty subset
  CHECK(found.at(111) == 6);
}

TEST_CASE("one seat") {
  CHECK(seats_sold(2, 1) == std::map<std::uint32_t, std::uint64_t>{{1, 2}, {2, 4}});
  CHECK(seats_sold(2, 2) == std::map<std::uint32_t, std::uint64_t>{{2, 6}});
  const auto three = seats_sold(3, 1);
  CHECK(three.size() == 3);
  CHECK(three.at(1) == 18);  // one agency sells before the others check: 3 * 4! / (2! 2!)
  CHECK(seats_sold(1, 1) == std::map<std::uint32_t, std::uint64_t>{{1, 1}});
}
