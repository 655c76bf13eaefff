// Tests of findings about memory that a kernel allocates, and about uninitialized buffers.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

struct Case {
  const char* title;
  const char* source;
  const char* told;
};

void check(const std::vector<Case>& cases, const Dim3& grid = {2}, const Dim3& block = {64}) {
  for (const Case& c : cases)
    for (const Schedule schedule : all_schedules) {
      const Outcome outcome = run(c.source, {.grid = grid,
                                             .block = block,
                                             .arguments = {out("out", 128), scratch("tmp", 128)},
                                             .options = under(schedule)});
      CHECK_MESSAGE(reports_alike(told(outcome), c.told, schedule), std::string(c.title), " (",
                    std::string(name(schedule)), "): ", faults(outcome));
    }
}

}  // namespace

TEST_CASE("correct use of allocated memory is not reported") {
  check({
      {"each thread its own", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* mine = (unsigned*)malloc(4 * sizeof(unsigned));
  for (unsigned j = 0; j < 4; ++j) mine[j] = i + j;
  out[i] = mine[3];
  free(mine);
})",
       ""},
      {"new and delete", R"(
struct Pair { unsigned low, high; };
__global__ void k(unsigned* out, unsigned* tmp) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair* pair = new Pair{i, i + 1};
  unsigned* row = new unsigned[i % 5 + 1];
  row[i % 5] = pair->high;
  out[i] = row[i % 5];
  delete pair;
  delete[] row;
})",
       ""},
      {"one for the block, freed behind the barrier", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  __shared__ unsigned* ours;
  if (threadIdx.x == 0) ours = (unsigned*)malloc(blockDim.x * sizeof(unsigned));
  __syncthreads();
  ours[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = ours[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(ours);
})",
       ""},
      {"kept", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(8);
  memset(p, 0, 8);
  out[blockIdx.x * blockDim.x + threadIdx.x] = p[1];
})",
       ""},
      {"beside a fence, where accesses are judged as they are made", R"(
__device__ unsigned* published[2];
__global__ void k(unsigned* out, unsigned* tmp) {
  for (unsigned round = 0; round < 3; ++round) {
    unsigned char* mine = (unsigned char*)malloc(round + 5);
    mine[round + 4] = 1, mine[0] = 2;
    __threadfence();
    out[blockIdx.x * blockDim.x + threadIdx.x] = mine[round + 4];
    free(mine);
  }
})",
       ""},
      {"free of null",
       "__global__ void k(unsigned* out, unsigned* tmp) { free(nullptr); delete (int*)nullptr; }",
       ""},
      {"again and again at the same place", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  for (unsigned round = 0; round < 40; ++round) {
    unsigned char* p = (unsigned char*)malloc(round % 7 + 1);
    p[round % 7] = 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] += p[round % 7];
    free(p);
  }
})",
       ""},
      {"scratch that is written first", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tmp[i] = i;
  __syncthreads();
  out[i] = tmp[i ^ 1] + 1;
})",
       ""},
      {"scratch that is exchanged, and read", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicExch(&tmp[i], 1u);
  out[i] = tmp[i];
})",
       ""},
  });
}

TEST_CASE("global memory read before it is written is reported, to the byte") {
  check(
      {
          {"scratch",
           "__global__ void k(unsigned* out, unsigned* tmp) {\n  out[threadIdx.x] = "
           "tmp[threadIdx.x];  //@a\n}",
           "uninitialized_read tmp[0] @a"},
          {"an update",
           "__global__ void k(unsigned* out, unsigned* tmp) {\n  atomicAdd(&tmp[5], 1u);  //@a\n}",
           "uninitialized_read tmp[5] @a"},
          {"a fresh array", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = new unsigned[4];
  p[0] = p[2] = 1;
  out[threadIdx.x] = p[0] + p[1] + p[2];  //@a
  delete[] p;
})",
           "uninitialized_read new@3[1] @a"},
          {"one byte of a word", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned char* p = (unsigned char*)malloc(8);
  for (int i = 0; i < 8; ++i)
    if (i != 6) p[i] = 1;
  out[threadIdx.x] = ((unsigned*)p)[0];
  out[threadIdx.x] = ((unsigned*)p)[1];  //@a
  free(p);
})",
           "uninitialized_read malloc@3[1] @a"},
          {"handed out again", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(4);
  *p = 1;
  free(p);
  unsigned* q = (unsigned*)malloc(4);
  out[threadIdx.x] = *q;  //@a
  free(q);
})",
           "uninitialized_read malloc@6 @a"},
      },
      {1});
}

