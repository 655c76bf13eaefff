// Grading: a kernel graded beside the loop that watches the keyboard, in two steps: the quick cases
// first, and all of them if the quick ones are right.
//
// What was graded comes back as values, in order, to be taken when the descriptor is readable.
// begin() ends what still runs: its processes are killed, its results are thrown away.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "grader/pipeline/pipeline.h"
#include "grader/watch/compile_once.h"
#include "kernels/cancellation.h"

namespace histolab::grader {

class Grading {
 public:
  struct Step {
    LabResult result;
    bool quick = false;  // only the quick cases were run
    bool more = false;   // another step follows
  };
  // A device whose work ends when the cancellation is thrown.
  using MakeDevice = std::function<std::unique_ptr<kernels::Device>(const kernels::Cancellation&)>;

  // `options`: of the complete step; the borrowed values in it stay as long as this.
  Grading(MakeDevice make_device, GradeOptions options);
  ~Grading();
  Grading(const Grading&) = delete;
  Grading& operator=(const Grading&) = delete;

  // `job.lab` stays until the next begin() or end().
  void begin(const GradeJob& job);
  void end();
  [[nodiscard]] bool running() const { return worker_.joinable() && !finished(); }

  [[nodiscard]] int descriptor() const { return event_; }
  [[nodiscard]] std::optional<Step> take();

 private:
  void work(const GradeJob& job, const kernels::Cancellation& cancellation);
  void publish(Step step, const kernels::Cancellation& cancellation);
  [[nodiscard]] bool finished() const;

  MakeDevice make_device_;
  GradeOptions options_;
  CompiledSources known_;
  int event_;
  std::unique_ptr<kernels::Cancellation> cancellation_;
  std::thread worker_;
  mutable std::mutex lock_;
  std::deque<Step> steps_;
  bool finished_ = true;
};

}  // namespace histolab::grader
