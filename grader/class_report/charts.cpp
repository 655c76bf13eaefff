#include "grader/class_report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::html;
using grader::Html;

constexpr std::size_t full_marks = 10;  // the last bar

std::string part_of_the_scale(std::size_t bar) {
  return bar == full_marks ? std::string{"full marks"}
                           : fmt::format("{} to {} %", bar * 10, bar * 10 + 9);
}

std::string in_words(const std::array<std::size_t, 11>& students) {
  std::string words;
  for (std::size_t bar = 0; bar < students.size(); ++bar)
    if (students[bar] != 0)
      words +=
          fmt::format("{}{}: {}", words.empty() ? "" : "; ", part_of_the_scale(bar), students[bar]);
  return words.empty() ? "no students yet" : words;
}

double highest_of(const std::array<std::size_t, 11>& students) {
  return static_cast<double>(
      std::max<std::size_t>(1, *std::max_element(students.begin(), students.end())));
}

constexpr double least_ratio = 0.25, most_ratio = 64;
double along(double ratio) {
  return 6 + 208 * std::log2(std::clamp(ratio, least_ratio, most_ratio) / least_ratio) /
                 std::log2(most_ratio / least_ratio);
}

Html svg(const char* attributes, const std::string& label, const Html& shapes) {
  return html("<svg {} role=img aria-label=\"{}\">{}</svg>", Html{attributes}, label, shapes);
}

}  // namespace

Html score_chart(const std::array<std::size_t, 11>& students) {
  constexpr double width = 58, gap = 6, height = 150, top = 20;
  const double highest = highest_of(students);
  Html bars = html("<line class=axis x1=0 x2=704 y1={0} y2={0} />\n", top + height);
  for (std::size_t bar = 0; bar < students.size(); ++bar) {
    const double x = static_cast<double>(bar) * (width + gap) + gap / 2,
                 tall = height * static_cast<double>(students[bar]) / highest,
                 middle = x + width / 2;
    bars += html("<rect class={} x={:g} y={:.1f} width={:g} height={:.1f} rx=3 />",
                 bar == full_marks ? "full" : "bar", x, top + height - tall, width, tall);
    if (students[bar] != 0)
      bars += html("<text class=count x={:g} y={:.1f}>{}</text>", middle, top + height - tall - 5,
                   students[bar]);
    bars += html("<text x={:g} y={:g}>{}</text>\n", middle, top + height + 19,
                 bar == full_marks ? "full" : fmt::format("{}-{} %", bar * 10, bar * 10 + 9));
  }
  return svg("class=chart viewBox=\"0 0 704 200\"",
             "Students by part of all points. " + in_words(students), bars) +
         html("\n");
}

Html small_score_chart(const std::array<std::size_t, 11>& students, double max_score) {
  constexpr double height = 26;
  const double highest = highest_of(students);
  Html bars = html("<line class=axis x1=0 x2=110 y1=27 y2=27 />");
  for (std::size_t bar = 0; bar < students.size(); ++bar) {
    if (students[bar] == 0) continue;
    const double tall = std::max(1.5, height * static_cast<double>(students[bar]) / highest);
    bars += html("<rect class={} x={} y={:.1f} width=9 height={:.1f} />",
                 bar == full_marks ? "full" : "bar", bar * 10, 27 - tall, tall);
  }
  return svg("class=small viewBox=\"0 0 110 28\"",
             fmt::format("Scores of {}. {}", grader::plain(max_score), in_words(students)), bars);
}

Html verdict_bar(const LabCount& lab) {
  const std::size_t all = std::accumulate(lab.verdicts.begin(), lab.verdicts.end(), std::size_t{0});
  std::string words;
  Html bars;
  double x = 0;
  for (std::size_t i = 0; i < lab.verdicts.size(); ++i) {
    if (lab.verdicts[i] == 0) continue;
    const std::string label = fmt::format("{}: {}", verdict_looks[i].word, lab.verdicts[i]);
    words += (words.empty() ? "" : "; ") + label;
    const double width = 400.0 * static_cast<double>(lab.verdicts[i]) / static_cast<double>(all);
    bars += html("<rect class={} x={:.1f} width={:.1f} height=16><title>{}</title></rect>",
                 verdict_looks[i].look, x, width, label);
    x += width;
  }
  return svg("class=verdicts viewBox=\"0 0 400 16\" preserveAspectRatio=none", words, bars);
}

Html time_strip(const std::vector<double>& ascending) {
  Html shapes;
  for (const double tick : {1.0, 4.0, 16.0, 64.0})
    shapes += html("<line class={} x1={:.1f} x2={:.1f} y1=0 y2=22 /><text x={:.1f} y=34>{}x</text>",
                   tick == 1 ? "one" : "axis", along(tick), along(tick),
                   std::min(along(tick), 207.0), tick);
  for (const double ratio : ascending)
    shapes += html("<circle cx={:.1f} cy=11 r=4 />", along(ratio));
  return svg(
      "class=strip viewBox=\"0 0 220 36\"",
      fmt::format("{}, as multiples of the solution's time: from {} to {}, median {}",
                  grader::counted(ascending.size(), "kernel"), grader::plain(ascending.front()),
                  grader::plain(ascending.back()), grader::plain(median(ascending))),
      shapes);
}

Html share_bar(std::size_t part, std::size_t whole) {
  const double width =
      whole == 0 ? 0 : 160.0 * static_cast<double>(part) / static_cast<double>(whole);
  return html(
      "<svg class=share viewBox=\"0 0 160 10\" aria-hidden=true>"
      "<rect class=track width=160 height=10 rx=2 />"
      "<rect class=part width={:.1f} height=10 rx=2 /></svg>",
      width);
}

}  // namespace histolab::class_report
