#include "grader/report/report_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reference/occupancy.h"

namespace histolab::grader {
namespace {

// Ordered, so that a person reads the schema first and the cases last.
using OrderedJson = nlohmann::ordered_json;

std::string why_no_timing(const std::string& device_kind) {
  return "a time is measured on a GPU only; this device is the " + device_kind;
}
OrderedJson timing_of(const kernels::Timing& timing) {
  return {{"median_ms", timing.median_ms},
          {"low_ms", timing.low_ms},
          {"high_ms", timing.high_ms},
          {"samples_ms", timing.samples_ms},
          {"alone_ms", timing.alone_ms > 0 ? OrderedJson(timing.alone_ms) : OrderedJson(nullptr)},
          {"sm_clock_mhz",
           timing.sm_clock_mhz > 0 ? OrderedJson(timing.sm_clock_mhz) : OrderedJson(nullptr)},
          {"throttled_by",
           timing.throttled_by.empty() ? OrderedJson(nullptr) : OrderedJson(timing.throttled_by)},
          {"clock", timing.by_host_clock ? "host" : "device"}};
}
constexpr const char* why_no_model = "`histolab run` and `histolab model` give it";

OrderedJson line_or_null(int line) { return line > 0 ? OrderedJson(line) : OrderedJson(nullptr); }
OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson thread_of(const std::optional<kernels::ThreadId>& id) {
  if (!id) return nullptr;
  const auto triple = [](const kernels::Dim3& d) { return OrderedJson::array({d.x, d.y, d.z}); };
  return OrderedJson{{"block", triple(id->block)}, {"thread", triple(id->thread)}};
}

OrderedJson finding_of(const kernels::Finding& finding) {
  OrderedJson item;
  item["kind"] = kernels::name(finding.kind);
  item["severity"] = kernels::name(finding.severity);
  item["space"] = kernels::name(finding.space);
  item["variable"] = text_or_null(finding.variable);
  item["index"] = finding.index ? OrderedJson(*finding.index) : OrderedJson(nullptr);
  item["line"] = line_or_null(finding.line);
  item["other_line"] = line_or_null(finding.other_line);
  item["thread"] = thread_of(finding.thread);
  item["other_thread"] = thread_of(finding.other_thread);
  item["count"] = finding.count;
  item["message"] = finding.message;
  return item;
}

OrderedJson findings_of(const std::vector<kernels::Finding>& findings) {
  OrderedJson list = OrderedJson::array();
  for (const kernels::Finding& finding : findings) list.push_back(finding_of(finding));
  return list;
}

OrderedJson diagnostics_of(const std::vector<kernels::Diagnostic>& diagnostics) {
  OrderedJson list = OrderedJson::array();
  for (const kernels::Diagnostic& each : diagnostics) {
    OrderedJson item;
    item["severity"] = kernels::name(each.severity);
    item["line"] = line_or_null(each.line);
    item["column"] = line_or_null(each.column);
    item["message"] = each.message;
    list.push_back(std::move(item));
  }
  return list;
}

// The full number is in `mismatched_bins` of a case.
OrderedJson mismatches_of(const std::vector<Mismatch>& wrong, bool several_launches,
                          std::size_t most = mismatches_of_a_report) {
  OrderedJson list = OrderedJson::array();
  for (const Mismatch& each : wrong) {
    if (list.size() == most) break;
    OrderedJson item{
        {"bin", each.bin}, {"expected", json_of(each.expected)}, {"got", json_of(each.got)}};
    if (several_launches) item["launch"] = each.launch;
    list.push_back(std::move(item));
  }
  return list;
}

OrderedJson modelled_of(const std::optional<ModelledTime>& modelled) {
  if (!modelled) return nullptr;
  OrderedJson json{{"profile", modelled->profile},
                   {"median_ms", modelled->estimate.total_ns / 1e6},
                   {"bound_by", modelled->estimate.bound_by},
                   {"typical_error", reference::typical_error}};
  for (const reference::TimeEstimate::Term& term : modelled->estimate.terms)
    json["terms_ms"][std::string{term.name}] = term.ns / 1e6;
  return json;
}

// Adds the fields that a case of a report and a run have in common.
void add_case(OrderedJson& json, const CaseResult& result, const std::string& device_kind) {
  if (!result.kernel_name.empty()) json["kernel_name"] = result.kernel_name;
  json["dataset"] = result.dataset;
  json["length"] = result.length;
  json["bins"] = result.binning.bins;
  json["grid"] = result.grid;
  json["block"] = result.block;
  json["launches"] = result.launches;
  json["schedule"] = kernels::name(result.schedule);
  json["block_order"] = kernels::name(result.block_order);
  json["seed"] = result.seed;
  json["ending"] =
      result.skipped.empty() ? OrderedJson(kernels::name(result.ending)) : OrderedJson("skipped");
  json["ending_detail"] =
      text_or_null(result.skipped.empty() ? result.ending_detail : result.skipped);
  json["correct"] = result.correct;
  json["mismatched_bins"] = result.mismatches.size() + result.mismatches_left_out;
  json["mismatches"] = mismatches_of(result.mismatches, result.launches > 1);
  OrderedJson counters = OrderedJson::object();
  for (const reference::CounterValue& counter : result.counters)
    counters[std::string{counter.name}] = json_of(counter.value);
  json["counters"] = std::move(counters);
  const bool timed = result.timing && result.timing->median_ms > 0;
  json["timing"] = timed ? timing_of(*result.timing) : OrderedJson(nullptr);
  json["timing_reason"] = timed ? OrderedJson(nullptr) : OrderedJson(why_no_timing(device_kind));
  json["modelled"] = modelled_of(result.modelled);
  json["modelled_reason"] =
      result.modelled
          ? OrderedJson(nullptr)
          : OrderedJson(result.modelled_reason.empty() ? why_no_model : result.modelled_reason);
  const double elements = static_cast<double>(result.length);
  json["throughput"] =
      timed ? OrderedJson{{"elements_per_s", elements / (result.timing->median_ms / 1000)}}
            : OrderedJson(nullptr);
  json["printed"] = result.printed;
}

OrderedJson case_of(const CaseResult& result, const std::string& device_kind) {
  OrderedJson json;
  json["id"] = result.id;
  add_case(json, result, device_kind);
  return json;
}

// The parts that are not empty.
OrderedJson seen_of(const Seen& seen) {
  OrderedJson json = OrderedJson::object();
  const auto add = [&](const char* part, const std::string& text) {
    if (!text.empty()) json[part] = text;
  };
  add("where", seen.where), add("what", seen.what);
  if (seen.of_where) json["of_where"] = true;
  add("aside", seen.aside), add("why", seen.why), add("next", seen.next), add("note", seen.note);
  return json;
}

OrderedJson check_of(const CheckResult& check) {
  OrderedJson json;
  json["id"] = check.id;
  json["title"] = text_or_null(check.title);
  json["status"] = name(check.status);
  json["score"] = check.score;
  json["max_score"] = check.max_score;
  json["message"] = check.seen.sentence(check.hint);
  json["seen"] = seen_of(check.seen);
  json["hint"] = text_or_null(check.hint);
  json["line"] = line_or_null(check.line);
  // The other inputs of advice_for(), so that advice from a journal equals the advice from `grade`.
  if (check.cause) json["cause"] = finding_of(*check.cause);
  for (const auto& [name, holds] :
       {std::pair{"tells_cause", check.tells_cause}, std::pair{"hint_fits", check.hint_fits},
        std::pair{"of_quiz", check.of_quiz}})
    if (holds) json[name] = true;
  if (check.launch > 0) json["launch"] = check.launch;
  return json;
}

// The state of the answers, without the correct ones.
OrderedJson quiz_of(const std::optional<quiz::Outcome>& outcome) {
  if (!outcome) return nullptr;
  OrderedJson json;
  json["path"] = text_or_null(outcome->path);
  json["problem"] = text_or_null(outcome->problem);
  json["student"] = outcome->person.student;
  json["seed"] = outcome->person.seed;
  json["right"] = outcome->count(quiz::Standing::right);
  json["questions"] = OrderedJson::array();
  for (const quiz::QuestionResult& each : outcome->questions)
    json["questions"].push_back({{"id", each.id},
                                 {"status", name(each.standing)},
                                 {"answer", text_or_null(each.answer)},
                                 {"message", text_or_null(each.message)}});
  return json;
}

// Requests by the largest number of lanes on one address. The keys are 1 to 32, without those that
// have no requests.
OrderedJson degrees_of(const reference::AtomicContention& contention) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < contention.requests_of_degree.size(); ++i)
    if (contention.requests_of_degree[i] != 0)
      json[std::to_string(i + 1)] = contention.requests_of_degree[i];
  return json;
}
OrderedJson same_address_of(const reference::Traffic& traffic) {
  return {{"global", degrees_of(traffic.global_contention)},
          {"shared", degrees_of(traffic.shared_contention)}};
}

