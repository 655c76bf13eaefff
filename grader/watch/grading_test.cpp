// Grading in the background: quick cases first, one compilation, and a new save stops a running
// grading.
#include "grader/watch/grading.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <string>

#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"
#include "reference/testing/wait_until.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

std::atomic<int> compiles = 0;

// Counts compilations. With "// fake: right\n// slow", every launch runs until it is cancelled.
class Watched final : public FakeDevice {
 public:
  explicit Watched(const kernels::Cancellation& cancellation) : cancellation_(cancellation) {}
  Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override {
    ++compiles;
    slow_ = source.text.find("slow") != std::string::npos;
    return FakeDevice::compile(source, signatures);
  }
  Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    while (slow_ && !cancellation_.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (cancellation_.cancelled()) return Error{"interrupted"};
    return FakeDevice::launch(compiled, config, launches, options);
  }

 private:
  const kernels::Cancellation& cancellation_;
  std::atomic<bool> slow_ = false;
};

GradingQueue::MakeDevice watched() {
  return [](const kernels::Cancellation& cancellation) {
    return std::make_unique<Watched>(cancellation);
  };
}

GradeJob job_of(const LabSpec& lab, const std::string& text) {
  return {&lab, Submission{"work/02-sample.cu", text, "-"}, std::nullopt};
}

// The news about one save.
class News {
 public:
  GradingQueue::OnNews collector() {
    return [this](const GradingNews& news) {
      const std::lock_guard lock{lock_};
      news_.push_back(news);
      changed_.notify_all();
    };
  }
  // Takes the next news, and skips GradingWaits unless that is the wanted kind.
  template <class Kind>
  Kind next() {
    std::unique_lock lock{lock_};
    for (;;) {
      REQUIRE(
          changed_.wait_for(lock, reference::testing::patience, [&] { return !news_.empty(); }));
      const GradingNews news = news_.front();
      news_.pop_front();
      if (const Kind* const wanted = std::get_if<Kind>(&news)) return *wanted;
      REQUIRE(std::holds_alternative<GradingWaits>(news));
    }
  }
  bool is_empty() {
    const std::lock_guard lock{lock_};
    return news_.empty();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<GradingNews> news_;
};

// A queue with one idle thread, and its news.
struct Queue {
  LabSpec lab = sample_lab();
  News news, other;  // about Ada's saves, and about other students'
  GradingQueue queue{watched(), {}, 1};
  void add(const std::string& text, const std::string& student = "ada") {
    queue.add(student, job_of(lab, text), student == "ada" ? news.collector() : other.collector());
  }
  // Returns when a save of Ada's runs, and does not end by itself.
  void run_slowly() {
    compiles = 0;
    add("// fake: right\n// slow " + std::to_string(++saves));
    REQUIRE(reference::testing::wait_until([] { return compiles > 0; }));
  }
  int saves = 0;
};

}  // namespace

TEST_CASE("grades the quick cases first, then all, and compiles once") {
  Queue queue;
  compiles = 0;
  queue.add("// fake: right");
  const GradingStep quick = queue.news.next<GradingStep>(), all = queue.news.next<GradingStep>();
  CHECK(quick.quick);
  CHECK(quick.more);
  CHECK(quick.result.cases.size() == 2);
  CHECK_FALSE(all.quick);
  CHECK_FALSE(all.more);
  CHECK(all.result.cases.size() == 3);
  CHECK(compiles == 1);
}

TEST_CASE("a kernel that does not compile has one step") {
  Queue queue;
  queue.add("// fake: compile 1");
  const GradingStep step = queue.news.next<GradingStep>();
  CHECK_FALSE(step.quick);
  CHECK_FALSE(step.more);
  CHECK(step.result.status == Verdict::compile_error);
}

TEST_CASE("skips the other cases if a quick one is wrong") {
  for (const char* wrong : {"// fake: nothing", "// fake: lossy 1"}) {
    Queue queue;
    queue.add(wrong);
    const GradingStep step = queue.news.next<GradingStep>();
    CHECK(step.quick);
    CHECK_FALSE(step.more);
    CHECK(step.result.status == Verdict::failed);
  }
}

TEST_CASE("a newer save of the same student and lab ends a running one") {
  Queue queue;
  queue.run_slowly();
  queue.add("// fake: nothing");
  queue.news.next<GradingSuperseded>();
  CHECK(queue.news.next<GradingStep>().result.status == Verdict::failed);
}

TEST_CASE("a newer save supersedes a waiting one, and a waiting one learns how many are ahead") {
  Queue queue;
  queue.run_slowly();
  queue.add("// fake: compile 1", "ben");
  CHECK(queue.other.next<GradingWaits>().ahead == 0);
  queue.add("// fake: nothing", "ben");
  CHECK(queue.other.next<GradingWaits>().ahead == 0);
  queue.other.next<GradingSuperseded>();
  queue.queue.end("ada");
  CHECK(queue.other.next<GradingStep>().result.status == Verdict::failed);
}

TEST_CASE("there is no news about an ended grading") {
  Queue queue;
  queue.run_slowly();
  queue.queue.end("ada");
  queue.add("// fake: nothing");
  CHECK(queue.news.next<GradingStep>().result.status == Verdict::failed);
  CHECK(queue.news.is_empty());
}

TEST_CASE("a step is repeated if the machine fails, and then said to be the machine's") {
  Queue queue;
  compiles = 0;
  queue.add("// fake: machine");
  const GradingStep step = queue.news.next<GradingStep>();
  CHECK(step.result.status == Verdict::infrastructure_error);
  CHECK_FALSE(step.more);
  CHECK(compiles == 3);
}

TEST_CASE("a queue ends although a grading runs") {
  Queue queue;
  queue.run_slowly();
}
