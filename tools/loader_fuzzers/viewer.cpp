// Loaders of the viewer: streams, recordings and reports of other programs of the kit, and files
// that users write.
#include <algorithm>

#include "grader/race/race_report.h"
#include "tools/loader_fuzzers/loaders.h"
#include "tools/loader_fuzzers/taking.h"
#include "viewer/feed/line_splitter.h"
#include "viewer/model/access_log.h"
#include "viewer/model/catalogue.h"
#include "viewer/model/comparison_view.h"
#include "viewer/model/json_access.h"
#include "viewer/model/live_run.h"
#include "viewer/model/measurements.h"
#include "viewer/model/race_script.h"
#include "viewer/model/source_view.h"
#include "viewer/model/sweep.h"
#include "viewer/model/throughput.h"
#include "viewer/model/tour.h"
#include "viewer/model/verdict.h"
#include "viewer/model/warp_view.h"

namespace histolab::fuzzing {
namespace {

// Reads as much as possible, up to the data that is drawn.
void stream(std::string_view bytes) {
  viewer::LiveRun run;
  viewer::AccessLog log;
  viewer::LineSplitter lines;
  lines.add(bytes, [&](std::string_view line) {
    run.apply(viewer::parse_event(line));
    log.follow(run);
  });
  run.stream_ended();
  static_cast<void>(viewer::totals(run.bars()));
  static_cast<void>(run.fraction_read());
  static_cast<void>(run.status());
  static_cast<void>(viewer::why_no_accesses(run));
  static_cast<void>(log.nearest({0, 0}, {}));
  const std::string file = run.begin().file_shown("main.cu");
  viewer::SourceView source;
  source.set_text(run.begin().text_of(file));
  if (run.result()) {
    const viewer::RunSummary summary = run.result()->in_file(file);
    source.annotate(&summary, nullptr);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(log.rows().size(), 8); ++i) {
    const viewer::Access& access = log.rows()[i];
    static_cast<void>(viewer::sector_grid(access));
    static_cast<void>(viewer::bank_columns(access));
    static_cast<void>(viewer::element_columns(access, run.begin().bin_labels));
    static_cast<void>(log.holds_bins(access.variable));
  }
}

// The complete output of any command.
void command_output(std::string_view bytes) {
  const viewer::Json output = viewer::parsed(bytes);
  if (output.is_discarded()) return;
  const viewer::Catalogue catalogue = viewer::catalogue_in(output);
  static_cast<void>(viewer::usual_comparison(catalogue));
  if (const auto comparison = viewer::comparison_in(output)) {
    static_cast<void>(comparison->headline());
    static_cast<void>(comparison->problems());
    for (const auto& counter : comparison->counters) static_cast<void>(comparison->lean(counter));
  }
  const viewer::RunSummary summary = viewer::run_summary(output);
  viewer::ThroughputHistory history;
  history.add(summary, 1);
  viewer::SourceView source;
  source.set_text("__global__ void histogram() {\n}\n");
  if (const auto verdict = viewer::verdict_in(output)) {
    static_cast<void>(verdict->headline());
    source.annotate(&summary, &*verdict);
  }
  viewer::ModelledSweep sweep;
  sweep.set({{.lab = "02-atomic-add",
              .title = "",
              .strategy = "",
              .kernel = "",
              .own = false,
              .version = 0}});
  if (const auto launch = sweep.next()) sweep.answer(*launch, output);
  static_cast<void>(sweep.sweep());
}

void race_recording(std::string_view bytes) {
  const viewer::Json report = viewer::parsed(bytes);
  if (report.is_discarded()) return;
  auto script = viewer::RaceScript::of_recording(report);
  if (!script) return;
  for (std::size_t i = 0; i < 100 && !script->ended(); ++i) script->forward();
  for (std::uint32_t thread = 0; thread < script->threads(); ++thread) {
    script->back();
    script->step(thread);
    static_cast<void>(script->register_of(thread));
  }
}

std::vector<std::string> race_recordings() {
  return {grader::to_json(grader::race_of_seed({2, 2, false}, 1)),
          grader::to_json(grader::race_of_scenario(2))};
}

void measurements(std::string_view bytes) {
  const viewer::Json output = viewer::parsed(bytes);
  if (output.is_discarded()) return;
  const auto bench = viewer::bench_in(output);
  if (!bench) return;
  for (const std::uint32_t bins : viewer::bins_measured({*bench}, {})) {
    const viewer::Sweep sweep = viewer::measured_sweep({*bench}, bins, {});
    static_cast<void>(viewer::one_address_bound(sweep, {0, 50, 100}));
    static_cast<void>(viewer::describe_rates(sweep, 50));
  }
}

void tour(std::string_view bytes) {
  if (const auto tour = viewer::read_tour(folder_with("tour.json", bytes) + "/tour.json"))
    for (const viewer::TourStop& stop : tour->stops) static_cast<void>(viewer::choice_of(stop, {}));
}

}  // namespace

std::vector<Loader> viewer_loaders() {
  return {
      {"stream", stream, {"grader/golden/stream.jsonl"}},
      {"command_output",
       command_output,
       {"grader/golden/run.json", "grader/golden/compare.json", "grader/golden/report.json"}},
      {"race_recording", race_recording, {"grader/golden/race*.json"}, race_recordings},
      {"measurements", measurements, {"docs/measurements/h200-short-bench.json"}},
      {"tour", tour, {"viewer/tour.json"}},
  };
}

}  // namespace histolab::fuzzing
