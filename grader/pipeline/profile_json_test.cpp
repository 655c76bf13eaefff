#include "grader/pipeline/profile_json.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "grader/files/read_file.h"
#include "grader/testing/files.h"
#include "reference/time_model.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

const std::string shipped = std::string{HISTOLAB_SOURCE_DIR} + "/profiles";

nlohmann::json h200() {
  return nlohmann::json::parse(*read_text_file(shipped + "/h200.json", "profile"));
}

std::string complaint(const nlohmann::json& json) {
  const auto profile = parse_profile(json.dump(), "h200");
  return profile ? "" : profile.error().message;
}

}  // namespace

TEST_CASE("the shipped profiles are readable and have the names of their files") {
  for (const auto& [name, device] :
       {std::pair{"h200", "NVIDIA H200"}, std::pair{"h100", "NVIDIA H100 80GB HBM3"}}) {
    const auto profile = load_profile(shipped, name);
    REQUIRE_MESSAGE(profile.ok(), profile.error().message);
    CHECK(profile->name == name);
    CHECK(profile->device == device);
    CHECK(profile->multiprocessors == 132);
    CHECK_FALSE(profile->driver.empty());
    CHECK_FALSE(profile->date.empty());
    CHECK(profile->line_parallelism.first() == doctest::Approx(1));
    CHECK(profile->line_parallelism.last() > 10);
  }
}

TEST_CASE("a missing profile gets advice on how to make one") {
  const auto profile = load_profile(shipped, "rtx4090");
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().message.find("histolab calibrate") != std::string::npos);
}

TEST_CASE("a problem of a profile is reported with its name") {
  CHECK(complaint(h200()).empty());
  CHECK(complaint(nlohmann::json::array()).find("histolab/profile/1") != std::string::npos);
  nlohmann::json json = h200();
  json["schema"] = "histolab/profile/2";
  CHECK_FALSE(complaint(json).empty());
  json = h200();
  json["figures"].erase("sm_clock");
  CHECK(complaint(json).find("\"sm_clock\"") != std::string::npos);
  json = h200();
  json["figures"]["launch"]["value"] = -1;
  CHECK(complaint(json).find("\"launch\"") != std::string::npos);
  json = h200();
  json["curves"]["block"]["points"] = {{64, 1}, {32, 1}};
  CHECK(complaint(json).find("\"block\"") != std::string::npos);
  json = h200();
  json["curves"]["block"]["points"] = nlohmann::json::array();
  CHECK(complaint(json).find("\"block\"") != std::string::npos);
  json = h200();
  json["facts"].erase("multiprocessors");
  CHECK(complaint(json).find("multiprocessors") != std::string::npos);
  for (const nlohmann::json& count :
       {nlohmann::json(nullptr), nlohmann::json("132"), nlohmann::json(-132), nlohmann::json(1.5),
        nlohmann::json(1ull << 32)}) {
    json["facts"]["multiprocessors"] = count;
    CHECK(complaint(json).find("multiprocessors") != std::string::npos);
  }
  json = h200();
  json["curves"]["block"].erase("unit");
  CHECK(complaint(json).find("the unit of \"block\" is missing or not a text") !=
        std::string::npos);
  CHECK_FALSE(parse_profile("{\"schema\":", "h200").ok());
  CHECK_FALSE(
      parse_profile("{\"schema\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
                    "h200")
          .ok());
}

TEST_CASE("contention on the H200's profile matches the lessons") {
  const auto profile = load_profile(shipped, "h200");
  REQUIRE(profile.ok());
  reference::Workload work;
  auto& c = work.counters;
  c.blocks = 1 << 20;
  c.block_size = 256;
  c.threads = c.blocks * 256;
  c.global_atomic = {.requests = 8 << 20,
                     .sectors = 32ull * (8 << 20),
                     .bytes = 4ull * (8 << 20),
                     .lanes = 1 << 28};
  work.pressure.push_back(
      {.variable = "histo", .updates = 1 << 28, .elements = 1, .top = {{3, 1 << 28}}});
  const reference::TimeEstimate all_on_one = reference::estimate(*profile, work);
  CHECK(all_on_one.bound_by == "atomics");
  c.global_atomic.sectors = 8ull * (8 << 20);
  work.pressure[0].elements = 7;
  work.pressure[0].top.clear();
  for (std::uint64_t bin = 0; bin < 7; ++bin) work.pressure[0].top.push_back({bin, (1 << 28) / 7});
  CHECK(reference::estimate(*profile, work).total_ns < all_on_one.total_ns / 3);
}
