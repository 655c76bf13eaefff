#include "kernels/program/run/submission_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"
#include "kernels/worker/client.h"
#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "kernels/worker/processes/worker_pool.h"

namespace histolab::kernels::program {
namespace {

constexpr std::size_t most_output_bytes = 64 << 10;
constexpr std::uint64_t most_memory_bytes = 1 << 30;  // of the host, and of the device

// A built program, and the folder with its source.
struct Image {
  worker::TemporaryFolder folder;
  std::string file;  // path of the source
  Built built;
};

// The output of a program, in the documented form.
struct Printed {
  std::vector<std::uint64_t> counts;
  double kernel_ms = 0;
};

// One run of a program.
struct Run {
  ProgramReport report;
  std::string output, errors;
  Observation seen;  // sums over its launches
};

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns the text between `before` and `after`, or nullopt if the line has another form.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
  if (line.size() < before.size() + after.size() || !line.starts_with(before) ||
      !line.ends_with(after))
    return std::nullopt;
  line.remove_prefix(before.size());
  line.remove_suffix(after.size());
  return line;
}

// Returns an Error with a message for the student if the output has another form.
Result<Printed> parse_output(std::string_view output, std::size_t bins) {
  Printed printed;
  const auto next_line = [&]() -> std::string_view {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    return line;
  };
  const auto unexpected = [](std::string_view wanted, std::string_view line) {
    constexpr std::size_t most_quoted = 40;
    return Error{fmt::format(
        "the program should print `{}`, but {}. Leave the output to the functions of the stub",
        wanted,
        line.empty() ? "the line is missing"
                     : fmt::format("prints `{}`", line.substr(0, most_quoted)))};
  };
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::string_view line = next_line();
    const auto text = between(line, fmt::format("bin {}: ", bin), "");
    const auto count = text ? number_in<std::uint64_t>(*text) : std::nullopt;
    if (!count) return unexpected(fmt::format("bin {}: COUNT", bin), line);
    printed.counts.push_back(*count);
  }
  const std::string_view line = next_line();
  const auto text = between(line, "kernel: ", " ms");
  const auto time = text ? number_in<double>(*text) : std::nullopt;
  if (!time || !std::isfinite(*time) || *time < 0) return unexpected("kernel: TIME ms", line);
  printed.kernel_ms = *time;
  if (!output.empty())
    return Error{
        "the program prints more than the counts and the time. Print other text to stderr"};
  return printed;
}

// Puts the counts into the output. A count that does not fit becomes the largest number.
void store(const std::vector<std::uint64_t>& counts, std::uint32_t element_bytes,
           std::span<std::uint8_t> output) {
  for (std::size_t i = 0; i < counts.size() && (i + 1) * element_bytes <= output.size(); ++i) {
    const std::uint64_t value =
        element_bytes == 4 ? std::min<std::uint64_t>(counts[i], ~std::uint32_t{0}) : counts[i];
    std::memcpy(output.data() + i * element_bytes, &value, element_bytes);
  }
}

// Returns whether a program prints the counts of equal letters.
bool are_all_in_one_bin(const Result<Printed>& printed, std::uint64_t letters) {
  if (!printed) return false;
  const auto is_empty = [](std::uint64_t count) { return count == 0; };
  const auto full = std::ranges::find_if_not(printed->counts, is_empty);
  return full != printed->counts.end() && *full == letters &&
         std::all_of(full + 1, printed->counts.end(), is_empty);
}

// Returns the byte that changes the histogram of every data: a letter of the half of the alphabet
// that is rarer in the data.
std::uint8_t disguise_for(std::span<const std::uint8_t> data) {
  const auto in = [&](char first, char last) {
    return std::ranges::count_if(data, [&](std::uint8_t c) { return c >= first && c <= last; });
  };
  return in('a', 'm') < in('n', 'z') ? 'a' : 'z';
}

