#include "grader/watch/grading.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace histolab::grader {
namespace {

// Whether a check for correct results failed. Large cases would only take longer to show the same
// mistake.
bool is_wrong(const LabSpec& lab, const LabResult& result) {
  return std::ranges::any_of(result.checks, [&](const CheckResult& check) {
    const auto spec = std::ranges::find(lab.checks, check.id, &CheckSpec::id);
    return check.status != CheckResult::Status::passed && spec != lab.checks.end() &&
           group_of(spec->kind) == CheckGroup::results;
  });
}

}  // namespace

Grading::Grading(MakeDevice make_device, GradeOptions options)
    : make_device_(std::move(make_device)),
      options_(std::move(options)),
      event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Grading::~Grading() {
  end();
  if (event_ >= 0) close(event_);
}

void Grading::begin(const GradeJob& job) {
  end();
  cancellation_ = std::make_unique<kernels::Cancellation>();
  finished_ = false;
  worker_ = std::thread([this, job] { work(job, *cancellation_); });
}

void Grading::end() {
  if (!worker_.joinable()) return;
  cancellation_->cancel();
  worker_.join();
  const std::lock_guard lock{lock_};
  steps_.clear();
  finished_ = true;
}

void Grading::work(const GradeJob& job, const kernels::Cancellation& cancellation) {
  const std::unique_ptr<kernels::Device> device = make_device_(cancellation);
  CompileOnce once{*device, known_};
  for (const bool quick : {true, false}) {
    GradeOptions options = options_;
    options.quick = quick;
    options.compares = !quick;
    std::vector<LabResult> results = grade_labs(once, {job}, options);
    if (cancellation.cancelled()) return;
    // The other cases add nothing if the kernel did not run or this machine cannot run it.
    const Verdict status = results.front().status;
    const bool did_not_run = status == Verdict::compile_error || status == Verdict::refused ||
                             status == Verdict::infrastructure_error;
    const bool more = quick && !did_not_run && !is_wrong(*job.lab, results.front());
    publish({std::move(results.front()), quick && !did_not_run, more}, cancellation);
    if (!more) return;
  }
}

void Grading::publish(Step step, const kernels::Cancellation& cancellation) {
  const std::lock_guard lock{lock_};
  if (cancellation.cancelled()) return;
  finished_ = !step.more;
  steps_.push_back(std::move(step));
  const std::uint64_t one = 1;
  static_cast<void>(!write(event_, &one, sizeof one));
}

bool Grading::finished() const {
  const std::lock_guard lock{lock_};
  return finished_;
}

std::optional<Grading::Step> Grading::take() {
  const std::lock_guard lock{lock_};
  std::uint64_t count = 0;
  static_cast<void>(!::read(event_, &count, sizeof count));
  if (steps_.empty()) return std::nullopt;
  Step step = std::move(steps_.front());
  steps_.pop_front();
  if (!steps_.empty()) {
    const std::uint64_t one = 1;
    static_cast<void>(!write(event_, &one, sizeof one));
  }
  return step;
}

}  // namespace histolab::grader
