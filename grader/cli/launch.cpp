#include "grader/cli/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "datasets/datasets.h"
#include "grader/checks/recorded.h"
#include "grader/cli/devices.h"
#include "grader/lab/drawn_case.h"
#include "grader/lab/exported_value.h"
#include "grader/lab/work_folder.h"
#include "grader/pipeline/contest.h"
#include "grader/pipeline/modelled.h"
#include "grader/words/words.h"
#include "kernels/code_tokens.h"
#include "reference/device_profile.h"
#include "reference/fields.h"

namespace histolab::cli {

using grader::LabSpec;

namespace {

template <class List>
std::vector<std::string> names_of(const List& all) {
  std::vector<std::string> names;
  for (const auto each : all) names.emplace_back(kernels::name(each));
  return names;
}

}  // namespace

std::vector<std::string> schedule_names() { return names_of(kernels::all_schedules); }
std::vector<std::string> block_order_names() { return names_of(kernels::all_block_orders); }

std::vector<std::string> observer_names() {
  std::vector<std::string> names;
  for (const kernels::NamedObserver& each : kernels::all_observers) names.emplace_back(each.name);
  return names;
}

Result<kernels::Observers> observers_of(const std::vector<std::string>& off) {
  kernels::Observers on;
  for (const std::string& name : off) {
    const auto* found =
        std::ranges::find(kernels::all_observers, name, &kernels::NamedObserver::name);
    if (found == std::end(kernels::all_observers))
      return Error{fmt::format("there is no observer \"{}\"; the observers are {}", name,
                               fmt::join(observer_names(), ", "))};
    on.*found->is_on = false;
  }
  return on;
}

namespace {

std::string profiles() {
  std::vector<std::string> names;
  for (const reference::DeviceProfile& profile : reference::device_profiles)
    names.emplace_back(profile.name);
  return grader::either(names);
}

// The file of --kernel, else the one in work/. Empty for the lab's solution.
std::string path_of_kernel(const LaunchFlags& flags, const LabSpec& lab) {
  if (!flags.kernel.empty()) return flags.kernel;
  const std::string own = grader::work_path(lab, work_folder);
  std::error_code ignored;
  return std::filesystem::exists(own, ignored) ? own : std::string{};
}

// The numbers of the lab's kernels that the file declares.
std::vector<std::size_t> kernels_in(const std::string& text, const LabSpec& lab) {
  const std::vector<kernels::CodeToken> tokens = kernels::code_tokens(text);
  std::vector<std::size_t> found;
  for (std::size_t number = 0; number < lab.kernels.size(); ++number)
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i].is(lab.kernels[number].name) && tokens[i + 1].is("(")) {
        found.push_back(number);
        break;
      }
  return found;
}

// The number of the kernel that --function names, or else of the first one in the file.
Result<std::size_t> kernel_number(const LabSpec& lab, const LaunchFlags& flags) {
  if (flags.function.empty()) {
    const std::string path = lab.kernels.size() > 1 ? path_of_kernel(flags, lab) : std::string{};
    const Result<grader::Submission> kernel =
        path.empty() ? Error{} : grader::read_submission(path);
    if (!kernel) return std::size_t{0};
    const std::vector<std::size_t> found = kernels_in(kernel->text, lab);
    return found.empty() ? std::size_t{0} : found.front();
  }
  if (const std::optional<std::size_t> number = lab.kernel_called(flags.function)) return *number;
  std::vector<std::string> names;
  for (const grader::KernelSpec& kernel : lab.kernels) names.push_back(kernel.name);
  return Error{fmt::format("{} has no kernel \"{}\"; choose {}", lab.name, flags.function,
                           grader::either(names))};
}

