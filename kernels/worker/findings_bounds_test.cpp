// Tests of accesses outside of their memory: out_of_bounds, write_to_input, misaligned_access,
// uninitialized_read.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("accesses up to the last element are right") {
  check_rows({
      {"first and last of each buffer",
       "  if (i == 0) { out[0] = data[0]; out[15] = data[n - 1]; }\n", ""},
      {"a wide access that ends where the buffer ends",
       "  if (i == 0) ((uint4*)out)[3] = ((const uint4*)data)[15];\n", ""},
      {"past-the-end pointers that are only compared",
       "  unsigned s = 0;\n  for (const unsigned char* p = data; p != data + n; ++p) s += *p;\n  "
       "if (i == 0) out[0] = s;\n",
       ""},
      {"shared arrays to the last element",
       "  __shared__ unsigned a[64], c[3];\n  extern __shared__ unsigned d[];\n  a[t] = t;\n  if "
       "(t < 3) c[t] = d[t + 13] = t;\n  __syncthreads();\n"
       "  if (i == 0) out[0] = a[63] + c[2] + d[15];\n",
       "",
       {2, 1, 1},
       {64, 1, 1},
       64},
      {"an index below zero into the middle",
       "  const unsigned char* p = data + n;\n  if (i == 0) out[0] = p[-1];\n", ""},
      {"a guarded tail",
       "  for (unsigned j = i; j < n; j += gridDim.x * blockDim.x) atomicAdd(&out[data[j] % 16], "
       "1);\n",
       ""},
      {"memcpy of everything", "  if (i == 0) memcpy(out, data, 64);\n", ""},
      {"memset of another length at the same place",
       "  __shared__ unsigned char s[13];\n  if (t < 2) memset(s + 8 * t, 0, t == 0 ? 8 : 5);\n",
       ""},
      {"memset of nothing first",
       "  __shared__ unsigned char s[7];\n  if (t < 2) memset(s, 0, 7 * t);\n", ""},
      {"memcpy of another length at the same place",
       "  __shared__ unsigned char s[13];\n  if (t < 2) memcpy(s + 8 * t, data + 248 * t, t == 0 ? "
       "8 : 5);\n",
       ""},
  });
}

TEST_CASE("out of bounds, to the element") {
  check_rows({
      {"one past, read", "  if (i == 3) out[0] = data[n];  //@read\n",
       "out_of_bounds data[256] @read"},
      {"one past, written", "  if (i == 3) out[16] = 1;  //@write\n",
       "out_of_bounds out[16] @write"},
      {"one past, atomically", "  if (i == 3) atomicAdd(&out[16], 1u);  //@add\n",
       "out_of_bounds out[16] @add"},
      {"one before", "  if (i == 3) out[(int)t - 4] = 1;  //@write\n",
       "out_of_bounds out[-1] @write"},
      {"one before, read", "  if (i == 3) out[0] = data[-1];  //@read\n",
       "out_of_bounds data[-1] @read"},
      {"a hundred past, by many threads", "  if (data[i + 356] == 3) out[0] = 1;  //@read\n",
       "out_of_bounds data[356] @read"},
      {"a signed char as index",
       "  if (i == 3) atomicAdd(&out[((const char*)data)[200]], 1u);  //@add\n",
       "out_of_bounds out[-56] @add"},
      {"unsigned below zero", "  if (i == 3) atomicAdd(&out[data[0] - 97u], 1u);  //@add\n",
       "out_of_bounds out[4294967199] @add"},
      {"a gigabyte away", "  if (i == 3) out[1u << 28] = 1;  //@write\n",
       "out_of_bounds out[268435456] @write"},
      {"the access that fills a log of nothing but atomic operations",
       "  for (int k = 0; k < 63; ++k) atomicAdd(out, 0u);\n  atomicAdd(&out[1u << 27], 1u);  "
       "//@add\n",
       "out_of_bounds out[134217728] @add"},
      {"far before", "  if (i == 3) out[-(1ll << 27)] = 1;  //@write\n",
       "out_of_bounds out[-134217728] @write"},
      {"null", "  unsigned* p = nullptr;\n  if (i == 3) *p = 1;  //@write\n",
       "out_of_bounds @write"},
      {"null, with an offset", "  unsigned* p = nullptr;\n  if (i == 3) out[0] = p[5];  //@read\n",
       "out_of_bounds @read"},
      {"null, atomically",
       "  unsigned* p = (unsigned*)(unsigned long long)(n - 256);\n  if (i == 3) atomicAdd(p, 1u); "
       " //@add\n",
       "out_of_bounds @add"},
      {"half of a wide access is outside",
       "  if (i == 3) { uint4 v = *(const uint4*)(data + 256 - 8); out[0] = v.x; }  //@read\n",
       "out_of_bounds data[256] @read"},
      {"uint4 over the end", "  if (i == 3) ((uint4*)out)[4] = make_uint4(0, 0, 0, 0);  //@write\n",
       "out_of_bounds out[16] @write"},
      {"a loop with <=",
       "  for (unsigned j = i; j <= n; j += 128) atomicAdd(&out[data[j] % 16], 1);  //@loop\n",
       "out_of_bounds data[256] @loop"},
      {"no guard",
       "  atomicAdd(&out[data[i] % 16], 1);  //@read\n",
       "out_of_bounds data[256] @read",
       {3, 1, 1},
       {100, 1, 1}},
      {"memcpy over the end", "  if (i == 3) memcpy(out + 8, data, 40);  //@copy\n",
       "out_of_bounds out[16] @copy"},
      {"by the last byte of a memset",
       "  __shared__ unsigned char s[13];\n  if (t < 2) memset(s + 8 * t, 0, t == 0 ? 8 : 6);  "
       "//@set\n",
       "out_of_bounds s[13] @set"},
      {"memset over the end", "  if (i == 3) memset(out, 0, 68);  //@set\n",
       "out_of_bounds out[16] @set"},
  });
}

