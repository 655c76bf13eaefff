#include "grader/cluster/chunks.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::cluster;

namespace {

std::vector<std::vector<batch::Task>> groups(std::size_t each,
                                             const std::vector<std::string>& labs) {
  std::vector<std::vector<batch::Task>> made;
  for (const std::string& lab : labs)
    for (std::size_t i = 0; i < each; ++i) {
      batch::Task task;
      task.student = std::to_string(i);
      task.lab = lab;
      task.kernel = "hash";
      made.push_back({task});
    }
  return made;
}

}  // namespace

TEST_CASE("a task takes about a minute, less in a small class, but at least 10 seconds") {
  CHECK(seconds_of_task(1) == least_seconds);
  CHECK(seconds_of_task(320) == 20);
  CHECK(seconds_of_task(1e6) == most_seconds);
  const auto large = groups(10'000, {"01-race", "02-atomic-add"});
  const Sizes sizes{.seconds = {{"01-race", 0.1}, {"02-atomic-add", 0.5}}};
  const auto chunks = divide_into_chunks(large, sizes);
  CHECK(chunks.size() == doctest::Approx(100).epsilon(0.02));
  CHECK(chunks.front().size() == doctest::Approx(600).epsilon(0.01));
  CHECK(chunks.back().size() <= 121);
  CHECK(minutes_of_task(large, sizes) == 15);
}

TEST_CASE("every submission is in one chunk, in order") {
  for (const std::size_t works : {0, 1, 7}) {
    std::vector<std::size_t> all;
    for (const auto& chunk :
         divide_into_chunks(groups(50, {"a", "b"}), {.seconds = {{"a", 3}}, .works = works})) {
      if (works > 0) CHECK(chunk.size() <= works);
      REQUIRE_FALSE(chunk.empty());
      all.insert(all.end(), chunk.begin(), chunk.end());
    }
    REQUIRE(all.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(all[i] == i);
  }
  CHECK(divide_into_chunks({}, {}).empty());
}

TEST_CASE("a submission that takes longer than a task should gets a task and the time for it") {
  const auto slow = groups(3, {"a"});
  const Sizes sizes{.seconds = {{"a", 600}}};
  CHECK(divide_into_chunks(slow, sizes).size() == 3);
  CHECK(minutes_of_task(slow, sizes) == 100);
}

TEST_CASE("a submission without a kernel takes no time") {
  auto absent = groups(100'000, {"a"});
  for (auto& group : absent) group.front().kernel.clear();
  CHECK(divide_into_chunks(absent, {.seconds = {{"a", 10}}}).size() <= 11);
}
