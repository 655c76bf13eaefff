// The text of a case names all that a reader needs to run it again.
#include "grader/report/case_text.h"

#include <doctest/doctest.h>

namespace histolab::grader {
namespace {

using kernels::BlockOrder;
using kernels::Schedule;

CaseResult sample_case() {
  CaseResult result;
  result.id = "letters-256", result.dataset = "mixed", result.length = 4000, result.grid = 16;
  return result;
}

TEST_CASE("a case is described by its data and its launch") {
  CaseResult result = sample_case();
  CHECK(described(result) == "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256)");
  result.offset = 3, result.kernel_name = "privatized";
  CHECK(described(result) ==
        "privatized, case letters-256 (mixed, 4 000 bytes, grid 16 x block 256, "
        "data 3 bytes behind a boundary)");
  result.offset = 1, result.id.clear(), result.binning.bins = 26;
  CHECK(described(result) ==
        "privatized, mixed, 4 000 bytes, grid 16 x block 256, 26 bins, data 1 byte behind a "
        "boundary");
}

TEST_CASE("a launch has a number if there are several") {
  CaseResult result = sample_case();
  result.id.clear();
  CHECK(described(result, 1) == "mixed, 4 000 bytes, grid 16 x block 256");
  result.launches = 3;
  CHECK(described(result) == "mixed, 4 000 bytes, grid 16 x block 256");
  CHECK(described(result, 2) == "mixed, 4 000 bytes, grid 16 x block 256, launch 2 of 3");
}

TEST_CASE("a schedule and a block order are named unless they are the default") {
  const auto orders = [](Schedule schedule, BlockOrder blocks) {
    CaseResult result = sample_case();
    result.id.clear(), result.schedule = schedule, result.block_order = blocks;
    const std::string text = described(result), data = "mixed, 4 000 bytes, grid 16 x block 256";
    REQUIRE(text.starts_with(data));
    return text.substr(data.size());
  };
  CHECK(orders(Schedule::lockstep, BlockOrder::ascending) == "");
  CHECK(orders(Schedule::adversarial, BlockOrder::ascending) == ", adversarial schedule");
  CHECK(orders(Schedule::lockstep, BlockOrder::descending) == ", last block first");
  CHECK(orders(Schedule::random, BlockOrder::random) == ", random schedule and order");
  CHECK(orders(Schedule::random, BlockOrder::descending) == ", random schedule, last block first");
}

}  // namespace
}  // namespace histolab::grader
