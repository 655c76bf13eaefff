#include "grader/batch/likeness.h"

#include <doctest/doctest.h>

using namespace histolab::batch;

namespace {

const std::string stub =
    "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// One person's own kernel: `style` changes the tokens, not only names.
std::string own(int style) {
  std::string text =
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n";
  for (int i = 0; i < 40; ++i) {
    const int turn = (i * (style + 3) + style * style) % 7;
    text += turn == 0   ? "  for (int i = 0; i < 7; ++i) histo[i] = i;\n"
            : turn == 1 ? "  if (length > 3 && data[0] != 'a') { return; }\n"
            : turn == 2 ? "  unsigned int k = threadIdx.x + blockIdx.x * blockDim.x;\n"
            : turn == 3 ? "  while (k < length) { k += gridDim.x; }\n"
            : turn == 4 ? "  atomicAdd(&histo[(data[k] - 'a') / 4], 1u);\n"
            : turn == 5 ? "  __syncthreads(); k = (k * 5) % 3 + ~k;\n"
                        : "  int m = k ? -k : !k; m <<= 2; m ^= k | 4;\n";
  }
  return text + "}\n";
}

struct Source {
  std::size_t entry = 0;
  std::string text;
};

std::vector<Likeness> alike_of(std::size_t lab, const std::vector<Source>& sources,
                               const std::string& begun_with) {
  LikenessSearch search{lab, begun_with, sources.size()};
  for (const Source& each : sources) search.add(each.entry, each.text);
  return search.found();
}

}  // namespace

TEST_CASE("sources that differ in comments and blanks are identical; renamed ones are similar") {
  const std::string original = own(1);
  const std::string copied = "// by Bob\n" + replaced(original, ";\n", " ;   // hm\n");
  const std::string renamed = replaced(replaced(original, " k ", " mine "), "'a'", "97");
  const auto found =
      alike_of(3, {{0, original}, {2, own(2)}, {4, copied}, {5, renamed}, {7, own(4)}}, stub);
  REQUIRE(found.size() == 2);
  CHECK(found[0].lab == 3);
  CHECK(found[0].first == 0);
  CHECK(found[0].second == 4);
  CHECK(found[0].identical);
  CHECK(found[0].share == 1);
  CHECK(found[1].first == 0);
  CHECK(found[1].second == 5);
  CHECK_FALSE(found[1].identical);
  CHECK_FALSE(found[1].renamed);  // a literal also differs
  CHECK(found[1].share >= least_share);
}

TEST_CASE("a source with other names is reported as renamed") {
  const auto found = alike_of(0,
                              {{0, own(1)},
                               {1, replaced(own(1), "data", "text")},
                               {2, replaced(own(1), "data[0]", "histo[0]")}},
                              stub);
  REQUIRE(found.size() == 3);
  CHECK(found[0].second == 1);
  CHECK(found[0].renamed);
  CHECK_FALSE(found[1].renamed);  // two names became one
}

TEST_CASE("copies of the stub, and code that many have, are not reported") {
  CHECK(alike_of(0, {{0, stub}, {1, stub}, {2, "// mine\n" + stub}}, stub).empty());
  std::vector<Source> all;
  for (std::size_t i = 0; i < 60; ++i)
    all.push_back({i, own(1) + "__device__ int mine" + std::to_string(i) +
                          (i % 2 == 0 ? " = 1;" : ";") + std::string(i / 2, ';')});
  CHECK(alike_of(0, all, stub).empty());
  CHECK(alike_of(0, {}, stub).empty());
  CHECK(alike_of(0, {{0, ""}, {1, ""}}, stub).empty());
}

TEST_CASE("m identical sources give m - 1 pairs, not a quadratic number") {
  std::vector<Source> crowd;
  for (std::size_t i = 0; i < 300; ++i) crowd.push_back({i, own(1)});
  CHECK(alike_of(0, crowd, stub).size() == 299);
}

TEST_CASE("only the beginning of a very long source is compared") {
  const auto begun_by = [&](std::size_t with) {
    std::string text;
    for (std::size_t i = 0; i < most_tokens; ++i) text += "-*/%<>="[i * i * with % 7], text += ' ';
    return text;
  };
  CHECK(alike_of(0, {{0, own(1) + begun_by(1) + own(2)}, {1, own(1) + begun_by(1) + own(4)}}, stub)
            .size() == 1);
  CHECK(alike_of(0, {{0, begun_by(1) + own(1) + own(2)}, {1, begun_by(3) + own(1) + own(2)}}, stub)
            .empty());
}
