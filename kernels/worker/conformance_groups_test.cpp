// Tests of <cooperative_groups.h>: each member against its definition in the CUDA C++ Programming
// Guide ("Cooperative Groups").
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// Checks the value of each expression in every thread of a block of (16, 2, 2) threads. An
// expression may use `block`, `tile` (8 threads), `odd` (the odd lanes) and `t`, the thread's rank.
void check(const std::vector<std::pair<const char*, std::function<std::uint64_t(std::uint32_t t)>>>&
               expectations) {
  std::string body;
  for (std::size_t i = 0; i < expectations.size(); ++i)
    body += fmt::format("  put(out + {} + t, {});\n", 64 * i, expectations[i].first);
  const std::string source = fmt::format(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct Run {{ int bin; float weight; short count; }};
template <class T> __device__ void put(unsigned long long* to, T x) {{
  *to = 0;
  memcpy(to, &x, sizeof x);
}}
__device__ cg::coalesced_group odd_lanes() {{
  return cg::coalesced_threads();
}}
__global__ void k(unsigned long long* out) {{
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned t = block.thread_rank();
  int all = 0;
{}}}
)",
                                         body);
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(source, {.grid = {1},
                     .block = {16, 2, 2},
                     .arguments = {out<std::uint64_t>("out", 64 * expectations.size())},
                     .options = under(schedule)});
    CHECK(faults(outcome) == "");
    const auto values = outcome.output<std::uint64_t>();
    for (std::size_t i = 0; i < expectations.size(); ++i)
      for (std::uint32_t t = 0; t < 64; ++t)
        CHECK_MESSAGE(values[64 * i + t] == expectations[i].second(t), expectations[i].first,
                      " in thread ", t, " is ", values[64 * i + t], ", not ",
                      expectations[i].second(t));
  }
}

// Returns the rank of thread t (with t % 3 == 1) among such threads of its warp.
std::uint32_t rank_of_thirds(std::uint32_t t) { return (t - (t < 32 ? 1 : 34)) / 3; }

}  // namespace

TEST_CASE("thread_block") {
  check({
      {"threadIdx.x + 16 * threadIdx.y + 32 * threadIdx.z - block.thread_rank()",
       [](auto) { return 0; }},
      {"block.size() + block.num_threads()", [](auto) { return 128; }},
      {"block.thread_index().z", [](auto t) { return t / 32; }},
      {"block.dim_threads().y + block.group_dim().x + block.group_index().x",
       [](auto) { return 18; }},
      {"cg::thread_rank(block) + cg::group_size(block)", [](auto t) { return t + 64; }},
      {"(block.sync(), cg::sync(block), 7)", [](auto) { return 7; }},
  });
}

TEST_CASE("thread_block_tile") {
  check({
      {"tile.thread_rank()", [](auto t) { return t % 8; }},
      {"tile.size() + tile.num_threads()", [](auto) { return 16; }},
      {"tile.meta_group_rank()", [](auto t) { return t / 8; }},
      {"tile.meta_group_size()", [](auto) { return 8; }},
      {"cg::tiled_partition<2>(tile).meta_group_rank()", [](auto t) { return t % 8 / 2; }},
      {"cg::tiled_partition<2>(tile).meta_group_size()", [](auto) { return 4; }},
      {"tile.shfl(t, 3)", [](auto t) { return t / 8 * 8 + 3; }},
      {"tile.shfl((short)t, 11)", [](auto t) { return t / 8 * 8 + 3; }},
      {"tile.shfl_up(0.5 + t, 3)",
       [](auto t) { return std::bit_cast<std::uint64_t>(0.5 + (t % 8 < 3 ? t : t - 3)); }},
      {"tile.shfl_down(0.5f + t, 3)",
       [](auto t) {
         return std::bit_cast<std::uint32_t>(0.5f + static_cast<float>(t % 8 < 5 ? t + 3 : t));
       }},
      {"tile.shfl_xor(1ll * t << 33, 5)", [](auto t) { return (t ^ 5ull) << 33; }},
      {"tile.shfl_xor(Run{(int)t, 0.5f, 3}, 1).bin", [](auto t) { return t ^ 1u; }},
      {"tile.any(t == 12)", [](auto t) { return t / 8 == 1; }},
      {"tile.all(t != 12)", [](auto t) { return t / 8 != 1; }},
      {"tile.ballot(t % 8 == 2 || t == 12)", [](auto t) { return t / 8 == 1 ? 0x14 : 4; }},
      {"tile.match_any(t / 4)", [](auto t) { return t % 8 < 4 ? 0xf : 0xf0; }},
      {"tile.match_all(t / 8, all)", [](auto) { return 0xff; }},
      {"(tile.match_all(t == 12, all), all)", [](auto t) { return t / 8 != 1; }},
      {"warp.ballot(t % 2) + warp.thread_rank()", [](auto t) { return 0xaaaaaaaa + t % 32; }},
      {"(tile.sync(), cg::sync(warp), warp.shfl(t, 31))", [](auto t) { return t / 32 * 32 + 31; }},
      {"cg::tiled_partition<1>(block).shfl(t, 0)", [](auto t) { return t; }},
  });
}

