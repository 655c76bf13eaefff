// Grading: grades a kernel on another thread than the one that watches the keyboard. It has two
// steps: the quick cases, then all cases if the quick ones are correct.
//
// Results are values, in order; take them when the descriptor is readable. begin() and end() stop a
// running grading: its processes are killed and its results discarded.
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
  // Makes a device that stops its work when the cancellation is requested.
  using MakeDevice = std::function<std::unique_ptr<kernels::Device>(const kernels::Cancellation&)>;

  // `options` are for the complete step. The values borrowed in it must outlive this object.
  Grading(MakeDevice make_device, GradeOptions options);
  ~Grading();
  Grading(const Grading&) = delete;
  Grading& operator=(const Grading&) = delete;

  // `job.lab` must stay valid until the next begin() or end().
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
