#include "kernels/gpu/protocol.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/worker/protocol/json_parts.h"
#include "kernels/worker/protocol/observation_json.h"
#include "reference/nesting.h"

namespace histolab::kernels {

// nlohmann/json finds these functions in the namespaces of the types. Enums are numbers and are
// checked when they are read.
using nlohmann::json;
using worker::cut, worker::list_of, worker::list_to_at_most, worker::longest_message,
    worker::longest_print, worker::most_findings, worker::read_enum, worker::read_finding,
    worker::read_text, worker::write_finding;

static void to_json(json& j, const Dim3& d) { j = worker::write_dim(d); }
static void from_json(const json& j, Dim3& d) { d = worker::read_dim(j); }

static void to_json(json& j, const LaunchConfig& c) {
  j = {c.grid, c.block, c.dynamic_shared_bytes, c.shared_opt_in, c.profile};
}
static void from_json(const json& j, LaunchConfig& c) {
  c.grid = j.at(0).get<Dim3>();
  c.block = j.at(1).get<Dim3>();
  c.dynamic_shared_bytes = j.at(2).get<std::uint32_t>();
  c.shared_opt_in = j.at(3).get<bool>();
  c.profile = j.at(4).get<std::string>();
}

static void to_json(json& j, const Diagnostic& d) { j = worker::write_diagnostic(d); }
static void from_json(const json& j, Diagnostic& d) { d = worker::read_diagnostic(j); }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, median_ms, low_ms, high_ms, samples_ms, alone_ms,
                                   sm_clock_mhz, throttled_by, by_host_clock)
constexpr std::string_view fractions[] = {"median_ms",  "low_ms",   "high_ms",
                                          "samples_ms", "alone_ms", "wanted_spread"};

static void to_json(json& j, const Observation& o) {
  j = {static_cast<int>(o.ending), cut(o.ending_detail, longest_message),
       list_to_at_most(o.findings, write_finding, most_findings), cut(o.printed, longest_print),
       o.timing ? json(*o.timing) : json(nullptr)};
}
static void from_json(const json& j, Observation& o) {
  o.ending = read_enum(j.at(0), Ending::crashed);
  o.ending_detail = read_text(j.at(1), longest_message);
  o.findings = list_of(j.at(2), read_finding, most_findings);
  o.printed = read_text(j.at(3), longest_print, true);
  if (!j.at(4).is_null()) o.timing = j.at(4).get<Timing>();
}

static void to_json(json& j, const TimedKernel& k) {
  j = {static_cast<int>(k.ending), cut(k.ending_detail, longest_message),
       list_to_at_most(k.findings, write_finding, most_findings), k.timing};
}
static void from_json(const json& j, TimedKernel& k) {
  k.ending = read_enum(j.at(0), Ending::crashed);
  k.ending_detail = read_text(j.at(1), longest_message);
  k.findings = list_of(j.at(2), read_finding, most_findings);
  k.timing = j.at(3).get<Timing>();
}

static void to_json(json& j, const TimingPlan::Sample& s) {
  j = json::array({s.input, json::array()});
  for (const auto& change : s.changes) {
    j[1].push_back(change.at);
    j[1].push_back(change.byte);
  }
}
static void from_json(const json& j, TimingPlan::Sample& s) {
  s.input = j.at(0).get<std::size_t>();
  const json& changes = j.at(1);
  for (std::size_t i = 0; i + 1 < changes.size(); i += 2)
    s.changes.push_back(
        {changes.at(i).get<std::uint64_t>(), changes.at(i + 1).get<std::uint8_t>()});
}

namespace gpu {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Blob, descriptor, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuDescription, name, driver, capability, multiprocessors)
static void to_json(json& j, const Cubin& c) {
  j = {{"kernels", c.kernels}, {"words", c.words}, {"calls_the_driver", c.calls_the_driver}};
}
static void from_json(const json& j, Cubin& c) {
  c.kernels = j.at("kernels").get<std::vector<std::string>>();
  c.words = worker::read_words(j.at("words"));
  c.calls_the_driver = j.at("calls_the_driver").get<bool>();
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelResources, symbol, registers, shared_bytes, stack_bytes,
                                   spill_store_bytes, spill_load_bytes)

static void to_json(json& j, const GpuArgument& a) {
  j = {static_cast<int>(a.kind), a.name, a.buffer, a.word, a.offset};
}
static void from_json(const json& j, GpuArgument& a) {
  a.kind = read_enum(j.at(0), Argument::Kind::word);
  a.name = j.at(1).get<std::string>();
  a.buffer = j.at(2).get<Blob>();
  a.word = j.at(3).get<std::uint32_t>();
  a.offset = j.at(4).get<std::uint32_t>();
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelImage, cubin, symbol, config, may_be_watched,
                                   is_cooperative, arguments)
static void to_json(json& j, const Request::What& w) { j = static_cast<int>(w); }
static void from_json(const json& j, Request::What& w) { w = read_enum(j, Request::What::time); }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, what, gpu, source, capability, harness, kernels,
                                   limit_ms, launches, inputs, outputs, output_bytes, samples,
                                   least_samples, budget_ms, wanted_spread)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, machine_error, gpus, diagnostics, resources, contents,
                                   is_cooperative, cubin_bytes, harness_bytes, observations, timed)

namespace {

template <class T>
std::string written(const T& value) {
  // A kernel may print bytes that are not valid UTF-8.
  return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}
template <class T>
Result<T> read(std::string_view text, const char* what) {
  if (nests_too_deep(text))
    return Error{
        fmt::format("this is not a valid {} of the GPU worker: it is nested more than {} deep",
                    what, deepest_nesting)};
  try {
    const json j = json::parse(text);
    if (worker::has_fractions(j, fractions))
      return Error{
          fmt::format("this is not a valid {} of the GPU worker: a number is not whole", what)};
    return j.get<T>();
  } catch (const std::exception& failure) {
    return Error{fmt::format("this is not a valid {} of the GPU worker: {}", what, failure.what())};
  }
}

}  // namespace

std::string to_text(const Request& request) { return written(request); }
Result<Request> request_from(std::string_view text) { return read<Request>(text, "request"); }
std::string to_text(const Answer& answer) { return written(answer); }
Result<Answer> answer_from(std::string_view text) { return read<Answer>(text, "answer"); }

}  // namespace gpu
}  // namespace histolab::kernels
