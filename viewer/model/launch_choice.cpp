#include "viewer/model/launch_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/datasets.h"

namespace histolab::viewer {
namespace {

// The options of `histolab run`, without those that have their default value.
std::vector<std::string> options_of(const LaunchChoice& choice) {
  std::vector<std::string> words{choice.lab};
  const auto add = [&](const char* option, std::string value) {
    words.insert(words.end(), {option, std::move(value)});
  };
  if (!choice.kernel.empty()) add("--kernel", choice.kernel);
  if (!choice.text.empty()) {
    add("--dataset", "text:" + choice.text);
  } else {
    add("--dataset", choice.dataset);
    if (datasets::is_generator(choice.dataset)) add("--length", fmt::format("{}", choice.length));
  }
  if (choice.grid > 0) add("--grid", fmt::format("{}", choice.grid));
  add("--block", fmt::format("{}", choice.block));
  for (const auto& [name, value] : choice.exports)
    add("--export", fmt::format("{}={}", name, value));
  if (choice.device == "emulator") {
    add("--schedule", choice.schedule);
    if (choice.block_order != LaunchChoice{}.block_order) add("--block-order", choice.block_order);
  } else {
    add("--device", choice.device);
  }
  add("--seed", fmt::format("{}", choice.seed));
  return words;
}

// The words of `histolab exec`, with `more` options.
std::vector<std::string> exec_words(const ProgramChoice& program,
                                    const std::vector<std::string>& more) {
  std::vector<std::string> words{"exec"};
  for (const auto* part : {&program.files, &program.options, &more})
    words.insert(words.end(), part->begin(), part->end());
  if (!program.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  return words;
}

// Enough for all accesses of several blocks' warps, and small enough to send with every repeated
// launch.
constexpr const char* recorded_accesses = "2048";

// Quotes `word` for a shell.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

}  // namespace

const std::vector<NamedText>& schedules() {
  static const std::vector<NamedText> all = {
      {"lockstep", "the lanes of a warp step together, so races lose updates as on a GPU"},
      {"run_to_barrier", "each thread runs until it has to wait: a race loses nothing"},
      {"random", "a random order, chosen by the seed"},
      {"adversarial", "the worst order for unsynchronized code"},
  };
  return all;
}

const std::vector<NamedText>& block_orders() {
  static const std::vector<NamedText> all = {
      {"ascending", "block 0 runs first"},
      {"descending", "block 0 runs last"},
      {"random", "a random permutation, chosen by the seed: CUDA guarantees no order"},
  };
  return all;
}

const std::vector<NamedText>& datasets_offered() {
  static const std::vector<NamedText> all = [] {
    std::vector<NamedText> names;
    for (const datasets::Dataset& each : datasets::catalogue())
      if (each.has_width(1)) names.push_back({each.name.c_str(), each.description.c_str()});
    return names;
  }();
  return all;
}

std::vector<std::string> stream_command(const LaunchChoice& choice) {
  if (choice.is_program())
    return exec_words(choice.program,
                      {"--stream", "--launch",
                       fmt::format("{}", std::max<std::uint64_t>(1, choice.program.launch)),
                       "--accesses", recorded_accesses});
  std::vector<std::string> command{"run"};
  const std::vector<std::string> options = options_of(choice);
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--stream", "--control"});
  if (choice.device == "emulator") command.insert(command.end(), {"--accesses", recorded_accesses});
  if (choice.repeat) command.insert(command.end(), {"--repeat", "0"});
  return command;
}

std::string typed_command(const LaunchChoice& choice) {
  std::string out = choice.is_program() ? "histolab" : "histolab run";
  for (const std::string& word :
       choice.is_program() ? exec_words(choice.program, {}) : options_of(choice))
    out += " " + quoted(word);
  return out;
}

}  // namespace histolab::viewer
