#include "grader/batch/known_sources.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "grader/batch/testing/sample_journal.h"
#include "grader/lab/lab.h"
#include "grader/testing/files.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;
using histolab::grader::testing::get;
using histolab::grader::testing::TemporaryFolder;

namespace {

const std::string labs_folder = std::string{HISTOLAB_SOURCE_DIR} + "/labs/";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The sources of a lab of the course, as if they belonged to the sample lab.
std::vector<KnownSource> course_of(const std::string& lab) {
  const Result<grader::LabSpec> spec = grader::load_lab(labs_folder + lab);
  REQUIRE(spec.ok());
  Result<std::vector<KnownSource>> sources = course_sources({*spec});
  REQUIRE(sources.ok());
  for (KnownSource& each : *sources) each.lab = "02-sample";
  return std::move(*sources);
}

const std::string& text_of(const std::vector<KnownSource>& sources, const std::string& name) {
  const auto found = std::ranges::find(sources, name, &KnownSource::name);
  REQUIRE(found != sources.end());
  return found->text;
}

// The known sources found in a class: "ada: the course's solution: the same code".
std::vector<std::string> found_in(const SampleClass& class_, const std::vector<KnownSource>& course,
                                  const std::vector<KnownSource>& earlier = {}) {
  const TemporaryFolder folder;
  const std::vector<grader::LabSpec> labs = {grader::testing::sample_lab()};
  Meta meta;
  meta.version = "0.0.0";
  Journal journal = sample_journal(folder.path(), labs, meta, class_);
  REQUIRE(keep_known(journal.database(), course, earlier).ok());
  const Result<std::vector<KnownLikeness>> found = find_known(journal.database());
  REQUIRE(found.ok());
  std::vector<std::string> all;
  for (const KnownLikeness& each : *found)
    all.push_back(each.student + ": " + described(each.source) + ": " +
                  described(each.share, each.identical, each.renamed));
  return all;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "the course's sources are its solution, its attempts and the kernels of its lesson and hints") {
  const std::vector<KnownSource> sources = course_of("04-privatization");
  CHECK(text_of(sources, "the course's solution").find("__shared__") != std::string::npos);
  CHECK_FALSE(text_of(sources, "the course's attempt no-zeroing").empty());
  for (const KnownSource& each : sources) CHECK(each.of_course());
}

TEST_CASE(
    "complete kernels in lessons and hints are the course's sources, code fragments are not") {
  const TemporaryFolder folder;
  std::ofstream{folder.at("lesson.md")}
      << "# A lesson\n\n```cuda\natomicAdd(&histo[bin], 1u);\n```\n\n```cuda\n__global__ void "
         "histogram() {\n}\n```\n";
  std::ofstream{folder.at("hints.md")} << "## 3\n\n```cuda\n__global__ void other() {\n}\n```\n";
  grader::LabSpec lab;
  lab.name = "02-sample", lab.directory = folder.path();
  const Result<std::vector<KnownSource>> sources = course_sources({lab});
  REQUIRE(sources.ok());
  REQUIRE(sources->size() == 2);  // this kit has no solution
  CHECK(text_of(*sources, "code of the course's lesson") == "__global__ void histogram() {\n}\n");
  CHECK(text_of(*sources, "code of the course's hints") == "__global__ void other() {\n}\n");
}

TEST_CASE("a copy of the course's code is found even with other names and comments") {
  const std::vector<KnownSource> course = course_of("04-privatization");
  const std::string solution = text_of(course, "the course's solution");
  const std::string renamed = replaced(replaced(solution, "private_histo", "mine"), "letter", "ch");
  const std::string attempt = text_of(course, "the course's attempt no-zeroing");
  const std::string own =
      replaced(solution, "atomicAdd(&histo[bin], count)",
               "for (unsigned int k = 0; k < count; k += 1) { atomicAdd(histo + bin, 1u); }");
  CHECK(found_in(
            {{"ada", "// all my own work\n" + replaced(solution, ";\n", " ; /* x */\n")},
             {"ben", renamed},
             {"cem", "// hm\n" + attempt},
             {"dan",
              "__global__ void histogram(const char* data, unsigned int length, unsigned int* "
              "histo) {\n"
              "  if (threadIdx.x + blockIdx.x > 0) return;\n  for (unsigned int i = 0; i < length; "
              "++i)\n"
              "    if (data[i] >= 'a' && data[i] <= 'z') histo[(data[i] - 'a') / 4] += 1;\n}\n"}},
            course) == Lines{"ada: the course's solution: the same code",
                             "ben: the course's solution: the same but for names",
                             "cem: the course's attempt no-zeroing: the same code"});
  CHECK(found_in({{"ada", solution}}, {}).empty());
}

TEST_CASE(
    "a submission of an earlier class is found, with class and student, at most one per class") {
  const std::vector<KnownSource> course = course_of("04-privatization");
  const std::string solution = text_of(course, "the course's solution");
  std::string last_year =
      "// a style of its own\n__device__ unsigned int place_of(char c) { return c < 'a' || c > 'z' "
      "? 7u : (c - 'a') / 4u; }\n"
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n";
  for (int i = 0; i < 7; ++i)
    last_year += "  if (threadIdx.x % 7 == " + std::to_string(i) +
                 ") { for (unsigned int k = threadIdx.x; k < length; k += 7 * gridDim.x) "
                 "{ unsigned int p = place_of(data[k]); if (p < 7 && p * 3 % 7 != " +
                 std::to_string(i) +
                 ") atomicAdd(histo + p, 1u); } }\n"
                 "  while (histo[" +
                 std::to_string(i) + "] > length - " + std::to_string(i) +
                 ") { __syncthreads(); break; }\n";
  last_year += "}\n";
  const std::vector<KnownSource> earlier = {{"02-sample", "2024", "Roe", last_year},
                                            {"02-sample", "2025", "Poe", last_year},
                                            {"02-sample", "2025", "Zoe", last_year},
                                            {"02-sample", "2025", "Moe", solution}};
  const std::string renamed = replaced(replaced(last_year, "place_of", "bin"), " k ", " at ");
  CHECK(found_in({{"ada", "// mine\n" + last_year}, {"ben", renamed}, {"cem", solution}}, course,
                 earlier) ==
        Lines{"ada: Roe (2024): the same code", "ada: Poe (2025): the same code",
              "ben: Roe (2024): 99 % the same", "ben: Poe (2025): 99 % the same",
              "cem: the course's solution: the same code"});
}

TEST_CASE("new sources replace old ones, and earlier classes stay unless new ones are named") {
  const TemporaryFolder folder;
  const std::vector<grader::LabSpec> labs = {grader::testing::sample_lab()};
  Meta meta;
  meta.version = "0.0.0";
  Journal journal = sample_journal(folder.path(), labs, meta, {{"ada", "int x;"}});
  const auto count = [&] {
    return *journal.database().number("SELECT count(*) FROM known_source");
  };
  CHECK(find_known(journal.database())->empty());  // a journal of an older version
  REQUIRE(keep_known(journal.database(), {{"02-sample", "", "a", "1"}},
                     {{{"02-sample", "2024", "b", "2"}}})
              .ok());
  CHECK(count() == 2);
  REQUIRE(keep_known(journal.database(), {{"02-sample", "", "c", "1"}, {"02-sample", "", "d", "1"}},
                     std::nullopt)
              .ok());
  CHECK(count() == 3);
  REQUIRE(keep_known(journal.database(), {}, std::vector<KnownSource>{}).ok());
  CHECK(count() == 0);
}

TEST_CASE(
    "earlier classes are results of a batch or folders of submissions, named by their folders") {
  const TemporaryFolder folder;
  const std::vector<grader::LabSpec> labs = {grader::testing::sample_lab()};
  Meta meta;
  meta.version = "0.0.0";
  std::filesystem::create_directories(folder.at("2024/results"));
  std::filesystem::create_directories(folder.at("2025/ada"));
  static_cast<void>(sample_journal(folder.at("2024/results"), labs, meta, {{"roe", "int x;"}}));
  std::ofstream{folder.at("2025/ada/02-sample.cu")} << "int y;";
  const auto found = earlier_sources({folder.at("2024/results/"), folder.at("2025")}, {"02-sample"},
                                     folder.at("out"));
  REQUIRE(found.ok());
  REQUIRE(found->size() == 2);
  CHECK(described(found->at(0)) == "roe (results)");
  CHECK(described(found->at(1)) == "ada (2025)");
  CHECK(found->at(1).text == "int y;");
  CHECK(earlier_sources({folder.at("2024/results")}, {"03-other"}, folder.at("out"))->empty());
  CHECK(earlier_sources({folder.at("none")}, {"02-sample"}, folder.at("out"))
            .error()
            .message.find("there is no such folder or archive") != std::string::npos);
  CHECK(earlier_sources({folder.at("2024/results")}, {"02-sample"}, folder.at("2024/results"))
            .error()
            .message.find("the results of this class;") != std::string::npos);
  std::filesystem::create_directories(folder.at("copy/2025/bob"));
  std::ofstream{folder.at("copy/2025/bob/02-sample.cu")} << "int z;";
  const auto twice =
      earlier_sources({folder.at("2025"), folder.at("copy/2025")}, {"02-sample"}, folder.at("out"));
  REQUIRE(twice.ok());
  CHECK(twice->at(0).origin != twice->at(1).origin);
}
