// Tests of accesses that no callback reports, such as of a structure that is an argument or a
// result. The machine code shows them: observers, counters and schedules see them like any other.
#include <doctest/doctest.h>

#include <string>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr const char* types = R"(#include <new>
struct One { unsigned v; };
struct Bits { unsigned v : 31, rest : 1; };
struct Two { unsigned v, w; };
struct Odd { unsigned char of[3]; };
struct Wide { unsigned v, more[4]; };
union Either { unsigned v; float f; };
template <class A, class B> struct Pair { A first; B second; };
struct Named {
  unsigned v;
  __device__ Named(unsigned x) : v(x) {}
  __device__ Named(const Named& n) : v(n.v) {}
  __device__ ~Named() {}
};
#define APART __device__ __attribute__((noipa))
APART unsigned value_of(One o) { return o.v; }
APART unsigned value_of(Bits o) { return o.v; }
APART unsigned value_of(Two o) { return o.v; }
APART unsigned value_of(Odd o) { return o.of[0]; }
APART unsigned value_of(Wide o) { return o.v; }
APART unsigned value_of(Either o) { return o.v; }
APART unsigned value_of(Pair<unsigned short, unsigned short> o) { return o.first; }
APART unsigned value_of(Named o) { return o.v; }
APART One whole(const One* p) { return *p; }
APART Wide wide(const Wide* p) { return *p; }
APART One one(unsigned v) { return {v}; }
APART Bits bits(unsigned v) { Bits b; b.v = v, b.rest = 0; return b; }
APART Two two(unsigned v) { return {v, 0}; }
APART Odd odd(unsigned v) { return {{(unsigned char)v, 0, 0}}; }
APART Wide wide(unsigned v) { return {v, {0, 0, 0, 0}}; }
APART Either either(unsigned v) { Either e; e.v = v; return e; }
APART Pair<unsigned short, unsigned short> pair(unsigned v) { return {(unsigned short)v, 0}; }
APART Named named(unsigned v) { return Named(v); }
)";

// Each reads the word at p, and perhaps bytes after it.
constexpr const char* reads[] = {
    "*p",
    "value_of(*(One*)p)",
    "value_of(*(Bits*)p)",
    "value_of(*(Two*)p)",
    "value_of(*(Odd*)p)",
    "value_of(*(Wide*)p)",
    "value_of(*(Either*)p)",
    "value_of(*(Pair<unsigned short, unsigned short>*)p)",
    "value_of(*(Named*)p)",
    "((Bits*)p)->v",
    "whole((One*)p).v",
    "wide((Wide*)p).v",
    "[o = *(One*)p] { return o.v; }()",
    "(unsigned)*(unsigned __int128*)p",
    "(unsigned)*(volatile unsigned*)p",
};

// Each stores v in the word at p, and perhaps zeros after it.
constexpr const char* stores[] = {
    "*p = v",
    "*(One*)p = one(v)",
    "*(Bits*)p = bits(v)",
    "*(Two*)p = two(v)",
    "*(Odd*)p = odd(v)",
    "*(Wide*)p = wide(v)",
    "*(Either*)p = either(v)",
    "*(Pair<unsigned short, unsigned short>*)p = pair(v)",
    "*(Named*)p = named(v)",
    "((Bits*)p)->v = v",
    "new (p) One(one(v))",
    "new (p) Wide(wide(v))",
    "*(unsigned __int128*)p = v",
    "((volatile One*)p)->v = v",
    "memcpy(p, &v, 3)",
    "{ Odd o = odd(v); memcpy(p, &o, sizeof o); }",
};

std::string kernel(const std::string& body) {
  constexpr const char* head = R"(
__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
)";
  return types + (head + body) + "}\n";
}

std::string reported_under(const std::string& source, Schedule schedule, Dim3 grid, Dim3 block) {
  return told(run(source, launch_of({"", "", "", grid, block}, schedule)));
}

bool tells_race(const std::string& told) {
  for (std::size_t at = 0; (at = told.find("data_race", at)) != std::string::npos; ++at)
    if (told.compare(at, 16, "data_race (note)") != 0) return true;
  return false;
}

}  // namespace

// All threads make the same reported store, to the word that they update. Its value is checked when
// the next access is reported, which is the one to `idle`.
TEST_CASE("an update after a same-value store is a race, however it is written") {
  const auto update = [](const std::string& read, const std::string& store) {
    return kernel(R"(
  static __device__ unsigned idle;
  unsigned* const p = out;
  ((Bits*)p)->rest = 0;
  unsigned v = )" +
                  read + R"(;
  *(One*)p = one(0);
  unsigned seen = idle;
  v += 1 + (i & seen);
  )" + store + R"(;
  if (idle) __trap();
)");
  };
  const auto check = [&](const std::string& read, const std::string& store) {
    for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier}) {
      const std::string told = reported_under(update(read, store), schedule, {2, 1, 1}, {32, 1, 1});
      CHECK_MESSAGE(tells_race(told), read, "; ", store, " under ", name(schedule), ": ", told);
    }
  };
  for (const char* read : reads) check(read, "*(One*)p = one(v)");
  for (const char* store : stores) check("value_of(*(One*)p)", store);
}

