#include "grader/pipeline/measured.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "grader/report/report_json.h"
#include "grader/report/report_reader.h"

namespace histolab::grader {

Result<Measured> measure(kernels::Device& emulator, kernels::TimedDevice& gpu, TimedStage& stage,
                         const LabSpec& lab, const Submission& submission) {
  Measured measured{.multiprocessors = gpu.multiprocessors(), .timed = {}, .local_bytes = {}};
  const std::vector<kernels::KernelSignature> signatures = signatures_of(lab);
  const kernels::Compiled compiled =
      TRY(emulator.compile({submission.path, submission.text}, signatures));
  if (!compiled.ok) return measured;
  if (signatures.front().tells_local_memory) {
    const kernels::Compiled for_gpu =
        TRY(gpu.compile({submission.path, submission.text}, signatures));
    measured.local_bytes = for_gpu.local_bytes;
  }
  const Result<Exports> exports = exports_of(lab, compiled);
  if (!exports) return measured;
  measured.timed = TRY(stage.run(lab, submission, *exports));
  return measured;
}

std::vector<TimedCaseResult> timed_by(const Measured& measured, const LabSpec& lab,
                                      const Exports& exports) {
  std::vector<TimedCaseResult> timed = measured.timed;
  for (TimedCaseResult& result : timed) {
    const auto spec = std::find_if(lab.timed.begin(), lab.timed.end(),
                                   [&](const TimedCaseSpec& each) { return each.id == result.id; });
    if (spec != lab.timed.end())
      static_cast<LaunchShape&>(result) = shape_of(lab, *spec, exports, measured.multiprocessors);
  }
  return timed;
}

std::string to_json(const Measured& measured) {
  nlohmann::ordered_json json;
  json["multiprocessors"] = measured.multiprocessors;
  json["local_bytes"] = measured.local_bytes ? nlohmann::ordered_json(*measured.local_bytes)
                                             : nlohmann::ordered_json(nullptr);
  json["timed_cases"] = nlohmann::ordered_json::array();
  for (const TimedCaseResult& each : measured.timed)
    json["timed_cases"].push_back(json_of(each, std::numeric_limits<std::size_t>::max()));
  return text_of(json, true);
}

Result<Measured> measured_from_json(std::string_view text, const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  std::vector<TimedCaseResult> timed = TRY(timed_cases_from_json(text, name));
  Measured measured{.multiprocessors = 0, .timed = std::move(timed), .local_bytes = {}};
  const auto multiprocessors = json.find("multiprocessors"), local = json.find("local_bytes");
  if (multiprocessors == json.end() || !multiprocessors->is_number_unsigned() ||
      local == json.end() || !(local->is_null() || local->is_number_unsigned()))
    return Error{name + ": expected whole numbers as multiprocessors and local_bytes"};
  measured.multiprocessors = multiprocessors->get<std::uint32_t>();
  if (!local->is_null()) measured.local_bytes = local->get<std::uint64_t>();
  return measured;
}

}  // namespace histolab::grader