// Returns an Error if the file lacks the kernel that --function names but has another one of the
// lab.
Status find_named_kernel(const PreparedLaunch& prepared) {
  if (prepared.flags.function.empty()) return Done{};
  const std::vector<std::size_t> found = kernels_in(prepared.kernel.text, prepared.lab);
  if (found.empty() || std::ranges::count(found, prepared.number) > 0) return Done{};
  const std::string& other = prepared.lab.kernels[found.front()].name;
  return Error{fmt::format("{} has no kernel {}; it has {}: --function {}", prepared.kernel.path,
                           prepared.flags.function, other, other)};
}

// The file may lack the lab's other kernels. So each entry has the signature of the launched one,
// and the kernels keep their numbers in the lab.
std::vector<kernels::KernelSignature> signatures_of_launch(const LabSpec& lab, std::size_t number) {
  return std::vector<kernels::KernelSignature>(lab.kernels.size(),
                                               grader::signatures_of(lab).at(number));
}

// The kernel's source, with its exported constant NAME replaced by VALUE.
Result<std::string> with_value(const std::string& source, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string digits = equals == std::string::npos ? "" : assignment.substr(equals + 1);
  std::uint32_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || failure != std::errc{} || end != digits.data() + digits.size())
    return Error{fmt::format("--export {}: write it as coarsening_factor=8", assignment)};
  return grader::with_export(source, assignment.substr(0, equals), value);
}

// "auto" means the emulator here, since it observes more.
Result<LaunchMachine> machine_of(const Context& context, const LaunchFlags& flags) {
  if (!gpu_number(flags.device)) {
    std::unique_ptr<kernels::Device> emulator = TRY(make_emulator(context));
    return LaunchMachine{std::move(emulator), nullptr};
  }
  if (flags.schedule != LaunchFlags{}.schedule || flags.block_order != LaunchFlags{}.block_order ||
      !flags.observers_off.empty())
    return Error{
        "--schedule, --block-order and --no-observer need the emulator: a GPU has its own schedule "
        "and no observers"};
  std::unique_ptr<kernels::TimedDevice> gpu = TRY(make_gpu(context, flags.device));
  kernels::TimedDevice* timed = gpu.get();
  return LaunchMachine{std::move(gpu), timed};
}

// Measures the kernel's time in launches on changing data. One incorrect launch makes the run
// incorrect.
Status add_time(kernels::TimedDevice& gpu, const LabSpec& lab, const kernels::Compiled& compiled,
                const std::vector<grader::Bytes>& inputs, grader::CaseResult& result) {
  if (!lab.kernels.at(result.kernel).task.can_be_timed() || result.offset != 0) return Done{};
  grader::TimedCaseSpec spec;
  spec.id = "run";
  spec.dataset = result.dataset;
  grader::TimedCaseResult timed =
      TRY(grader::run_contest(gpu, spec, {{compiled.path, &lab, &compiled, result}}, inputs, {}));
  result.ending = timed.ending;
  result.ending_detail = timed.ending_detail;
  grader::merge_findings(result.findings, timed.findings);
  result.correct = result.correct && timed.correct();
  if (timed.completed()) result.timing = timed.timing;
  return Done{};
}

}  // namespace

Result<grader::Submission> kernel_of(const LaunchFlags& flags, const LabSpec& lab) {
  if (const std::string path = path_of_kernel(flags, lab); !path.empty())
    return grader::read_submission(path);
  const std::string own = grader::work_path(lab, work_folder);
  if (grader::has_recorded_only(lab))
    return Error{
        fmt::format("there is no {}, and the student edition has no solution to show instead; "
                    "`histolab start {}` makes it",
                    own, lab.name)};
  note(fmt::format("histolab: there is no {}, so this is the lab's solution\n", own));
  return grader::read_solution(lab);
}

void add_case_option(CLI::App& command, std::string& id, const std::string& by_default) {
  command
      .add_option("--case", id,
                  fmt::format("the data and the shape of this case of the lab, instead of options "
                              "for them ({})",
                              by_default))
      ->type_name("ID");
}