TEST_CASE("out of bounds in shared memory, in variables, between neighbours") {
  check_rows({
      {"shared, one past", "  __shared__ unsigned s[8];\n  if (t == 1) s[8] = 1;  //@write\n",
       "out_of_bounds s[8] @write"},
      {"shared, one before",
       "  __shared__ unsigned s[8];\n  if (t == 1) s[(int)t - 2] = 1;  //@write\n",
       "out_of_bounds s[-1] @write"},
      {"shared, atomically, by letter without a lower bound",
       "  __shared__ unsigned s[8];\n  if (t < 8) s[t] = 0;\n  __syncthreads();\n  if (t == 1) "
       "atomicAdd(&s[((int)data[65] - 'a') / 4], 1);  //@add\n",
       "out_of_bounds s[-8] @add"},
      {"one static array into the next",
       "  __shared__ unsigned a[8], c[8];\n  a[t % 8] = c[t % 8] = 0;\n  __syncthreads();\n  if (t "
       "== 1) atomicAdd(&out[0], a[8] + c[-1]);  //@read\n",
       nullptr},
      {"static into dynamic",
       "  __shared__ unsigned a[8];\n  extern __shared__ unsigned d[];\n  if (t < 8) a[t] = d[t] = "
       "0;\n  __syncthreads();\n  if (t == 1) a[9] = d[0];  //@write\n",
       "out_of_bounds a[9] @write",
       {1, 1, 1},
       {64, 1, 1},
       32},
      {"dynamic, one past",
       "  extern __shared__ unsigned d[];\n  if (t == 1) d[8] = 1;  //@write\n",
       "out_of_bounds d[8] @write",
       {1, 1, 1},
       {64, 1, 1},
       32},
      {"dynamic, none was given",
       "  extern __shared__ unsigned d[];\n  if (t == 1) d[0] = 1;  //@write\n",
       "out_of_bounds d[0] @write"},
      {"dynamic bytes",
       "  extern __shared__ unsigned char c[];\n  if (t == 1) c[33] = 1;  //@write\n",
       "out_of_bounds c[33] @write",
       {1, 1, 1},
       {64, 1, 1},
       32},
      {"rows of a matrix", "  __shared__ unsigned m[4][8];\n  if (t == 1) m[4][2] = 1;  //@write\n",
       "out_of_bounds m[34] @write"},
      {"a __device__ array",
       "__device__ unsigned table[10];\n__global__ void k(const char*, unsigned n, unsigned* out) "
       "{\n  if (threadIdx.x == 1 && blockIdx.x == 0) out[n % 16] = table[10];  //@read\n}",
       "out_of_bounds table[10] @read"},
      {"a __constant__ array, below",
       "__constant__ unsigned char map[26] = {1};\n__global__ void k(const unsigned char* data, "
       "unsigned n, unsigned* out) {\n  if (threadIdx.x == 1) atomicAdd(&out[map[data[65] - 97]], "
       "1u);  //@read\n}",
       "out_of_bounds map[-32] @read"},
      {"far behind a shared array, where the next one could lie",
       "  __shared__ unsigned a[8], c[8000];\n  extern __shared__ unsigned d[];\n  for (unsigned j "
       "= t; j < 8000; j += 64) c[j] = 0;\n  if (t < 8) a[t] = d[t] = 0;\n"
       "  __syncthreads();\n  if (t == 1) a[3000] = 1;  //@write\n",
       "out_of_bounds a[3000] @write",
       {1, 1, 1},
       {64, 1, 1},
       32},
      {"far behind a __device__ array",
       "__device__ unsigned a[4], c[8000];\n__global__ void k(const char*, unsigned n, unsigned* "
       "out) {\n  if (threadIdx.x == 1) atomicAdd(out, a[n * 8]);  //@a\n  if (threadIdx.x == 2) "
       "atomicAdd(out, c[7999]);\n}",
       "out_of_bounds a[2048] @a"},
      {"two __device__ arrays",
       "__device__ unsigned a[4], c[4];\n__global__ void k(const char*, unsigned, unsigned* out) "
       "{\n  if (threadIdx.x == 1) atomicAdd(out, a[4]);  //@a\n  if (threadIdx.x == 2) "
       "atomicAdd(out, c[3]);\n}",
       "out_of_bounds a[4] @a"},
  });
}