TEST_CASE("threads that use only their own words have no race, and read back their values") {
  for (const std::string read : reads)
    for (const std::string store :
         {"*(One*)p = one(v)", "*(Wide*)p = wide(v)", "((Bits*)p)->v = v"}) {
      const std::string source = kernel(R"(
  __shared__ __align__(16) unsigned own[64][8];
  unsigned* const p = own[threadIdx.x];
  memset(p, 0, 32);
  unsigned v = i % 200;
  )" + store + R"(;
  v = )" + read + R"(;
  if (v != i % 200) __trap();
)");
      const std::string told = reported_under(source, Schedule::lockstep, {2, 1, 1}, {64, 1, 1});
      CHECK_MESSAGE(told == "", read, "; ", store);
    }
}

TEST_CASE("one unreported store or read on either side is enough for a race") {
  const auto told = [](const std::string& body) {
    return reported_under(kernel(body), Schedule::run_to_barrier, {2, 1, 1}, {64, 1, 1});
  };
  for (const std::string store : stores)
    CHECK_MESSAGE(tells_race(told(R"(
  unsigned* const p = out;
  unsigned v = i;
  if (i == 3 || i == 70) )" + store +
                                  ";\n")),
                  store);
  for (const std::string read : reads)
    CHECK_MESSAGE(tells_race(told(R"(
  unsigned* const p = out;
  if (i == 3) *p = 5;
  if (i == 70 && )" + read + " == 9) __trap();\n")),
                  read);
}

TEST_CASE("unreported accesses are counted once each") {
  const auto counters = [](const char* statement) {
    const std::string source = kernel(std::string(R"(
  unsigned* const p = out + i;
  unsigned v = 7;
  if (i < 8) { )") + statement + R"(; }
  if (v == 9) __trap();
)");
    const Launch launch = launch_of({"", "", "", {1, 1, 1}, {32, 1, 1}}, Schedule::lockstep);
    return run(source, launch).last().counters;
  };
  struct Counted {
    const char* statement;
    std::uint64_t loads, stores;  // counted per lane
  };
  for (const Counted& each :
       {Counted{"v = *p", 8, 0}, Counted{"*p = v", 0, 8}, Counted{"v = value_of(*(One*)p)", 8, 0},
        Counted{"*(One*)p = one(v)", 0, 8}, Counted{"v = value_of(*(Two*)p)", 8, 0},
        Counted{"*(Two*)p = two(v)", 0, 8}, Counted{"((Bits*)p)->v = v", 0, 8},
        Counted{"((Bits*)p)->rest = 0", 0, 8}, Counted{"((Bits*)p)->v += 1", 8, 8},
        Counted{"*(One*)p = *(One*)(p + 8)", 8, 8}}) {
    const reference::Counters counted = counters(each.statement);
    CHECK_MESSAGE(counted.global_load.lanes == each.loads, each.statement);
    CHECK_MESSAGE(counted.global_store.lanes == each.stores, each.statement);
  }
}

TEST_CASE("unreported accesses are checked for bounds, initialization and writes to the input") {
  const auto told = [](const std::string& body) {
    return reported_under(kernel(body), Schedule::lockstep, {2, 1, 1}, {64, 1, 1});
  };
  CHECK(told("  if (i == 3 && value_of(*(One*)(out + 16)) == 9) __trap();  //@read\n") ==
        "out_of_bounds out[16] @read");
  CHECK(told("  if (i == 3) *(One*)(out + 16) = one(1);  //@store\n") ==
        "out_of_bounds out[16] @store");
  CHECK(told(R"(
  __shared__ unsigned s[4];
  if (i == 3 && value_of(*(One*)&s[1]) == 9) __trap();  //@read
)") == "uninitialized_read s[1] @read");
  CHECK(told("  if (i == 3) *(One*)(data + 4) = one(1);  //@store\n") ==
        "write_to_input data[4] @store");
}

// The reported address is a sum that was computed before. The access computes it again.
TEST_CASE("a reported access whose address the proof cannot compare is counted once") {
  const std::string source = kernel(R"(
  __shared__ unsigned a[256], b[256];
  for (int j = threadIdx.x; j < 256; j += blockDim.x) b[j] = 0, a[j] = b[j];
  __syncthreads();
  if (i < 7) out[i] = a[i] + b[i];
)");
  for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier, Schedule::random}) {
    const reference::Counters counted =
        run(source, launch_of({"", "", "", {1, 1, 1}, {64, 1, 1}}, schedule)).last().counters;
    CHECK(counted.shared_store.lanes == 512);
    CHECK(counted.shared_load.lanes == 256 + 14);
  }
}
