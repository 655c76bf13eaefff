#include "kernels/gpu/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>

#include "kernels/gpu/guarded_buffer.h"
#include "kernels/gpu/loaded_kernel.h"
#include "kernels/gpu/mapped_file.h"
#include "kernels/gpu/nvml.h"
#include "kernels/gpu/read_flush.h"
#include "kernels/gpu/watchdog.h"
#include "kernels/gpu/watched_launch.h"
#include "reference/statistics.h"

namespace histolab::kernels::gpu {
namespace {

using Clock = std::chrono::steady_clock;

double ms_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

constexpr int samples_alone = 9;
constexpr std::size_t fewest_samples = 3;  // for kernels that are too slow for more

// The host's time may exceed the events' time by this much, because of queueing, waiting
// and a busy host.
double slack_ms(double host_ms) { return 0.2 + 0.1 * host_ms; }

struct TooLate {};  // a launch exceeded its time limit

struct Sample {
  double event_ms = 0;
  double host_ms = 0;  // the host's time for flush and kernel, minus the time of the flush
};

class Stopwatch {
 public:
  explicit Stopwatch(const Request& request)
      : request_(request),
        harness_(request.harness.descriptor, request.harness.bytes),
        work_(request.inputs.at(0).bytes),
        output_(request.output_bytes),
        flush_(harness_.bytes(), use_gpu(request.gpu)),
        clocks_(request.gpu) {
    for (const KernelImage& image : request.kernels)
      cubins_.emplace_back(image.cubin.descriptor, image.cubin.bytes);
    for (const Blob& blob : request.inputs) {
      const MappedFile file(blob.descriptor, blob.bytes);
      inputs_.emplace_back(blob.bytes);
      check(cudaMemcpy(inputs_.back().as(), file.bytes().data(), file.bytes().size(),
                       cudaMemcpyHostToDevice),
            "copy data to the GPU");
    }
    for (const KernelImage& image : request.kernels) {
      auto& values = values_.emplace_back();
      for (const GpuArgument& each : image.arguments) {
        const bool is_word = each.kind == Argument::Kind::word;
        values.push_back(is_word ? static_cast<void*>(const_cast<std::uint32_t*>(&each.word))
                                 : static_cast<void*>(each.kind == Argument::Kind::input
                                                          ? &input_pointer_
                                                          : &output_pointer_));
      }
    }
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
    measure_flush();
  }

  // Makes a trial launch, which always ends. Returns nullopt if the kernel completed.
  std::optional<BadEnd> try_out(std::size_t number) {
    prepare(request_.samples.back());  // no round uses this sample
    auto kernel =
        std::make_unique<LoadedKernel>(cubins_[number].bytes(), request_.kernels[number].symbol,
                                       request_.kernels[number].is_cooperative);
    std::optional<BadEnd> bad = launch_watched(*kernel, request_.kernels[number], values_[number],
                                               stream_, harness_.bytes(), limit_);
    if (bad && bad->still_running) static_cast<void>(kernel.release());  // unloading would wait
    return bad;
  }

  Sample sample(std::size_t number, const TimingPlan::Sample& data) {
    prepare(data);
    auto kernel =
        std::make_unique<LoadedKernel>(cubins_[number].bytes(), request_.kernels[number].symbol,
                                       request_.kernels[number].is_cooperative);
    check(cudaDeviceSynchronize(), "prepare a sample");
    const auto host_begin = Clock::now();
    flush_(stream_);
    begin_.record(stream_);
    check(kernel->launch(request_.kernels[number].config, values_[number], stream_),
          "launch the kernel");
    end_.record(stream_);
    if (!wait_for(end_.handle(), limit_)) {  // without a watchdog, which would occupy an SM
      static_cast<void>(kernel.release());   // unloading would wait for the kernel
      throw TooLate();
    }
    const double host_ms = ms_between(host_begin, Clock::now());
    clocks_.look();
    const int mhz = clocks_.sm_clock_mhz();
    if (mhz > 0) clock_samples_.push_back(mhz);
    return {end_.ms_since(begin_), std::max(0.0, host_ms - flush_ms_)};
  }

  void output_to(std::span<std::uint8_t> where) const {
    check(cudaMemcpy(where.data(), output_pointer_, where.size(), cudaMemcpyDeviceToHost),
          "read the result");
  }
  [[nodiscard]] bool guards_intact() const {
    return output_.guards_intact() && work_.guards_intact();
  }
  [[nodiscard]] int sm_clock_mhz() const {
    return static_cast<int>(reference::median(clock_samples_));
  }
  [[nodiscard]] std::string throttled_by() const { return clocks_.throttled_by(); }

 private:
  void prepare(const TimingPlan::Sample& data) {
    const DeviceMemory& original = inputs_.at(data.input);
    work_.poison_all(stream_);
    check(cudaMemcpyAsync(input_pointer_, original.as(), original.bytes(), cudaMemcpyDeviceToDevice,
                          stream_),
          "copy the input");
    for (const auto& change : data.changes)
      if (change.at < original.bytes())
        check(cudaMemsetAsync(input_pointer_ + change.at, change.byte, 1, stream_),
              "change the input");
    output_.poison_all(stream_);
    check(cudaMemsetAsync(output_pointer_, 0, output_.bytes(), stream_), "zero the output");
    check(cudaStreamSynchronize(stream_), "prepare the data");
  }

