// Tests of the protocol: each message is read back unchanged, and any other text is an Error, never
// an exception.
#include "kernels/worker/protocol/protocol.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "kernels/worker/protocol/json_parts.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

Answer full_answer() {
  Answer answer;
  emulator::ModuleInfo module;
  module.diagnostics = {{Severity::error, 3, 7, "no `histogram` \"here\"\n"},
                        {Severity::note, 0, 0, ""}};
  module.exports = {{"coarsening_factor", 8}, {"other", 0xffffffffu}};
  module.static_shared_bytes = 49152;
  answer.modules = {module, {}};
  Observation observation;
  observation.ending = Ending::stopped;
  observation.ending_detail = "step limit";
  observation.printed = "line\n\ttab \"quoted\"";
  observation.host_elapsed_s = 0.125;
  observation.kept_variables = {"next_part", ""};
  std::uint64_t next = 1;
  reference::Counters& c = observation.counters;
  for (std::uint64_t* value :
       {&c.blocks, &c.threads, &c.block_size, &c.static_shared_bytes, &c.dynamic_shared_bytes})
    *value = next++;
  each_busiest([&](std::uint64_t& total) { total = next++; }, c);
  each_total([&](std::uint64_t& total) { total = next++ % 2 == 0 ? next : ~0ull - next; }, c);
  for (const FindingKind kind : all_finding_kinds) {
    Finding finding;
    finding.kind = kind;
    finding.severity = kind == FindingKind::deadlock ? Severity::note : Severity::error;
    finding.space = Space::shared;
    finding.variable = "private_histo";
    if (kind != FindingKind::step_limit) finding.index = -3;
    finding.line = 12;
    finding.other_line = 15;
    finding.thread = ThreadId{{1, 2, 3}, {4, 5, 6}};
    if (kind == FindingKind::deadlock) finding.file = "main.cu", finding.other_file = "part.cuh";
    if (kind == FindingKind::data_race)
      finding.other_thread = ThreadId{{0, 0, 0}, {0xffffffffu, 0, 1}};
    finding.count = 1ull << 60;
    finding.message = "both update it";
    observation.findings.push_back(finding);
  }
  observation.lines.resize(2);
  observation.lines[1].line = 17;
  observation.lines[1].file = 2;
  observation.files = {"main.cu", "part.cuh"};
  observation.lines[1].counters.shared_load = {1, 2, 3, 4, 5};
  observation.lines[1].counters.global_contention.requests_of_degree[31] = 9;
  observation.pressure = {{"private_histo", true, 8, 100, 3, 1, {{4, 60}, {0, 20}, {1, 19}}}, {}};
  RecordedAccess access{
      7, 31, 12, Operation::compare_and_swap, Space::shared, "private_histo", 4, 0b1010, {}, 128, 0,
      2, 1,  2};
  access.offset.fill(40);
  access.offset[3] = 0xfffffff0u;
  RecordedAccess load{0, 0, 0, Operation::load, Space::global, "data", 16, ~0u, {}, 0, 64, 0, 0};
  for (std::uint32_t l = 0; l < 32; ++l) load.offset[l] = l * 16;
  observation.accesses = {access, load, access};
  observation.steps = {{1, 1023, 12, Operation::store, Space::global, "histo", ~0ull, 8, ~0ull, 0},
                       {0, 0, 0, Operation::exchange, Space::shared, "", 0, 1, 0, 255}};
  answer.observations = {observation, {}};
  answer.written = {emulator::WrittenState::all, emulator::WrittenState::none};
  return answer;
}

Request full_request() {
  Request request;
  request.signatures = {{"histogram",
                         {KernelSignature::Parameter::pointer, KernelSignature::Parameter::word},
                         "__global__ void histogram(...)",
                         {"coarsening_factor"}}};
  request.signatures[0].is_mangled = true;
  request.launch = true;
  request.config = {{3, 2, 1}, {256, 1, 1}, 28};
  request.options.schedule = Schedule::random;
  request.options.seed = ~0ull;
  request.options.steps_per_thread = 1234567890123ull;
  request.options.observers = {true, false, true, false, true};
  request.options.recorded_accesses = 100;
  request.options.recorded_steps = 200;
  request.options.recorded_threads = {3, ~0ull};
  request.options.debugged = true;
  request.own_data_limit = 12345678901;
  request.live_descriptor = 9;
  request.launches = {{{Argument::Kind::input, "data", 1, 1ull << 33, 5, 0},
                       {Argument::Kind::word, "n", 4, 0, -1, 0xffffffffu}},
                      {}};
  request.wide_accesses = {{12, 8}, {300, 16}};
  request.local_lines = {7, 12};
  return request;
}

