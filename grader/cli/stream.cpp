#include "grader/cli/stream.h"

#include <mutex>

#include "grader/cli/signals.h"
#include "grader/cli/stream_input.h"
#include "grader/cli/stream_watch.h"
#include "grader/files/write_file.h"
#include "reference/histogram.h"
#include "reference/splitmix64.h"

namespace histolab::cli {

void put_events(const std::string& lines) {
  static std::mutex one_at_a_time;
  wait_if_interrupted();
  const std::lock_guard lock{one_at_a_time};
  const Status written = grader::write_file("-", lines);
  if (written) return;
  if (reader_is_gone()) end_now(done);
  complain(written.error());
  end_now(cannot);
}

int fail_stream(const Error& error, int code) {
  put_events(grader::error_line(error.message));
  complain(error);
  return code;
}

namespace {

// Makes one launch that is watched, and prints its events except begin, result and end.
Result<grader::RunReport> launch_watched(const Context& context, const PreparedLaunch& prepared,
                                         const grader::RunReport& plan,
                                         const std::vector<grader::Bytes>& inputs,
                                         std::uint64_t run, std::uint32_t accesses,
                                         StreamWatch& watch) {
  kernels::Live live = TRY(kernels::Live::for_input(inputs.front().size()));
  grader::StreamProgress last;
  grader::Onlooker onlooker;
  onlooker.live = &live;
  onlooker.recorded_accesses = accesses;
  onlooker.begins = [&](const grader::LaunchBuffers& buffers) {
    watch.launch_begins({run, plan.result.grid, &live,
                         grader::ReadSoFar(inputs.front(), plan.result.binning), &buffers});
  };
  onlooker.ended = [&] { last = watch.launch_ended(); };
  grader::RunReport report = TRY(launch(context, prepared, plan, inputs, &onlooker));
  last.histogram = report.result.runs.front().histogram;
  put_events(grader::progress_line(last) + grader::access_lines(run, report.result.accesses));
  return report;
}

}  // namespace

int stream(const Context& context, const LaunchFlags& flags, const grader::LabSpec& lab,
           const StreamFlags& how) {
  StreamWatch watch(
      [](const grader::StreamProgress& progress) { put_events(grader::progress_line(progress)); });
  const StreamInput input(watch, how.control);
  Result<LaunchData> data = load_data(lab, flags);
  if (!data) return fail_stream(data.error());
  const Result<PreparedLaunch> prepared = prepare_launch(context, flags, lab);
  if (!prepared) return fail_stream(prepared.error());
  if (!prepared->unfit.empty()) return fail_stream({prepared->unfit}, not_passed);
  const bool on_gpu = prepared->machine.gpu != nullptr;
  if (how.accesses > 0 && (on_gpu || !prepared->observers.traffic))
    return fail_stream({accesses_need_traffic});

  int code = done;
  for (std::uint64_t run = 1; how.repeat == 0 || run <= how.repeat; ++run) {
    const std::uint64_t seed = (flags.seed + run - 1) % (reference::max_seed + 1);
    if (run > 1) {
      LaunchFlags next = flags;
      next.seed = seed;
      data = load_data(lab, next);
    }
    if (!data) return fail_stream(data.error());
    const grader::RunReport plan = plan_launch(*prepared, data->name, data->length, seed);
    const std::vector<grader::Bytes> inputs = {std::move(data->bytes)};
    put_events(grader::begin_line(
        {run, prepared->lab, plan, prepared->kernel.text, prepared->exports,
         reference::expected(prepared->lab.kernels[plan.result.kernel].task, inputs.front(),
                             plan.result.binning, plan.result.block)}));
    Result<grader::RunReport> report =
        !plan.compiled ? Result<grader::RunReport>(plan)
        : on_gpu       ? launch(context, *prepared, plan, inputs)
                       : launch_watched(context, *prepared, plan, inputs, run, how.accesses, watch);
    if (!report) return fail_stream(report.error());
    put_events(grader::result_line(run, *report) + grader::end_line(run));
    if (!has_ended(*report)) code = not_passed;
    if (!plan.compiled) break;
  }
  return code;
}

}  // namespace histolab::cli