TEST_CASE("reduce") {
  const auto of_tile = [](std::uint32_t t, auto&& join) {
    std::uint64_t all = t / 8 * 8;
    for (std::uint32_t l = 1; l < 8; ++l) all = join(all, t / 8 * 8 + l);
    return all;
  };
  check({
      {"cg::reduce(tile, t, cg::plus<unsigned>())",
       [&](auto t) { return of_tile(t, std::plus<std::uint64_t>()); }},
      {"cg::reduce(tile, t, cg::less<unsigned>())", [](auto t) { return t / 8 * 8; }},
      {"cg::reduce(tile, t, cg::greater<unsigned>())", [](auto t) { return t / 8 * 8 + 7; }},
      {"cg::reduce(tile, t, cg::bit_and<unsigned>())",
       [&](auto t) { return of_tile(t, std::bit_and<std::uint64_t>()); }},
      {"cg::reduce(tile, t, cg::bit_or<unsigned>())",
       [&](auto t) { return of_tile(t, std::bit_or<std::uint64_t>()); }},
      {"cg::reduce(tile, t * t, cg::bit_xor<unsigned>())",
       [](auto t) {
         std::uint64_t x = 0;
         for (std::uint32_t l = 0; l < 8; ++l) x ^= (t / 8 * 8 + l) * (t / 8 * 8 + l);
         return x;
       }},
      {"cg::reduce(warp, (double)t, cg::plus<double>())",
       [](auto t) { return std::bit_cast<std::uint64_t>(t < 32 ? 496.0 : 1520.0); }},
      {"cg::reduce(tile, t, [](unsigned a, unsigned b) { return a * 3 > b * 3 ? a : b; })",
       [](auto t) { return t / 8 * 8 + 7; }},
      {"t % 3 == 1 ? cg::reduce(cg::coalesced_threads(), t, cg::plus<unsigned>()) : 0u",
       [](auto t) {
         std::uint64_t sum = 0;
         for (std::uint32_t x = t / 32 * 32; x < t / 32 * 32 + 32; ++x) sum += x % 3 == 1 ? x : 0;
         return t % 3 == 1 ? sum : 0;
       }},
  });
}

TEST_CASE("scan") {
  // Combines the values of the threads from the group's first one to `last`, inclusive.
  const auto scanned = [](std::uint32_t first, std::uint32_t last, std::uint32_t step,
                          auto&& join) {
    std::uint64_t all = first;
    for (std::uint32_t l = first + step; l <= last; l += step) all = join(all, l);
    return all;
  };
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const auto first_of = [](std::uint32_t t) { return t / 8 * 8; };
  check({
      {"cg::inclusive_scan(tile, t)", [&](auto t) { return scanned(first_of(t), t, 1, sum); }},
      {"cg::inclusive_scan(tile, t, cg::plus<unsigned>())",
       [&](auto t) { return scanned(first_of(t), t, 1, sum); }},
      {"cg::exclusive_scan(tile, t)",
       [&](auto t) { return t % 8 == 0 ? 0 : scanned(first_of(t), t - 1, 1, sum); }},
      {"cg::inclusive_scan(tile, 63 - t, cg::less<unsigned>())", [](auto t) { return 63 - t; }},
      {"cg::inclusive_scan(tile, t, cg::less<unsigned>())", [&](auto t) { return first_of(t); }},
      {"cg::exclusive_scan(tile, t, cg::greater<unsigned>())",
       [](auto t) { return t % 8 == 0 ? 0 : t - 1; }},
      {"cg::inclusive_scan(tile, t, cg::bit_or<unsigned>())",
       [&](auto t) { return scanned(first_of(t), t, 1, std::bit_or<std::uint64_t>()); }},
      {"cg::inclusive_scan(tile, t, cg::bit_and<unsigned>())",
       [&](auto t) { return scanned(first_of(t), t, 1, std::bit_and<std::uint64_t>()); }},
      {"cg::exclusive_scan(tile, t, cg::bit_xor<unsigned>())",
       [&](auto t) {
         return t % 8 == 0 ? 0 : scanned(first_of(t), t - 1, 1, std::bit_xor<std::uint64_t>());
       }},
      {"cg::inclusive_scan(warp, (double)t)",
       [&](auto t) {
         return std::bit_cast<std::uint64_t>(static_cast<double>(scanned(t / 32 * 32, t, 1, sum)));
       }},
      // Lanes 1, 3, 5, ... of the warp.
      {"t % 2 ? cg::inclusive_scan(odd_lanes(), t) : 0u",
       [&](auto t) { return t % 2 ? scanned(t / 32 * 32 + 1, t, 2, sum) : 0; }},
      {"t % 2 ? cg::exclusive_scan(odd_lanes(), t, cg::plus<unsigned>()) : 0u",
       [&](auto t) { return t % 2 && t % 32 > 1 ? scanned(t / 32 * 32 + 1, t - 2, 2, sum) : 0; }},
      {"cg::inclusive_scan(cg::tiled_partition<1>(block), t)", [](auto t) { return t; }},
  });
}

