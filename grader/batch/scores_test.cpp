#include "grader/batch/scores.h"

#include <doctest/doctest.h>

#include "grader/batch/overview.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::batch;
using grader::testing::TemporaryFolder;

namespace {

constexpr std::int64_t day = 86400;

// Ada and Bob in one lab of 10 points, due at the end of day 10, with a deduction of 10 % per day.
class OneLab {
 public:
  explicit OneLab(const std::string& extensions = {}) : journal_(begun(folder_.at("out"))) {
    rubric_.late.deadline = 10 * day, rubric_.late.percent_a_day = 10;
    Meta meta;
    meta.version = "1", meta.extensions = extensions;
    REQUIRE(journal_.set_meta(meta));
  }
  // A student's submission time, and a result if the status is set.
  struct HandedIn {
    std::string key;
    std::optional<std::int64_t> at;
    std::optional<bool> marked_late;
    std::string status = "passed";
    double points = 10;
  };
  void hand_in(const std::vector<HandedIn>& all) {
    Lab lab;
    lab.name = "01-race", lab.max_score = 10;
    const HandIns hand_ins{all.size(), [&](std::size_t i) {
                             HandIn one;
                             one.student.key = one.student.name = all[i].key;
                             Work& work = one.works["01-race"];
                             work.kernel = all[i].key, work.at = all[i].at,
                             work.marked_late = all[i].marked_late;
                             if (all[i].status == "needs_review")
                               work.problem = "a person has to look";
                             return one;
                           }};
    REQUIRE(journal_.set_class({lab}, hand_ins, [](const std::string&, const Work& work) {
      return Journal::Hashes{*work.kernel + " graded", *work.kernel};
    }));
    const auto tasks = journal_.outstanding();
    REQUIRE(tasks);
    for (const Task& task : *tasks)
      for (const HandedIn& each : all)
        if (each.key == task.student && !each.status.empty())
          REQUIRE(journal_.add(
              {{&task, std::make_shared<const Outcome>(Outcome{each.status, each.points, "{}", 0}),
                0}}));
  }
  void mark(const std::string& key, std::optional<double> points,
            const std::string& grading = "bob graded") {
    REQUIRE(journal_.add(
        HandMark{key, "01-race", points, "seen in the lab", "Grace Hopper", 20000 * day, grading}));
  }
  Scores scores() {
    Result<Scores> read = Scores::read(journal_, rubric_);
    REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
    return *read;
  }
  Overview overview() {
    const auto found = overview_of(journal_);
    REQUIRE(found);
    return *found;
  }
  LatePolicy& late() { return rubric_.late; }

 private:
  static Journal begun(const std::string& out) {
    Result<Journal> journal = Journal::begin(out, false);
    REQUIRE(journal);
    return std::move(*journal);
  }
  TemporaryFolder folder_;
  Journal journal_;
  Rubric rubric_;
};

}  // namespace

TEST_CASE("students without a submission time are counted if lateness costs points") {
  OneLab of;
  of.hand_in({{"ada", std::nullopt, std::nullopt},
              {"bob", 11 * day, std::nullopt},
              {"cy", std::nullopt, false},
              {"dee", std::nullopt, true},
              {"eve", std::nullopt, std::nullopt, "needs_review"}});
  CHECK(of.scores().without_times == 1);  // Canvas marks whether cy and dee were late
  CHECK(of.scores().of("ada", "01-race")->points == 10);
  CHECK(of.scores().of("bob", "01-race")->points == 9);
  CHECK(of.scores().of("dee", "01-race")->points == 9);
  CHECK(of.scores().of("eve", "01-race") == nullptr);
  of.late().percent_a_day = 0;
  CHECK(of.scores().without_times == 0);
  of.late().percent_a_day = 10, of.late().deadline.reset();
  CHECK(of.scores().without_times == 0);
  CHECK(lateness_is_unknown(1, 5).starts_with(
      "There is a deadline, but the submission times of 1 of 5 students are unknown: they have no "
      "deduction for lateness."));
}

TEST_CASE("a mark by hand replaces the score and its deduction until it is removed") {
  OneLab of;
  of.hand_in(
      {{"ada", std::nullopt, std::nullopt, "needs_review", 0}, {"bob", 11 * day, std::nullopt}});
  CHECK(of.overview().labs.front().review == 1);
  of.mark("ada", 7, "ada graded");
  of.mark("bob", 4);
  const Score* ada = nullptr;
  const Scores scores = of.scores();
  ada = scores.of("ada", "01-race");
  REQUIRE(ada != nullptr);
  CHECK(ada->by_hand);
  CHECK(ada->points == 7);
  CHECK(ada->note == "set by hand to 7 on 2024-10-04 by Grace Hopper: seen in the lab");
  CHECK(scores.of("bob", "01-race")->points == 4);
  CHECK(scores.of("bob", "01-race")->note ==
        "set by hand to 4 on 2024-10-04 by Grace Hopper: seen in the lab. Before: 1 day 0 h late: "
        "10 % less, 9 instead of 10");
  CHECK(of.overview().labs.front().review == 0);
  CHECK(of.overview().labs.front().mean == 5.5);
  of.mark("ada", std::nullopt, "ada graded");
  CHECK(of.scores().of("ada", "01-race") == nullptr);
  of.mark("bob", 10);
  CHECK(of.scores().of("bob", "01-race")->points == 10);
}

TEST_CASE("a mark by hand has a note if the submission changed, and stays if the student leaves") {
  OneLab of;
  of.hand_in({{"bob", 9 * day, std::nullopt}});
  of.mark("bob", 4, "an older hand-in");
  of.mark("zoe", 5);
  const Scores scores = of.scores();
  CHECK(scores.of("bob", "01-race")
            ->note.ends_with("The submission, or its grading, has changed since"));
  CHECK(scores.unmatched ==
        std::vector<std::string>{"the mark by hand of zoe in 01-race is kept but not used: the "
                                 "class has no such student or lab"});
  of.hand_in({{"zoe", 9 * day, std::nullopt}});
  CHECK(of.scores().of("zoe", "01-race")->points == 5);
}

TEST_CASE("extensions in the journal apply, and rows without a student are reported") {
  OneLab of{"student,lab,extra_days\nbob,01-race,1\nnobody,,1\n"};
  of.hand_in({{"bob", 11 * day, std::nullopt}});
  CHECK(of.scores().of("bob", "01-race")->points == 10);
  CHECK(of.scores().unmatched.size() == 1);
}
