#include "grader/cli/command.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "grader/checks/recorded.h"
#include "grader/cli/devices.h"
#include "grader/lab/catalogue.h"
#include "grader/lab/editor_settings.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::cli {

std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return grader::single_quoted(word);
}

std::string program_words(const Context& context) {
  return context.labs_named.empty() ? "histolab" : "histolab --labs " + quoted(context.labs_named);
}

using grader::LabSpec;

namespace {

// The heading of the command in `histolab --help`.
const char* group_of(const std::string& command) {
  constexpr const char *students = "Commands for students",
                       *instructors = "Commands for instructors",
                       *authors = "Commands for authors of labs, machines and shells";
#define HISTOLAB_GROUP(name, group) {#name, group},
  static const std::map<std::string, const char*> groups = {HISTOLAB_COMMANDS(HISTOLAB_GROUP)};
#undef HISTOLAB_GROUP
  return groups.at(command);
}

}  // namespace

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& example) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->group(group_of(name));
  std::string footer = "Example:";
  for (std::size_t at = 0; at <= example.size();) {
    const std::size_t end = std::min(example.find('\n', at), example.size());
    footer += "\n  " + example.substr(at, end - at);
    at = end + 1;
  }
  command->footer(footer);
  command->fallthrough();
  return command;
}

void add_device_option(CLI::App& command, std::string& device) {
  const auto known = [](const std::string& word) {
    return word == "auto" || word == "emulator" || gpu_number(word)
               ? std::string{}
               : fmt::format("there is no device \"{}\"; choose auto, emulator, gpu or gpu:N",
                             word);
  };
  command.add_option("--device", device, fmt::format("auto, emulator, gpu or gpu:N ({})", device))
      ->check(CLI::Validator(known, ""))
      ->type_name("NAME");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "seed for generated data (1)")
      ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
      ->type_name("N");
}

void add_jobs_option(CLI::App& command, unsigned& jobs) {
  command
      .add_option("--jobs,-j", jobs,
                  "kernels that run at once (one per core); does not change results")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
}

unsigned default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

namespace {

// Returns the lab's name if the word is the path of its file in work/, as editors pass it.
// Otherwise returns the word itself.
std::string lab_word(const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path path = fs::absolute(word, failure).lexically_normal();
  const fs::path here = fs::current_path(failure);
  const bool in_work = path.parent_path() == here || path.parent_path() == here / work_folder;
  return !failure && in_work && path.extension() == ".cu" ? path.stem().string() : word;
}

}  // namespace

Result<std::uint64_t> random_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    return Error{"this machine provides no random numbers; choose a seed with --seed"};
  return seed & reference::max_seed;
}

Result<std::vector<LabSpec>> chosen_labs(const Context& context,
                                         const std::vector<std::string>& words) {
  Result<std::vector<LabSpec>> all = grader::load_catalogue(context.paths.labs);
  if (!all || words.empty()) return all;
  std::set<const LabSpec*> wanted;
  for (const std::string& word : words) wanted.insert(TRY(chosen_lab(*all, word)));
  std::vector<LabSpec> chosen;
  // One array, since the set is ordered by address, which is the catalogue's order.
  for (const LabSpec* lab : wanted) chosen.push_back(*lab);
  return chosen;
}

Status needs_whole_kit(const std::vector<LabSpec>& labs, const std::string& command) {
  if (std::ranges::none_of(labs, grader::has_recorded_only)) return Done{};
  return Error{
      fmt::format("`histolab {}` needs the labs' solutions, and the student edition has none; ask "
                  "your instructor",
                  command)};
}

Result<const LabSpec*> chosen_lab(const std::vector<LabSpec>& labs, const std::string& word) {
  Result<const LabSpec*> lab = grader::find_lab(labs, lab_word(word));
  return lab ? lab : grader::find_lab(labs, word);  // as it was written
}

Result<LabSpec> chosen_lab(const Context& context, const std::string& word) {
  std::vector<LabSpec> labs = TRY(chosen_labs(context, {word}));
  return std::move(labs.front());
}

Result<bool> write_settings_of_editor(const Context& context) {
  std::vector<std::string> programs;
  for (const LabSpec& lab : TRY(chosen_labs(context, {})))
    if (lab.program) programs.push_back(lab.name);
  return grader::write_editor_settings(work_folder, context.paths.include_dir, programs);
}

}  // namespace histolab::cli