Request program_request() {
  Request request;
  request.launch = true;
  emulator::ProgramLaunch& launch = request.program.emplace();
  launch.kernel = "_Z1kPj";
  launch.config = {{3, 2, 1}, {256, 1, 1}, 28};
  for (std::size_t i = 0; i < 6; ++i) launch.arguments.integers[i] = ~i;
  for (std::size_t i = 0; i < 8; ++i)
    launch.arguments.vectors[i].fill(static_cast<std::uint8_t>(i));
  launch.arguments.has_vectors = 1;
  launch.arguments.stack_bytes = emulator::RawArguments::most_stack_bytes;
  launch.arguments.stack.back() = 9;
  launch.memory.fd = 5;
  launch.memory.written_fd = 6;
  launch.memory.allocations = {
      {1 << 16, 400, 4, "data", emulator::WrittenState::some, false, {}},
      {1 << 20, 100, 1, "old", emulator::WrittenState::all, true, "main.cu:42"}};
  launch.memory.allocations[0].pointers = emulator::PointersInto::to_const;
  launch.memory.variables = {{"_ZL5count", 256, 4}};
  launch.library_folders = {"/usr/"};
  launch.for_debugger = true;
  return request;
}

// Changes, removes or doubles some bytes, or cuts off the tail.
std::string mutate(std::string text, std::mt19937& random) {
  for (unsigned changes = 1 + random() % 4; changes-- > 0 && !text.empty();) {
    const std::size_t at = random() % text.size();
    static const std::string interesting = "{}[]\",:0123456789-.eEtfn\\u\xff";
    switch (random() % 5) {
      case 0: text[at] = interesting[random() % interesting.size()]; break;
      case 1: text.erase(at, 1 + random() % 8); break;
      case 2: text.insert(at, text.substr(at, random() % 20)); break;
      case 3: text.insert(at, 1, interesting[random() % interesting.size()]); break;
      default:
        if (random() % 8 == 0)
          text.resize(at);
        else
          text[at] = static_cast<char>(random());
    }
  }
  return text;
}

}  // namespace