// Findings of the host that follow from others.
bool is_consequence(const Finding& finding) {
  return finding.kind == FindingKind::leak || finding.kind == FindingKind::unchecked_error ||
         finding.kind == FindingKind::uninitialized_copy ||
         finding.kind == FindingKind::missing_synchronization;
}

// Causes come first.
std::vector<Finding> findings_of(const ProgramReport& report, const std::string& file) {
  std::vector<Finding> all = report.host_findings;
  const auto consequences =
      std::ranges::stable_partition(all, [](const Finding& f) { return !is_consequence(f); });
  all.insert(consequences.begin(), report.findings.begin(), report.findings.end());
  // A program that gives up may leave the rest to the system.
  const bool is_complete = report.end.exited && report.end.status == 0;
  for (Finding& finding : all)
    if (finding.kind == FindingKind::leak && is_complete) finding.severity = Severity::error;
  for (Finding& finding : all)
    for (std::string* named : {&finding.file, &finding.other_file})
      if (*named == file) named->clear();
  return all;
}

void set_ending(Observation& seen, Ending ending, std::string detail) {
  seen.ending = ending;
  seen.ending_detail = std::move(detail);
}

// Sets the ending of a run that has no result.
void judge_ending(const ProgramReport& report, Observation& seen) {
  if (!report.ending_detail.empty())
    return set_ending(seen, Ending::timed_out, report.ending_detail);
  if (report.incomplete_launch)
    return set_ending(seen, report.incomplete_launch->ending,
                      report.incomplete_launch->ending_detail);
  if (!report.end.exited) {
    const bool is_explained = std::ranges::any_of(seen.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::host_access_of_device_memory;
    });
    return set_ending(
        seen, is_explained ? Ending::stopped : Ending::crashed,
        fmt::format("the program was ended by signal {} ({}). Look for a wrong pointer or index in "
                    "the host code",
                    report.end.status, strsignal(report.end.status)));
  }
  if (report.end.status != 0)
    set_ending(seen, Ending::stopped,
               fmt::format("the program returned {}, which says that it failed. Read its messages",
                           report.end.status));
}

// Sets the ending if a limit ended one of the grader's further runs.
bool hits_limit(const ProgramReport& report, const char* when, Observation& seen) {
  if (report.ending_detail.empty()) return false;
  set_ending(seen, Ending::timed_out, fmt::format("{}, {}", when, report.ending_detail));
  return true;
}

// Returns whether a program in which calls fail does not end with an error. It may abort, but it
// must not launch more kernels or print a result.
bool ignores_failures(const Run& run) {
  if (!run.report.calls_failed) return false;
  const ProgramEnd& end = run.report.end;
  const bool ends_itself = end.exited ? end.status != 0 : end.status == SIGABRT;
  return !ends_itself || run.report.launched_after_failure || !run.output.empty();
}

void add_lines(std::vector<reference::LineCounters>& lines,
               const std::vector<reference::LineCounters>& more,
               const std::vector<std::string>& files, const std::string& file) {
  for (reference::LineCounters each : more) {
    const auto number = static_cast<std::size_t>(each.file);
    if (number == 0 || number > files.size() || files[number - 1] != file) continue;
    each.file = 0;
    const auto known =
        std::ranges::lower_bound(lines, each.line, {}, &reference::LineCounters::line);
    if (known != lines.end() && known->line == each.line)
      known->counters += each.counters;
    else
      lines.insert(known, std::move(each));
  }
}

class SubmissionDevice final : public Device {
 public:
  SubmissionDevice(EmulatorPaths paths, ProgramParts parts)
      : paths_(std::move(paths)), parts_(std::move(parts)) {
    if (paths_.worker_pool == nullptr)
      paths_.worker_pool = std::make_shared<worker::WorkerPool>(paths_.worker, paths_.confinement);
    emulator_ = kernels::make_emulator(paths_);
  }

  [[nodiscard]] std::string kind() const override { return emulator_->kind(); }
  [[nodiscard]] std::string name() const override { return emulator_->name(); }
  [[nodiscard]] std::string sandbox() const override { return emulator_->sandbox(); }

