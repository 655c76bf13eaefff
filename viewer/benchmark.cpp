#include "viewer/benchmark.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace histolab::viewer {
namespace {

double ms_of(const timespec& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// Returns the quantile `share` of the values, or 0 without values.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

double rounded(double number) { return std::round(number * 1000) / 1000; }

}  // namespace

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return ms_of(now);
}

double process_age_ms() {
  // Field 22 of /proc/self/stat (proc(5)): clock ticks between boot and the start of the process.
  // The program's name, an earlier field, may contain spaces.
  std::ifstream in{"/proc/self/stat"};
  std::stringstream text;
  text << in.rdbuf();
  const std::string stat = text.str();
  std::istringstream fields{stat.substr(std::min(stat.size(), stat.rfind(')') + 1))};
  std::string field;
  for (int number = 3; number < 22; ++number) fields >> field;
  double ticks = 0;
  fields >> ticks;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return ms_of(now) - ticks * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double resident_mb() {
  std::ifstream in{"/proc/self/statm"};
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::string benchmark_json(const FrameCosts& costs, std::size_t panels, const std::string& renderer,
                           double seconds, double memory_begin_mb, double memory_end_mb) {
  nlohmann::ordered_json json;
  json["schema"] = "histolab/view-benchmark/1";
  json["first_frame_ms"] = rounded(costs.first_frame_ms);
  json["cpu_ms_median"] = rounded(quantile(costs.cpu_ms, 0.5));
  json["cpu_ms_p99"] = rounded(quantile(costs.cpu_ms, 0.99));
  json["submit_ms_median"] = rounded(quantile(costs.submit_ms, 0.5));
  json["frames"] = costs.cpu_ms.size();
  json["seconds"] = rounded(seconds);
  json["panels"] = panels;
  json["renderer"] = renderer;
  json["resident_mb_begin"] = rounded(memory_begin_mb);
  json["resident_mb_end"] = rounded(memory_end_mb);
  return json.dump(2) + "\n";
}

}  // namespace histolab::viewer
