#include "grader/stream/stream.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/report/report_json.h"

namespace histolab::grader {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t rows_a_line = 256;

std::string line(const OrderedJson& json) { return text_of(json, true); }

OrderedJson row_of(const kernels::RecordedAccess& access) {
  return {{"block", access.block},
          {"warp", access.warp},
          {"line", access.line},
          {"kind", kernels::name(access.operation)},
          {"space", kernels::name(access.space)},
          {"variable", access.variable},
          {"bytes", access.bytes},
          {"active", access.active},
          {"offsets", access.offset},
          {"base", access.base},
          {"sectors", access.sectors},
          {"wavefronts", access.wavefronts},
          {"same_address_degree", access.same_address_degree}};
}

}  // namespace

std::string begin_line(const StreamBegin& begin) {
  const RunReport& plan = begin.plan;
  OrderedJson json{{"schema", "histolab/stream/1"},
                   {"event", "begin"},
                   {"run", begin.run},
                   {"version", plan.version}};
  json["device"] = {{"kind", plan.device_kind}, {"name", plan.device_name}};
  json["lab"] = plan.lab;
  json["title"] = begin.lab.title;
  json["kernel"] = plan.kernel_path;
  json["source"] = begin.source;
  json["dataset"] = plan.result.dataset;
  json["length"] = plan.result.length;
  json["seed"] = plan.seed;
  json["schedule"] = kernels::name(plan.result.schedule);
  json["block_order"] = kernels::name(plan.result.block_order);
  json["grid"] = plan.compiled ? OrderedJson(plan.result.grid) : OrderedJson(nullptr);
  json["block"] = plan.result.block;
  json["exports"] = OrderedJson::object();
  for (const auto& [name, value] : begin.exports) json["exports"][name] = value;
  const reference::Binning& binning = plan.result.binning;
  json["domain"] = reference::name(binning.domain);
  json["bins"] = binning.bins;
  json["bin_labels"] = OrderedJson::array();
  for (std::uint32_t bin = 0; bin < binning.bins; ++bin)
    json["bin_labels"].push_back(begin.lab.kernels.at(plan.result.kernel).task.label(binning, bin));
  json["expected"] = values_of(begin.expected);
  return line(json);
}

std::string progress_line(const StreamProgress& progress) {
  return line({{"event", "progress"},
               {"run", progress.run},
               {"state", progress.paused ? "paused" : "running"},
               {"steps", progress.steps},
               {"blocks", progress.blocks},
               {"elements_read", progress.elements_read},
               {"of_read", progress.of_read},
               {"histogram", values_of(progress.histogram)},
               {"elapsed_s", progress.elapsed_s}});
}

std::string access_lines(std::uint64_t run, const std::vector<kernels::RecordedAccess>& accesses) {
  std::string lines;
  for (std::size_t first = 0; first < accesses.size(); first += rows_a_line) {
    OrderedJson json{{"event", "accesses"}, {"run", run}, {"rows", OrderedJson::array()}};
    for (std::size_t i = first; i < std::min(first + rows_a_line, accesses.size()); ++i)
      json["rows"].push_back(row_of(accesses[i]));
    lines += line(json);
  }
  return lines;
}

std::string result_line(std::uint64_t run, const RunReport& report) {
  return line({{"event", "result"}, {"run", run}, {"report", json_of(report)}});
}

std::string end_line(std::uint64_t run) { return line({{"event", "end"}, {"run", run}}); }

std::string error_line(const std::string& message) {
  return line({{"event", "error"}, {"message", message}});
}

}  // namespace histolab::grader
