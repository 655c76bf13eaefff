#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/comparison/comparison.h"
#include "grader/files/json_fields.h"
#include "grader/report/case_text.h"
#include "grader/report/report_json.h"
#include "grader/words/painter.h"
#include "grader/words/words.h"
#include "kernels/finding_fields.h"

namespace histolab::grader {
namespace {

bool is_right(const ComparedLaunch& launch) {
  return launch.run.compiled && launch.run.result.correct;
}

// Returns the faster one, "a" or "b". Returns null if the times are alike or missing, or if a
// result is wrong.
OrderedJson faster(const Comparison& both) {
  if (!both.time || both.time->alike || !is_right(both.a) || !is_right(both.b)) return nullptr;
  return both.time->a_ms < both.time->b_ms ? "a" : "b";
}

OrderedJson time_of(const Comparison& both) {
  if (!both.time) return nullptr;
  const ComparedTime& time = *both.time;
  return {{"kind", time.measured ? "measured" : "modelled"},
          {"device", time.device},
          {"a_ms", time.a_ms},
          {"b_ms", time.b_ms},
          {"ratio", time.ratio()},
          {"alike", time.alike},
          {"faster", faster(both)}};
}

std::string result_of(const ComparedLaunch& launch) {
  if (!launch.run.compiled) return launch.run.refused ? "refused" : "no kernel";
  if (!launch.run.result.completed()) return std::string{kernels::name(launch.run.result.ending)};
  if (launch.program)
    return launch.run.result.findings.empty()
               ? "no findings"
               : counted(launch.run.result.findings.size(), "finding");
  return launch.run.result.correct ? "right" : "wrong";
}

std::string row(const std::string& title, const std::string& a, const std::string& b,
                const std::string& ratio = {}) {
  constexpr std::size_t title_width = 45, width = 13;
  std::string out =
      fmt::format("  {}{:>{}}{:>{}}{:>7}", padded(shortened(title, title_width - 1), title_width),
                  a, width, b, width, ratio);
  while (out.back() == ' ') out.pop_back();
  return out + "\n";
}

std::string shown_ratio(const std::optional<double>& ratio) {
  if (!ratio) return "-";
  return *ratio < 100 ? fmt::format("{:.3g}x", *ratio)
                      : grouped(static_cast<std::uint64_t>(*ratio + 0.5)) + "x";
}

std::string heading(const std::string& column, const ComparedLaunch& launch) {
  return fmt::format("{}: {}\n", column, launch.run.kernel_path) +
         paragraph(launch.program
                       ? fmt::format("launch {}, {}", launch.program->number, launch.program->text)
                       : described(launch.run.result),
                   4);
}

OrderedJson json_of_program(const ComparedLaunch& launch) {
  const ComparedProgram& program = *launch.program;
  const CaseResult& result = launch.run.result;
  FieldWriter f;
  f("program", launch.run.kernel_path), f("number", program.number), f("kernel", program.kernel);
  f.row("grid", program.grid.x, program.grid.y, program.grid.z);
  f.row("block", program.block.x, program.block.y, program.block.z);
  f.or_null("file", program.file), f.or_null("line", program.line);
  f("ending", result.ending), f("ending_detail", result.ending_detail);
  f.or_null("modelled_ms", result.modelled ? result.modelled->estimate.total_ns / 1e6 : 0);
  f.group("counters", [&](auto& counters) {
    for (const reference::CounterValue& each : result.counters)
      if (each.value != 0) counters.any_number(std::string{each.name}.c_str(), each.value);
  });
  f("findings", result.findings);
  return std::move(f.json);
}

}  // namespace

std::string to_json(const Comparison& both) {
  const auto side = [](const ComparedLaunch& launch) {
    OrderedJson json{{"label", launch.label}};
    if (launch.program)
      json["launch"] = json_of_program(launch);
    else
      json["run"] = json_of(launch.run);
    return json;
  };
  OrderedJson json{{"schema", "histolab/compare/1"},
                   {"version", both.a.run.version},
                   {"sentence", both.sentence}};
  json["time"] = time_of(both);
  json["time_reason"] = both.time ? OrderedJson(nullptr) : OrderedJson(both.time_reason);
  json["counters"] = OrderedJson::array();
  for (const ComparedCounter& each : both.counters)
    json["counters"].push_back(
        {{"name", each.name},
         {"title", each.title},
         {"unit", each.unit},
         {"a", json_of(each.a)},
         {"b", json_of(each.b)},
         {"ratio", each.ratio() ? json_of(*each.ratio()) : OrderedJson(nullptr)}});
  json["a"] = side(both.a), json["b"] = side(both.b);
  return text_of(json);
}

std::string to_text(const Comparison& both, const TextOptions& options) {
  constexpr std::size_t most = 12;
  const Painter paint{options.color};
  const bool short_enough = std::max(both.a.label.size(), both.b.label.size()) < 13;
  const std::string a = short_enough ? both.a.label : "A", b = short_enough ? both.b.label : "B";
  std::string out = heading(short_enough ? a : "A, " + both.a.label, both.a) +
                    heading(short_enough ? b : "B, " + both.b.label, both.b);
  out += "\n" + paint.bold(paragraph(both.sentence, 0));
  out += "\n" + row("", a, b, "ratio");
  out += row("result", result_of(both.a), result_of(both.b));
  if (both.time) {
    const ComparedTime& time = *both.time;
    out += row(fmt::format("time, {}, {}", time.measured ? "measured" : "modelled", time.device),
               duration(time.a_ms), duration(time.b_ms), shown_ratio(time.ratio()));
    if (!time.measured)
      out += row("bound by", std::string{both.a.run.result.modelled->estimate.bound_by},
                 std::string{both.b.run.result.modelled->estimate.bound_by});
  }
  for (std::size_t i = 0; i < std::min(most, both.counters.size()); ++i) {
    const ComparedCounter& each = both.counters[i];
    out += row(std::string{each.title}, plain(each.a), plain(each.b), shown_ratio(each.ratio()));
  }
  if (both.counters.size() > most)
    out += fmt::format("  and {} (--json has all)\n",
                       counted(both.counters.size() - most, "more counter"));
  if (!both.time) out += "\n" + paragraph(fmt::format("no time: {}", both.time_reason), 0);
  if (both.time && !both.time->measured)
    out += "\nA modelled time is not a measurement: see histolab glossary modelled-time\n";
  return out;
}

}  // namespace histolab::grader
