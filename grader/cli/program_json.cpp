#include "grader/cli/program_report.h"
#include "grader/files/json_fields.h"
#include "grader/report/report_json.h"
#include "kernels/finding_fields.h"
#include "reference/fields.h"

namespace histolab::kernels::program {

template <class F, Describes<ReportedLaunch> Value>
requires F::writes void fields(F& f, Value& launch) {
  f("kernel", launch.kernel);
  f.row("grid", launch.grid.x, launch.grid.y, launch.grid.z);
  f.row("block", launch.block.x, launch.block.y, launch.block.z);
  f("dynamic_shared_bytes", launch.dynamic_shared_bytes);
  f.or_null("file", launch.line.file), f.or_null("line", launch.line.line);
  f("watched", launch.watched), f("too_much_data", launch.too_much_data);
  f("ending", launch.ending), f("ending_detail", launch.ending_detail);
  f.any_number("modelled_ms", launch.modelled_ms);
  f("counters", launch.watched ? grader::nonzero(reference::values(launch.counters))
                               : grader::OrderedJson::object());
}

}  // namespace histolab::kernels::program

namespace histolab::cli {

template <class F, Describes<ExecReport> Value>
requires F::writes void fields(F& f, Value& exec) {
  const kernels::program::ProgramReport& run = exec.run;
  f.schema("histolab/exec/1"), f("version", HISTOLAB_VERSION);
  f("sources", exec.sources), f("arguments", exec.arguments);
  f("schedule", exec.schedule), f("seed", exec.seed), f("profile", exec.profile);
  f.or_null("modelled_device", exec.modelled_device);
  f.any_number("modelled_ms", run.modelled_ms);
  const std::optional status{run.end.status}, none = std::optional<int>{};
  f.or_null("exit_status", run.end.exited ? status : none);
  f.or_null("signal", run.end.exited ? none : status);
  f("ending_detail", run.ending_detail);
  f("launch_count", run.launch_count), f("repeated_launches", run.repeated_launches);
  f("launches", run.launches);
  f("findings", run.findings), f("host_findings", run.host_findings);
}

std::string to_json(const ExecReport& exec) {
  return grader::text_of(grader::FieldWriter::written(exec));
}

}  // namespace histolab::cli