TEST_CASE("a wild pointer ends the launch at its line") {
  for (const char* pointer : {"0x123456789000ull", "0xdeadbeefdeadbeefull", "0xffffffffffffffffull",
                              "0x4141414141ull", "(unsigned long long)out + (1ull << 45)"}) {
    const std::string source =
        "__global__ void k(const char*, unsigned, unsigned* out) {\n  auto* p = (unsigned*)(" +
        std::string(pointer) +
        ");\n  if (threadIdx.x == 0) out[1] = 7;\n  *p = 1;  //@wild\n  out[2] = 8;\n}";
    for (const Schedule schedule : all_schedules) {
      const Outcome outcome =
          run(source, launch_of({"", source.c_str(), "", {1, 1, 1}, {1, 1, 1}}, schedule));
      CHECK(outcome.last().ending == Ending::stopped);
      REQUIRE(outcome.last().findings.size() == 1);
      CHECK(outcome.last().findings[0].kind == FindingKind::out_of_bounds);
      CHECK(told(outcome).ends_with("@wild"));
      CHECK(outcome.output()[1] == 7);  // earlier writes were made.
      CHECK(outcome.output()[2] == 0);
    }
  }
}

TEST_CASE("one cause is one finding, with a count") {
  const Outcome outcome =
      run("__global__ void k(unsigned* out) {\n  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  "
          "//@write\n}",
          {.grid = {3}, .block = {32}, .arguments = {out("out", 40)}});
  CHECK(told(outcome) == "out_of_bounds out[40] @write");
  CHECK(outcome.last().findings[0].count == 56);
  CHECK(outcome.last().ending == Ending::completed);  // the access hit a red zone, without harm.
  CHECK(outcome.output() == std::vector<std::uint32_t>(40, 1));
}

TEST_CASE("empty buffers have no element") {
  for (const char* access : {"out[0] = 1;", "atomicAdd(out, 1u);", "if (out[0]) __trap();"}) {
    const Outcome outcome =
        run("__global__ void k(unsigned* out) {\n  " + std::string(access) + "  //@here\n}",
            {.grid = {1}, .block = {1}, .arguments = {out("out", 0)}});
    CHECK(told(outcome) == "out_of_bounds out[0] @here");
  }
}

TEST_CASE("writes to the input") {
  check_rows({
      {"a store", "  if (i == 3) ((unsigned char*)data)[7] = 1;  //@write\n",
       "write_to_input data[7] @write"},
      {"an atomic", "  if (i == 3) atomicAdd((unsigned*)data + 1, 1u);  //@add\n",
       "write_to_input data[4] @add"},
      {"by all threads: one finding", "  ((unsigned char*)data)[i] = 0;  //@write\n",
       "write_to_input data[0] @write"},
      {"memset", "  if (i == 3) memset((void*)data, 0, 4);  //@set\n",
       "write_to_input data[0] @set"},
      {"two lines, two findings",
       "  ((unsigned char*)data)[i] = 0;  //@a\n  ((unsigned char*)data)[i] = 1;  //@b\n",
       "write_to_input data[0] @a\nwrite_to_input data[0] @b"},
  });
}

