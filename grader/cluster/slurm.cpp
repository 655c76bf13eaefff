#include "grader/cluster/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>

#include "grader/words/words.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cluster {
namespace {

constexpr std::string_view running[] = {"RUNNING", "COMPLETING", "STAGE_OUT",  "SIGNALING",
                                        "STOPPED", "SUSPENDED",  "CONFIGURING"};
// Slurm restarts a task in most of these states, so they count as waiting.
constexpr std::string_view waiting[] = {"PENDING",      "REQUEUED",     "REQUEUE_FED",
                                        "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD",
                                        "RESIZING"};

// Reasons in squeue's output. The node failed to start the task, and Slurm will not retry.
constexpr std::string_view launch_failed[] = {"launch failed requeued held", "JobHoldMaxRequeue"};
// The task waits for an action of the user or an administrator.
constexpr std::string_view needs_action[] = {"JobHeldUser",
                                             "JobHeldAdmin",
                                             "PartitionConfig",
                                             "PartitionTimeLimit",
                                             "PartitionNodeLimit",
                                             "PartitionDown",
                                             "PartitionInactive",
                                             "BadConstraints",
                                             "InvalidAccount",
                                             "InvalidQOS",
                                             "AccountNotAllowed",
                                             "QOSNotAllowed",
                                             "AssocMaxWallDurationPerJobLimit",
                                             "QOSMaxWallDurationPerJobLimit"};

std::string find_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + program;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::size_t number_from(std::string_view text, std::size_t otherwise) {
  std::size_t number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    fields.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

TaskState::Kind kind_of(std::string_view word, std::string_view reason) {
  const auto is_one_of = [](std::string_view text, const auto& list) {
    return std::ranges::find(list, text) != std::end(list);
  };
  if (is_one_of(word, running)) return TaskState::Kind::running;
  if (!is_one_of(word, waiting) || is_one_of(reason, launch_failed)) return TaskState::Kind::ended;
  return is_one_of(reason, needs_action) ? TaskState::Kind::stuck : TaskState::Kind::waiting;
}

// A command's standard error as one sentence, without the command's name.
std::string error_text(const std::string& errors) {
  std::vector<std::string> sentences;
  for (std::string line : grader::lines_of(errors)) {
    for (const char* start :
         {"sbatch: ", "squeue: ", "scancel: ", "scontrol: ", "error: ", "slurm_load_jobs error: "})
      if (line.starts_with(start)) line.erase(0, std::string_view{start}.size());
    if (!line.empty()) sentences.push_back(grader::harmless(line));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

}  // namespace

std::optional<QueueLine> queue_line(std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() < 7) return std::nullopt;
  QueueLine found;
  found.state.array = fields[0];
  found.state.index = number_from(fields[1], static_cast<std::size_t>(-1));
  found.state.word = fields[2];
  found.state.exit_code = static_cast<int>(number_from(fields[3], 0) >> 8);  // a wait status
  found.state.node = fields[4];
  if (fields[5] != "None") found.state.reason = fields[5];
  found.state.kind = kind_of(found.state.word, found.state.reason);
  found.job = fields[6];
  found.state.job = fields[6] + "_" + fields[1];
  if (found.state.index == static_cast<std::size_t>(-1)) return std::nullopt;
  return found;
}

Limits limits_from(std::string_view config) {
  Limits limits;
  for (const std::string& line : grader::lines_of(config))
    for (const auto& [name, value] :
         {std::pair{"MaxArraySize", &limits.tasks_of_array}, {"MaxJobCount", &limits.jobs}}) {
      const std::size_t at = line.find_first_not_of("= ", std::string_view{name}.size());
      if (line.starts_with(name) && at != std::string::npos)
        *value = number_from(std::string_view{line}.substr(at), *value);
    }
  return limits;
}

std::vector<NodeSize> node_sizes_from(std::string_view text) {
  std::vector<NodeSize> sizes;
  for (const std::string& line : grader::lines_of(text)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 4) continue;
    NodeSize size;
    size.is_default = fields[0].ends_with('*');
    size.partition = fields[0].substr(0, fields[0].size() - (size.is_default ? 1 : 0));
    size.cpus = static_cast<unsigned>(number_from(fields[1], 0));
    size.mebibytes = number_from(fields[2], 0);
    size.nodes = number_from(fields[3], 0);
    if (size.cpus > 0 && size.nodes > 0) sizes.push_back(std::move(size));
  }
  return sizes;
}

Result<Slurm> Slurm::find() {
  Slurm slurm;
  for (const char* name : {"sbatch", "squeue", "scancel", "scontrol", "sinfo"}) {
    slurm.programs_[name] = find_in_path(name);
    if (slurm.programs_[name].empty())
      return Error{
          fmt::format("{} is not on this machine (or not in PATH); --engine slurm needs a machine "
                      "that submits jobs to a cluster. --engine local grades here",
                      name)};
  }
  return slurm;
}

Result<std::string> Slurm::run(const std::string& command, std::vector<std::string> words) const {
  kernels::worker::ProcessSpec spec;
  spec.command = {programs_.at(command)};
  spec.command.insert(spec.command.end(), std::make_move_iterator(words.begin()),
                      std::make_move_iterator(words.end()));
  // Some of the user's variables would filter the jobs, wait, or ask. They are for interactive use.
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string_view each{*variable};
        !each.starts_with("SQUEUE_") && !each.starts_with("SCANCEL_") &&
        !each.starts_with("SBATCH_WAIT") && !each.starts_with("SBATCH_EXCLUDE"))
      spec.environment.emplace_back(each);
  spec.limits.cpu_seconds = 60;
  spec.limits.output_bytes = 256ull << 20;
  const kernels::worker::ProcessResult ended = TRY(run_process(spec));
  using End = kernels::worker::ProcessResult::End;
  if (ended.end == End::exited && ended.code == 0) return ended.output;
  if (ended.end == End::timed_out) return Error{command + " did not answer within a minute"};
  if (ended.end != End::exited) return Error{command + " was killed"};
  const std::string why = error_text(ended.errors);
  return Error{why.empty() ? fmt::format("{} exited with code {}", command, ended.code) : why};
}

