#include "kernels/gpu/protocol.h"

#include <doctest/doctest.h>

using namespace histolab::kernels;
using namespace histolab::kernels::gpu;

TEST_CASE("a request is read back as it was written") {
  Request request;
  request.what = Request::What::time;
  request.gpu = 3;
  KernelImage& image = request.kernels.emplace_back();
  image.cubin = {7, 100};
  image.symbol = "_Z9histogramPKcjPj";
  image.may_be_watched = false;
  image.is_cooperative = true;
  image.config.grid = {4, 2, 1};
  image.config.shared_opt_in = true;
  image.arguments = {{Argument::Kind::word, "length", {}, 77}};
  request.launches = {
      {{Argument::Kind::input, "data", {8, 10}, 0}, {Argument::Kind::word, "length", {}, 10}}};
  request.samples = {{1, {{5, 255}, {1u << 30, 0}}}, {0, {}}};
  request.wanted_spread = 0.01;
  const auto back = request_from(to_text(request));
  REQUIRE(back.ok());
  CHECK(back->what == Request::What::time);
  CHECK(back->gpu == 3);
  REQUIRE(back->kernels.size() == 1);
  CHECK(back->kernels[0].cubin.descriptor == 7);
  CHECK(back->kernels[0].symbol == "_Z9histogramPKcjPj");
  CHECK(back->kernels[0].config.grid == Dim3{4, 2, 1});
  CHECK(back->kernels[0].config.shared_opt_in);
  CHECK_FALSE(back->kernels[0].may_be_watched);
  CHECK(back->kernels[0].is_cooperative);
  CHECK(back->kernels[0].arguments.at(0).word == 77);
  REQUIRE(back->launches.at(0).size() == 2);
  CHECK(back->launches[0][1].kind == Argument::Kind::word);
  CHECK(back->launches[0][1].word == 10);
  REQUIRE(back->samples.size() == 2);
  CHECK(back->samples[0].changes.at(1).at == 1u << 30);
  CHECK(back->samples[0].changes.at(0).byte == 255);
  CHECK(back->samples[1].changes.empty());
}

TEST_CASE("an answer is read back as it was written, whatever the kernel printed") {
  Answer answer;
  answer.gpus = {{"NVIDIA H200", "580.159.04", 90, 132}};
  answer.contents = {{"_Z1fv"}, {{"factor", 16}}, true};
  answer.is_cooperative = true;
  Observation observation;
  observation.ending = Ending::stopped;
  observation.findings.emplace_back().variable = "histo";
  observation.printed = "\xff\x1b[2J";
  answer.observations = {observation};
  TimedKernel timed;
  timed.timing = {.median_ms = 2,
                  .low_ms = 1,
                  .high_ms = 3,
                  .samples_ms = {1, 2, 3},
                  .alone_ms = 4,
                  .sm_clock_mhz = 1980,
                  .throttled_by = "power cap",
                  .by_host_clock = true};
  answer.timed = {timed};
  const auto back = answer_from(to_text(answer));
  REQUIRE(back.ok());
  CHECK(back->gpus.at(0).driver == "580.159.04");
  CHECK(back->contents.calls_the_driver);
  CHECK(back->is_cooperative);
  CHECK(back->contents.words.at("factor") == 16);
  CHECK(back->observations.at(0).findings.at(0).variable == "histo");
  CHECK(back->observations[0].printed == "\xef\xbf\xbd?[2J");  // no terminal control characters
  CHECK(back->timed.at(0).timing.samples_ms == std::vector<double>{1, 2, 3});
  CHECK(back->timed[0].timing.throttled_by == "power cap");
  CHECK(back->timed[0].timing.by_host_clock);
}

TEST_CASE("long texts and lists of an answer are cut, and longer input is rejected") {
  Answer answer;
  Observation& observation = answer.observations.emplace_back();
  observation.printed.assign(300'000, 'p');
  observation.ending_detail.assign(100'000, 'd');
  observation.findings.resize(3000);
  observation.findings.front().message.assign(100'000, 'm');
  answer.diagnostics = {{Severity::error, 3, 1, std::string(100'000, 'e')}};
  const auto back = answer_from(to_text(answer));
  REQUIRE(back.ok());
  CHECK(back->observations.at(0).printed == std::string(66 * 1024, 'p'));
  CHECK(back->observations[0].ending_detail.size() == 8192);
  CHECK(back->observations[0].findings.size() == 1000);
  CHECK(back->observations[0].findings.front().message.size() == 8192);
  CHECK(back->diagnostics.at(0).message.size() == 8192);
  Answer short_one;
  short_one.diagnostics = {{Severity::error, 3, 1, "e"}};
  const std::string text = to_text(short_one);
  const std::size_t at = text.find("\"e\"");
  REQUIRE(at != text.npos);
  CHECK(answer_from(text).ok());
  CHECK_FALSE(
      answer_from(std::string(text).replace(at, 3, '"' + std::string(100'000, 'e') + '"')).ok());
}

TEST_CASE("an invalid or deeply nested answer or request is an error") {
  for (const char* text : {"", "{", "[]", "{\"machine_error\":1}", "null",
                           "{\"observations\":[[99,\"\",[],\"\",null]]}"})
    CHECK_FALSE(answer_from(text).ok());
  for (const char* text : {"", "{}", "{\"what\":77}"}) CHECK_FALSE(request_from(text).ok());
}

TEST_CASE("the error about an invalid answer or request says what is wrong") {
  const auto why = [](const auto& read) {
    REQUIRE_FALSE(read.ok());
    return read.error().message.substr(read.error().message.find(": ") + 2);
  };
  CHECK(answer_from("{").error().message ==
        "the GPU worker's answer does not have the agreed form: not JSON, or truncated");
  CHECK(why(answer_from("{}")) == "machine_error: is missing");
  CHECK(why(answer_from("[]")) == "machine_error: is missing");
  CHECK(why(answer_from("{\"machine_error\":1}")) ==
        "machine_error: type must be string, but is number");
  CHECK(why(request_from("{\"what\":77}")) == "what: an invalid value");
  CHECK(why(answer_from("{\"machine_error\":" + std::string(100'000, '[') +
                        std::string(100'000, ']') + "}")) == "nested too deep");
}

TEST_CASE("a fraction is read as a time and as nothing else") {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  Request request;
  request.samples = {{0, {{5, 255}}}};
  CHECK(request_from(to_text(request)).ok());
  CHECK_FALSE(request_from(with(to_text(request), "[5,255]", "[5,1e22]")).ok());
  Answer answer;
  answer.contents.words = {{"alone_ms", 16}};
  answer.timed.resize(1);
  CHECK(answer_from(with(to_text(answer), "\"alone_ms\":null", "\"alone_ms\":1.5")).ok());
  CHECK_FALSE(answer_from(with(to_text(answer), "\"alone_ms\":16", "\"alone_ms\":1e22")).ok());
  CHECK_FALSE(
      answer_from(with(to_text(answer), "\"sm_clock_mhz\":null", "\"sm_clock_mhz\":1e22")).ok());
}
