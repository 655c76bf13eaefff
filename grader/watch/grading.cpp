#include "grader/watch/grading.h"

#include <algorithm>
#include <utility>

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

struct GradingQueue::Save {
  Save(std::string whose, GradeJob what, OnNews how)
      : student(std::move(whose)), job(std::move(what)), on_news(std::move(how)) {}

  std::string student;
  GradeJob job;
  OnNews on_news;
  bool quick = true;  // its next step
  kernels::Cancellation cancellation;
  std::mutex reporting;
  bool is_ended = false;  // protected by `reporting`: there is no more news

  void say(const GradingNews& news, bool is_last = false) {
    const std::lock_guard lock{reporting};
    if (!is_ended) on_news(news);
    is_ended |= is_last;
  }
  void end() {
    cancellation.cancel();
    const std::lock_guard lock{reporting};
    is_ended = true;
  }
};

GradingQueue::GradingQueue(MakeDevice make_device, GradeOptions options, unsigned threads)
    : make_device_(std::move(make_device)), options_(std::move(options)) {
  const std::lock_guard lock{lock_};
  for (unsigned i = 0; i < std::max(1u, threads); ++i) threads_.emplace_back([this] { work(); });
}

GradingQueue::~GradingQueue() {
  Saves saves;
  {
    const std::lock_guard lock{lock_};
    ending_ = true;
    saves.swap(saves_);
  }
  for (const auto& [number, save] : saves) save->end();
  changed_.notify_all();
  for (std::thread& each : threads_) each.join();
}

std::vector<std::shared_ptr<GradingQueue::Save>> GradingQueue::take_out(const std::string& student,
                                                                        const LabSpec* lab) {
  std::vector<std::shared_ptr<Save>> taken;
  std::erase_if(saves_, [&](const auto& each) {
    const auto& [number, save] = each;
    if (save->student != student || (lab != nullptr && save->job.lab != lab)) return false;
    order_.remove(number);
    taken.push_back(save);
    return true;
  });
  return taken;
}

void GradingQueue::add(const std::string& student, const GradeJob& job, OnNews on_news) {
  const auto save = std::make_shared<Save>(student, job, std::move(on_news));
  std::vector<std::shared_ptr<Save>> older;
  {
    const std::lock_guard before_its_steps{save->reporting};
    std::unique_lock lock{lock_};
    older = take_out(student, job.lab);
    saves_[++last_] = save;
    order_.add(last_, student, true);
    const std::size_t ahead = order_.ahead_of(last_);
    const bool waits = order_.running() + ahead >= threads_.size();
    lock.unlock();
    if (waits) save->on_news(GradingWaits{ahead});
  }
  changed_.notify_all();
  for (const std::shared_ptr<Save>& each : older) {
    each->cancellation.cancel();
    each->say(GradingSuperseded{}, true);
  }
}

void GradingQueue::end(const std::string& student) {
  std::vector<std::shared_ptr<Save>> ended;
  {
    const std::lock_guard lock{lock_};
    ended = take_out(student, nullptr);
  }
  for (const std::shared_ptr<Save>& each : ended) each->end();
}

void GradingQueue::work() {
  std::unique_lock lock{lock_};
  while (!ending_) {
    const std::optional<FairOrder::Number> number = order_.take();
    if (!number) {
      changed_.wait(lock);
      continue;
    }
    const std::shared_ptr<Save> save = saves_.at(*number);
    lock.unlock();
    const GradingStep step = step_of(*save);
    if (!save->cancellation.cancelled()) save->say(step, !step.more);
    lock.lock();
    order_.finished(*number);
    if (saves_.contains(*number)) {
      save->quick = false;
      if (step.more)
        order_.add(*number, save->student, false);
      else
        saves_.erase(*number);
    }
    changed_.notify_all();  // the student's next save may run
  }
}

GradingStep GradingQueue::step_of(const Save& save) {
  const std::unique_ptr<kernels::Device> device = make_device_(save.cancellation);
  CompileOnce once{*device, known_};
  GradeOptions options = options_;
  options.quick = save.quick;
  options.compares = !save.quick;
  constexpr int most_tries = 3;
  LabResult result;
  for (int i = 0; i < most_tries; ++i) {
    result = std::move(grade_labs(once, {save.job}, options).front());
    if (result.status != Verdict::infrastructure_error || save.cancellation.cancelled()) break;
  }
  // The other cases add nothing if the kernel did not run or this machine cannot run it.
  const Verdict status = result.status;
  const bool did_not_run = status == Verdict::compile_error || status == Verdict::refused ||
                           status == Verdict::infrastructure_error;
  const bool more = save.quick && !did_not_run && !is_wrong(*save.job.lab, result);
  return {std::move(result), save.quick && !did_not_run, more};
}

}  // namespace histolab::grader
