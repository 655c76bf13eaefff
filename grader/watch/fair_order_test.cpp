// Which of the waiting gradings runs next.
#include "grader/watch/fair_order.h"

#include <doctest/doctest.h>

using histolab::grader::FairOrder;

TEST_CASE("steps of equal kind run in the order of arrival") {
  FairOrder order;
  order.add(1, "ada", true);
  order.add(2, "ben", true);
  CHECK(order.ahead_of(1) == 0);
  CHECK(order.ahead_of(2) == 1);
  CHECK(order.take() == 1);
  CHECK(order.take() == 2);
  CHECK_FALSE(order.take());
}

TEST_CASE("a quick step comes before a complete one that waits longer") {
  FairOrder order;
  order.add(1, "ada", false);
  order.add(2, "ben", true);
  CHECK(order.ahead_of(1) == 1);
  CHECK(order.take() == 2);
  CHECK(order.take() == 1);
}

TEST_CASE("a student has one running step") {
  FairOrder order;
  order.add(1, "ada", true);
  order.add(2, "ada", true);
  CHECK(order.take() == 1);
  CHECK_FALSE(order.take());
  order.finished(1);
  CHECK(order.take() == 2);
}

TEST_CASE("who was served longest ago comes first") {
  FairOrder order;
  // Ada saves all the time, in many labs.
  for (FairOrder::Number i = 1; i <= 5; ++i) order.add(i, "ada", true);
  CHECK(order.take() == 1);
  order.finished(1);
  order.add(6, "ben", true);
  order.add(7, "cleo", true);
  CHECK(order.ahead_of(7) == 1);
  CHECK(order.take() == 6);
  CHECK(order.take() == 7);
  CHECK(order.take() == 2);
}

TEST_CASE("a removed step does not run, and does not block its student") {
  FairOrder order;
  order.add(1, "ada", true);
  order.add(2, "ada", true);
  order.remove(1);
  CHECK(order.take() == 2);
  order.remove(2);  // it runs already: nothing to remove
  order.finished(2);
  order.finished(2);
  CHECK_FALSE(order.take());
}
