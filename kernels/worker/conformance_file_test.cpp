// Runs kernels/cuda/conformance.cu on the emulator and compares it with a second implementation of
// the definitions: with wide integers, bit by bit, by the neighbours of a rounded number.
// kernels/gpu/conformance_gpu_test.cpp compares the emulator with a GPU.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "kernels/worker/testing/conformance_model.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr std::uint32_t results = conformance_words, blocks = conformance_blocks,
                        threads = conformance_threads, count = blocks * threads;

std::vector<std::uint32_t> run_kernel(const std::string& name) {
  const std::vector<std::uint32_t> operands = conformance_operands();
  const Outcome outcome = run(
      conformance_source(name),
      {.grid = {blocks},
       .block = {threads},
       .arguments = {in("operands", operands), word(static_cast<std::uint32_t>(operands.size())),
                     out("out", count * results)},
       .options = under(Schedule::run_to_barrier)});
  CHECK(faults(outcome) == "");
  return outcome.output();
}

struct Three {
  std::uint32_t a, b, c;
};
Three operands_of(const std::vector<std::uint32_t>& operands, std::uint32_t i) {
  const auto n = static_cast<std::uint32_t>(operands.size());
  return {operands[i % n], operands[(i / n + i * 7) % n], operands[(i * 13 + 5) % n]};
}

// Compares each thread's words with those that `model` computes for its operands.
void check(const std::string& name,
           const std::function<std::vector<std::uint32_t>(std::uint32_t, std::uint32_t,
                                                          std::uint32_t)>& model) {
  const std::vector<std::uint32_t> operands = conformance_operands(), got = run_kernel(name);
  int shown = 0;
  for (std::uint32_t i = 0; i < count && shown < 8; ++i) {
    const auto [a, b, c] = operands_of(operands, i);
    const std::vector<std::uint32_t> expected = model(a, b, c);
    REQUIRE(expected.size() <= results);
    for (std::uint32_t k = 0; k < expected.size(); ++k) {
      if (got[i * results + k] == expected[k]) continue;
      CHECK_MESSAGE(false, name, " of ", a, ", ", b, ", ", c, ": word ", k, " is ",
                    got[i * results + k], ", not ", expected[k]);
      ++shown;
    }
  }
}

}  // namespace

TEST_CASE("conformance kernels: integers") { check("integers", model_of_integers); }
TEST_CASE("conformance kernels: two and four parts of a word") { check("simd", model_of_simd); }
TEST_CASE("conformance kernels: minima and maxima of sums") { check("dpx", model_of_dpx); }
TEST_CASE("conformance kernels: conversions") { check("conversions", model_of_conversions); }
TEST_CASE("conformance kernels: atomic functions") {
  check("atomics", model_of_atomics);
  check("shared_atomics", model_of_atomics);
}
TEST_CASE("conformance kernels: atomic sums of numbers of floating point") {
  check("float_atomics", model_of_float_atomics);
}

TEST_CASE("conformance kernels: numbers of 16 bits") {
  check("half_arithmetic", model_of_half_arithmetic);
  check("half_conversions", model_of_half_conversions);
  check("half_atomics", model_of_half_atomics);
  const std::vector<std::uint32_t> got = run_kernel("every_half");
  for (std::uint32_t thread = 0; thread < count; ++thread) {
    const Words expected = model_of_every_half(thread);
    REQUIRE(expected.size() == results);
    for (std::uint32_t k = 0; k < results; ++k)
      if (got[thread * results + k] != expected[k])
        CHECK_MESSAGE(false, "number ", 16 * thread + k / 10, ": word ", k % 10, " is ",
                      got[thread * results + k], ", not ", expected[k]);
  }
}

TEST_CASE("conformance kernels: the lanes of a warp") {
  const std::vector<std::uint32_t> operands = conformance_operands(), got = run_kernel("warps");
  int shown = 0;
  for (std::uint32_t first = 0; first < count; first += 32) {
    WarpOperands of{};
    for (std::uint32_t l = 0; l < 32; ++l) {
      const Three three = operands_of(operands, first + l);
      of.a[l] = three.a;
      of.b[l] = three.b;
      of.c[l] = three.c;
    }
    for (std::uint32_t l = 0; l < 32 && shown < 8; ++l) {
      const std::vector<std::uint32_t> expected = model_of_warps(of, l);
      for (std::uint32_t k = 0; k < expected.size(); ++k) {
        const std::uint32_t word = got[(first + l) * results + k];
        if (word == expected[k]) continue;
        CHECK_MESSAGE(false, "lane ", l, " of warp ", first / 32, ": word ", k, " is ", word,
                      ", not ", expected[k]);
        ++shown;
      }
    }
  }
}