TEST_CASE("an answer and a request come back as they were written") {
  const std::string answer = to_text(full_answer()), request = to_text(full_request());
  const auto answer_again = answer_from(answer);
  REQUIRE(answer_again.ok());
  CHECK(to_text(*answer_again) == answer);
  const auto request_again = request_from(request);
  REQUIRE(request_again.ok());
  CHECK(to_text(*request_again) == request);

  const std::string of_program = to_text(program_request());
  const auto program_again = request_from(of_program);
  REQUIRE(program_again.ok());
  CHECK(to_text(*program_again) == of_program);
  REQUIRE(program_again->program);
  const Request sent_request = program_request();
  const emulator::ProgramLaunch &asked = *sent_request.program, &got = *program_again->program;
  CHECK(got.arguments.integers == asked.arguments.integers);
  CHECK(got.arguments.vectors == asked.arguments.vectors);
  CHECK(got.arguments.stack == asked.arguments.stack);
  CHECK(got.memory.allocations[0].pointers == emulator::PointersInto::to_const);
  CHECK(got.memory.allocations[1].freed_at == "main.cu:42");
  CHECK(got.memory.variables[0].symbol == "_ZL5count");
  CHECK_FALSE(request_again->program);
  CHECK(answer_again->written == full_answer().written);
  CHECK(answer_again->observations[0].lines[1].file == 2);
  CHECK(answer_again->observations[0].files == full_answer().observations[0].files);
  CHECK(std::ranges::any_of(answer_again->observations[0].findings, [](const Finding& finding) {
    return finding.file == "main.cu" && finding.other_file == "part.cuh";
  }));

  const Finding& race = answer_again->observations[0].findings[0];
  CHECK(race.kind == FindingKind::data_race);
  CHECK(race.index == -3);
  CHECK(race.other_thread == ThreadId{{0, 0, 0}, {0xffffffffu, 0, 1}});
  CHECK(race.count == 1ull << 60);
  CHECK(!answer_again->observations[0].findings[1].other_thread);
  each_busiest([](std::uint64_t sent, std::uint64_t meant) { CHECK(sent == meant); },
               answer_again->observations[0].counters, full_answer().observations[0].counters);
  each_total([](std::uint64_t sent, std::uint64_t meant) { CHECK(sent == meant); },
             answer_again->observations[0].counters, full_answer().observations[0].counters);
  REQUIRE(answer_again->observations[0].lines.size() == 2);
  CHECK(answer_again->observations[0].lines[1].line == 17);
  CHECK(answer_again->observations[0].lines[1].counters.shared_load.lanes == 5);
  CHECK(answer_again->observations[0].lines[1].counters.global_contention.degree_sum() == 9 * 32);
  REQUIRE(answer_again->observations[0].pressure.size() == 2);
  CHECK(answer_again->observations[0].pressure[0].element_bytes == 8);
  CHECK(answer_again->observations[0].pressure[0].top[2].updates == 19);
  const Observation written = full_answer().observations[0], &again = answer_again->observations[0];
  REQUIRE(again.accesses.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(again.accesses[i].offset == written.accesses[i].offset);
    CHECK(again.accesses[i].variable == written.accesses[i].variable);
    CHECK(again.accesses[i].active == written.accesses[i].active);
  }
  CHECK(again.accesses[0].operation == Operation::compare_and_swap);
  CHECK(again.accesses[0].base == 128);
  CHECK(again.accesses[0].wavefronts == 2);
  CHECK(again.accesses[0].file == 2);
  CHECK(again.accesses[1].sectors == 64);
  REQUIRE(again.steps.size() == 2);
  CHECK(again.steps[0].variable == "histo");
  CHECK(again.steps[0].before == ~0ull);
  CHECK(again.steps[1].after == 255);
  CHECK(request_again->signatures[0].is_mangled);
  CHECK(request_again->options.recorded_accesses == 100);
  CHECK(request_again->options.recorded_steps == 200);
  CHECK(request_again->options.recorded_threads == std::vector<std::uint64_t>{3, ~0ull});
  CHECK(request_again->options.debugged);
  CHECK(request_again->own_data_limit == 12345678901);
  CHECK(request_again->live_descriptor == 9);
  CHECK(request_again->options.seed == ~0ull);
  CHECK(request_again->options.observers.bounds == false);
  CHECK(request_again->launches[0][0].bytes == 1ull << 33);
}

TEST_CASE("impossible lines and elements are refused") {
  const std::string good = to_text(full_answer());
  REQUIRE(answer_from(good).ok());
  const auto refused = [&](const std::string& from, const std::string& to) {
    const std::size_t at = good.find(from);
    REQUIRE(at != std::string::npos);
    std::string bad = good;
    bad.replace(at, from.size(), to);
    return !answer_from(bad).ok();
  };
  CHECK(refused("[17,2,", "[-17,2,"));
  CHECK(refused("[17,2,", "[17,-2,"));
  CHECK(refused("[17,2,", "[17,2,9999,1,"));  // an index that does not exist
  CHECK(refused("[17,2,", "[17,2,3,"));       // an index without a value, which shifts all others
  std::string elements;
  for (int i = 0; i < 65; ++i) elements += "[1,1],";
  CHECK(refused("[[4,60],", "[" + elements + "[4,60],"));
}

TEST_CASE("a number that is no value of an enum is refused") {
  const auto refused = [](auto&& change) {
    Answer answer = full_answer();
    change(answer.observations[0]);
    return !answer_from(to_text(answer)).ok();
  };
  CHECK_FALSE(refused([](Observation&) {}));
  for (const int number : {-1, 23, 24, 31, 32, 1 << 30}) {
    CAPTURE(number);
    CHECK(refused([&](Observation& o) { o.findings[0].kind = static_cast<FindingKind>(number); }));
    CHECK(refused([&](Observation& o) { o.findings[0].severity = static_cast<Severity>(number); }));
    CHECK(refused([&](Observation& o) { o.findings[0].space = static_cast<Space>(number); }));
    CHECK(refused([&](Observation& o) { o.ending = static_cast<Ending>(number); }));
    CHECK(refused([&](Observation& o) { o.steps[0].operation = static_cast<Operation>(number); }));
  }
  static_assert(all_finding_kinds.size() == 23);
}

