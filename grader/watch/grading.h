// GradingQueue: grades saves on a few threads of its own, fairly. A save has two steps: the quick
// cases, then all cases if the quick ones are correct.
//
// For each student and lab, only the newest save is graded: it ends an older one that waits or
// runs. The order of the others is FairOrder's. If the machine fails, a step is repeated before the
// failure is reported.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "grader/pipeline/pipeline.h"
#include "grader/watch/compile_once.h"
#include "grader/watch/fair_order.h"
#include "kernels/cancellation.h"

namespace histolab::grader {

// A step of a grading.
struct GradingStep {
  LabResult result;
  bool quick = false;  // only the quick cases were run
  bool more = false;   // another step follows
};
// The save waits for this many steps of others.
struct GradingWaits {
  std::size_t ahead = 0;
};
// A newer save of the same student and lab has ended this grading.
struct GradingSuperseded {};
using GradingNews = std::variant<GradingWaits, GradingStep, GradingSuperseded>;

class GradingQueue {
 public:
  // Makes a device that stops its work when the cancellation is requested.
  using MakeDevice = std::function<std::unique_ptr<kernels::Device>(const kernels::Cancellation&)>;
  // Called from any thread, but for one save never concurrently, and never after end().
  using OnNews = std::function<void(const GradingNews&)>;

  // `options` are for the complete step. The values borrowed in it must outlive this object.
  GradingQueue(MakeDevice make_device, GradeOptions options, unsigned threads);
  // Ends all gradings.
  ~GradingQueue();
  GradingQueue(const GradingQueue&) = delete;
  GradingQueue& operator=(const GradingQueue&) = delete;

  // `job.lab` must outlive this object. The last news of a save is a step without another one, or
  // that it was superseded, or none if end() ended it.
  void add(const std::string& student, const GradeJob& job, OnNews on_news);
  // Ends the student's gradings. There is no more news about them.
  void end(const std::string& student);

 private:
  struct Save;
  using Saves = std::map<FairOrder::Number, std::shared_ptr<Save>>;
  void work();
  [[nodiscard]] GradingStep step_of(const Save& save);
  // Takes the student's saves, of one lab or of all, out of the queue.
  [[nodiscard]] std::vector<std::shared_ptr<Save>> take_out(const std::string& student,
                                                            const LabSpec* lab);

  MakeDevice make_device_;
  GradeOptions options_;
  CompiledSources known_;
  std::mutex lock_;  // protects the members below
  std::condition_variable changed_;
  FairOrder order_;
  Saves saves_;  // waiting or running
  FairOrder::Number last_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace histolab::grader
