#include "grader/testing/fake_device.h"

#include <cstring>
#include <sstream>

namespace histolab::grader::testing {
namespace {

struct Script {
  std::string what;
  int line = 0;
  std::uint64_t loads = 1;
  std::size_t printed = 0;
  std::map<std::string, std::uint32_t> exports;
};

Script parse(const std::string& text) {
  Script script;
  if (!text.starts_with("// fake:")) return script;  // real code: it compiles, and does nothing
  std::istringstream words{text.substr(0, text.find('\n'))};
  std::string word;
  words >> word >> word >> script.what;
  while (words >> word) {
    if (word == "export") {
      std::string exported;
      words >> exported;
      words >> script.exports[exported];
    } else if (word == "loads") {
      words >> script.loads;
    } else if (word == "prints") {
      words >> script.printed;
    } else if (word == "at") {
      words >> script.line;
    } else {
      script.line = std::stoi(word);
    }
  }
  return script;
}

kernels::Finding finding(kernels::FindingKind kind, int line, const std::string& message) {
  kernels::Finding made;
  made.kind = kind;
  made.space = kernels::Space::global;
  made.variable = "histo";
  made.index = 3;
  made.line = made.other_line = line;
  made.thread = kernels::ThreadId{{0, 0, 0}, {3, 0, 0}};
  made.other_thread = kernels::ThreadId{{0, 0, 0}, {17, 0, 0}};
  made.count = 7;
  made.message = message;
  return made;
}

}  // namespace

Result<kernels::Compiled> FakeDevice::compile(const kernels::Source& source,
                                              const std::vector<kernels::KernelSignature>&) {
  const auto script = std::make_shared<const Script>(parse(source.text));
  if (script->what == "machine") return Error{"the compiler g++ is not installed"};
  kernels::Compiled compiled;
  compiled.path = source.path;
  compiled.ok = script->what != "compile" && script->what != "refused";
  compiled.refused = script->what == "refused";
  if (!compiled.ok)
    compiled.diagnostics.push_back(
        {kernels::Severity::error, script->line, 3, "expected ';' before '}' token"});
  compiled.exports = script->exports;
  compiled.image = script;
  return compiled;
}

Result<std::vector<kernels::Observation>> FakeDevice::launch(
    const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
    const std::vector<std::vector<kernels::Argument>>& launches, const kernels::Options& options) {
  const Script& script = *static_cast<const Script*>(compiled.image.get());
  std::vector<kernels::Observation> observations;
  for (const auto& arguments : launches) {
    ++launches_made;
    const kernels::Buffer* data = nullptr;
    kernels::Buffer* histo = nullptr;
    for (const kernels::Argument& argument : arguments) {
      if (argument.input != nullptr) data = argument.input;
      if (argument.output != nullptr) histo = argument.output;
    }
    kernels::Observation seen;
    seen.counters.blocks = config.grid.x;
    seen.counters.block_size = config.block.x;
    seen.counters.threads = config.grid.count() * config.block.count();
    seen.counters.global_load = {.requests = (data->size() + 31) / 32,
                                 .sectors = script.loads * ((data->size() + 31) / 32),
                                 .bytes = data->size()};
    if (script.what == "right" && script.line > 0) {
      seen.lines.emplace_back().line = script.line;
      seen.lines.back().counters.global_load = seen.counters.global_load;
      if (options.recorded_accesses > 0) {
        kernels::RecordedAccess access;
        access.line = script.line;
        access.variable = "data";
        access.bytes = 1;
        access.active = ~0u;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
          access.offset[lane] = lane * static_cast<std::uint32_t>(script.loads);
        seen.accesses.push_back(access);
      }
    }
    seen.host_elapsed_s = 0.25;
    seen.printed.assign(script.printed, 'p');
    std::vector<std::uint64_t> counts = reference::histogram(data->bytes(), binning_);
    if (script.what == "lossy") {
      for (std::uint64_t& count : counts) count -= count / 4 * 3;
      if (data->size() > 1)
        seen.findings.push_back(
            finding(kernels::FindingKind::data_race, script.line,
                    "threads 3 and 17 of block 0 both update histo[3] without an atomic operation; "
                    "one update is lost. Use atomicAdd"));
    } else if (script.what == "ordered" || script.what == "ordered_blocks") {
      const bool usual =
          options.block_order == kernels::BlockOrder::ascending &&
          (script.what == "ordered_blocks" || options.schedule == kernels::Schedule::lockstep);
      for (std::uint64_t& count : counts) count -= usual ? 0 : count / 4;
    } else if (script.what == "repeats") {
      for (std::uint64_t& count : counts) count *= seen.counters.threads;
      seen.counters.global_load.lanes = seen.counters.threads * data->size();
    } else if (script.what == "keeps" && !observations.empty()) {
      counts.assign(counts.size(), 0);
      seen.kept_variables = {"next_part"};
    } else if (script.what == "keeps_lock" && !observations.empty()) {
      seen.ending = kernels::Ending::stopped;
      seen.kept_variables = {"left", "lock"};
      seen.findings.push_back(
          finding(kernels::FindingKind::deadlock, script.line, "thread 0 asks for lock for ever"));
      seen.findings.back().variable = "lock";
    } else if (script.what != "right" && !script.what.starts_with("keeps")) {
      counts.assign(counts.size(), 0);
    }
    if (script.what == "endless") {
      seen.ending = kernels::Ending::stopped;
      seen.findings.push_back(finding(kernels::FindingKind::step_limit, script.line,
                                      "thread 3 of block 0 made 131 072 steps and did not return. "
                                      "Does the loop's index grow?"));
    } else if (script.what == "out_of_bounds") {
      seen.ending = kernels::Ending::stopped;
      seen.findings.push_back(
          finding(kernels::FindingKind::out_of_bounds, script.line,
                  "thread 3 of block 0 writes histo[12], but histo has 7 elements"));
    } else if (script.what == "no_shared_memory") {
      kernels::Finding beyond =
          finding(kernels::FindingKind::out_of_bounds, script.line,
                  "thread 3 of block 0 writes bins[3], but bins has no elements here");
      beyond.space = kernels::Space::shared;
      beyond.variable = "bins";
      seen.findings.push_back(std::move(beyond));
    } else if (script.what == "crash") {
      seen.ending = kernels::Ending::crashed;
      seen.ending_detail = "the process was ended by SIGSEGV";
    } else if (script.what == "timeout") {
      seen.ending = kernels::Ending::timed_out;
      seen.ending_detail = "10 s of wall-clock time passed";
    }
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
      const auto count = static_cast<std::uint32_t>(counts[bin]);
      std::memcpy(histo->bytes().data() + bin * sizeof count, &count, sizeof count);
    }
    observations.push_back(std::move(seen));
    if (observations.back().ending != kernels::Ending::completed) break;
  }
  return observations;
}