// Not by CLI11's excludes(), which adds a note to each option's help.
void refuse_data_options(const CLI::App& command, const std::string& id) {
  if (id.empty()) return;
  const char* const block =
      command.get_option_no_throw("--block-size") != nullptr ? "--block-size" : "--block";
  for (const char* option :
       {"--dataset", "--length", "--grid", block, "--offset", "--bins", "--function"})
    if (command.count(option) > 0) throw CLI::ExcludesError("--case", option);
}

void add_launch_options(CLI::App& command, LaunchFlags& flags) {
  command.add_option("--kernel", flags.kernel, "the kernel (work/<LAB>.cu, or else the solution)")
      ->type_name("FILE");
  command
      .add_option("--dataset", flags.dataset,
                  "a generator's name, or a file: text, raw samples or an image (mixed; sensor for "
                  "16-bit samples)")
      ->type_name("NAME|FILE");
  add_shape_options(command, flags);
}

void add_shape_options(CLI::App& command, LaunchFlags& flags) {
  std::string datasets = "\nDatasets:";
  std::vector<std::string> both, wide;
  for (const datasets::Dataset& each : datasets::catalogue()) {
    datasets += fmt::format("\n  {:<16} {}", each.name, each.description);
    if (each.has_width(2)) (each.has_width(1) ? both : wide).push_back(each.name);
  }
  datasets += fmt::format("\nAlso with 16 bits: {}; only with 16 bits: {}.", fmt::join(both, ", "),
                          fmt::join(wide, ", "));
  command.footer(command.get_footer() + datasets);
  command
      .add_option("--length", flags.length,
                  "elements (default: the whole file; 1 Mi from a generator)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}).description(""))
      ->type_name("N");
  command
      .add_option("--function", flags.function,
                  "the kernel, for labs with several (default: the first one in the file)")
      ->type_name("NAME");
  command
      .add_option("--bins", flags.bins,
                  "number of bins, for kernels that take it (default: the lab's)")
      ->check(CLI::Range(1u, 1u << 20).description(""))
      ->type_name("N");
  command
      .add_option("--offset", flags.offset,
                  "offset of the data from a 256-byte boundary, in bytes (default: 0)")
      ->check(CLI::Range(0u, 255u).description(""))
      ->type_name("N");
  command
      .add_option("--grid", flags.grid,
                  "number of blocks (default: as the lab launches the kernel)")
      ->check(CLI::Range(1u, 0x7FFFFFFFu).description(""))
      ->type_name("N");
  command
      .add_option("--block", flags.block,
                  "threads per block (default: 256); `debug` names this --block-size")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
  command
      .add_option("--shared", flags.shared,
                  "bytes of dynamic shared memory, up to the device's opt-in limit (default: the "
                  "lab's)")
      ->type_name("BYTES");
  command
      .add_option("--export", flags.exports,
                  "replaces a value that the kernel exports, such as coarsening_factor=8")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  command
      .add_option(
          "--profile", flags.profile,
          fmt::format("the GPU whose limits apply: {} (default: {})", profiles(), flags.profile))
      ->type_name("NAME");
  command
      .add_option("--schedule", flags.schedule,
                  "how the emulator takes turns between threads: " +
                      grader::either(schedule_names()) + " (default: lockstep)")
      ->type_name("NAME");
  command
      .add_option("--block-order", flags.block_order,
                  "the order in which blocks run: " + grader::either(block_order_names()) +
                      " (default: ascending)")
      ->type_name("NAME");
  add_seed_option(command, flags.seed);
  add_device_option(command, flags.device);
  command
      .add_option(
          "--no-observer", flags.observers_off,
          "do not check for (or, for traffic, do not count): " + grader::either(observer_names()))
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
}

Result<LaunchData> load_data(const LabSpec& lab, const LaunchFlags& flags) {
  const std::size_t number = TRY(kernel_number(lab, flags));
  const std::uint32_t bytes = lab.kernels[number].binning.sample_bytes();
  LaunchData data{.name = flags.dataset.empty() ? (bytes == 1 ? "mixed" : "sensor") : flags.dataset,
                  .bytes = {},
                  .length = 0};
  grader::Bytes loaded = TRY(datasets::load_samples(data.name, flags.length, flags.seed, bytes));
  data.bytes = std::move(loaded);
  data.length = data.bytes.size() / bytes;
  return data;
}

Result<PreparedLaunch> prepare_launch(const Context& context, const LaunchFlags& flags,
                                      const LabSpec& lab) {
  PreparedLaunch prepared;
  prepared.flags = flags;
  prepared.lab = lab;
  const std::size_t number = TRY(kernel_number(lab, flags));
  prepared.number = number;
  grader::KernelSpec& contract = prepared.lab.kernels.at(number);
  if (flags.bins) {
    const auto changed = contract.binning_with(*flags.bins);
    if (!changed)
      return Error{fmt::format("--bins: {} has {} bins and no argument for another number",
                               contract.name, contract.binning.bins)};
    contract.binning = *changed;
  }
  if (flags.shared) {
    contract.launch.dynamic_shared_bytes = *flags.shared;
    contract.launch.shared_bytes_per_bin = 0;
    contract.launch.shared_export.clear();
    contract.launch.shared_opt_in = true;  // --shared counts as opting in
  }
  if (reference::find_device_profile(flags.profile) == nullptr)
    return Error{fmt::format("there is no profile \"{}\"; choose {}", flags.profile, profiles())};
  contract.launch.profile = flags.profile;
  prepared.observers = TRY(observers_of(flags.observers_off));
  const std::optional<kernels::Schedule> schedule = value_named<kernels::Schedule>(flags.schedule);
  if (!schedule)
    return Error{fmt::format("there is no schedule \"{}\"; the schedules are {}", flags.schedule,
                             fmt::join(schedule_names(), ", "))};
  prepared.schedule = *schedule;
  const std::optional<kernels::BlockOrder> order =
      value_named<kernels::BlockOrder>(flags.block_order);
  if (!order)
    return Error{fmt::format("there is no block order \"{}\"; the block orders are {}",
                             flags.block_order, fmt::join(block_order_names(), ", "))};
  prepared.block_order = *order;
  if (!kernels::fit_together(*schedule, *order))
    return Error{"--block-order interleaved needs --schedule adversarial"};
  if (lab.program && gpu_number(flags.device))
    return Error{
        fmt::format("{} has whole programs, which histolab runs on the emulator only; "
                    "build yours with nvcc to run it on a GPU",
                    lab.name)};
  prepared.machine = TRY(machine_of(context, flags));
  prepared.kernel = TRY(kernel_of(flags, lab));
  TRY(find_named_kernel(prepared));
  for (const std::string& each : flags.exports) {
    Result<std::string> text = with_value(prepared.kernel.text, each);
    if (!text) return Error{fmt::format("{}: {}", prepared.kernel.path, text.error().message)};
    prepared.kernel.text = std::move(*text);
  }

  prepared.compiled =
      TRY(prepared.machine.device->compile({prepared.kernel.path, prepared.kernel.text},
                                           signatures_of_launch(prepared.lab, prepared.number)));
  if (!prepared.compiled.ok) return prepared;
  Result<grader::Exports> exports = grader::exports_of(prepared.lab, prepared.compiled);
  if (exports)
    prepared.exports = std::move(*exports);
  else
    prepared.unfit = fmt::format("{}: {}", prepared.kernel.path, exports.error().message);
  return prepared;
}

Result<LaunchFlags> flags_of_case(LaunchFlags flags, const grader::LabSpec& lab,
                                  const std::string& id) {
  const auto found = std::ranges::find(lab.cases, id, &grader::CaseSpec::id);
  if (found == lab.cases.end()) {
    std::vector<std::string> ids;
    for (const grader::CaseSpec& each : lab.cases) ids.push_back(each.id);
    return Error{
        fmt::format("{} has no case \"{}\"; choose {}", lab.name, id, grader::either(ids))};
  }
  const grader::CaseSpec drawn = grader::drawn_case(*found, flags.seed);
  const grader::KernelSpec& kernel = lab.kernels.at(drawn.kernel);
  flags.function = kernel.name;
  flags.dataset = drawn.dataset;
  flags.length = drawn.length;
  flags.block = drawn.block;
  flags.offset = drawn.offset;
  if (drawn.grid != 0) flags.grid = drawn.grid;
  if (drawn.binning.bins != kernel.binning.bins) flags.bins = drawn.binning.bins;
  flags.seed = grader::case_seed(flags.seed, lab.name, id);
  return flags;
}

grader::RunReport plan_launch(const PreparedLaunch& prepared, const std::string& dataset,
                              std::uint64_t length, std::uint64_t seed) {
  grader::RunReport report;
  report.version = HISTOLAB_VERSION;
  report.device_kind = prepared.machine.device->kind();
  report.device_name = prepared.machine.device->name();
  report.sandbox = prepared.machine.device->sandbox();
  report.lab = prepared.lab.name;
  report.kernel_path = prepared.kernel.path;
  report.seed = seed;
  report.compiled = prepared.compiled.ok;
  report.refused = prepared.compiled.refused;
  report.diagnostics = prepared.compiled.diagnostics;
  grader::CaseResult& shape = report.result;
  static_cast<grader::LaunchShape&>(shape) = grader::shape_of(
      prepared.lab, prepared.number, prepared.exports, length, prepared.flags.block);
  shape.grid = prepared.flags.grid.value_or(shape.grid);
  shape.offset = prepared.flags.offset;
  shape.kernel_name = grader::kernel_name(prepared.lab, prepared.number);
  shape.dataset = dataset;
  shape.schedule = prepared.schedule;
  shape.block_order = prepared.block_order;
  shape.seed = seed;
  return report;
}

Result<grader::RunReport> launch(const Context& context, const PreparedLaunch& prepared,
                                 grader::RunReport report, const std::vector<grader::Bytes>& inputs,
                                 const grader::Onlooker* onlooker) {
  const LaunchMachine& machine = prepared.machine;
  report.result = TRY(grader::run_case(*machine.device, prepared.lab, prepared.compiled,
                                       report.result, inputs, prepared.observers, onlooker));
  if (machine.gpu == nullptr) {
    if (prepared.observers.traffic)
      grader::add_modelled(report.result, context.paths.profiles, prepared.flags.profile);
  } else if (report.result.completed()) {
    TRY(add_time(*machine.gpu, prepared.lab, prepared.compiled, inputs, report.result));
  }
  return report;
}

bool has_ended(const grader::RunReport& report) {
  using kernels::Ending;
  return report.compiled &&
         (report.result.ending == Ending::completed || report.result.ending == Ending::stopped);
}

Result<MadeLaunch> make_launch(const Context& context, const LaunchFlags& flags, const LabSpec& lab,
                               std::uint32_t recorded_accesses) {
  LaunchData data = TRY(load_data(lab, flags));
  PreparedLaunch prepared = TRY(prepare_launch(context, flags, lab));
  MadeLaunch made{.prepared = std::move(prepared), .report = {}};
  made.report = plan_launch(made.prepared, data.name, data.length, flags.seed);
  if (!made.report.compiled || !made.prepared.unfit.empty()) return made;
  const grader::Onlooker recorder{.recorded_accesses = recorded_accesses};
  const bool recording = recorded_accesses > 0 && made.prepared.machine.gpu == nullptr &&
                         made.prepared.observers.traffic;
  made.report = TRY(launch(context, made.prepared, std::move(made.report), {std::move(data.bytes)},
                           recording ? &recorder : nullptr));
  return made;
}

int report_unfit(const PreparedLaunch& prepared) {
  complain({prepared.unfit});
  return not_passed;
}

}  // namespace histolab::cli