TEST_CASE("coalesced groups and partitions") {
  check({
      {"t % 2 ? odd_lanes().size() : 0u", [](auto t) { return t % 2 ? 16 : 0; }},
      {"t % 2 ? odd_lanes().thread_rank() : 0u", [](auto t) { return t % 2 ? t % 32 / 2 : 0; }},
      {"t % 2 ? odd_lanes().shfl(t, 2) : 0u", [](auto t) { return t % 2 ? t / 32 * 32 + 5 : 0; }},
      {"t % 2 ? odd_lanes().shfl_up(t, 1) : 0u",
       [](auto t) { return t % 2 ? (t % 32 == 1 ? t : t - 2) : 0; }},
      {"t % 2 ? odd_lanes().shfl_down(t, 2) : 0u",
       [](auto t) { return t % 2 ? (t % 32 > 27 ? t : t + 4) : 0; }},
      {"t % 2 ? odd_lanes().ballot(t % 4 == 1) : 0u", [](auto t) { return t % 2 ? 0x5555 : 0; }},
      {"t % 2 ? odd_lanes().match_any(t / 8) : 0u",
       [](auto t) { return t % 2 ? 0xfu << t % 32 / 8 * 4 : 0; }},
      {"t % 2 ? odd_lanes().any(t == 33) + 2 * odd_lanes().all(t != 33) : 0",
       [](auto t) { return t % 2 ? (t < 32 ? 2 : 1) : 0; }},
      {"cg::labeled_partition(warp, t % 3).size()",
       [](auto t) {
         return t % 32 < 30 || true ? (32 - (t % 3 + 3 - t / 32 * 32 % 3) % 3 + 2) / 3 : 0;
       }},
      {"cg::labeled_partition(tile, t / 2).meta_group_rank()", [](auto t) { return t % 8 / 2; }},
      {"cg::binary_partition(warp, t % 32 < 5).size()", [](auto t) { return t % 32 < 5 ? 5 : 27; }},
      {"cg::binary_partition(cg::coalesced_threads(), t % 4 == 0).thread_rank()",
       [](auto t) { return t % 4 == 0 ? t % 32 / 4 : t % 32 - t % 32 / 4 - 1; }},
      {"cg::thread_group(block).size() + cg::thread_group(tile).size() + "
       "cg::thread_group(cg::coalesced_threads()).num_threads()",
       [](auto) { return 104; }},
      {"cg::tiled_partition(cg::thread_group(block), 4).thread_rank()",
       [](auto t) { return t % 4; }},
      {"cg::tiled_partition(block, 16).size() + 100 * cg::tiled_partition(tile, 2).thread_rank()",
       [](auto t) { return 16 + t % 2 * 100; }},
      // By rank in the group, not by lane.
      {"t % 3 == 1 ? cg::tiled_partition(cg::coalesced_threads(), 4).thread_rank() : 9u",
       [](auto t) { return t % 3 == 1 ? rank_of_thirds(t) % 4 : 9; }},
      {"t % 3 == 1 ? cg::tiled_partition(cg::coalesced_threads(), 4).size() : 0u",
       [](auto t) {
         return t % 3 == 1 ? std::min(4u, (t < 32 ? 11u : 10u) - rank_of_thirds(t) / 4 * 4) : 0;
       }},
      {"t % 3 == 1 ? cg::tiled_partition(cg::coalesced_threads(), 4).shfl(t, 0) : 0u",
       [](auto t) { return t % 3 == 1 ? t - rank_of_thirds(t) % 4 * 3 : 0; }},
      {"t % 3 == 1 ? cg::tiled_partition(cg::coalesced_threads(), 4).meta_group_rank() * 10 + "
       "cg::tiled_partition(cg::coalesced_threads(), 4).meta_group_size() : 0u",
       [](auto t) { return t % 3 == 1 ? rank_of_thirds(t) / 4 * 10 + 3 : 0; }},
      {"t % 2 ? cg::tiled_partition(odd_lanes(), 16).size() + cg::tiled_partition(odd_lanes(), "
       "32).meta_group_size() : 0u",
       [](auto t) { return t % 2 ? 17 : 0; }},
      {"t % 2 ? cg::tiled_partition(cg::tiled_partition(odd_lanes(), 8), 2).ballot(t % 4 == 1) : "
       "0u",
       [](auto t) { return t % 2 ? 1 : 0; }},
      {"t % 2 ? cg::tiled_partition(cg::thread_group(odd_lanes()), 8).thread_rank() : 0u",
       [](auto t) { return t % 2 ? t % 16 / 2 : 0; }},
      {"cg::this_grid().thread_rank() + cg::this_grid().size() + cg::this_grid().is_valid()",
       [](auto t) { return t + 64; }},
  });
}

