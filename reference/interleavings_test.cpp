#include "reference/interleavings.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace histolab::reference {
namespace {

using Values = std::map<std::uint32_t, std::uint64_t>;

// Plays every interleaving, one by one.
Values played(const Increments& shape) {
  Interleaving order;
  for (std::uint32_t thread = 0; thread < shape.threads; ++thread)
    order.insert(order.end(), shape.increments * steps_of_increment(shape.atomic).size(), thread);
  Values values;
  do ++values[play(shape, order).final_value];
  while (std::next_permutation(order.begin(), order.end()));
  return values;
}

TEST_CASE("two threads, one increment each") {
  const auto with_add = enumerate({}, Steps::load_add_store);
  REQUIRE(with_add);
  CHECK(with_add->interleavings == 20);
  CHECK(with_add->losing == 18);
  CHECK(with_add->final_values == Values{{1, 18}, {2, 2}});
  const auto without_add = enumerate({}, Steps::load_store);
  REQUIRE(without_add);
  CHECK(without_add->interleavings == 6);
  CHECK(without_add->losing == 4);
  CHECK(without_add->final_values == Values{{1, 4}, {2, 2}});
}

TEST_CASE("counting gives what playing every interleaving gives") {
  for (const Increments& shape : {Increments{1, 3, false},
                                  {2, 1, false},
                                  {2, 2, false},
                                  {2, 3, false},
                                  {3, 1, false},
                                  {4, 1, false},
                                  {3, 2, true},
                                  {6, 1, true}}) {
    CAPTURE(shape.threads);
    CAPTURE(shape.increments);
    const auto counted = enumerate(shape, shape.atomic ? Steps::atomic_add : Steps::load_add_store);
    REQUIRE(counted);
    CHECK(counted->final_values == played(shape));
  }
}

TEST_CASE("the closed forms hold wherever counting is possible") {
  for (const Steps steps : {Steps::load_add_store, Steps::load_store, Steps::atomic_add})
    for (std::uint32_t threads = 1; threads <= 8; ++threads)
      for (std::uint32_t increments = 1; increments <= 12; ++increments) {
        CAPTURE(threads);
        CAPTURE(increments);
        const auto counted = enumerate({threads, increments, false}, steps);
        const auto all = merged_orders(threads, number_of(steps) * increments);
        REQUIRE(counted.has_value() == all.has_value());
        if (!counted) continue;
        CHECK(counted->interleavings == *all);
        CHECK(counted->interleavings - counted->losing == *merged_orders(threads, increments));
        // The smallest value is 1 if each thread makes one update, 2 (a known puzzle) if more.
        const std::uint32_t least = steps == Steps::atomic_add ? threads * increments
                                    : threads == 1             ? increments
                                                               : std::min(increments, 2u);
        CHECK(counted->final_values.begin()->first == least);
        CHECK(counted->final_values.rbegin()->first == threads * increments);
      }
}

TEST_CASE("sizes: 2^53 interleavings are the limit") {
  CHECK(merged_orders(2, 3) == 20);
  CHECK(merged_orders(4, 3) == 369600);             // 12! / 6^4
  CHECK(merged_orders(2, 9) == 48620);              // 18! / (9!)^2
  CHECK(merged_orders(18, 1) == 6402373705728000);  // 18!
  CHECK(merged_orders(19, 1) == std::nullopt);
  CHECK(merged_orders(1, 100) == 1);
  CHECK(merged_orders(32, 192) == std::nullopt);
  CHECK(enumerate({8, 1, false}, Steps::load_add_store) == std::nullopt);
}

}  // namespace
}  // namespace histolab::reference