TEST_CASE("impossible recorded accesses and steps are refused") {
  const auto refused = [](auto&& change) {
    Answer answer = full_answer();
    change(answer.observations[0]);
    return !answer_from(to_text(answer)).ok();
  };
  CHECK_FALSE(refused([](Observation&) {}));
  CHECK(refused([](Observation& o) { o.accesses[0].active = 0; }));
  CHECK(refused([](Observation& o) { o.accesses[0].line = -1; }));
  CHECK(refused([](Observation& o) { o.accesses[0].file = -1; }));
  CHECK(refused([](Observation& o) { o.accesses[0].warp = 32; }));
  CHECK(refused([](Observation& o) { o.accesses[0].bytes = 3; }));
  CHECK(refused([](Observation& o) { o.accesses[0].bytes = 32; }));
  CHECK(refused([](Observation& o) { o.accesses[0].space = Space::local; }));
  CHECK(refused([](Observation& o) { o.accesses[0].space = Space::none; }));
  CHECK(refused([](Observation& o) { o.accesses[0].sectors = 65; }));
  CHECK(refused([](Observation& o) { o.accesses[0].wavefronts = 129; }));
  CHECK(refused([](Observation& o) { o.accesses[0].same_address_degree = 33; }));
  CHECK(refused([](Observation& o) { o.accesses[0].operation = static_cast<Operation>(5); }));
  CHECK(refused(
      [](Observation& o) { o.accesses.assign(Options::most_recorded + 1, o.accesses[0]); }));
  CHECK(refused([](Observation& o) { o.steps[0].bytes = 16; }));
  CHECK(refused([](Observation& o) { o.steps[0].thread = 1024; }));
  CHECK(refused([](Observation& o) { o.steps[0].line = -1; }));
  CHECK(refused([](Observation& o) { o.steps.assign(Options::most_recorded + 1, o.steps[0]); }));
  // One offset too few, one too many, and a name that does not exist.
  const std::string good = to_text(full_answer()),
                    row = "[7,31,12,2,3,2,0,4,10,128,0,2,1,40,4294967280]";
  const auto with = [&](const std::string& other) {
    return std::string(good).replace(good.find(row), row.size(), other);
  };
  REQUIRE(good.find(row) != std::string::npos);
  CHECK(answer_from(with(row)).ok());
  CHECK_FALSE(answer_from(with("[7,31,12,2,3,2,0,4,10,128,0,2,1,40]")).ok());
  CHECK_FALSE(answer_from(with("[7,31,12,2,3,2,0,4,10,128,0,2,1,40,4294967280,0]")).ok());
  CHECK_FALSE(answer_from(with("[7,31,12,2,3,2,2,4,10,128,0,2,1,40,4294967280]")).ok());
}

