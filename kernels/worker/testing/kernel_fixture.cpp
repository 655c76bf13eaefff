#include "kernels/worker/testing/kernel_fixture.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

namespace histolab::kernels::testing {
namespace {

Device* instead_of_the_emulator = nullptr;

Device& device() {
  static const std::unique_ptr<Device> emulator = make_emulator(emulator_paths());
  return instead_of_the_emulator != nullptr ? *instead_of_the_emulator : *emulator;
}

KernelSignature signature_for(const std::vector<Value>& arguments) {
  KernelSignature signature;
  signature.name = "k";
  signature.declaration = "__global__ void k(...)";
  for (const Value& value : arguments)
    signature.parameters.push_back(value.kind == Argument::Kind::word
                                       ? KernelSignature::Parameter::word
                                       : KernelSignature::Parameter::pointer);
  return signature;
}

// Returns the marker at the end of a source line, or the line's number.
std::string line_name(const std::string& source, int line) {
  std::istringstream lines(source);
  std::string text;
  for (int i = 0; i < line; ++i) std::getline(lines, text);
  const auto marker = text.find("//@");
  return line > 0 && marker != std::string::npos ? text.substr(marker + 2) : std::to_string(line);
}

}  // namespace

Value in(std::string name, const std::string& bytes) {
  return {Argument::Kind::input, std::move(name), 1, {bytes.begin(), bytes.end()}, 0};
}
Value word(std::uint32_t value) { return {Argument::Kind::word, "n", 4, {}, value}; }

Options under(Schedule schedule, std::uint64_t seed) {
  Options options;
  options.schedule = schedule;
  options.seed = seed;
  return options;
}

OnDevice::OnDevice(Device& device) { instead_of_the_emulator = &device; }
OnDevice::~OnDevice() { instead_of_the_emulator = nullptr; }

EmulatorPaths emulator_paths() {
  return {.worker = HISTOLAB_BIN "/histolab-worker",
          .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"};
}

std::vector<std::uint8_t> mixed_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 31 + i / 7);
  return bytes;
}

worker::TemporaryFolder temporary_folder() {
  Result<worker::TemporaryFolder> folder = worker::TemporaryFolder::make();
  REQUIRE(folder);
  return std::move(*folder);
}

Compiled compile(const std::string& source, const std::vector<Value>& arguments) {
  static std::map<std::pair<std::string, std::string>, Compiled> known;
  std::string shape = device().kind();
  for (const Value& value : arguments) shape += value.kind == Argument::Kind::word ? 'w' : 'p';
  const auto found = known.find({shape, source});
  if (found != known.end()) return found->second;
  // Each entry holds a file descriptor, and a process may have at most 1024.
  if (known.size() >= 64) known.clear();
  Result<Compiled> compiled = device().compile({"k.cu", source}, {signature_for(arguments)});
  REQUIRE_MESSAGE(compiled.ok(), (compiled.ok() ? "" : compiled.error().message));
  return known[{shape, source}] = std::move(*compiled);
}

Outcome run(const std::string& source, const Launch& launch) {
  const Compiled compiled = compile(source, launch.arguments);
  std::string complaints;
  for (const Diagnostic& d : compiled.diagnostics)
    complaints += fmt::format("{}:{}: {}\n", d.line, d.column, d.message);
  REQUIRE_MESSAGE(compiled.ok, complaints, source);

  std::vector<Buffer> buffers;
  buffers.reserve(launch.arguments.size());
  std::vector<Argument> arguments;
  for (const Value& value : launch.arguments) {
    Argument argument{value.kind, value.name, value.element_bytes, nullptr,
                      nullptr,    value.word, value.initialized};
    if (value.kind != Argument::Kind::word) {
      Result<Buffer> buffer = Buffer::copy_of(value.bytes);
      REQUIRE(buffer.ok());
      buffers.push_back(std::move(*buffer));
      if (value.kind == Argument::Kind::input)
        argument.input = &buffers.back();
      else
        argument.output = &buffers.back();
    }
    arguments.push_back(argument);
  }
  const std::vector<std::vector<Argument>> launches(static_cast<std::size_t>(launch.times),
                                                    arguments);
  auto observed = device().launch(
      compiled, {launch.grid, launch.block, launch.dynamic_shared_bytes, launch.shared_opt_in},
      launches, launch.options);
  REQUIRE_MESSAGE(observed.ok(), (observed.ok() ? "" : observed.error().message), source);
  REQUIRE(!observed->empty());
  Outcome outcome{std::move(*observed), {}, source};
  std::size_t next = 0;
  for (const Value& value : launch.arguments) {
    if (value.kind == Argument::Kind::word) continue;
    const std::span<const std::uint8_t> bytes = std::as_const(buffers[next++]).bytes();
    if (value.kind == Argument::Kind::output)
      outcome.outputs.emplace_back(bytes.begin(), bytes.end());
    else
      CHECK_MESSAGE(std::equal(bytes.begin(), bytes.end(), value.bytes.begin()),
                    "a launch changed its input");
  }
  return outcome;
}

std::string told(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const Finding& finding : outcome.last().findings) {
    const int low =
        finding.other_line == 0 ? finding.line : std::min(finding.line, finding.other_line);
    const int high = finding.other_line == 0 ? 0 : std::max(finding.line, finding.other_line);
    std::string line(name(finding.kind));
    if (finding.severity == Severity::note) line += " (note)";
    if (!finding.variable.empty()) line += " " + finding.variable;
    if (finding.index) line += fmt::format("[{}]", *finding.index);
    line += " " + line_name(outcome.source, low);
    if (high != 0) line += "/" + line_name(outcome.source, high);
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
  return all;
}

std::string faults(const Outcome& outcome) {
  std::string all = told(outcome);
  for (const Finding& finding : outcome.last().findings) all += "\n  " + finding.message;
  if (outcome.last().ending != Ending::completed)
    all += fmt::format("\n{}: {}", name(outcome.last().ending), outcome.last().ending_detail);
  return all;
}

void check_values(const std::vector<Expectation>& expectations, const std::string& prelude) {
  std::string body;
  for (std::size_t i = 0; i < expectations.size(); ++i)
    body += fmt::format("  put(out + {}, {});\n", i, expectations[i].expression);
  const std::string source = fmt::format(R"(
template <class T> __attribute__((noipa)) __device__ T v(T x) {{ return x; }}
template <class T> __device__ void put(unsigned long long* to, T x) {{
  *to = 0;
  memcpy(to, &x, sizeof x);
}}
{}
__global__ void k(unsigned long long* out) {{
{}}}
)",
                                         prelude, body);
  const Outcome outcome = run(
      source,
      {.grid = {1}, .block = {1}, .arguments = {out<std::uint64_t>("out", expectations.size())}});
  CHECK(faults(outcome) == "");
  const auto values = outcome.output<std::uint64_t>();
  for (std::size_t i = 0; i < expectations.size(); ++i)
    CHECK_MESSAGE(values[i] == expectations[i].value, expectations[i].expression, " is ", values[i],
                  ", not ", expectations[i].value);
}

}  // namespace histolab::kernels::testing
