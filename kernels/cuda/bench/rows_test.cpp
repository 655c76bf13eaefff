#include "kernels/cuda/bench/rows.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "kernels/cuda/bench/cases.h"
#include "kernels/cuda/bench/data.h"

namespace histolab::kernels::cuda::bench {
namespace {

struct File {
  std::filesystem::path path;
  explicit File(std::string_view text) {
    static int count = 0;
    path = std::filesystem::temp_directory_path() /
           ("histolab-rows-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::ofstream{path} << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path); }
};

nlohmann::ordered_json row_of(const char* kernel, const Case& c) {
  auto row = describe(c);
  row["kernel"] = kernel;
  return row;
}

const Case some{Layout::letters, SampleType::u8, "english", 7, 1000},
    other{Layout::even, SampleType::u16, "zipf", 256, 1000};

TEST_CASE("rows of a run that was interrupted") {
  const std::string one = row_of("limit", some).dump(), two = row_of("cub", some).dump();
  const File lines("{\"device\":\"a GPU\"}\n" + one + "\n" + two + "\n" +
                   one.substr(0, one.size() / 2));
  const auto keys = rows_in(lines.path);
  CHECK(keys.size() == 2);
  CHECK(keys.contains(key_of(row_of("limit", some))));
  CHECK(keys.contains(key_of(row_of("cub", some))));
  CHECK_FALSE(keys.contains(key_of(row_of("limit", other))));
}

TEST_CASE("rows of a file of measurements") {
  const File whole("{\"device\":\"a GPU\",\n\"rows\":[\n" + row_of("limit", other).dump() + "]}\n");
  CHECK(rows_in(whole.path) == std::set<std::string>{key_of(row_of("limit", other))});
  CHECK(rows_in("/no/such/file").empty());
}

TEST_CASE("the cases of a set, and what a selection leaves of them") {
  const auto limits = cases_of("limits", {});
  CHECK(limits.size() == 2 * 2 * byte_datasets().size());
  CHECK(cases_of("all", {}).size() == limits.size() + cases_of("map", {}).size());
  Selection selection;
  selection.datasets = {"zipf"};
  selection.layouts = {"even"};
  selection.sample_bytes = {2};
  selection.bins = {300};
  selection.lengths = {5};
  const auto one = cases_of("map", selection);
  REQUIRE(one.size() == 1);
  CHECK(one[0].bins == 300);
  CHECK(one[0].length == 5);
  CHECK(one[0].type == SampleType::u16);
}

TEST_CASE("the set envelope has every power of two from 2^10 to 2^30, of each kind of case") {
  const auto cases = cases_of("envelope", {});
  std::set<std::size_t> lengths;
  std::set<std::string> kinds;
  for (const Case& c : cases) {
    lengths.insert(c.length);
    kinds.insert(name_of(c.layout) + std::to_string(bytes_of(c.type)) + " " +
                 std::to_string(c.bins) + c.dataset);
  }
  CHECK(lengths.size() == 21);
  CHECK(*lengths.begin() == 1 << 10);
  CHECK(*lengths.rbegin() == 1 << 30);
  CHECK(cases.size() == lengths.size() * kinds.size());
  Selection selection;
  selection.lengths = {5};
  selection.layouts = {"letters"};
  selection.datasets = {"zipf"};
  const auto one = cases_of("envelope", selection);
  REQUIRE(one.size() == 1);
  CHECK(one[0].dataset == "zipf");
  CHECK(one[0].length == 5);
}

TEST_CASE(
    "hot:P selects one-byte letter and even cases, each once, and is not in the default set") {
  Selection selection;
  selection.datasets = {"hot:0", "zipf", "hot:99.9"};
  selection.bins = {7, 256};
  selection.lengths = {5};
  std::vector<std::string> hot;
  for (const Case& c : cases_of("all", selection))
    if (c.dataset != "zipf") {
      CHECK(c.type == SampleType::u8);
      hot.push_back(c.dataset + " " + name_of(c.layout) + " " + std::to_string(c.bins));
    }
  CHECK(hot == std::vector<std::string>{"hot:0 letters 7", "hot:99.9 letters 7", "hot:0 even 256",
                                        "hot:99.9 even 256", "hot:0 even 7", "hot:99.9 even 7"});
  for (const Case& c : cases_of("all", {})) CHECK(c.dataset.find(':') == std::string::npos);
}

TEST_CASE("hot:P is 109 and otherwise a letter or, in even bins, any value") {
  const auto count_of = [](const std::vector<std::uint8_t>& bytes, auto is) {
    return static_cast<double>(std::count_if(bytes.begin(), bytes.end(), is)) /
           static_cast<double>(bytes.size());
  };
  const auto is_m = [](std::uint8_t byte) { return byte == 109; };
  const auto is_letter = [](std::uint8_t byte) { return byte >= 'a' && byte <= 'z'; };
  const auto letters = pattern_of("hot:50", false, 100'000, 1),
             even = pattern_of("hot:50", true, 100'000, 1);
  CHECK(count_of(letters, is_letter) == 1);
  CHECK(count_of(letters, is_m) == doctest::Approx(0.5 + 0.5 / 26).epsilon(0.02));
  CHECK(count_of(even, is_m) == doctest::Approx(0.5 + 0.5 / 256).epsilon(0.02));
  CHECK(count_of(even, is_letter) == doctest::Approx(0.5 + 0.5 * 26 / 256).epsilon(0.02));
  CHECK(std::set<std::uint8_t>(even.begin(), even.end()).size() == 256);
  CHECK(pattern_of("hot:0", true, std::size_t{1} << 25, 1).size() == std::size_t{1} << 24);
  CHECK_THROWS_WITH(check_hot("hot:x"), doctest::Contains("write a percentage from 0 to 100"));
  CHECK_THROWS(static_cast<void>(pattern_of("hot:x", false, 1, 1)));
}

TEST_CASE("levels ascend from 0 to the end of the range") {
  for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::u32})
    for (const unsigned bins : {1u, 2u, 7u, 256u, 65536u}) {
      const auto levels = levels_of({Layout::uneven, type, "", bins, 0});
      CHECK(levels.size() == bins + 1);
      CHECK(levels.front() == 0);
      CHECK(std::is_sorted(levels.begin(), levels.end()));
      CHECK(levels.back() == (type == SampleType::u8    ? 256u
                              : type == SampleType::u16 ? 65536u
                                                        : 0xffffffffu));
    }
}

}  // namespace
}  // namespace histolab::kernels::cuda::bench
