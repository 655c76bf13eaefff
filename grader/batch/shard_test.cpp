#include "grader/batch/shard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "grader/batch/testing/sample_journal.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;

namespace {

std::set<std::string> students_in(Journal& journal, const Shard& shard) {
  std::set<std::string> students;
  const auto works = works_in(journal, shard);
  REQUIRE(works);
  for (const Task& task : *works) CHECK(students.insert(task.student).second);
  return students;
}

}  // namespace

TEST_CASE("the text of a shard") {
  CHECK((*shard_from("2/5") == Shard{2, 5}));
  CHECK(shard_from("")->is_whole());
  CHECK(shard_from("1/1")->is_whole());
  CHECK(to_text(Shard{2, 5}) == "2/5");
  CHECK(to_text(Shard{}).empty());
  for (const char* wrong : {"0/5", "6/5", "2", "2/", "/5", "2/5/7", "-1/5", "2 / 5", "a/b", "1/0",
                            "1/1000001", "99999999999999999999/5"}) {
    const Result<Shard> refused = shard_from(wrong);
    REQUIRE_FALSE_MESSAGE(refused, wrong);
    CHECK(refused.error().message.find("write I/N") != std::string::npos);
  }
}

TEST_CASE("each submission is in one shard, and equal sources are in the same") {
  const grader::testing::TemporaryFolder folder;
  const std::vector<grader::LabSpec> labs{grader::testing::sample_lab_in(folder.path())};
  batch::testing::SampleClass students;
  for (int i = 0; i < 40; ++i)
    students.emplace_back("s" + std::to_string(10 + i),
                          "int a" + std::to_string(i % 25) + ";  // " + std::to_string(i) + "\n");
  students.emplace_back("z1", "");
  students.emplace_back("z2", "");
  Journal journal = batch::testing::sample_journal(folder.at("out"), labs, {}, students);
  std::set<std::string> all;
  for (std::size_t i = 1; i <= 3; ++i) {
    const std::set<std::string> mine = students_in(journal, {i, 3});
    CHECK(mine.size() >= 12);
    CHECK(mine.size() <= 16);
    for (const std::string& student : mine) CHECK(all.insert(student).second);
    std::set<std::string> halves = students_in(journal, {i, 6});
    halves.merge(students_in(journal, {i + 3, 6}));
    CHECK(halves == mine);
    CHECK(mine.contains("s10") == mine.contains("s35"));  // a comment apart
    CHECK(mine.contains("z1") == mine.contains("z2"));
  }
  CHECK(all.size() == 42);
  CHECK(students_in(journal, {1, 1}).size() == 42);
  CHECK(students_in(journal, {28, 30}).empty());  // 26 groups
}
