#include "grader/stream/stream.h"

#include <fmt/format.h>

#include <utility>

#include "grader/files/json_fields.h"
#include "grader/report/report_fields.h"
#include "grader/report/report_json.h"
#include "kernels/finding_fields.h"

namespace histolab::grader {
namespace {

constexpr std::size_t rows_a_line = 256;

std::string line(const OrderedJson& json) { return text_of(json, true); }

// The first fields of a begin.
void begin_fields(FieldWriter& f, std::uint64_t run, const std::string& version,
                  const std::string& device_kind, const std::string& device_name) {
  f.schema("histolab/stream/1");
  f("event", "begin"), f("run", run), f("version", version);
  f("device", OrderedJson{{"kind", device_kind}, {"name", device_name}});
}

// Empty if the program does not compile.
std::string title_of(const StreamedLaunch& launch) {
  return launch.kernel.empty() ? std::string{}
                               : fmt::format("launch {} of {}", launch.number, launch.kernel);
}

// The shape of a program's launch. The schema has no shape for a program that does not compile.
void shape_fields(FieldWriter& f, const StreamedLaunch& launch) {
  const bool compiled = !launch.kernel.empty();
  f.or_null("grid", compiled ? launch.grid.count() : 0);
  f.or_null("block", compiled ? launch.block.count() : 0);
}

}  // namespace

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
  begin_fields(f, begin.run, plan.version, plan.device_kind, plan.device_name);
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
// The begin of a launch of a program.
template <std::same_as<FieldWriter> F, Describes<StreamedLaunch> Value>
void fields(F& f, Value& launch) {
  begin_fields(f, launch.number, HISTOLAB_VERSION, "emulator", launch.device_name);
  f("program", launch.program), f.or_null("title", title_of(launch));
  f("launches", launch.launches), f("launch_count", launch.launch_count);
  f("schedule", launch.schedule), f("seed", launch.seed);
  shape_fields(f, launch);
  f("files", launch.files), f("sources", OrderedJson::array());
  for (const auto& [file, text] : launch.sources)
    f.json["sources"].push_back({{"file", file}, {"text", text}});
}

namespace {

std::string accesses_line(std::uint64_t run, const OrderedJson& rows) {
  return line({{"event", "accesses"}, {"run", run}, {"rows", rows}});
}

// `row` makes the JSON of an access.
template <class Row>
std::string lines_of_accesses(std::uint64_t run,
                              const std::vector<kernels::RecordedAccess>& accesses,
                              const Row& row) {
  std::string lines;
  OrderedJson rows = OrderedJson::array();
  for (const kernels::RecordedAccess& access : accesses) {
    rows.push_back(row(access));
    if (rows.size() < rows_a_line) continue;
    lines += accesses_line(run, rows);
    rows.clear();
  }
  return rows.empty() ? lines : lines + accesses_line(run, rows);
}

OrderedJson with_file(OrderedJson json, const std::string& file) {
  if (!file.empty()) json["file"] = file;
  return json;
}

OrderedJson report_of(const StreamedLaunch& launch) {
  const kernels::Observation& seen = launch.observation;
  FieldWriter f;
  f("program", launch.program), f.or_null("title", title_of(launch));
  f("device", OrderedJson{{"kind", "emulator"}, {"name", launch.device_name}});
  shape_fields(f, launch);
  if (launch.kernel.empty())
    f("ending", "compile_error");
  else
    f("ending", seen.ending);
  f.or_null("ending_detail", seen.ending_detail);
  f.or_null("exit_status", launch.exit_status), f.or_null("signal", launch.signal);
  f.or_null("program_ending", launch.program_ending);
  if (launch.modelled_ms > 0)
    f("modelled", OrderedJson{{"profile", launch.profile},
                              {"median_ms", json_of(launch.modelled_ms)},
                              {"typical_error", reference::typical_error}});
  else
    f("modelled", nullptr);
  f("counters", nonzero(reference::values(seen.counters)));
  f("lines", OrderedJson::array());
  for (const reference::LineCounters& each : seen.lines)
    f.json["lines"].push_back(with_file(json_of(each), seen.file_name(each.file)));
  f("findings", seen.findings);
  f("diagnostics", OrderedJson::array());
  for (const auto& [file, diagnostic] : launch.diagnostics)
    f.json["diagnostics"].push_back(with_file(FieldWriter::written(diagnostic), file));
  return std::move(f.json);
}

}  // namespace

std::string begin_line(const StreamBegin& begin) { return line(FieldWriter::written(begin)); }

std::string progress_line(const StreamProgress& progress) {
  return line(FieldWriter::written(progress));
}

std::string access_lines(std::uint64_t run, const std::vector<kernels::RecordedAccess>& accesses) {
  return lines_of_accesses(run, accesses, [](const kernels::RecordedAccess& access) {
    return FieldWriter::written(access);
  });
}

std::string result_line(std::uint64_t run, const RunReport& report) {
  return line({{"event", "result"}, {"run", run}, {"report", json_of(report)}});
}

std::string end_line(std::uint64_t run) { return line({{"event", "end"}, {"run", run}}); }

std::string error_line(const std::string& message) {
  return line({{"event", "error"}, {"message", message}});
}

std::string launch_lines(const StreamedLaunch& launch) {
  const kernels::Observation& seen = launch.observation;
  const auto row = [&](const kernels::RecordedAccess& access) {
    return with_file(FieldWriter::written(access), seen.file_name(access.file));
  };
  return line(FieldWriter::written(launch)) + lines_of_accesses(launch.number, seen.accesses, row) +
         line({{"event", "result"}, {"run", launch.number}, {"report", report_of(launch)}}) +
         end_line(launch.number);
}

}  // namespace histolab::grader
