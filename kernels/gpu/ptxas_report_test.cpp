#include "kernels/gpu/ptxas_report.h"

#include <doctest/doctest.h>

using namespace histolab::kernels::gpu;

TEST_CASE("read_ptxas_report reads registers, memory and spills of two kernels") {
  const auto kernels = read_ptxas_report(
      "ptxas info    : 8 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z9histogramPKcjPj' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z9histogramPKcjPj\n"
      "ptxas         .     16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 1 barriers, 28 bytes smem\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
      "ptxas info    : Used 255 registers\n"
      "ptxas info    : Function properties for _Z1fi\n"
      "ptxas         .     40 bytes stack frame, 40 bytes spill stores, 40 bytes spill loads\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].symbol == "_Z9histogramPKcjPj");
  CHECK(kernels[0].registers == 10);
  CHECK(kernels[0].shared_bytes == 28);
  CHECK(kernels[0].stack_bytes == 16);
  CHECK(kernels[0].spill_store_bytes == 8);
  CHECK(kernels[0].spill_load_bytes == 4);
  CHECK(kernels[1].registers == 255);
  CHECK(kernels[1].shared_bytes == 0);
  CHECK(kernels[1].stack_bytes == 40);
  CHECK(read_ptxas_report("nothing of that\n").empty());
}