Result<Limits> Slurm::limits() { return limits_from(TRY(run("scontrol", {"show", "config"}))); }

// If an option is repeated, sbatch obeys the last one.
std::vector<std::string> sbatch_words(const ArrayRequest& request) {
  std::vector<std::string> words = {
      "--requeue", "--propagate=NONE",  // sbatch runs with limits that the task must not inherit
      fmt::format("--time={}", request.minutes)};
  for (const auto& [option, value] : {std::pair{"--partition=", &request.partition},
                                      {"--account=", &request.account},
                                      {"--gres=", &request.gres}})
    if (!value->empty()) words.push_back(option + *value);
  // Slurm refuses --mem together with --mem-per-cpu.
  if (request.mebibytes > 0 && std::ranges::none_of(request.more, [](const std::string& word) {
        return word.starts_with("--mem");
      }))
    words.push_back(fmt::format("--mem={}M", request.mebibytes));
  words.insert(words.end(), request.more.begin(), request.more.end());
  for (const std::string& ours :
       {std::string{"--parsable"}, "--job-name=" + request.name,
        fmt::format("--array=0-{}", request.tasks - 1), std::string{"--output=/dev/null"},
        std::string{"--error=/dev/null"}, std::string{"--chdir=/"}, std::string{"--ntasks=1"},
        fmt::format("--cpus-per-task={}", request.cpus)})
    words.push_back(ours);
  if (!request.excluded.empty())
    words.push_back(fmt::format("--exclude={}", fmt::join(request.excluded, ",")));
  words.push_back(request.script);
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  return words;
}

Result<std::vector<std::string>> take_excluded(std::vector<std::string>& words) {
  struct Own {
    std::string_view name, letter, instead;
  };
  static constexpr Own own[] = {
      {"--array", "-a",
       "the batch numbers its tasks; --max-tasks limits the tasks in Slurm's queue"},
      {"--job-name", "-J", "the batch finds its tasks by their name"},
      {"--cpus-per-task", "-c", "--jobs sets the processors of a task"},
      {"--ntasks", "-n", "--jobs sets the processors of a task"},
      {"--exclude", "-x", ""}};
  // Like getopt_long: a unique prefix of a name is enough ("--exclu" might be --exclusive).
  const auto is_option = [](const std::string& word, const Own& option) {
    const std::string_view name = std::string_view{word}.substr(0, word.find('='));
    if (!word.starts_with("--")) return word.starts_with(option.letter);
    return name == option.name ||
           (name.size() > std::string_view{"--exclu"}.size() && option.name.starts_with(name));
  };
  std::vector<std::string> excluded, rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto option =
        std::ranges::find_if(own, [&](const Own& each) { return is_option(words[i], each); });
    if (option == std::end(own)) {
      rest.push_back(words[i]);
      continue;
    }
    if (!option->instead.empty())
      return Error{fmt::format("{}: not allowed here, because {}", words[i], option->instead)};
    const bool is_long = words[i].starts_with("--");
    const std::size_t equals = words[i].find('=');
    std::string value;
    if (is_long && equals != std::string::npos) value = words[i].substr(equals + 1);
    if (!is_long) value = words[i].substr(option->letter.size());
    if (value.empty() && i + 1 < words.size()) value = words[++i];
    if (value.empty()) return Error{fmt::format("{}: the nodes are missing", words[i])};
    excluded.push_back(std::move(value));
  }
  words = std::move(rest);
  return excluded;
}

Status Slurm::submit(const ArrayRequest& request) {
  TRY(run("sbatch", sbatch_words(request)));
  return Done{};
}

// --all includes hidden partitions.
Result<std::string> Slurm::squeue(const std::vector<std::string>& arrays,
                                  const std::vector<std::string>& more) const {
  std::vector<std::string> words = {"--noheader",
                                    "--all",
                                    "--me",
                                    "--array",
                                    fmt::format("--name={}", fmt::join(arrays, ",")),
                                    fmt::format("--Format={}", squeue_fields)};
  words.insert(words.end(), more.begin(), more.end());
  return run("squeue", std::move(words));
}

Result<std::vector<TaskState>> Slurm::tasks(const std::vector<std::string>& arrays) {
  std::vector<TaskState> states;
  if (arrays.empty()) return states;
  const std::string answer = TRY(squeue(arrays, {"--states=all"}));
  for (const std::string& line : grader::lines_of(answer))
    if (std::optional<QueueLine> found = queue_line(line))
      states.push_back(std::move(found->state));
  return states;
}

Status Slurm::cancel(const std::vector<std::string>& arrays) {
  if (arrays.empty()) return Done{};
  const std::string answer = TRY(squeue(arrays, {}));
  std::set<std::string> jobs;
  for (const std::string& line : grader::lines_of(answer))
    if (const std::optional<QueueLine> found = queue_line(line)) jobs.insert(found->job);
  return cancel_jobs({jobs.begin(), jobs.end()});
}

Result<std::vector<NodeSize>> Slurm::node_sizes() {
  return node_sizes_from(TRY(
      run("sinfo", {"--noheader", "--all", "--exact", fmt::format("--format={}", sinfo_fields)})));
}

Status Slurm::cancel_jobs(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return Done{};
  TRY(run("scancel", jobs));
  return Done{};
}

}  // namespace histolab::cluster