TEST_CASE("accesses outside of an allocation, or after its free, are reported") {
  check(
      {
          {"one past", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(3 * sizeof(unsigned));
  for (int i = 0; i <= 3; ++i) p[i] = 0;  //@a
  free(p);
})",
           "out_of_bounds malloc@3[3] @a"},
          {"before", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  char* p = new char[3];
  p[-1] = 0;  //@a
  delete[] p;
})",
           "out_of_bounds new@3[-1] @a"},
          {"used after free", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(8);
  p[1] = 7;
  free(p);
  out[threadIdx.x] = p[1];  //@a
})",
           "out_of_bounds malloc@3[1] @a"},
          {"freed by one thread while others use it", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  __shared__ unsigned* p;
  if (threadIdx.x == 0) p = (unsigned*)malloc(64 * 4);
  __syncthreads();
  p[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) free(p);
  __syncthreads();
  out[threadIdx.x] = p[threadIdx.x];  //@a
})",
           "out_of_bounds malloc@4[0] @a"},
          {"freed twice", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(8);
  free(p);
  free(p);  //@a
})",
           "out_of_bounds malloc@3 @a"},
          {"freed by every thread", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  __shared__ unsigned* p;
  if (threadIdx.x == 0) p = (unsigned*)malloc(8);
  __syncthreads();
  free(p);  //@a
})",
           "out_of_bounds malloc@4 @a"},
          {"freed by a pointer into it", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = new unsigned[4];
  ++p;
  delete[] p;  //@a
})",
           "out_of_bounds new@3 @a"},
          {"a buffer of the harness freed",
           "__global__ void k(unsigned* out, unsigned* tmp) {\n  free(tmp);  //@a\n}",
           "out_of_bounds tmp @a"},
          {"null of a heap that is used up", R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  unsigned* p = (unsigned*)malloc(16u << 20);
  if (p == nullptr) out[threadIdx.x] = 1;
  p = new unsigned[4u << 20];
  if (p == nullptr) out[threadIdx.x] += 1;
  p[0] = 1;  //@a
})",
           "out_of_bounds @a"},
      },
      {1});
}

// The use and the free are unordered. The schedule decides which comes first, and so whether it is
// a race or a use of freed memory.
TEST_CASE("a free by one thread while another may still use the memory is reported") {
  const std::string begin = R"(
__global__ void k(unsigned* out, unsigned* tmp) {
  __shared__ unsigned* p;
  if (threadIdx.x == 0) p = (unsigned*)malloc(64 * 4);
  __syncthreads();
)",
                    use = "  if (threadIdx.x == 40) p[5] = 1;  //@use\n",
                    free_it = "  if (threadIdx.x == 0) free(p);  //@free\n";
  const auto findings = [](const std::string& source, Schedule schedule, std::uint64_t seed) {
    return told(run(source, {.grid = {1},
                             .block = {64},
                             .arguments = {out("out", 128), scratch("tmp", 128)},
                             .options = under(schedule, seed)}));
  };
  const std::string race = "data_race malloc@4 @use/@free",
                    use_after = "out_of_bounds malloc@4[5] @use",
                    seen_after = "data_race malloc@4[5] @use/@free";
  for (const Schedule schedule : all_schedules)
    for (std::uint64_t seed = 1;
         seed <= (schedule == Schedule::lockstep || schedule == Schedule::run_to_barrier ? 1 : 12);
         ++seed) {
      const std::string plain = findings(begin + use + free_it + "}", schedule, seed);
      CHECK_MESSAGE((plain == race || plain == use_after), std::string(name(schedule)), " ", seed,
                    ": ", plain);
      const std::string fenced =
          findings(begin + use + free_it + "  __threadfence();\n}", schedule, seed);
      CHECK_MESSAGE((fenced == race || fenced == use_after || fenced == seen_after),
                    std::string(name(schedule)), " ", seed, ": ", fenced);
      CHECK(findings(begin + use + "  __syncthreads();\n" + free_it + "}", schedule, seed) == "");
      CHECK(findings(begin + use + "  __syncthreads();\n" + free_it + "  __threadfence();\n}",
                     schedule, seed) == "");
    }
}

