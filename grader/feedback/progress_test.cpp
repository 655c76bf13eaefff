// Progress: the best result is kept, and nothing is lost to a damaged file, another version or a
// full disk.
#include "grader/feedback/progress.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::grader;
using grader::testing::get;
using grader::testing::put;
using grader::testing::TemporaryFolder;

namespace {

LabResult graded(const std::string& lab, int score, Verdict status = Verdict::failed) {
  LabResult result;
  result.lab = lab;
  result.status = status;
  result.score = score;
  result.max_score = 10;
  result.submission = Submission{"work/" + lab + ".cu", "x", "-"};
  CheckResult passed, failed;
  passed.status = CheckResult::Status::passed;
  failed.status = CheckResult::Status::failed;
  result.checks = {passed, status == Verdict::passed ? passed : failed};
  return result;
}

LabProgress best_of(const TemporaryFolder& folder, const std::string& lab) {
  const Result<Progress> progress = read_progress(folder.path());
  REQUIRE(progress.ok());
  const auto known = progress->find(lab);
  return known == progress->end() ? LabProgress{} : known->second;
}

}  // namespace

TEST_CASE("the best result of each lab is kept") {
  TemporaryFolder folder;
  CHECK(read_progress(folder.path())->empty());
  CHECK(record_progress(folder.path(),
                        {graded("01-race", 4), graded("02-atomic-add", 10, Verdict::passed)})
            .ok());
  CHECK(best_of(folder, "01-race").score == 4);
  CHECK(best_of(folder, "01-race").checks_passed == 1);
  CHECK(best_of(folder, "02-atomic-add").passed);

  CHECK(record_progress(folder.path(), {graded("01-race", 7), graded("02-atomic-add", 3)}).ok());
  CHECK(best_of(folder, "01-race").score == 7);
  CHECK(best_of(folder, "02-atomic-add").passed);
  CHECK(best_of(folder, "02-atomic-add").score == 10);
}

TEST_CASE("an ungraded lab makes no progress") {
  TemporaryFolder folder;
  LabResult absent = graded("01-race", 0, Verdict::not_attempted),
            machine = graded("02-atomic-add", 0, Verdict::infrastructure_error);
  absent.submission.reset();
  CHECK(record_progress(folder.path(), {absent, machine}).ok());
  CHECK_FALSE(std::filesystem::exists(progress_path(folder.path())));
}

TEST_CASE("data of another version is preserved") {
  TemporaryFolder folder;
  const std::string file = progress_path(folder.path());
  put(file,
      R"({"schema": "histolab/progress/1", "streak": 4, "labs": {"01-race": {"score": 2, "max_score": 10, "minutes": 12}, "99-of-later": {"score": 5}}})");
  CHECK(record_progress(folder.path(), {graded("01-race", 7)}).ok());
  const std::string text = get(file);
  for (const char* kept : {"\"streak\": 4", "\"minutes\": 12", "99-of-later", "\"score\": 7"})
    CHECK_MESSAGE(text.find(kept) != std::string::npos, kept, "\n", text);

  const std::string newer = R"({"schema": "histolab/progress/2", "anything": true})";
  put(file, newer);
  CHECK_FALSE(read_progress(folder.path()).ok());
  const Result<std::string> refused = record_progress(folder.path(), {graded("01-race", 8)});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("newer version") != std::string::npos);
  CHECK(get(file) == newer);
}

TEST_CASE("an invalid file is backed up, not lost") {
  const std::string deep = "{\"schema\": \"histolab/progress/1\", \"labs\": {}, \"later\": " +
                           std::string(100'000, '[') + std::string(100'000, ']') + "}";
  for (const std::string& damage :
       {std::string{}, std::string{"{"}, std::string{"[]"}, std::string{"null"},
        std::string{"{\"schema\": 1}"}, std::string{"{\"schema\": \"histolab/report/1\"}"},
        std::string{"{\"schema\": \"histolab/progress/1\", \"labs\": []}"}, deep}) {
    TemporaryFolder folder;
    const std::string file = progress_path(folder.path());
    put(file, damage);
    CHECK_FALSE(read_progress(folder.path()).ok());
    const Result<std::string> kept = record_progress(folder.path(), {graded("01-race", 7)});
    REQUIRE(kept.ok());
    CHECK(*kept == file + ".~1~");
    CHECK(get(*kept) == damage);
    CHECK(best_of(folder, "01-race").score == 7);
  }
  TemporaryFolder folder;  // invalid entries count as nothing
  put(progress_path(folder.path()),
      R"({"schema": "histolab/progress/1", "labs": {"01-race": 5, "02-atomic-add": {"score": -1, "passed": "yes"}}})");
  CHECK(best_of(folder, "01-race").score == 0);
  CHECK_FALSE(best_of(folder, "02-atomic-add").passed);
  CHECK(record_progress(folder.path(), {graded("01-race", 7)}).ok());
  CHECK(best_of(folder, "01-race").score == 7);
}

TEST_CASE("a file that cannot be written leaves the old one") {
  TemporaryFolder folder;
  CHECK(record_progress(folder.path(), {graded("01-race", 4)}).ok());
  const std::string before = get(progress_path(folder.path()));
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  const Result<std::string> kept = record_progress(folder.path(), {graded("01-race", 9)});
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(kept.ok());
  CHECK(get(progress_path(folder.path())) == before);
}