TEST_CASE("conformance kernels: arithmetic with a rounding") {
  const std::vector<std::uint32_t> got = run_kernel("rounded");
  // rn is the nearest number; rd and ru are the neighbours around the exact result; rz is the one
  // towards zero.
  const auto consistent = [](auto rn, auto rz, auto ru, auto rd) {
    if (std::isnan(rn)) return std::isnan(rz) && std::isnan(ru) && std::isnan(rd);
    const auto infinity = std::numeric_limits<decltype(rn)>::infinity();
    return rd <= rn && rn <= ru && (rd == ru || std::nextafter(rd, infinity) == ru) &&
           (rn == rd || rn == ru) && rz == (std::signbit(rn) ? ru : rd);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t* w = &got[i * results];
    for (int f = 0; f < 7; ++f, w += 4) {
      const auto at = [&](int k) { return std::bit_cast<float>(w[k]); };
      CHECK_MESSAGE(consistent(at(0), at(1), at(2), at(3)), "float operation ", f, " of thread ",
                    i);
    }
    for (int f = 0; f < 7; ++f, w += 8) {
      const auto at = [&](int k) {
        return std::bit_cast<double>(std::uint64_t{w[2 * k + 1]} << 32 | w[2 * k]);
      };
      CHECK_MESSAGE(consistent(at(0), at(1), at(2), at(3)), "double operation ", f, " of thread ",
                    i);
    }
    const std::uint32_t* nearest = &got[i * results];
    CHECK(w[0] == nearest[0]);  // + is __fadd_rn
    CHECK(w[1] == nearest[4]);
    CHECK(w[2] == nearest[8]);
    CHECK(w[3] == nearest[12]);
    CHECK(w[4] == nearest[20]);  // sqrtf
    CHECK(w[5] == nearest[24]);  // fmaf
  }
}

TEST_CASE("conformance kernels: accesses with a cache hint, each one access of its width") {
  const std::vector<std::uint32_t> got = run_kernel("hints");
  CHECK(std::any_of(got.begin(), got.end(), [](std::uint32_t word) { return word != 0; }));
  for (const auto& [type, bytes] :
       std::initializer_list<std::pair<const char*, int>>{{"char", 1},
                                                          {"unsigned short", 2},
                                                          {"uchar4", 4},
                                                          {"float", 4},
                                                          {"float2", 8},
                                                          {"longlong", 8},
                                                          {"uint4", 16},
                                                          {"double2", 16},
                                                          {"ulonglong2", 16}})
    for (const char* load : {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"})
      for (const char* store : {"__stwb", "__stcg", "__stcs", "__stwt"}) {
        if (store != std::string("__stwb") && load != std::string("__ldg")) continue;
        const std::string source =
            std::string(
                "typedef long long longlong; __global__ void k(const uint4* from, uint4* to) { ") +
            store + "((" + type + "*)to + threadIdx.x, " + load + "((const " + type +
            "*)from + threadIdx.x)); }";
        std::vector<std::uint32_t> from(32 * 4);
        for (std::uint32_t i = 0; i < from.size(); ++i) from[i] = i * 0x01010101u;
        const Outcome outcome =
            run(source,
                {.grid = {1}, .block = {32}, .arguments = {in("from", from), out("to", 32 * 4)}});
        CHECK(faults(outcome) == "");
        const auto& c = outcome.last().counters;
        CHECK_MESSAGE((c.global_load.requests == 1 && c.global_store.requests == 1), source);
        CHECK(c.global_load.bytes == static_cast<std::uint64_t>(32 * bytes));
        CHECK(std::memcmp(outcome.outputs[0].data(), from.data(),
                          static_cast<std::size_t>(32 * bytes)) == 0);
      }
}
