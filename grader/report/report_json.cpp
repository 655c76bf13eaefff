#include "grader/report/report_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/report/report_fields.h"
#include "reference/occupancy.h"

namespace histolab::reference {

template <std::same_as<grader::FieldWriter> F, Describes<AtomicPressure::Element> Value>
void fields(F& f, Value& element) {
  f("index", element.index), f("updates", element.updates);
}
template <std::same_as<grader::FieldWriter> F, Describes<AtomicPressure> Value>
void fields(F& f, Value& variable) {
  f("space", variable.shared ? "shared" : "global");
  f.or_null("variable", variable.variable);
  f("updates", variable.updates), f("elements", variable.elements);
  f("uncounted", variable.uncounted), f("top", variable.top);
}

}  // namespace histolab::reference

namespace histolab::grader {
namespace {

// The description of a case ends the reason without its device.
void name_device(OrderedJson& json, const std::string& kind) {
  if (OrderedJson& reason = json["timing_reason"]; reason.is_string())
    reason = std::string{reason_without_timing} + kind;
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
  FieldWriter out;
  timed_case_fields(out, result, most_mismatches);
  return std::move(out.json);
}

OrderedJson json_of(const LabResult& lab, const std::string& device_kind) {
  OrderedJson json = FieldWriter::written(lab);
  for (OrderedJson& each : json["cases"]) name_device(each, device_kind);
  return json;
}

OrderedJson json_of(double number) { return json_number(number); }

OrderedJson nonzero(const std::vector<reference::CounterValue>& counters) {
  OrderedJson json = OrderedJson::object();
  for (const reference::CounterValue& each : counters)
    if (each.value != 0) json[std::string{each.name}] = json_of(each.value);
  return json;
}

OrderedJson json_of(const reference::LineCounters& line) {
  return {{"line", line.line > 0 ? OrderedJson(line.line) : OrderedJson(nullptr)},
          {"counters", nonzero(reference::traffic_values(line.counters))},
          {"same_address", same_address_of(line.counters)}};
}

std::string text_of(const OrderedJson& json, bool on_one_line) {
  return json.dump(on_one_line ? -1 : 2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string to_json(const Report& report) {
  OrderedJson json = FieldWriter::written(report);
  for (OrderedJson& lab : json["labs"])
    for (OrderedJson& each : lab["cases"]) name_device(each, report.device_kind);
  return text_of(json);
}

std::string to_json(const RunReport& run) { return text_of(json_of(run)); }

OrderedJson json_of(const RunReport& run) {
  const CaseResult& result = run.result;
  FieldWriter f;
  f("schema", "histolab/run/1"), f("version", run.version);
  f("device", OrderedJson{{"kind", run.device_kind}, {"name", run.device_name}});
  f("sandbox", OrderedJson{{"tier", run.sandbox}});
  f("lab", run.lab), f("kernel", run.kernel_path);
  case_fields(f, result);
  name_device(f.json, run.device_kind);
  f("seed", run.seed);
  if (!run.compiled) f("ending", run.refused ? "refused" : "compile_error");
  f("same_address", same_address_of(result.totals));
  f("lines", OrderedJson::array());
  for (const reference::LineCounters& line : result.lines) f.json["lines"].push_back(json_of(line));
  f("atomic_pressure", result.pressure);
  f("occupancy", run.compiled ? occupancy_of(result.totals) : OrderedJson::array());
  f("histogram",
    result.runs.empty() ? OrderedJson::array() : values_of(result.runs.front().histogram));
  f("findings", result.findings), f("diagnostics", run.diagnostics);
  f("host", OrderedJson{{"elapsed_s", result.host_elapsed_s}});
  return std::move(f.json);
}

}  // namespace histolab::grader
