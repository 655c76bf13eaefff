// Tests of data_race: races with their element and both lines, and accesses that are not races.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("no race: each thread has its own words, or no thread writes") {
  check_rows({
      {"each thread its own element, written, read and updated",
       "  if (i < 16) { out[i] = t; out[i] += data[i]; out[i]++; }\n", ""},
      {"all read the input",
       "  unsigned s = 0;\n  for (unsigned j = 0; j < n; ++j) s += data[j];\n  if (i < 16) out[i] "
       "= s;\n",
       ""},
      {"all read an output that nobody writes", "  if (out[t % 16] != 0) __trap();\n", ""},
      {"blocks take turns on nothing: each its own half",
       "  if (t < 8) out[8 * b + t] = out[8 * b + t] + 1;\n", ""},
      {"bytes of one word, each of another thread, in shared memory",
       "  __shared__ unsigned char c[64];\n  c[t] = t;\n  c[t] += 1;\n  __syncthreads();\n  "
       "atomicAdd(&out[0], (unsigned)c[63 - t]);\n",
       ""},
      {"bytes of one word, each of another thread, in global memory",
       "  if (i < 64) ((unsigned char*)out)[i] = i;\n", ""},
      {"shared memory is each block's own",
       "  __shared__ unsigned s;\n  if (t == 0) s = b;\n  __syncthreads();\n  if (s != b) "
       "__trap();\n",
       ""},
      {"a byte behind a memset whose length is no multiple of four, after one whose length is",
       "  __shared__ unsigned char s[16];\n  if (t < 2) memset(s + 8 * t, 0, t == 0 ? 8 : 5);\n  "
       "if (t == 2) s[13] = 1;\n",
       ""},
      {"a byte behind what a memcpy reads",
       "  __shared__ unsigned char s[16], c[2][8];\n  if (t == 0) memset(s, 0, 16);\n  "
       "__syncthreads();\n  if (t < 2) memcpy(c[t], s + 8 * t, t == 0 ? 8 : 5);\n  if (t == 2) "
       "s[13] = 1;\n",
       ""},
      {"pieces of many lengths, packed one behind the other",
       "  __shared__ char words[1024];\n  unsigned at = 0;\n  for (unsigned j = 0; j < t; ++j) at "
       "+= 8 - j % 7;\n  memcpy(words + at, data, 8 - t % 7);\n",
       ""},
      {"local arrays are each thread's own",
       "  volatile unsigned a[4];\n  a[t % 4] = t;\n  atomicAdd(out, a[t % 4]);\n", ""},
  });
}