  Result<Compiled> compile(const Source& source,
                           const std::vector<KernelSignature>& signatures) override {
    if (!signatures.empty() && signatures.front().is_of_program) return build(source);
    return emulator_->compile(source, signatures);
  }

  Result<std::vector<Observation>> launch(const Compiled& compiled, const LaunchConfig& config,
                                          const std::vector<std::vector<Argument>>& launches,
                                          const Options& options) override {
    if (!compiled.is_program) return emulator_->launch(compiled, config, launches, options);
    std::vector<Observation> all;
    for (const std::vector<Argument>& arguments : launches) {
      const auto is = [&](Argument::Kind kind) {
        return std::ranges::find(arguments, kind, &Argument::kind);
      };
      const auto input = is(Argument::Kind::input), output = is(Argument::Kind::output);
      if (input == arguments.end() || output == arguments.end())
        return Error{"a program needs an input and an output"};
      all.push_back(TRY(run_submission(compiled, config, *input, *output, options)));
      if (all.back().ending != Ending::completed) break;
    }
    return all;
  }

 private:
  Result<Compiled> build(const Source& source) {
    if (paths_.debugger != nullptr)
      return Error{"a whole program cannot be debugged yet; `histolab exec FILE` runs it"};
    // A submission decides its own name.
    const std::string file = "program.cu";
    worker::TemporaryFolder folder = TRY(worker::TemporaryFolder::with(file, source.text));
    std::string path = folder.path() + "/" + file;
    // Compilers run as another user if this process may do that.
    if (chmod(folder.path().c_str(), 0711) != 0 || chmod(path.c_str(), 0644) != 0)
      return Error{fmt::format("cannot make {} readable: {}", path, std::strerror(errno))};
    Build build;
    build.sources = {path};
    Built built = TRY(build_program(build, paths_, parts_.runtime_library));
    Compiled compiled;
    compiled.is_program = true;
    compiled.path = source.path;
    compiled.ok = !built.executable.empty();
    for (worker::FileDiagnostic& each : built.diagnostics) {
      if (each.file != path) each.diagnostic.line = each.diagnostic.column = 0;
      compiled.diagnostics.push_back(std::move(each.diagnostic));
    }
    if (compiled.ok) {
      std::string obstacle = TRY(find_obstacle(built.executable, paths_));
      compiled.ok = obstacle.empty();
      if (!compiled.ok)
        compiled.diagnostics.push_back({Severity::error, 0, 0, std::move(obstacle)});
    }
    if (compiled.ok)
      compiled.image = std::make_shared<const Image>(
          Image{std::move(folder), std::move(path), std::move(built)});
    return compiled;
  }