Result<std::vector<kernels::TimedKernel>> FakeGpu::time(const kernels::TimingPlan& plan) {
  constexpr std::size_t rounds = 3;
  std::vector<kernels::TimedKernel> timed;
  for (const kernels::TimingPlan::Kernel& kernel : plan.kernels) {
    const Script& script = *static_cast<const Script*>(kernel.compiled->image.get());
    kernels::TimedKernel& result = timed.emplace_back();
    const auto ms = static_cast<double>(script.loads);
    result.timing = {.median_ms = ms,
                     .low_ms = ms,
                     .high_ms = ms,
                     .samples_ms = std::vector<double>(rounds, ms),
                     .alone_ms = &kernel == &plan.kernels.front() ? 0 : ms,
                     .throttled_by = {}};
    for (std::size_t round = 0; round < rounds; ++round) {
      const kernels::TimingPlan::Sample& sample = plan.samples[round];
      const auto bytes = plan.inputs[sample.input]->bytes();
      std::vector<std::uint8_t> data{bytes.begin(), bytes.end()};
      for (const auto& change : sample.changes) data[change.at] = change.byte;
      std::vector<std::uint64_t> counts = reference::histogram(data, reference::Binning{});
      if (script.what == "lossy")
        for (std::uint64_t& count : counts) count /= 2;
      std::vector<std::uint8_t> output(plan.output_bytes);
      for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const auto count = static_cast<std::uint32_t>(counts[bin]);
        std::memcpy(output.data() + bin * sizeof count, &count, sizeof count);
      }
      result.outputs.insert(result.outputs.end(), output.begin(), output.end());
    }
  }
  return timed;
}

}  // namespace histolab::grader::testing