TEST_CASE("a free by another block, or by a lane of the same warp, is reported") {
  for (const Schedule schedule : all_schedules) {
    const Outcome blocks =
        run(R"(
__device__ unsigned* p;
__global__ void k(unsigned* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) p = (unsigned*)malloc(256), p[9] = 1;  //@use
  if (blockIdx.x == 1 && threadIdx.x == 0) free(p);  //@free
})",
            {.grid = {2}, .block = {32}, .arguments = {out("out", 1)}, .options = under(schedule)});
    CHECK(told(blocks) == "data_race malloc@4 @use/@free\ndata_race p @use/@free");
    const Outcome lanes =
        run(R"(
__global__ void k(unsigned* out) {
  __shared__ unsigned* p;
  if (threadIdx.x == 0) p = (unsigned*)malloc(256);
  __syncthreads();
  atomicExch(&p[threadIdx.x], 1u);  //@use
  if (threadIdx.x == 0) free(p);  //@free
  __syncwarp();
})",
            {.grid = {1}, .block = {32}, .arguments = {out("out", 1)}, .options = under(schedule)});
    CHECK(told(lanes).find("malloc@4") != std::string::npos);
    if (schedule == Schedule::lockstep) CHECK(told(lanes) == "data_race malloc@4 @use/@free");
  }
  const Outcome passed_on = run(R"(
__device__ unsigned* p[2];
__device__ unsigned arrived;
__global__ void k(unsigned* out) {
  if (threadIdx.x != 0) return;
  p[blockIdx.x] = new unsigned[4];
  p[blockIdx.x][1] = 2;
  __threadfence();
  if (atomicAdd(&arrived, 1u) != 1) return;
  __threadfence();
  for (unsigned* each : p) out[0] += each[1], delete[] each;
})",
                                {.grid = {2}, .block = {32}, .arguments = {out("out", 1)}});
  CHECK(faults(passed_on) == "");
  CHECK(passed_on.output()[0] == 4);
}

TEST_CASE("the message names the allocation, the mistake and a fix") {
  const auto message = [](const std::string& body) {
    const Outcome outcome =
        run("__global__ void k(unsigned* out, unsigned* tmp) {\n" + body + "\n}",
            {.grid = {1}, .block = {1}, .arguments = {out("out", 1), scratch("tmp", 4)}});
    REQUIRE(outcome.last().findings.size() == 1);
    return outcome.last().findings[0].message;
  };
  CHECK(message("unsigned* p = new unsigned;\ndelete p;\n*p = 1;") ==
        "thread 0 of block 0 writes new@2[0], but that memory was freed (line 3). Use it before "
        "you free it, or free it later");
  CHECK(message("unsigned* p = new unsigned;\ndelete p;\ndelete p;") ==
        "thread 0 of block 0 frees new@2, which was already freed (line 3). Let one thread free "
        "it, once");
  CHECK(message("char* p = (char*)malloc(8);\nfree(p + 1);") ==
        "thread 0 of block 0 frees malloc@2 with a pointer into it. Free the pointer that malloc "
        "or new returned, not one that was advanced");
  CHECK(message("free(out);") ==
        "thread 0 of block 0 frees out that neither malloc nor new returned. Free only memory that "
        "the kernel has allocated");
  CHECK(
      message("((char*)tmp)[4] = 0, ((char*)tmp)[6] = 0, ((char*)tmp)[7] = 0;\nout[0] = tmp[1];") ==
      "thread 0 of block 0 reads tmp[1] (byte 1 of it) before anything was written there. "
      "Allocated memory holds whatever was left in it: write every element before you read it, for "
      "example in a loop over all of them");
}