  Result<Observation> run_submission(const Compiled& compiled, const LaunchConfig& config,
                                     const Argument& input, const Argument& output,
                                     const Options& options) {
    const auto& image = *static_cast<const Image*>(compiled.image.get());
    const std::span<const std::uint8_t> data =
        std::as_const(*input.input).bytes().subspan(input.offset);
    const auto run = [&](std::optional<std::uint8_t> disguise, Failing failing) {
      return run_once(image, compiled.budget, config, data, options, disguise, failing);
    };
    Run first = TRY(run(std::nullopt, Failing::none));
    Observation seen = std::move(first.seen);
    seen.findings = findings_of(first.report, image.file);
    seen.printed = std::move(first.errors);
    seen.host_elapsed_s = first.report.elapsed_s;
    judge_ending(first.report, seen);
    // How many launches a program makes before a limit depends on the machine.
    if (!first.report.ending_detail.empty()) seen.counters = {}, seen.lines.clear();
    if (seen.ending != Ending::completed) return seen;
    const std::size_t bins = output.output->size() / output.element_bytes;
    const Result<Printed> printed = parse_output(first.output, bins);
    if (!printed) {
      set_ending(seen, Ending::stopped, printed.error().message);
      return seen;
    }
    store(printed->counts, output.element_bytes, output.output->bytes());

    seen.program.emplace();
    seen.program->printed_ms = printed->kernel_ms;
    for (const ReportedLaunch& launch : first.report.launches)
      seen.program->kernels_ms += launch.modelled_ms;
    seen.unread = UnreadBytes{};
    if (const auto disguised = data.size() - static_cast<std::size_t>(std::ranges::count(data, 0));
        disguised != 0) {
      const Run other = TRY(run(disguise_for(data), Failing::none));
      if (hits_limit(other.report, "with other data", seen)) return seen;
      if (!are_all_in_one_bin(parse_output(other.output, bins), disguised))
        seen.unread->bytes = data.size();
    }
    constexpr std::array failing = {Failing::allocations, Failing::launches, Failing::copies};
    // The seed chooses a kind of calls. A program without such calls may have those of the next.
    bool has_failed = data.empty();
    for (std::size_t i = 0; i < failing.size() && !has_failed; ++i) {
      const Run failed = TRY(run(std::nullopt, failing[(options.seed + i) % failing.size()]));
      if (hits_limit(failed.report, "after a call has failed", seen)) return seen;
      has_failed = failed.report.calls_failed;
      seen.program->ignores_failures = ignores_failures(failed);
    }
    return seen;
  }

  Result<Run> run_once(const Image& image, const std::shared_ptr<ProcessorBudget>& budget,
                       const LaunchConfig& config, std::span<const std::uint8_t> data,
                       const Options& options, std::optional<std::uint8_t> disguise,
                       Failing failing) {
    const Buffer copy = TRY(Buffer::copy_of(data));
    // A descriptor of its own: each run reads from the beginning.
    const worker::Descriptor input(
        open(fmt::format("/proc/self/fd/{}", copy.fd()).c_str(), O_RDONLY | O_CLOEXEC));
    if (input.get() < 0)
      return Error{fmt::format("cannot open a program's input: {}", std::strerror(errno))};
    Run run;
    ProgramSettings settings;
    settings.executable = image.built.executable;
    settings.arguments = {fmt::format("{}", config.block.x)};
    settings.directory = image.folder.path();
    settings.input = input.get();
    settings.options = options;
    settings.options.live = nullptr;
    settings.profile = config.profile;
    settings.watched_launches = ~std::uint32_t{0};
    settings.watched_requests = ~std::uint64_t{0};
    settings.modelled_ms = parts_.modelled_ms;
    settings.cpu_seconds = static_cast<std::uint64_t>(
        std::chrono::ceil<std::chrono::seconds>(options.time_limit).count());
    settings.wall = std::chrono::minutes{1};
    settings.data_bytes = settings.memory_bytes = most_memory_bytes;
    settings.budget = budget;
    settings.disguise = disguise;
    settings.failing = failing;
    const auto keep = [](std::string& text) {
      return [&text](std::string_view more) {
        text += more.substr(0, most_output_bytes - std::min(most_output_bytes, text.size()));
      };
    };
    settings.on_output = keep(run.output);
    settings.on_errors = keep(run.errors);
    settings.on_launch = [&](std::uint64_t, const ReportedLaunch&, const Observation& observation) {
      run.seen.counters += observation.counters;
      add_lines(run.seen.lines, observation.lines, observation.files, image.file);
      run.seen.pressure = observation.pressure;
      if (run.seen.accesses.empty()) run.seen.accesses = observation.accesses;
    };
    run.report = TRY(run_program(settings, paths_));
    return run;
  }

  EmulatorPaths paths_;
  const ProgramParts parts_;
  std::unique_ptr<Device> emulator_;
};

}  // namespace

std::unique_ptr<Device> make_submission_device(EmulatorPaths paths, ProgramParts parts) {
  return std::make_unique<SubmissionDevice>(std::move(paths), std::move(parts));
}

}  // namespace histolab::kernels::program