TEST_CASE("no race: ordered by a barrier or by __syncwarp") {
  check_rows({
      {"write, barrier, read",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  __syncthreads();\n  atomicAdd(out, s[63 - "
       "t]);\n",
       ""},
      {"read, barrier, write",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  __syncthreads();\n  unsigned v = s[63 - t];\n "
       " __syncthreads();\n  s[t] = v;\n",
       ""},
      {"zero, barrier, update, barrier, commit",
       "  __shared__ unsigned h[7];\n  for (unsigned j = t; j < 7; j += blockDim.x) h[j] = 0;\n  "
       "__syncthreads();\n  atomicAdd(&h[data[i] % 7], 1);\n"
       "  __syncthreads();\n  for (unsigned j = t; j < 7; j += blockDim.x) if (h[j]) "
       "atomicAdd(&out[j], h[j]);\n",
       ""},
      {"the same with 4 threads",
       "  __shared__ unsigned h[7];\n  for (unsigned j = t; j < 7; j += blockDim.x) h[j] = 0;\n  "
       "__syncthreads();\n  atomicAdd(&h[data[i] % 7], 1);\n"
       "  __syncthreads();\n  for (unsigned j = t; j < 7; j += blockDim.x) if (h[j]) "
       "atomicAdd(&out[j], h[j]);\n",
       "",
       {3, 1, 1},
       {4, 1, 1}},
      {"a barrier orders global memory within the block",
       "  if (b == 0) {\n    if (t < 16) out[t] = t;\n    __syncthreads();\n    if (t < 16) out[15 "
       "- t] += 1;\n  }\n",
       ""},
      {"count, and, or are barriers too",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  __syncthreads_or(0);\n  atomicAdd(out, s[63 - "
       "t]);\n  __syncthreads_and(1);\n  s[t] = 0;\n",
       ""},
      {"__syncwarp orders the lanes of a warp",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  __syncwarp();\n  unsigned v = s[t ^ 1];\n  "
       "__syncwarp();\n  s[t] = v;\n",
       ""},
      {"__syncwarp of half a warp orders that half",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  if (t % 32 < 16) { __syncwarp(0xffff); "
       "atomicAdd(out, s[t ^ 15]); }\n",
       ""},
      {"__syncwarp of a block that is no full warp: all read, then each writes",
       "  __shared__ unsigned s[16];\n  s[t] = t;\n  __syncwarp();\n  unsigned v = 0;\n  for "
       "(unsigned j = 0; j < 16; ++j) v += s[j];\n"
       "  __syncwarp();\n  s[t] = v;\n",
       "",
       {2, 1, 1},
       {16, 1, 1}},
      {"__syncwarp of half a warp after all of it have read",
       "  __shared__ unsigned s;\n  if (t == 0) s = 1;\n  __syncthreads();\n  if (t < 16) {\n    "
       "unsigned v = s;\n    __syncwarp(0xffff);\n"
       "    if (t == 3) s = v + 1;\n  }\n",
       ""},
      {"order by __syncwarp is passed on: 0 to 1, 1 to 2",
       "  __shared__ unsigned s;\n  if (t == 0) s = 1;\n  if (t < 2) __syncwarp(0x3);\n  if (t == "
       "1 || t == 2) __syncwarp(0x6);\n  if (t == 2) atomicAdd(out, s);\n",
       ""},
  });
}

TEST_CASE("no race: atomic against atomic, and reads validated by a compare-and-swap") {
  check_rows({
      {"all sorts of atomics on one word",
       "  atomicAdd(out, 1u);\n  atomicMax(out, t);\n  atomicXor(out, i);\n  atomicExch(out + 1, "
       "i);\n",
       ""},
      {"a loop that begins with a plain read (programming guide)",
       "  unsigned old = out[0], assumed;\n  do { assumed = old; old = atomicCAS(out, assumed, "
       "assumed + 1); } while (old != assumed);\n",
       ""},
      {"a loop that reads anew in each round",
       "  unsigned seen;\n  do { seen = out[t % 3]; } while (atomicCAS(&out[t % 3], seen, seen + "
       "1) != seen);\n",
       ""},
      {"a loop that begins with a volatile read",
       "  volatile unsigned* v = out;\n  unsigned seen;\n  do { seen = *v; } while (atomicCAS(out, "
       "seen, seen + 1) != seen);\n",
       ""},
      {"in shared memory",
       "  __shared__ unsigned h[3];\n  if (t < 3) h[t] = 0;\n  __syncthreads();\n  unsigned old = "
       "h[t % 3], assumed;\n"
       "  do { assumed = old; old = atomicCAS(&h[t % 3], assumed, assumed + 1); } while (old != "
       "assumed);\n  __syncthreads();\n  if (t < 3) atomicAdd(&out[t], h[t]);\n",
       ""},
      {"of 64 bits",
       "  unsigned long long* w = (unsigned long long*)out;\n  unsigned long long old = *w, "
       "assumed;\n"
       "  do { assumed = old; old = atomicCAS(w, assumed, assumed + 3); } while (old != "
       "assumed);\n",
       ""},
      {"a volatile read that meets only atomics",
       "  __shared__ unsigned f;\n  if (t == 0) f = 0;\n  __syncthreads();\n  if (t == 0) "
       "atomicExch(&f, 1u);\n"
       "  else while (*(volatile unsigned*)&f == 0) {}\n",
       ""},
      {"__device__ counter, atomically",
       "__device__ unsigned c;\n__global__ void k(const char*, unsigned, unsigned* out) { "
       "atomicAdd(&c, 1u); atomicMax(out, 1u); }",
       ""},
  });
}

TEST_CASE("race: updates without an atomic") {
  check_rows({
      {"global, all threads", "  out[data[i] % 2]++;  //@update\n",
       "data_race out[0] @update/@update"},
      {"global, load and store on one line", "  out[3] = out[3] + 1;  //@update\n",
       "data_race out[3] @update/@update"},
      {"global, load and store on two lines",
       "  unsigned v = out[3];  //@read\n  out[3] = v + 1;  //@write\n",
       "data_race out[3] @read/@write"},
      {"shared",
       "  __shared__ unsigned h[4];\n  if (t < 4) h[t] = 0;\n  __syncthreads();\n  h[2] += 1;  "
       "//@update\n  __syncthreads();\n  if (t < 4) atomicAdd(&out[t], h[t]);\n",
       "data_race h[2] @update/@update"},
      {"volatile is no cure", "  volatile unsigned* v = out;\n  v[1] = v[1] + 1;  //@update\n",
       "data_race out[1] @update/@update"},
      {"all write a value of their own", "  out[5] = t;  //@write\n",
       "data_race out[5] @write/@write"},
      {"one thread of each block", "  if (t == 7) out[4] += 1;  //@update\n",
       "data_race out[4] @update/@update"},
      {"one thread of each warp", "  if (b == 0 && t % 32 == 0) out[4] += 1;  //@update\n",
       "data_race out[4] @update/@update"},
      {"two lanes of one warp", "  if (i < 2) out[4] += 1;  //@update\n",
       "data_race out[4] @update/@update"},
      {"a __device__ variable",
       "__device__ unsigned total[3];\n__global__ void k(const char*, unsigned, unsigned*) {\n  "
       "total[1]++;  //@update\n}",
       "data_race total[1] @update/@update"},
      {"bytes", "  ((unsigned char*)out)[5] += 1;  //@update\n",
       "data_race out[1] @update/@update"},
      {"the last byte of a memset, after one of whole words",
       "  __shared__ unsigned char s[16];\n  if (t < 2) memset(s + 8 * t, 0, t == 0 ? 8 : 5);  "
       "//@set\n  if (t == 2) s[12] = 1;  //@byte\n",
       "data_race s[12] @set/@byte"},
      {"wide stores", "  ((uint4*)out)[1] = make_uint4(t, t, t, t);  //@write\n",
       "data_race out[4] @write/@write"},
      {"in a helper, called on two lines",
       "__device__ void add(unsigned* p) {\n  *p += 1;  //@update\n}\n__global__ void k(const "
       "char*, unsigned, unsigned* out) {\n  add(out);\n  add(out + 1);\n}",
       "data_race out[0] @update/@update"},
      {"an accumulator in a structure",
       "struct S { int pad; unsigned n; };\n__global__ void k(const char*, unsigned, S* out) {\n  "
       "out->n++;  //@update\n}",
       "data_race out[1] @update/@update"},
  });
}

TEST_CASE("race: no barrier where one is needed") {
  check_rows({
      {"between write and read",
       "  __shared__ unsigned s[64];\n  s[t] = t;  //@write\n  atomicAdd(out, s[63 - t]);  "
       "//@read\n",
       "data_race s[32] @write/@read"},
      {"between lanes of one warp, no __syncwarp",
       "  __shared__ unsigned s[32];\n  s[t] = t;  //@write\n  atomicAdd(out, s[t ^ 1]);  "
       "//@read\n",
       "data_race s[1] @write/@read",
       {1, 1, 1},
       {32, 1, 1}},
      {"__syncwarp does not join warps",
       "  __shared__ unsigned s[64];\n  s[t] = t;  //@write\n  __syncwarp();\n  atomicAdd(out, "
       "s[63 - t]);  //@read\n",
       "data_race s[32] @write/@read"},
      {"__syncwarp of other lanes",
       "  __shared__ unsigned s;\n  if (t == 0) s = 1;  //@write\n  if (t < 2) __syncwarp(0x3);\n  "
       "if (t == 2) atomicAdd(out, s);  //@read\n",
       "data_race s @write/@read",
       {1, 1, 1},
       {32, 1, 1}},
      {"of two reads, that of the other thread",
       "  __shared__ unsigned s;\n  if (t == 0) s = 1;\n  __syncthreads();\n  unsigned v = 0;\n"
       "  if (t == 0) v += s;  //@own\n  if (t == 5) v += s;  //@other\n  if (t == 0) s = v;  "
       "//@write\n  __syncthreads();\n  if (t == 5) atomicAdd(out, v);\n",
       "data_race s @other/@write"},
      {"after zeroing",
       "  __shared__ unsigned h[7];\n  if (t < 7) h[t] = 0;  //@zero\n  atomicAdd(&h[data[i] % 7], "
       "1);  //@add\n  __syncthreads();\n  if (t < 7) atomicAdd(&out[t], h[t]);\n",
       "data_race h[0] @zero/@add"},
      {"before the commit",
       "  __shared__ unsigned h[7];\n  if (t < 7) h[t] = 0;\n  __syncthreads();\n  "
       "atomicAdd(&h[data[i] % 7], 1);  //@add\n  if (t < 7) atomicAdd(&out[t], h[t]);  "
       "//@commit\n",
       "data_race h[0] @add/@commit"},
      {"in a loop, at its end",
       "  __shared__ unsigned s[64];\n  for (int r = 0; r < 3; ++r) {\n    s[t] = r;  //@write\n   "
       " __syncthreads();\n    atomicAdd(out, s[63 - t]);  //@read\n  }\n",
       "data_race s[31] @write/@read"},
      {"a fence is no barrier",
       "  __shared__ unsigned s[64];\n  s[t] = t;  //@write\n  __threadfence_block();\n  "
       "atomicAdd(out, s[63 - t]);  //@read\n",
       "data_race s[32] @write/@read"},
  });
}

TEST_CASE("race: plain against atomic") {
  check_rows({
      {"plain write", "  atomicAdd(out, 1u);  //@add\n  if (i == 5) out[0] = 0;  //@write\n",
       "data_race out[0] @add/@write"},
      {"volatile write",
       "  atomicAdd(out, 1u);  //@add\n  if (i == 5) *(volatile unsigned*)out = 0;  //@write\n",
       "data_race out[0] @add/@write"},
      {"plain read", "  atomicAdd(out, 1u);  //@add\n  if (i == 5) out[1] = out[0];  //@read\n",
       "data_race out[0] @add/@read"},
      {"plain read of one block, atomics of another",
       "  if (b == 0 && t == 0) atomicAdd(out, 1u);  //@add\n  if (b == 1 && t == 0) out[1] = "
       "out[0];  //@read\n",
       "data_race out[0] @add/@read"},
      {"plain write of one block, plain read of another",
       "  if (b == 0 && t == 0) out[2] = 1;  //@write\n  if (b == 1 && t == 0) out[1] = out[2];  "
       "//@read\n",
       "data_race out[2] @write/@read"},
      {"plain read of one block, plain write of a later one",
       "  if (b == 0 && t == 0) out[1] = out[2];  //@read\n  if (b == 1 && t == 0) out[2] = 1;  "
       "//@write\n",
       "data_race out[2] @read/@write"},
      {"a word against one of its bytes",
       "  if (i == 0) out[2] = 5;  //@word\n  if (i == 1) out[3] = ((unsigned char*)out)[9];  "
       "//@byte\n",
       "data_race out[2] @word/@byte"},
      {"a pair of words against one of them",
       "  if (i == 0) *(uint2*)out = make_uint2(1, 2);  //@pair\n  if (i == 1) out[3] = out[1];  "
       "//@one\n",
       "data_race out[1] @pair/@one"},
      {"a read that another word's compare-and-swap does not validate",
       "  unsigned old = out[0];  //@read\n  atomicCAS(&out[1], old, old + 1);\n  atomicAdd(out, "
       "1u);  //@add\n",
       "data_race out[0] @read/@add"},
      {"a read that is used, then read again and swapped",
       "  if (out[0] < 5)  //@read\n    { unsigned old = out[0], a; do { a = old; old = "
       "atomicCAS(out, a, a + 1); } while (a != old); }  //@swap\n",
       "data_race out[0] @read/@swap"},
  });
}

// A narrow read concerns only its own bytes, also before the first write. A read that a swap has
// validated does not conflict with other reads.
TEST_CASE("narrow updates are not reported, and a store in place of a swap is reported once") {
  check_rows({
      {"halfwords of one word", "  if (i < 32) ((unsigned short*)out)[i] += i;\n", ""},
      {"bytes that are read before the first is written",
       "  if (i < 64) ((unsigned char*)out)[i] |= i;\n", ""},
      {"a plain store where the swap should be",
       "  unsigned old = out[0];  //@read\n  if (t % 2) atomicCAS(out, old, old + 1);  //@swap\n  "
       "else out[0] = old + 1;  //@store\n",
       "data_race out[0] @read/@store"},
  });
}

TEST_CASE("writers of the same value: a note, whatever else races there") {
  check_rows({
      {"all threads", "  out[5] = 1;  //@write\n", "data_race (note) out[5] @write/@write"},
      {"lanes of one instruction, in shared memory",
       "  __shared__ unsigned s;\n  s = 7;  //@write\n  __syncthreads();\n  atomicAdd(out, s);\n",
       "data_race (note) s @write/@write"},
      {"at two lines", "  if (i == 3) out[5] = 1;  //@one\n  if (i == 70) out[5] = 1;  //@other\n",
       "data_race (note) out[5] @one/@other"},
      {"bytes of one word: each its own value, but the same in both blocks",
       "  if (t < 4) ((unsigned char*)out)[t] = t;  //@write\n",
       "data_race (note) out[0] @write/@write"},
      {"16 bytes at once", "  if (i < 2) ((uint4*)out)[1] = make_uint4(1, 2, 3, 4);  //@write\n",
       "data_race (note) out[4] @write/@write"},
      {"a structure of three words",
       "struct Three { unsigned a, b, c; };\n__device__ Three all;\n__global__ void k(const char*, "
       "unsigned, unsigned*) {\n  Three v{1, 2, 3};\n  all = v;  //@write\n}",
       "data_race (note) all[0] @write/@write"},
      {"a structure of three words, the first ones of each thread its own",
       "struct Three { unsigned a, b, c; };\n__device__ Three all;\n__global__ void k(const char*, "
       "unsigned, unsigned*) {\n  const unsigned t = threadIdx.x;\n  Three v{t, t, 0};\n  if "
       "(blockIdx.x == 0 && t < 2) all = v;  //@write\n}",
       "data_race all[0] @write/@write"},
      {"memset by all threads", "  __shared__ unsigned s[7];\n  memset(s, 0, sizeof s);  //@set\n",
       "data_race (note) s[0] @set/@set"},
      {"memset of two values",
       "  __shared__ unsigned s[7];\n  memset(s, t == 33, sizeof s);  //@set\n",
       "data_race s[0] @set/@set"},
      {"memcpy of what others write, too",
       "  __shared__ unsigned char s[6];\n  memcpy(s, data, 6);  //@copy\n",
       "data_race (note) s[0] @copy/@copy"},
      {"again and again", "  for (int j = 0; j < 5; ++j) out[5] = j + 1 > 0;  //@write\n",
       "data_race (note) out[5] @write/@write"},
      {"after it was something else",
       "  if (b == 0) {\n    if (t == 0) out[5] = 3;\n    __syncthreads();\n    out[5] = 1;  "
       "//@write\n  }\n",
       "data_race (note) out[5] @write/@write"},
      {"what a thread reads was written by itself",
       "  out[5] = 1;  //@write\n  if (out[5] != 1) __trap();  //@read\n",
       "data_race (note) out[5] @write/@write\ndata_race out[5] @write/@read"},
      {"one writes another value", "  out[5] = i != 100;  //@write\n",
       "data_race out[5] @write/@write"},
      {"each writes two values", "  out[5] = 1;  //@one\n  out[5] = 2;  //@two\n", nullptr},
      {"the values differ in one of many elements",
       "  out[t % 16] = t % 16 == 3 ? t : 1;  //@write\n", "data_race out[0] @write/@write"},
      {"the same value, but that of an update", "  out[5] = out[5] + 1;  //@update\n",
       "data_race out[5] @update/@update"},
      {"a part of the word is another",
       "  if (i == 0) out[1] = 0x01010101;  //@word\n  if (i == 1) ((unsigned char*)out)[5] = 1;  "
       "//@byte\n",
       "data_race (note) out[1] @word/@byte"},
      {"a byte that is not as in the word",
       "  if (i == 0) out[1] = 0x01010101;  //@word\n  if (i == 1) ((unsigned char*)out)[5] = 2;  "
       "//@byte\n",
       "data_race out[1] @word/@byte"},
  });
}

TEST_CASE("a second run does not change the results of a launch") {
  const Outcome outcome =
      run(R"(
__device__ unsigned int calls;
__global__ void k(unsigned int* out) {
  out[0] = 7;
  if (atomicAdd(&calls, 1u) % 64 == 0) out[1] += 1;
})",
          {.grid = {1}, .block = {64}, .arguments = {out("out", 2)}, .times = 3});
  REQUIRE(outcome.launches.size() == 3);
  for (const Observation& launch : outcome.launches) {
    REQUIRE(launch.findings.size() == 1);
    CHECK(launch.findings[0].severity == Severity::note);
  }
  CHECK(outcome.output()[0] == 7);
  CHECK(outcome.output()[1] == 3);
}

TEST_CASE("race: atomic functions of block scope") {
  check_rows({
      {"on a word that two blocks share", "  atomicAdd_block(out, 1u);  //@add\n",
       "data_race out[0] @add/@add"},
      {"against the whole device's",
       "  if (b == 0) atomicAdd_block(out, 1u);  //@block\n  else atomicAdd(out, 1u);  //@device\n",
       "data_race out[0] @block/@device"},
      {"atomicCAS_block", "  atomicCAS_block(out, 0u, 1u);  //@swap\n",
       "data_race out[0] @swap/@swap"},
      {"each block its own word",
       "  atomicAdd_block(&out[b], 1u);\n  atomicExch_block(&out[b], 2u);\n", ""},
      {"shared memory is of the block anyway",
       "  __shared__ unsigned s;\n  if (t == 0) s = 0;\n  __syncthreads();\n  atomicAdd_block(&s, "
       "1u);\n  atomicAdd(&s, 1u);\n",
       ""},
      {"_system is for all", "  atomicAdd_system(out, 1u);\n", ""},
      {"with a fence in the kernel", "  __threadfence();\n  atomicAdd_block(out, 1u);  //@add\n",
       "data_race out[0] @add/@add"},
  });
}

TEST_CASE("a race finding has the two threads, the space and the count") {
  const Outcome outcome = run(R"(
__global__ void k(unsigned int* histo) {
  __shared__ unsigned int s;
  if (threadIdx.x == 3) s = 1;
  if (threadIdx.x == 5) histo[blockIdx.x] = s;
})",
                              {.grid = {2}, .block = {8}, .arguments = {out("histo", 2)}});
  REQUIRE(outcome.last().findings.size() == 1);
  const Finding& f = outcome.last().findings[0];
  CHECK(f.kind == FindingKind::data_race);
  CHECK(f.severity == Severity::error);
  CHECK(f.space == Space::shared);
  CHECK(f.count == 2);  // once per block
  REQUIRE((f.thread && f.other_thread));
  CHECK(f.thread->block == Dim3{0, 0, 0});
  CHECK(f.thread->thread.x + f.other_thread->thread.x == 8);
}

TEST_CASE("launches follow one another: no race between them") {
  const Outcome outcome =
      run(R"(
__device__ unsigned int calls;
__global__ void k(unsigned int* out) {
  const unsigned int turn = atomicAdd(&calls, 1u) / 128;
  if (turn == 0 && blockIdx.x == 1) out[threadIdx.x] = threadIdx.x;
  if (turn == 1 && blockIdx.x == 0) out[63 - threadIdx.x] += 1;
  __syncthreads();
  if (blockIdx.x == 1 && threadIdx.x == 0) out[64] = 1;
})",
          {.grid = {2}, .block = {64}, .arguments = {out("out", 65)}, .times = 2});
  REQUIRE(outcome.launches.size() == 2);
  for (const Observation& launch : outcome.launches) CHECK(launch.findings.empty());
  CHECK(outcome.output()[5] == 6);  // each launch did its part
}