  // Uses the host's clock. Must be called before a student's code is on the GPU.
  void measure_flush() {
    std::vector<double> samples;
    for (int i = 0; i < samples_alone; ++i) {
      const auto host_begin = Clock::now();
      flush_(stream_);
      end_.record(stream_);
      end_.wait();
      samples.push_back(ms_between(host_begin, Clock::now()));
    }
    flush_ms_ = reference::median(samples);
  }

  const Request& request_;
  std::chrono::milliseconds limit_{request_.limit_ms};
  MappedFile harness_;
  std::vector<MappedFile> cubins_;
  std::vector<DeviceMemory> inputs_;
  GuardedBuffer work_, output_;
  std::uint8_t *input_pointer_ = work_.data(), *output_pointer_ = output_.data();
  ReadFlush flush_;
  Event begin_, end_;
  cudaStream_t stream_ = nullptr;
  ClockWatch clocks_;
  std::vector<std::vector<void*>> values_;  // arguments, per kernel
  std::vector<double> clock_samples_;
  double flush_ms_ = 0;
};

// The samples of one kernel so far.
struct Record {
  std::vector<double> event_ms, host_ms;
  std::size_t doubtful = 0;  // samples in which the two clocks disagreed

  void add(const Sample& sample) {
    event_ms.push_back(sample.event_ms);
    host_ms.push_back(sample.host_ms);
    if (sample.host_ms - sample.event_ms > slack_ms(sample.host_ms)) ++doubtful;
  }
  // Returns true if the clocks disagree in more than one sample of ten. Fewer may be
  // delays of the host.
  [[nodiscard]] bool by_host_clock() const { return doubtful * 10 > event_ms.size(); }
  [[nodiscard]] const std::vector<double>& samples() const {
    return by_host_clock() ? host_ms : event_ms;
  }
};

void tell(const BadEnd& bad, TimedKernel& result) {
  result.ending = bad.ending;
  result.ending_detail = bad.detail;
  if (bad.finding) result.findings.push_back(*bad.finding);
}

}  // namespace

std::vector<TimedKernel> time_kernels(const Request& request) {
  // Never destroyed: freeing memory would wait for a kernel that still runs. The process ends soon.
  Stopwatch& watch = *new Stopwatch(request);
  const std::size_t kernels = request.kernels.size();
  std::vector<TimedKernel> results(kernels);
  std::vector<Record> records(kernels);
  std::vector<MappedFile> outputs;
  for (const Blob& blob : request.outputs)
    outputs.emplace_back(blob.descriptor, blob.bytes, MappedFile::Access::write);

  // First time the rivals alone.
  for (std::size_t k = kernels; k-- > 0;) {
    if (const std::optional<BadEnd> bad = watch.try_out(k)) {
      tell(*bad, results[k]);
      return results;
    }
    if (k == 0) break;
    std::vector<double> alone;
    for (int i = 0; i < samples_alone; ++i)
      alone.push_back(
          watch.sample(k, request.samples[static_cast<std::size_t>(i) % request.samples.size()])
              .event_ms);
    results[k].timing.alone_ms = reference::median(alone);
  }

  const auto begin = Clock::now();
  std::size_t current = 0;
  try {
    for (std::size_t round = 0; round + 1 < request.samples.size(); ++round) {
      for (current = 0; current < kernels; ++current) {
        records[current].add(watch.sample(current, request.samples[round]));
        watch.output_to(outputs.at(current).bytes().subspan(round * request.output_bytes,
                                                            request.output_bytes));
        if (!watch.guards_intact()) {
          Finding strayed;
          strayed.kind = FindingKind::out_of_bounds;
          strayed.space = Space::global;
          strayed.message =
              "the kernel wrote before the start or beyond the end of a buffer; the emulator "
              "reports the line";
          results[current].findings.push_back(std::move(strayed));
        }
      }
      const bool spent = ms_between(begin, Clock::now()) > static_cast<double>(request.budget_ms);
      if (round + 1 < (spent ? fewest_samples : request.least_samples)) continue;
      const bool known = std::all_of(records.begin(), records.end(), [&](const Record& record) {
        return reference::relative_spread(reference::median_interval(record.samples())) <=
               request.wanted_spread;
      });
      if (known || spent) break;
    }
  } catch (const TooLate&) {
    tell(too_late(std::chrono::milliseconds(request.limit_ms), true), results[current]);
  } catch (const CudaError& error) {
    tell(bad_end_of(error), results[current]);
  }
  for (std::size_t k = 0; k < kernels; ++k) {
    Timing& timing = results[k].timing;
    const reference::MedianInterval interval = reference::median_interval(records[k].samples());
    timing.median_ms = interval.median;
    timing.low_ms = interval.low;
    timing.high_ms = interval.high;
    timing.samples_ms = records[k].samples();
    timing.by_host_clock = records[k].by_host_clock();
    timing.sm_clock_mhz = watch.sm_clock_mhz();
    timing.throttled_by = watch.throttled_by();
  }
  return results;
}

}  // namespace histolab::kernels::gpu
