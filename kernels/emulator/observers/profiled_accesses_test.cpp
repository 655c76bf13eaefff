// Compares the counts of single accesses with those of a profiler.
// docs/measurements/h100-profiler.json has the counts of Nsight Compute for a warp that makes one
// access.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

#include "kernels/emulator/observers/testing/traffic_at_elements.h"

namespace histolab::kernels::emulator {
namespace {

using nlohmann::json;

AccessKind kind_of(const std::string& operation) {
  if (operation == "load") return AccessKind::load;
  if (operation == "store") return AccessKind::store;
  if (operation.starts_with("exchange")) return AccessKind::exchange;
  return operation == "compare_and_swap" ? AccessKind::compare_and_swap : AccessKind::atomic;
}

reference::Traffic counted(const json& row, const json& element_of_lane) {
  testing::LaunchFixture launch;
  const bool shared = row.at("space") == "shared";
  const std::string operation = row.at("operation");
  const auto bytes = row.at("bytes").get<std::uint8_t>();
  const Region& region =
      launch.add({.role = shared ? Region::Role::shared_static : Region::Role::output,
                  .space = shared ? Space::shared : Space::global,
                  .name = "memory",
                  .size = 32 * 1024});
  launch.site(1, kind_of(operation), bytes);
  (*launch.sites)[1].adds_one = operation.starts_with("add_one");
  (*launch.sites)[1].result_used = operation.ends_with("_returned");
  return testing::traffic_at_elements(launch, 1, region, element_of_lane);
}

std::uint64_t profiled(const json& row, const std::string& name) {
  return row.at("ncu").value(name, std::uint64_t{0});
}

// Returns true if the operation is a compare-and-swap loop on a GPU. Each round is a request.
bool is_a_loop(const json& row) {
  return row.at("operation").get<std::string>().starts_with("add_float") || row.at("bytes") == 8;
}

std::string text(const json& row) {
  return fmt::format("{} {} of {} bytes at {}", row.at("space").get<std::string>(),
                     row.at("operation").get<std::string>(), row.at("bytes").get<int>(),
                     row.at("pattern").get<std::string>());
}

struct Rows {
  json file =
      json::parse(std::ifstream(HISTOLAB_SOURCE_DIR "/docs/measurements/h100-profiler.json"));
  // Calls f(row, traffic) for each row. Returns the number of rows.
  template <class F>
  int each(const std::string& space, F&& f) const {
    int count = 0;
    for (const json& row : file.at("rows"))
      if (row.at("experiment") == "accesses" && row.at("space") == space) {
        f(row, counted(row, file.at("element_of_lane").at(row.at("pattern").get<std::string>())));
        ++count;
      }
    return count;
  }
};

}  // namespace

TEST_CASE_FIXTURE(
    Rows, "global memory: sectors and bytes of each access equal those of a profiler on an H100") {
  const int count = each("global", [](const json& row, const reference::Traffic& traffic) {
    const std::string operation = row.at("operation");
    if (operation == "load" || operation == "store") {
      // The kernel also reads 32 words once each, the addresses or the values to store, and keeps
      // them.
      const bool load = operation == "load";
      const auto& ours = load ? traffic.global_load : traffic.global_store;
      const std::string kind = load ? "ld" : "st";
      CHECK_MESSAGE(ours.sectors + (load ? 4 : 0) ==
                        profiled(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_" + kind + ".sum"),
                    text(row));
      CHECK_MESSAGE(ours.bytes + (load ? 128 : 0) ==
                        profiled(row, "smsp__sass_data_bytes_mem_global_op_" + kind + ".sum"),
                    text(row));
    } else {
      CHECK_MESSAGE(traffic.global_atomic.requests ==
                        profiled(row, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"),
                    text(row));
      CHECK_MESSAGE(traffic.global_atomic.sectors ==
                        profiled(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"),
                    text(row));
    }
  });
  CHECK(count == 26 * 17);
}

TEST_CASE_FIXTURE(
    Rows, "shared memory: wavefronts and conflicts up to four bytes equal those of a profiler") {
  each("shared", [](const json& row, const reference::Traffic& traffic) {
    const std::string operation = row.at("operation");
    if (row.at("bytes") > 4 || is_a_loop(row)) return;
    const auto& ours = operation == "load"    ? traffic.shared_load
                       : operation == "store" ? traffic.shared_store
                                              : traffic.shared_atomic;
    const std::string kind = operation == "load" ? "ld" : operation == "store" ? "st" : "atom";
    CHECK_MESSAGE(ours.requests == profiled(row, "smsp__inst_executed_op_shared_" + kind + ".sum"),
                  text(row));
    CHECK_MESSAGE(
        ours.wavefronts ==
            profiled(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + kind + ".sum"),
        text(row));
    CHECK_MESSAGE(
        ours.bank_conflicts ==
            profiled(row, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + kind + ".sum"),
        text(row));
  });
}

}  // namespace histolab::kernels::emulator
