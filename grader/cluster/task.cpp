#include "grader/cluster/task.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "grader/files/sha256.h"
#include "grader/pipeline/measured.h"
#include "reference/parallel.h"
#include "reference/seconds_since.h"

namespace histolab::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using batch::lab_called;
using grader::LabResult;
using grader::Verdict;

constexpr auto between_parts = std::chrono::seconds{5};

// Judges items with the whole pipeline.
class Judging {
 public:
  Judging(batch::Engine& engine, PartWriter& writer)
      : engine_(engine), writer_(writer), stages_(engine.device, engine.grading) {}

  Status judge(const Item& item) {
    TRY(writer_.write_pending());
    const auto begin = Clock::now();
    std::optional<grader::Measured> measured;
    if (!item.measured.empty())
      measured = TRY(grader::measured_from_json(item.measured, "the times of " + item.lab));
    const grader::Measured* times = measured ? &*measured : nullptr;
    const LabResult graded =
        TRY(item.solution
                ? batch::grade_solution(engine_, stages_, lab_called(engine_, item.lab), times)
                : batch::grade_work(engine_, stages_, item.lab, item.work, times));
    if (engine_.stopped()) return Done{};
    if (!has_mark(graded.status) && item.work.problem.empty()) TRY(check_machine(item, graded));
    return writer_.add({item.grading, batch::outcome_of(graded, engine_.device.kind(),
                                                        reference::seconds_since(begin))});
  }

 private:
  // Grades the lab's own solution. Returns an Error if that fails; otherwise only the submission is
  // to blame.
  Status check_machine(const Item& item, const LabResult& failed) {
    const LabResult solution =
        TRY(item.solution
                ? Result<LabResult>{failed}
                : batch::grade_solution(engine_, stages_, lab_called(engine_, item.lab), nullptr));
    if (has_mark(solution.status)) return Done{};
    return Error{solution.message};
  }

  batch::Engine& engine_;
  PartWriter& writer_;
  grader::SolutionStages stages_;
};

Status measure_items(const Chunk& chunk, TaskEngine& engine, PartWriter& writer) {
  grader::TimedStage stage{*engine.gpu, engine.batch.grading.seed};
  for (const Item& item : chunk.items) {
    if (engine.batch.stopped()) return Done{};
    TRY(writer.write_pending());
    const auto begin = Clock::now();
    const grader::LabSpec& lab = lab_called(engine.batch, item.lab);
    Found found{item.grading, {}};
    std::optional<grader::Submission> submission;
    if (item.solution) {
      submission = TRY(grader::read_submission(lab.solution_path()));
    } else if (item.work.kernel && item.work.kernel->size() <= lab.source_limit) {
      submission = grader::Submission{"", *item.work.kernel, grader::sha256(*item.work.kernel)};
    }
    if (submission) {
      submission->path = lab.name + ".cu";
      const grader::Measured measured =
          TRY(grader::measure(engine.batch.device, *engine.gpu, stage, lab, *submission));
      found.measured = grader::to_json(measured);
    }
    found.outcome.seconds = reference::seconds_since(begin);
    TRY(writer.add(std::move(found)));
  }
  return Done{};
}

// Judges on `jobs` threads.
Status judge_some(const std::vector<const Item*>& items, batch::Engine& engine,
                  PartWriter& writer) {
  Judging judging{engine, writer};
  std::mutex failing;
  std::optional<Error> failed;
  std::atomic<bool> ended = false;
  reference::parallel_for(items.size(), engine.grading.jobs, [&](std::size_t i) {
    if (ended || engine.stopped()) return;
    const Status judged = judging.judge(*items[i]);
    if (judged) return;
    const std::lock_guard lock{failing};
    if (!failed) failed = judged.error();
    ended = true;
  });
  return failed ? Status{*failed} : Status{Done{}};
}

// Judges the items of each kind of GPU separately, because the solutions for comparison are
// launched with that GPU's number of multiprocessors.
Status judge_items(const Chunk& chunk, batch::Engine& engine, PartWriter& writer) {
  std::map<std::uint32_t, std::vector<const Item*>> by_multiprocessors;
  for (const Item& item : chunk.items) {
    std::uint32_t multiprocessors = 0;
    if (!item.measured.empty()) {
      const grader::Measured measured =
          TRY(grader::measured_from_json(item.measured, "the times of " + item.lab));
      multiprocessors = measured.multiprocessors;
    } else if (chunk.phase == Phase::judge &&
               (item.solution ||
                (item.work.kernel &&
                 item.work.kernel->size() <= lab_called(engine, item.lab).source_limit))) {
      return Error{"a submission to " + item.lab + " has no times yet and cannot be judged"};
    }
    by_multiprocessors[multiprocessors].push_back(&item);
  }
  for (const auto& [multiprocessors, items] : by_multiprocessors) {
    engine.grading.multiprocessors = multiprocessors;
    TRY(judge_some(items, engine, writer));
  }
  return Done{};
}

}  // namespace

PartWriter::PartWriter(const Spool& spool, Part blank, Clock::time_point begun)
    : spool_(spool),
      part_(std::move(blank)),
      unique_(fmt::format("{}-{}-{:x}", part_.node.name, getpid(),
                          std::chrono::system_clock::now().time_since_epoch().count())),
      begun_(begun),
      last_(Clock::now()) {
  part_.seconds_to_begin = reference::seconds_since(begun);
}

Status PartWriter::write() {
  part_.seconds = reference::seconds_since(begun_);
  const auto begin = Clock::now();
  while (true) {
    Status written = spool_.put(part_, fmt::format("{}-{}", unique_, written_));
    if (written) break;
    failed_ = spool_.is_gone() || Clock::now() - begin > patience;
    if (failed_)
      return spool_.is_gone() ? Status{Error{"the batch has ended: its folder is gone"}} : written;
    std::this_thread::sleep_for(pause);
  }
  ++written_;
  last_ = Clock::now();
  part_.found.clear();
  return Done{};
}

Status PartWriter::add(Found found) {
  const std::lock_guard lock{lock_};
  part_.found.push_back(std::move(found));
  return Clock::now() - last_ < between_parts ? Status{Done{}} : write();
}

Status PartWriter::write_pending() {
  const std::lock_guard lock{lock_};
  return part_.found.empty() || Clock::now() - last_ < between_parts ? Status{Done{}} : write();
}

Status PartWriter::finish() {
  const std::lock_guard lock{lock_};
  part_.complete = true;
  return write();
}

Status PartWriter::give_up(const std::string& why) {
  const std::lock_guard lock{lock_};
  if (failed_) return Error{why};
  part_.failure = why;
  return write();
}

Status run_chunk(const Chunk& chunk, TaskEngine& engine, PartWriter& writer) {
  const Status graded = chunk.phase == Phase::measure ? measure_items(chunk, engine, writer)
                                                      : judge_items(chunk, engine.batch, writer);
  if (!graded) {
    const Status reported = writer.give_up(graded.error().message);
    return reported ? graded : reported;
  }
  return engine.batch.stopped() ? Status{Done{}} : writer.finish();
}

Result<std::string> hash_of_files(const std::vector<std::string>& files) {
  std::string hashes;
  for (const std::string& path : files) {
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (!file) return Error{fmt::format("{}: cannot be read", path)};
    hashes +=
        grader::sha256(std::filesystem::path{path}.filename().string()) + grader::sha256(bytes);
  }
  return grader::sha256(hashes);
}

}  // namespace histolab::cluster