TEST_CASE("the last tile of a block may be smaller, and an invalid tile size ends the launch") {
  const auto sizes =
      run("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void "
          "k(unsigned* out) {\n"
          "  const auto tile = cg::tiled_partition(cg::this_thread_block(), 16);\n  tile.sync();\n "
          " out[threadIdx.x] = tile.size();\n}",
          {.grid = {1}, .block = {53}, .arguments = {out("out", 53)}});
  CHECK(faults(sizes) == "");
  for (unsigned t = 0; t < 53; ++t) CHECK(sizes.output()[t] == (t < 48 ? 16 : 5));
  for (const char* size : {"0", "3", "64"})
    CHECK(
        told(run(std::string("#include <cooperative_groups.h>\nnamespace cg = "
                             "cooperative_groups;\n__global__ void k(unsigned* out) {\n"
                             "  out[threadIdx.x] = cg::tiled_partition(cg::coalesced_threads(), ") +
                     size + ").size();  //@here\n}",
                 {.grid = {1}, .block = {32}, .arguments = {out("out", 32)}})) ==
        "illegal_instruction @here");
}

TEST_CASE("a group's sync orders memory, its shuffles do not; findings name the student's line") {
  const auto reported = [](const std::string& between) {
    return told(
        run("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void "
            "k(unsigned* out) {\n  __shared__ unsigned s[32];\n"
            "  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n  s[threadIdx.x] = "
            "1;  //@write\n  " +
                between + "  //@between\n  atomicAdd(out, s[threadIdx.x ^ 1]);  //@read\n}",
            {.grid = {1}, .block = {32}, .arguments = {out("out", 1)}}));
  };
  CHECK(reported("warp.sync();") == "");
  CHECK(reported("cg::sync(warp);") == "");
  CHECK(reported("cg::coalesced_threads().sync();") == "");
  CHECK(reported("warp.shfl(1, 0);") == "data_race s[1] @write/@read");
  CHECK(reported("if (threadIdx.x < 5) warp.any(1); __syncthreads();") ==
        "invalid_mask @between/@between");
  CHECK(reported("if (threadIdx.x < 5) cg::this_thread_block().sync();") ==
        "barrier_divergence @between");
}

TEST_CASE("missing features of cooperative groups are named") {
  const auto first = [](const std::string& body) {
    const Compiled compiled = compile(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void "
        "k(unsigned* out) {\n  " +
            body + "\n}\n",
        {out("out", 1)});
    CHECK(!compiled.ok);
    REQUIRE(!compiled.diagnostics.empty());
    CHECK(compiled.diagnostics.front().line == 4);
    return compiled.diagnostics.front().message;
  };
  CHECK(first("cg::this_grid().barrier_arrive();") ==
        "this version of the emulator does not have grid_group::barrier_arrive() yet. Your code "
        "may be valid CUDA, but it cannot run here");
  CHECK(first("auto big = cg::tiled_partition<64>(cg::this_thread_block()); big.sync();") ==
        "this version of the emulator does not have tiles of more than 32 threads yet. Your code "
        "may be valid CUDA, but it cannot run here");
  CHECK(first("auto tile = cg::tiled_partition<4>(cg::coalesced_threads()); tile.sync();") ==
        "CUDA has tiled_partition<N>(group) for blocks and tiles only. For a coalesced group, "
        "write tiled_partition(group, N)");
  CHECK(first("auto cluster = cg::this_cluster();")
            .starts_with("`cg::this_cluster` is CUDA, but this version of the emulator does not "
                         "have that part of"));
  CHECK(first("cg::wait(cg::this_thread_block());").starts_with("`cg::wait` is CUDA"));
  CHECK(first("cg::this_tread_block().sync();").find("is not a member of") != std::string::npos);
}