TEST_CASE("misaligned accesses") {
  check_rows({
      {"aligned ones of every width are right",
       "  if (i == 0) { *(unsigned short*)((char*)out + 2) = 1; *(unsigned*)((char*)out + 4) = 1; "
       "*(unsigned long long*)((char*)out + 8) = 1; *(uint4*)((char*)out + 16) = uint4(); }\n",
       ""},
      {"halfword", "  if (i == 3) out[0] = *(const unsigned short*)(data + 1);  //@read\n",
       "misaligned_access data[1] @read"},
      {"word", "  if (i == 3) out[0] = *(const unsigned*)(data + 2);  //@read\n",
       "misaligned_access data[2] @read"},
      {"double word", "  if (i == 3) *(unsigned long long*)(out + 1) = 1;  //@write\n",
       "misaligned_access out[1] @write"},
      {"uint2",
       "  if (i == 3) { uint2 v = *(const uint2*)(data + 4); out[0] = v.x + v.y; }  //@read\n",
       "misaligned_access data[4] @read"},
      {"uint4",
       "  if (i == 3) { uint4 v = *(const uint4*)(data + 4); out[0] = v.x + v.w; }  //@read\n",
       "misaligned_access data[4] @read"},
      {"uint4 stored", "  if (i == 3) *(uint4*)(out + 2) = make_uint4(1, 2, 3, 4);  //@write\n",
       "misaligned_access out[2] @write"},
      {"atomic", "  if (i == 3) atomicAdd((unsigned*)((char*)out + 1), 1u);  //@add\n",
       "misaligned_access out[0] @add"},
      {"shared",
       "  __shared__ unsigned char s[16];\n  if (t == 3) *(unsigned*)(s + t) = 1;  //@write\n",
       "misaligned_access s[0] @write"},
  });
}

TEST_CASE("reads of shared memory before it is written") {
  check_rows({
      {"a read", "  __shared__ unsigned s[8];\n  if (i == 3) out[0] = s[5];  //@read\n",
       "uninitialized_read s[5] @read"},
      {"an atomic", "  __shared__ unsigned s[8];\n  if (t == 3) atomicAdd(&s[5], 1u);  //@add\n",
       "uninitialized_read s[5] @add"},
      {"an exchange begins from nothing",
       "  __shared__ unsigned s[8];\n  if (t == 3) atomicExch(&s[5], 1u);\n", ""},
      {"an increment", "  __shared__ unsigned s[8];\n  if (t == 3) s[5]++;  //@update\n",
       "uninitialized_read s[5] @update"},
      {"only the first elements were zeroed",
       "  __shared__ unsigned h[26];\n  if (t < 7) h[t] = 0;\n  __syncthreads();\n  "
       "atomicAdd(&h[data[i] % 26], 1);  //@add\n",
       "uninitialized_read h[7] @add"},
      {"the block before does not count",
       "  __shared__ unsigned s;\n  if (b == 0 && t == 0) s = 1;\n  __syncthreads();\n  if (b == 1 "
       "&& t == 0) out[0] = s;  //@read\n",
       "uninitialized_read s @read"},
      {"dynamic",
       "  extern __shared__ unsigned d[];\n  if (i == 3) out[0] = d[2];  //@read\n",
       "uninitialized_read d[2] @read",
       {2, 1, 1},
       {64, 1, 1},
       16},
      {"three bytes of a word were written",
       "  __shared__ __align__(4) unsigned char s[8];\n  if (i == 3) { s[4] = s[5] = s[6] = 1; "
       "out[0] = ((unsigned*)s)[1]; }  //@read\n",
       "uninitialized_read s[1] @read"},
      {"three bytes of a word were written, with a fence in the kernel",
       "  __shared__ __align__(4) unsigned char s[8];\n  __threadfence();\n  if (i == 3) { s[4] = "
       "s[5] = s[6] = 1; out[0] = ((unsigned*)s)[1]; }  //@read\n",
       "uninitialized_read s[1] @read"},
      {"half of a pair was written",
       "  __shared__ uint2 s[2];\n  if (i == 3) { s[0].y = 1; uint2 p = s[0]; out[0] = p.x; }  "
       "//@read\n",
       nullptr},
      {"the half that was written is all right, the other is not",
       "  __shared__ unsigned char s[64];\n  if (t < 32) s[t] = t;\n  __syncthreads();\n  if (i == "
       "3) out[0] = s[31];\n  if (i == 3) out[1] = s[32];  //@read\n",
       "uninitialized_read s[32] @read"},
      {"one byte of a word was written",
       "  __shared__ __align__(4) unsigned char s[4];\n  if (i == 3) { s[0] = 1; out[0] = s[1]; }  "
       "//@read\n",
       "uninitialized_read s[1] @read"},
      {"written in this block, in any way",
       "  __shared__ unsigned a[4];\n  __shared__ uint4 v;\n  if (t == 0) { memset(a, 0, 16); v = "
       "make_uint4(1, 2, 3, 4); atomicAdd(out, a[3] + v.w); }\n",
       ""},
      {"global memory starts as it is", "  if (i == 0) out[1] = out[0];\n", ""},
  });
}
