#include "grader/stream/stream.h"

#include <algorithm>

#include "grader/files/json_fields.h"
#include "grader/report/report_json.h"

namespace histolab::grader {

template <std::same_as<FieldWriter> F, Describes<kernels::RecordedAccess> Value>
void fields(F& f, Value& access) {
  f("block", access.block), f("warp", access.warp), f("line", access.line);
  f("kind", access.operation), f("space", access.space), f("variable", access.variable);
  f("bytes", access.bytes), f("active", access.active), f("offsets", access.offset);
  f("base", access.base), f("sectors", access.sectors), f("wavefronts", access.wavefronts);
  f("same_address_degree", access.same_address_degree);
}
template <std::same_as<FieldWriter> F, Describes<StreamBegin> Value>
void fields(F& f, Value& begin) {
  const RunReport& plan = begin.plan;
  const CaseResult& launch = plan.result;
  f.schema("histolab/stream/1");
  f("event", "begin"), f("run", begin.run), f("version", plan.version);
  f.group("device", [&](auto& device) {
    device("kind", plan.device_kind), device("name", plan.device_name);
  });
  f("lab", plan.lab), f("title", begin.lab.title), f("kernel", plan.kernel_path);
  f("source", begin.source), f("dataset", launch.dataset), f("length", launch.length);
  f("seed", plan.seed), f("schedule", launch.schedule), f("block_order", launch.block_order);
  f.or_null("grid", plan.compiled ? launch.grid : 0), f("block", launch.block);
  f("exports", begin.exports), f("domain", launch.binning.domain);
  f("bins", launch.binning.bins);
  std::vector<std::string> labels;
  for (std::uint32_t bin = 0; bin < launch.binning.bins; ++bin)
    labels.push_back(begin.lab.kernels.at(launch.kernel).task.label(launch.binning, bin));
  f("bin_labels", labels), f("expected", values_of(begin.expected));
}
template <std::same_as<FieldWriter> F, Describes<StreamProgress> Value>
void fields(F& f, Value& progress) {
  f("event", "progress"), f("run", progress.run);
  f("state", progress.paused ? "paused" : "running");
  f("steps", progress.steps), f("blocks", progress.blocks);
  f("elements_read", progress.elements_read), f("of_read", progress.of_read);
  f("histogram", values_of(progress.histogram)), f("elapsed_s", progress.elapsed_s);
}

namespace {

constexpr std::size_t rows_a_line = 256;

std::string line(const OrderedJson& json) { return text_of(json, true); }

}  // namespace

std::string begin_line(const StreamBegin& begin) { return line(FieldWriter::written(begin)); }

std::string progress_line(const StreamProgress& progress) {
  return line(FieldWriter::written(progress));
}

std::string access_lines(std::uint64_t run, const std::vector<kernels::RecordedAccess>& accesses) {
  std::string lines;
  for (std::size_t first = 0; first < accesses.size(); first += rows_a_line) {
    OrderedJson json{{"event", "accesses"}, {"run", run}, {"rows", OrderedJson::array()}};
    for (std::size_t i = first; i < std::min(first + rows_a_line, accesses.size()); ++i)
      json["rows"].push_back(FieldWriter::written(accesses[i]));
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