TEST_CASE("the heap holds 8 MiB and reuses freed memory") {
  const Outcome outcome = run(R"(
__global__ void k(unsigned* out) {
  unsigned whole = 0, small = 0, again = 0;
  void* first = malloc((8u << 20) - 16);
  void* second = malloc(1);
  out[0] = first != nullptr, out[1] = second != nullptr;
  free(first);
  for (; malloc(48) != nullptr; ++small) {}
  out[2] = small;
  for (int i = 0; i < 3; ++i) {
    __syncthreads();
    void* p = malloc(16);
    again += p != nullptr;
    free(p);
  }
  out[3] = again;
})",
                              {.grid = {1},
                               .block = {1},
                               .arguments = {out("out", 4)},
                               .options = under(Schedule::run_to_barrier)});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<unsigned>{1, 0, (8u << 20) / 64, 0});
}

TEST_CASE("freed neighbours in the heap are merged and split again, so that no memory is lost") {
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(R"(
__device__ void* kept[2000];
__global__ void k(unsigned* out) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < 600; ++i) {  // each another size
    unsigned* p = (unsigned*)malloc(131072 + 16 * i);
    if (p == nullptr) ++out[0];
    else p[i] = i;
    free(p);
  }
  for (unsigned i = 0; i < 20; ++i) {  // freed, and judged later
    unsigned* p = (unsigned*)malloc(4u << 20);
    if (p == nullptr) ++out[1];
    else p[i] = i;
    free(p);
  }
  for (unsigned i = 0; i < 2000; ++i)
    if ((kept[i] = malloc(4000)) == nullptr) ++out[2];
  for (unsigned i = 0; i < 2000; i += 2) free(kept[i]);
  for (unsigned i = 0; i < 2000; i += 2)
    if ((kept[i] = malloc(i % 4 ? 64 : 3936)) == nullptr) ++out[3];
  for (unsigned i = 0; i < 2000; ++i) free(kept[i]);
  if (unsigned* p = (unsigned*)malloc(7u << 20)) p[0] = p[(7u << 18) - 1] = 1;
  else ++out[4];
})",
            {.grid = {1}, .block = {64}, .arguments = {out("out", 5)}, .options = under(schedule)});
    CHECK_MESSAGE(faults(outcome) == "", std::string(name(schedule)));
    CHECK(outcome.output() == std::vector<unsigned>(5, 0));
  }
  // A freed block that was cut is still known to be freed.
  const Outcome used = run(R"(
__global__ void k(unsigned* out) {
  for (unsigned i = 0; i < 400; ++i) {
    unsigned* p = (unsigned*)malloc(200000 + 16 * i);  //@a
    p[7] = 1;
    free(p);
    if (i == 399) p[50] = 1;  //@use
  }
})",
                           {.grid = {1}, .block = {1}, .arguments = {out("out", 1)}});
  CHECK(told(used) == "out_of_bounds malloc@4[50] @use");
}

TEST_CASE("scratch keeps its contents from launch to launch") {
  const Outcome outcome =
      run(R"(
__device__ unsigned launches;
__device__ unsigned* kept;
__global__ void k(unsigned* out, unsigned* tmp) {
  if (launches == 0) {
    tmp[1] = 5;
    kept = new unsigned(6);
  }
  out[launches] = tmp[1] + *kept;
  ++launches;
})",
          {.grid = {1}, .block = {1}, .arguments = {out("out", 2), scratch("tmp", 2)}, .times = 2});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<unsigned>{11, 11});
}

TEST_CASE("many allocations by many threads") {
  const Outcome outcome = run(R"(
__global__ void k(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned round = 0; round < 8; ++round) {
    unsigned* p = (unsigned*)malloc(round * 4 + 4);
    p[round] = i;
    sum += p[round];
    free(p);
  }
  out[i] = sum;
})",
                              {.grid = {64}, .block = {256}, .arguments = {out("out", 64 * 256)}});
  CHECK(faults(outcome) == "");
  const auto sums = outcome.output();
  for (unsigned i = 0; i < sums.size(); ++i) REQUIRE(sums[i] == 8 * i);
}
