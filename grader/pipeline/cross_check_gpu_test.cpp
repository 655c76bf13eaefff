// The emulator and a GPU must agree on every dataset, for every solution and every right attempt of
// every lab.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "datasets/datasets.h"
#include "grader/lab/catalogue.h"
#include "grader/lab/submission.h"
#include "grader/pipeline/case_run.h"
#include "kernels/gpu/gpu.h"
#include "kernels/worker/client.h"

using namespace histolab;
using namespace histolab::grader;

namespace {

// Kernels of a lab without checks of time may wait for each other for long. For them, the length of
// the longest case is enough.
std::uint64_t length_for(const LabSpec& lab, std::size_t kernel) {
  if (!lab.timed.empty()) return 100003;
  std::uint64_t longest = 0;
  for (const CaseSpec& each : lab.cases)
    if (each.kernel == kernel) longest = std::max(longest, each.length);
  return longest;
}

std::vector<std::string> right_kernels(const LabSpec& lab) {
  std::vector<std::string> paths = {lab.solution_path()};
  for (const auto& entry : std::filesystem::directory_iterator(lab.directory + "/attempts"))
    if (entry.path().filename().string().starts_with("right-"))
      paths.push_back((entry.path() / "kernel.cu").string());
  return paths;
}

// Returns one histogram per dataset. All launches run in one process.
std::vector<LaunchResult> histograms(kernels::Device& device, const LabSpec& lab,
                                     const std::string& path, std::size_t kernel,
                                     std::uint64_t length, const std::vector<Bytes>& inputs) {
  const Result<Submission> source = read_submission(path);
  REQUIRE(source.ok());
  const Result<kernels::Compiled> compiled =
      device.compile({path, source->text}, signatures_of(lab));
  REQUIRE_MESSAGE(compiled.ok(), (compiled.ok() ? "" : compiled.error().message));
  REQUIRE_MESSAGE(compiled->ok, path, " on the ", device.kind(), ": ",
                  (compiled->diagnostics.empty() ? "" : compiled->diagnostics[0].message));
  const Result<Exports> exports = exports_of(lab, *compiled);
  REQUIRE(exports.ok());
  CaseResult shape;
  static_cast<LaunchShape&>(shape) = shape_of(lab, kernel, *exports, length, 256);
  if (lab.kernels[kernel].task.has_free_length())
    shape.binning.bins = static_cast<std::uint32_t>(length);
  shape.launches = static_cast<std::uint32_t>(inputs.size());
  // One launch per dataset, on a processor of unknown speed.
  LabSpec patient = lab;
  patient.launch_limit = std::chrono::minutes(2);
  Result<CaseResult> result = run_case(device, patient, *compiled, shape, inputs, {});
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().message));
  CHECK_MESSAGE(result->correct, path, " on the ", device.kind(), " ", result->ending_detail);
  return result->runs;
}

}  // namespace

TEST_CASE("every right kernel counts the same in the emulator and on the GPU") {
  const auto labs = load_catalogue(HISTOLAB_SOURCE_DIR "/labs");
  REQUIRE(labs.ok());
  const auto emulator =
      kernels::make_emulator({.worker = HISTOLAB_BIN "/histolab-worker",
                              .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"});
  const auto gpu = kernels::make_gpu({.worker = HISTOLAB_BIN "/histolab-gpu-worker"});
  REQUIRE_MESSAGE(gpu.ok(), (gpu.ok() ? "" : gpu.error().message));
  // By bytes per sample, and number of samples.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Bytes>> inputs;
  const auto inputs_for = [&](std::uint32_t bytes,
                              std::uint64_t length) -> const std::vector<Bytes>& {
    std::vector<Bytes>& made = inputs[{bytes, length}];
    if (!made.empty()) return made;
    for (const datasets::Dataset& each : datasets::catalogue())
      if (each.has_width(bytes))
        made.push_back(*datasets::generate_samples(each.example, length, 7, bytes));
    return made;
  };
  std::size_t kernels = 0, histograms_compared = 0, differ = 0;
  for (const LabSpec& lab : *labs) {
    // The kernels of lab 01 lose updates, so no two runs agree.
    const bool is_racy = std::any_of(
        lab.checks.begin(), lab.checks.end(),
        [](const CheckSpec& check) { return check.kind == CheckKind::expects_finding; });
    if (is_racy) continue;
    for (const std::string& path : right_kernels(lab)) {
      CAPTURE(path);
      for (std::size_t kernel = 0; kernel < lab.kernels.size(); ++kernel) {
        const std::uint64_t length = length_for(lab, kernel);
        const auto& data = inputs_for(lab.kernels[kernel].binning.sample_bytes(), length);
        const auto here = histograms(*emulator, lab, path, kernel, length, data),
                   there = histograms(**gpu, lab, path, kernel, length, data);
        REQUIRE(here.size() == there.size());
        ++kernels;
        for (std::size_t i = 0; i < here.size(); ++i) {
          ++histograms_compared;
          differ += here[i].histogram != there[i].histogram;
        }
      }
    }
  }
  CHECK(differ == 0);
  MESSAGE(
      fmt::format("{} kernels, {} histograms, {} differ", kernels, histograms_compared, differ));
}