TEST_CASE(
    "text, lists and numbers that no worker writes are refused; control characters are removed") {
  const auto refused = [](auto&& change) {
    std::string text = to_text(full_answer());
    change(text);
    return !answer_from(text).ok();
  };
  const auto put = [](std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  CHECK_FALSE(refused([](std::string&) {}));
  CHECK(refused([&](std::string& t) {
    put(t, "\"message\":\"", "\"message\":\"" + std::string(1 << 20, 'x'));
  }));
  CHECK(refused([&](std::string& t) {
    put(t, "\"variable\":\"", "\"variable\":\"" + std::string(4096, 'x'));
  }));
  CHECK(refused([&](std::string& t) {
    put(t, "\"printed\":\"", "\"printed\":\"" + std::string(1 << 20, 'x'));
  }));
  CHECK(refused([&](std::string& t) { put(t, "\"line\":", "\"line\":-"); }));
  CHECK(refused([&](std::string& t) { put(t, "\"line\":", "\"line\":1e300,\"x\":"); }));
  CHECK(refused([&](std::string& t) { put(t, "\"index\":", "\"index\":0.5,\"x\":"); }));
  CHECK(refused([&](std::string& t) { put(t, "\"line\":", "\"line\":99999999999,\"x\":"); }));

  Answer many;
  many.observations.emplace_back().findings.resize(5000);
  many.observations[0].printed = "red \x1b[31m\r\n\ttext \xc2\x9b 31m";
  for (Finding& f : many.observations[0].findings) {
    f.message = "\x1b]0;title\x07";
    f.variable = "histo\n::error::";
  }
  const auto again = answer_from(to_text(many));
  REQUIRE(again.ok());
  CHECK(again->observations[0].findings.size() == 1000);
  CHECK(again->observations[0].findings[0].message == "?]0;title?");
  CHECK(again->observations[0].findings[0].variable == "histo?::error::");
  CHECK(again->observations[0].printed == "red ?[31m?\n\ttext ? 31m");
}

TEST_CASE("an export named like a time must still be an integer") {
  Answer answer;
  answer.modules.resize(1);
  answer.modules[0].exports = {{"elapsed_s", 8}};
  std::string text = to_text(answer);
  REQUIRE(answer_from(text).ok());
  text.replace(text.find("\"elapsed_s\":8") + 12, 1, "1e300");
  CHECK(!answer_from(text).ok());
}

TEST_CASE("bytes that are not UTF-8 do not break the answer") {
  Answer answer;
  answer.observations.emplace_back();
  answer.observations[0].printed = "a\xff\xc3 b\0c";
  const auto again = answer_from(to_text(answer));
  REQUIRE(again.ok());
  CHECK(again->observations[0].printed.starts_with("a"));
}

TEST_CASE(
    "invalid bytes up to the print limit do not break the answer, and a cut letter is dropped") {
  Answer answer;
  Observation& observation = answer.observations.emplace_back();
  observation.printed = std::string(longest_print, '\xe4');
  observation.findings.emplace_back().variable = std::string(longest_name - 1, 'x') + "\u00e4";
  const auto again = answer_from(to_text(answer));
  REQUIRE(again.ok());
  CHECK(again->observations[0].printed.size() == 3 * longest_print);
  CHECK(again->observations[0].findings[0].variable == std::string(longest_name - 1, 'x'));
}

TEST_CASE("a line number beyond 32 bits is refused") {
  Answer answer;
  answer.observations.emplace_back().lines.push_back({.line = 7, .counters = {}});
  std::string text = to_text(answer);
  const std::string lines = "\"lines\":[[7";
  REQUIRE(text.find(lines) != std::string::npos);
  CHECK(!answer_from(text.replace(text.find(lines), lines.size(), "\"lines\":[[4294967303")).ok());
}

TEST_CASE("text that is not an answer or a request is an Error") {
  for (const std::string text : {"", " ", "{}", "[]", "null", "7", "\"", "{\"machine_error\":\"\"}",
                                 "{\"machine_error\":null,\"diagnostics\":[]}"}) {
    CHECK(!answer_from(text).ok());
    CHECK(!request_from(text).ok());
  }
  const std::string deep = std::string(1 << 20, '[') + std::string(1 << 20, ']');
  for (const std::string& text :
       {std::string(1 << 20, '['), deep, "{\"machine_error\":" + deep + "}"}) {
    CHECK(!answer_from(text).ok());
    CHECK(!request_from(text).ok());
  }
  std::string answer = to_text(full_answer());
  for (std::size_t length = 0; length < answer.size(); ++length)
    REQUIRE(!answer_from(std::string_view(answer).substr(0, length)).ok());
  answer += "{}";
  CHECK(!answer_from(answer).ok());
}

TEST_CASE("mutated messages never throw, and every accepted one can be written again") {
  std::mt19937 random(12345);
  const std::string answer = to_text(full_answer()), request = to_text(full_request());
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    if (const auto a = answer_from(mutate(answer, random))) accepted += !to_text(*a).empty();
    if (const auto r = request_from(mutate(request, random))) accepted += !to_text(*r).empty();
  }
  CHECK(accepted > 0);  // such as a changed letter in a message
}