OrderedJson lines_of(const std::vector<reference::LineCounters>& lines) {
  OrderedJson list = OrderedJson::array();
  for (const reference::LineCounters& each : lines) {
    OrderedJson counters = OrderedJson::object();
    for (const reference::CounterValue& counter : reference::traffic_values(each.counters))
      if (counter.value != 0) counters[std::string{counter.name}] = json_of(counter.value);
    list.push_back({{"line", line_or_null(each.line)},
                    {"counters", std::move(counters)},
                    {"same_address", same_address_of(each.counters)}});
  }
  return list;
}

OrderedJson pressure_of(const std::vector<reference::AtomicPressure>& variables) {
  OrderedJson list = OrderedJson::array();
  for (const reference::AtomicPressure& each : variables) {
    OrderedJson item;
    item["space"] = each.shared ? "shared" : "global";
    item["variable"] = text_or_null(each.variable);
    item["updates"] = each.updates;
    item["elements"] = each.elements;
    item["uncounted"] = each.uncounted;
    item["top"] = OrderedJson::array();
    for (const auto& element : each.top)
      item["top"].push_back({{"index", element.index}, {"updates", element.updates}});
    list.push_back(std::move(item));
  }
  return list;
}

OrderedJson occupancy_of(const reference::Counters& totals) {
  OrderedJson list = OrderedJson::array();
  for (const reference::DeviceProfile& device : reference::device_profiles) {
    const reference::Occupancy found = reference::occupancy(
        device, totals.block_size, totals.static_shared_bytes + totals.dynamic_shared_bytes);
    OrderedJson item;
    item["profile"] = device.name;
    item["name"] = device.title;
    item["compute_capability"] =
        fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
    item["limits"] = {{"warps", found.limit_warps},
                      {"blocks", found.limit_blocks},
                      {"shared_mem", found.limit_shared_mem},
                      {"registers", nullptr}};
    item["blocks"] = found.blocks;
    item["warps"] = found.warps;
    item["pct"] = json_of(found.percent);
    item["limited_by"] = found.limited_by;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

OrderedJson values_of(const reference::Values& values) {
  OrderedJson list = OrderedJson::array();
  for (const double value : values) list.push_back(json_of(value));
  return list;
}

OrderedJson json_of(const TimedCaseResult& result, std::size_t most_mismatches) {
  OrderedJson json;
  json["id"] = result.id;
  if (!result.kernel_name.empty()) json["kernel_name"] = result.kernel_name;
  json["dataset"] = result.dataset;
  json["length"] = result.length;
  json["bins"] = result.binning.bins;
  json["grid"] = result.grid;
  json["block"] = result.block;
  json["device"] = result.device;
  json["measured"] = result.measured;
  json["ending"] =
      result.skipped.empty() ? OrderedJson(kernels::name(result.ending)) : OrderedJson("skipped");
  json["ending_detail"] =
      text_or_null(result.skipped.empty() ? result.ending_detail : result.skipped);
  json["launches"] = result.rounds;
  json["right_launches"] = result.right_rounds;
  json["mismatches"] = mismatches_of(result.mismatches, true, most_mismatches);
  const OrderedJson time = result.timing ? timing_of(*result.timing) : OrderedJson(nullptr);
  json["timing"] = result.measured ? time : OrderedJson(nullptr);
  json["modelled"] = result.measured || !result.timing
                         ? OrderedJson(nullptr)
                         : OrderedJson{{"device", result.device},
                                       {"median_ms", result.timing->median_ms},
                                       {"bound_by", result.bound_by},
                                       {"typical_error", reference::typical_error},
                                       {"longest_launch", result.longest_launch}};
  json["throughput"] = result.measured && result.timing && result.timing->median_ms > 0
                           ? OrderedJson{{"elements_per_s", static_cast<double>(result.length) /
                                                                (result.timing->median_ms / 1000)}}
                           : OrderedJson(nullptr);
  json["rivals"] = OrderedJson::array();
  for (const TimedCaseResult::Rival& rival : result.rivals)
    json["rivals"].push_back(
        {{"solution_of", rival.lab},
         {"median_ms", rival.ms()},
         {"timing", result.measured ? timing_of(rival.timing) : OrderedJson(nullptr)}});
  json["findings"] = findings_of(result.findings);
  return json;
}

OrderedJson json_of(const LabResult& lab, const std::string& device_kind) {
  OrderedJson json;
  json["lab"] = lab.lab;
  json["title"] = lab.title;
  json["status"] = name(lab.status);
  json["score"] = has_mark(lab.status) ? OrderedJson(lab.score) : OrderedJson(nullptr);
  json["max_score"] = lab.max_score;
  json["message"] = text_or_null(lab.message);
  json["submission"] = lab.submission ? OrderedJson{{"path", lab.submission->path},
                                                    {"sha256", lab.submission->sha256}}
                                      : OrderedJson(nullptr);
  json["diagnostics"] = diagnostics_of(lab.diagnostics);
  json["checks"] = OrderedJson::array();
  for (const CheckResult& check : lab.checks) json["checks"].push_back(check_of(check));
  json["cases"] = OrderedJson::array();
  for (const CaseResult& each : lab.cases) json["cases"].push_back(case_of(each, device_kind));
  json["timed_cases"] = OrderedJson::array();
  for (const TimedCaseResult& each : lab.timed) json["timed_cases"].push_back(json_of(each));
  json["findings"] = findings_of(lab.findings);
  json["quiz"] = quiz_of(lab.quiz);
  for (const LeftOut& each : lab.left_out)
    json["left_out"].push_back({{"check", each.check}, {"points", each.points}, {"why", each.why}});
  return json;
}

OrderedJson json_of(double number) {
  if (number == std::floor(number) && std::abs(number) < 9007199254740992.0)
    return static_cast<std::int64_t>(number);
  return number;
}

std::string text_of(const OrderedJson& json, bool on_one_line) {
  return json.dump(on_one_line ? -1 : 2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string to_json(const Report& report) {
  OrderedJson json;
  json["schema"] = "histolab/report/1";
  json["version"] = report.version;
  json["seed"] = report.seed;
  json["data_version"] = report.data_version;
  json["quick"] = report.quick;
  json["device"] = {{"kind", report.device_kind}, {"name", report.device_name}};
  json["gpu"] = report.gpu_name.empty()
                    ? OrderedJson(nullptr)
                    : OrderedJson{{"name", report.gpu_name}, {"driver", report.gpu_driver}};
  json["gpu_compiler"] = report.gpu_compiler;
  json["sandbox"] = {{"tier", report.sandbox}};
  json["labs"] = OrderedJson::array();
  for (const LabResult& lab : report.labs) json["labs"].push_back(json_of(lab, report.device_kind));
  json["score"] = report.machine_failed() ? OrderedJson(nullptr) : OrderedJson(report.score());
  json["max_score"] = report.max_score();
  return text_of(json);
}

std::string to_json(const RunReport& run) { return text_of(json_of(run)); }

OrderedJson json_of(const RunReport& run) {
  OrderedJson json;
  json["schema"] = "histolab/run/1";
  json["version"] = run.version;
  json["device"] = {{"kind", run.device_kind}, {"name", run.device_name}};
  json["sandbox"] = {{"tier", run.sandbox}};
  json["lab"] = run.lab;
  json["kernel"] = run.kernel_path;
  add_case(json, run.result, run.device_kind);
  json["seed"] = run.seed;
  if (!run.compiled) json["ending"] = run.refused ? "refused" : "compile_error";
  json["same_address"] = same_address_of(run.result.totals);
  json["lines"] = lines_of(run.result.lines);
  json["atomic_pressure"] = pressure_of(run.result.pressure);
  json["occupancy"] = run.compiled ? occupancy_of(run.result.totals) : OrderedJson::array();
  json["histogram"] =
      run.result.runs.empty() ? OrderedJson::array() : values_of(run.result.runs.front().histogram);
  json["findings"] = findings_of(run.result.findings);
  json["diagnostics"] = diagnostics_of(run.diagnostics);
  json["host"] = {{"elapsed_s", run.result.host_elapsed_s}};
  return json;
}

}  // namespace histolab::grader
