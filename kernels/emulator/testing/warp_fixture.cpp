#include "kernels/emulator/testing/warp_fixture.h"

#include <fmt/format.h>

namespace histolab::kernels::emulator::testing {

std::string text(const LoggedRows& rows) {
  std::string all;
  for (const LoggedRow& row : rows) all += fmt::format("{}:{:08x} ", row.site, row.lanes);
  return all;
}

LoggedRows Recorder::rows() const {
  LoggedRows rows;
  for (const WarpAccess& access : accesses) rows.push_back({access.site, access.active});
  return rows;
}

ControlFlow flow_of(SiteNumber last, const std::vector<LoopOfSites>& loops) {
  // Node i is site i + 1.
  FlowGraph graph;
  std::vector<SiteNumber> sites;
  for (SiteNumber site = 1; site <= last; ++site) {
    sites.push_back(site);
    graph.push_back({site - 1u, site, {}});
    if (site < last) graph.back().next.push_back(site);
  }
  for (const LoopOfSites& loop : loops) graph[loop.last - 1].next.push_back(loop.first - 1);
  return {graph, sites};
}

LoggedWarp::LoggedWarp(const std::vector<LoopOfSites>& loops) : flow(flow_of(99, loops)) {
  launch.context.observers = {&recorder};
  launch.context.flow = &flow;
  log.take(idle);
  log.begin(3);
  for (std::uint32_t l = 0; l < 32; ++l) cursors[l] = log.start(l);
  for (SiteNumber site = 1; site < 1000; ++site) launch.site(site, AccessKind::load, 4);
}

std::string LoggedWarp::passed_on() {
  const std::string said = text(recorder.rows());
  recorder.accesses.clear();
  return said;
}

}  // namespace histolab::kernels::emulator::testing
