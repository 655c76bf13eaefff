// Loaders of the messages between worker and grader. A student's kernel may run in the worker.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "grader/stream/read_so_far.h"
#include "kernels/gpu/protocol.h"
#include "kernels/live.h"
#include "kernels/worker/protocol/protocol.h"
#include "tools/loader_fuzzers/loaders.h"
#include "tools/loader_fuzzers/taking.h"

namespace histolab::fuzzing {
namespace {

namespace worker = kernels::worker;
namespace gpu = kernels::gpu;

kernels::Finding a_race() {
  kernels::Finding race;
  race.kind = kernels::FindingKind::data_race;
  race.space = kernels::Space::shared;
  race.variable = "private_histo";
  race.index = 3;
  race.line = 12;
  race.other_line = 15;
  race.count = 7;
  race.message = "both update it";
  race.thread = kernels::ThreadId{{1, 0, 0}, {4, 5, 6}}, race.other_thread = kernels::ThreadId{};
  return race;
}

void worker_request(std::string_view bytes) {
  round_trip(
      worker::request_from(bytes),
      [](const worker::Request& value) { return worker::to_text(value); }, worker::request_from);
}

std::vector<std::string> worker_requests() {
  worker::Request request;
  request.signatures = {
      {"histogram",
       {kernels::KernelSignature::Parameter::pointer, kernels::KernelSignature::Parameter::word},
       "__global__ void histogram(...)",
       {"coarsening_factor"}}};
  request.launch = true;
  request.config = {{3, 2, 1}, {256, 1, 1}, 28};
  request.launches = {{{kernels::Argument::Kind::input, "data", 1, 1000, 5, 0},
                       {kernels::Argument::Kind::word, "length", 4, 0, -1, 1000}},
                      {}};
  request.wide_accesses = {{12, 8}};
  return {worker::to_text(request)};
}

void worker_answer(std::string_view bytes) {
  round_trip(
      worker::answer_from(bytes),
      [](const worker::Answer& value) { return worker::to_text(value); }, worker::answer_from);
}

std::vector<std::string> worker_answers() {
  worker::Answer answer;
  auto& module = answer.modules.emplace_back();
  module.diagnostics = {{kernels::Severity::error, 3, 7, "no `histogram` \"here\"\n"}};
  module.exports = {{"coarsening_factor", 8}};
  module.variables = {{"total", 4}};
  auto& observation = answer.observations.emplace_back();
  observation.ending = kernels::Ending::stopped;
  observation.ending_detail = "step limit";
  observation.printed = "line\n\ttab";
  observation.findings = {a_race()};
  observation.lines.resize(1);
  observation.lines[0].line = 17, observation.lines[0].counters.shared_load = {1, 2, 3, 4, 5};
  observation.pressure = {{"private_histo", true, 8, 100, 3, 1, {{4, 60}, {0, 20}}}};
  observation.accesses = {{7,
                           31,
                           12,
                           kernels::Operation::compare_and_swap,
                           kernels::Space::shared,
                           "private_histo",
                           4,
                           0b1010,
                           {},
                           128,
                           0,
                           2,
                           1}};
  observation.steps = {
      {1, 3, 12, kernels::Operation::store, kernels::Space::global, "histo", 2, 8, 255, 0}};
  return {worker::to_text(answer)};
}

void gpu_request(std::string_view bytes) {
  round_trip(
      gpu::request_from(bytes), [](const gpu::Request& value) { return gpu::to_text(value); },
      gpu::request_from);
}

std::vector<std::string> gpu_requests() {
  gpu::Request request;
  request.what = gpu::Request::What::time;
  gpu::KernelImage& image = request.kernels.emplace_back();
  image.cubin = {7, 100}, image.symbol = "_Z9histogramPKcjPj", image.config.grid = {4, 2, 1};
  image.arguments = {{kernels::Argument::Kind::word, "length", {}, 77}};
  request.launches = {{{kernels::Argument::Kind::input, "data", {8, 10}, 0}}};
  request.inputs = {{9, 10}}, request.outputs = {{10, 28}};
  request.samples = {{1, {{5, 255}}}, {0, {}}};
  return {gpu::to_text(request)};
}

void gpu_answer(std::string_view bytes) {
  round_trip(
      gpu::answer_from(bytes), [](const gpu::Answer& value) { return gpu::to_text(value); },
      gpu::answer_from);
}

std::vector<std::string> gpu_answers() {
  gpu::Answer answer;
  answer.gpus = {{"NVIDIA H200", "580.159.04", 90, 132}};
  answer.diagnostics = {{kernels::Severity::error, 3, 0, "unused"}};
  answer.resources = {{.symbol = "_Z1fv", .registers = 16, .shared_bytes = 28, .stack_bytes = 8}};
  answer.contents = {{"_Z1fv"}, {{"factor", 16}}, true};
  auto& observation = answer.observations.emplace_back();
  observation.findings = {a_race()}, observation.printed = "text";
  auto& timed = answer.timed.emplace_back();
  timed.timing = {.median_ms = 2,
                  .low_ms = 1,
                  .high_ms = 3,
                  .samples_ms = {1, 2, 3},
                  .alone_ms = 4,
                  .sm_clock_mhz = 1980,
                  .throttled_by = "power cap",
                  .by_host_clock = true};
  return {gpu::to_text(answer)};
}

// Memory that a launch shares with its observer and can write freely.
void live_page(std::string_view bytes) {
  const int descriptor = memfd_create("live page", MFD_CLOEXEC);
  if (descriptor < 0 ||
      write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  const auto live = kernels::Live::of_descriptor(descriptor);
  if (!live) return;
  static_cast<void>(live->progress());
  static_cast<void>(live->held_back());
  static const std::vector<std::uint8_t> data(1000, 'a');
  grader::ReadSoFar read(data, reference::Binning{});
  read.update(live->bytes_read());
  if (read.elements() > data.size()) std::abort();
}

std::vector<std::string> live_pages() { return {std::string(64, '\0') + std::string(128, '\x55')}; }

}  // namespace

std::vector<Loader> launch_loaders() {
  return {
      {"worker_request", worker_request, {}, worker_requests},
      {"worker_answer", worker_answer, {}, worker_answers},
      {"gpu_request", gpu_request, {}, gpu_requests},
      {"gpu_answer", gpu_answer, {}, gpu_answers},
      {"live_page", live_page, {}, live_pages},
  };
}

}  // namespace histolab::fuzzing
