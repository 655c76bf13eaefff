#include "kernels/emulator/parallel/chunk_sums.h"

#include <map>
#include <utility>

namespace histolab::kernels::emulator {

bool add_up_sites(const std::vector<ChunkReport>& reports, const Window& window, SiteTable& sites) {
  std::map<SiteNumber, ChunkReport::UsedSite> last;
  for (const ChunkReport& report : reports)
    for (const ChunkReport::UsedSite& used : report.sites) {
      const auto known = last.find(used.site);
      const std::uint8_t width = known != last.end() ? known->second.bytes : sites[used.site].bytes;
      const bool fits = width != 0 ? used.bytes == width
                                   : used.bytes == 1 || used.bytes == 4;  // see record_range
      if (used.region >= window.regions().size() || !fits) return false;
      last[used.site] = used;
    }
  for (const auto& [number, used] : last) {
    sites[number].bytes = used.bytes;
    sites[number].usual = &window.regions()[used.region];
  }
  return true;
}

void add_up_lines(const std::vector<ChunkReport>& reports, Observation& observation) {
  std::map<int, reference::Traffic> lines;
  for (const ChunkReport& report : reports)
    for (const reference::LineCounters& line : report.lines) lines[line.line] += line.counters;
  for (const auto& [line, traffic] : lines) {
    observation.lines.push_back({line, traffic});
    static_cast<reference::Traffic&>(observation.counters) += traffic;
  }
}

bool add_up_pressure(const std::vector<ChunkReport>& reports, const Window& window,
                     Observation& observation) {
  std::vector<std::uint32_t> order;
  std::map<std::uint32_t,
           std::pair<reference::AtomicPressure, std::map<std::uint64_t, std::uint64_t>>>
      sums;
  for (const ChunkReport& report : reports)
    for (const RegionPressure& of : report.pressure) {
      if (of.region >= window.regions().size()) return false;
      const auto [sum, is_new] = sums.try_emplace(of.region);
      auto& [pressure, elements] = sum->second;
      if (is_new) order.push_back(of.region), pressure.element_bytes = of.pressure.element_bytes;
      if (pressure.element_bytes != of.pressure.element_bytes) return false;
      pressure.updates += of.pressure.updates;
      pressure.uncounted += of.pressure.uncounted;
      for (const auto& element : of.pressure.top) elements[element.index] += element.updates;
    }
  for (const std::uint32_t id : order) {
    auto& [pressure, elements] = sums[id];
    pressure.variable = window.regions()[id].name;
    pressure.shared = window.regions()[id].space == Space::shared;
    pressure.elements = elements.size();
    for (const auto& [index, updates] : elements) pressure.top.push_back({index, updates});
    pressure.keep_most_updated();
    observation.pressure.push_back(std::move(pressure));
  }
  return true;
}

}  // namespace histolab::kernels::emulator
