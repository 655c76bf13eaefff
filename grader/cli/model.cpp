// histolab model
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/checks/recorded.h"
#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/lab/launch_plan.h"
#include "grader/lab/submission.h"
#include "grader/pipeline/modelled.h"
#include "grader/pipeline/profile_json.h"

namespace histolab::cli {
namespace {

using reference::TimeEstimate;

struct ModelFlags {
  std::string word, kernel, dataset = "english", profile = "h200";
  std::uint64_t length = std::uint64_t{1} << 28, seed = 1;
  std::uint32_t block = 256;
  std::optional<std::uint32_t> grid;
  bool json = false;
};

std::string as_json(const ModelFlags& flags, const std::string& lab, const std::string& kernel,
                    const grader::LaunchToModel& launch, const reference::TimingProfile& profile,
                    const reference::Workload& work, const TimeEstimate& estimate) {
  nlohmann::ordered_json json{{"schema", "histolab/model/1"},
                              {"version", HISTOLAB_VERSION},
                              {"lab", lab},
                              {"kernel", kernel},
                              {"dataset", flags.dataset},
                              {"length", launch.shape.length},
                              {"grid", launch.shape.grid},
                              {"block", flags.block},
                              {"seed", flags.seed},
                              {"profile", profile.name},
                              {"device", profile.device},
                              {"modelled_ms", estimate.total_ns / 1e6},
                              {"bound_by", estimate.bound_by}};
  for (const TimeEstimate::Term& term : estimate.terms)
    json["terms_ms"][std::string{term.name}] = term.ns / 1e6;
  json["launch_ms"] = profile.launch_ns / 1e6;
  json["issue_clocks"] = reference::ModelFit{}.issue_clocks,
  json["overlap"] = reference::ModelFit{}.overlap;
  json["requests"] = work.counters.requests();
  return json.dump(2) + "\n";
}

std::string as_text(const ModelFlags& flags, const std::string& kernel,
                    const grader::LaunchToModel& launch, const reference::TimingProfile& profile,
                    const TimeEstimate& estimate) {
  const double ms = estimate.total_ns / 1e6;
  std::string out = fmt::format(
      "{}\n{} bytes of {}, {} blocks of {} threads\non an {} (profile {}, measured {})\n\n", kernel,
      launch.shape.length, flags.dataset, launch.shape.grid, flags.block, profile.device,
      profile.name, profile.date);
  out +=
      fmt::format("modelled  {:.4g} ms, {:.4g} G elements/s; bound by {}\n\n", ms,
                  static_cast<double>(launch.shape.length) / estimate.total_ns, estimate.bound_by);
  out += fmt::format("  {:<14} {:>10.4f} ms\n", "launch", profile.launch_ns / 1e6);
  for (const TimeEstimate::Term& term : estimate.terms)
    if (term.ns >= 50) out += fmt::format("  {:<14} {:>10.4f} ms\n", term.name, term.ns / 1e6);
  return out + "\nA model, not a measurement: histolab glossary modelled-time\n";
}

Result<std::string> model(const Context& context, const ModelFlags& flags) {
  const reference::TimingProfile profile =
      TRY(grader::load_profile(context.paths.profiles, flags.profile));
  const grader::LabSpec chosen = TRY(chosen_lab(context, flags.word));
  const grader::LabSpec& lab = chosen;
  const grader::Submission kernel = TRY(
      flags.kernel.empty() ? grader::read_solution(lab) : grader::read_submission(flags.kernel));
  const std::unique_ptr<kernels::Device> device = TRY(make_emulator(context));
  const kernels::Compiled compiled =
      TRY(device->compile({kernel.path, kernel.text}, grader::signatures_of(lab)));
  if (!compiled.ok)
    return Error{fmt::format("{} does not compile; `histolab run {} --kernel {}` shows why",
                             kernel.path, flags.word, kernel.path)};
  const grader::Exports exports = TRY(grader::exports_of(lab, compiled));

  // If the contract leaves the grid open: enough blocks to keep all SMs busy, eight per SM.
  const std::uint32_t persistent = profile.multiprocessors * 8;
  grader::LaunchShape shape = grader::shape_of(lab, 0, exports, flags.length, flags.block);
  if (lab.kernels.front().launch.grid == grader::LaunchRule::Grid::fixed) shape.grid = persistent;
  shape.grid = flags.grid.value_or(shape.grid);
  const grader::LaunchToModel launch{.dataset = flags.dataset, .shape = shape, .seed = flags.seed};
  const grader::ModelledLaunch modelled =
      TRY(grader::model_launch(*device, lab, compiled, launch, profile));
  if (modelled.ending != kernels::Ending::completed)
    return Error{fmt::format("{} does not end correctly: {}", kernel.path, modelled.ending_detail)};
  const reference::Workload& work = modelled.work;
  const TimeEstimate& estimate = modelled.estimate;
  return flags.json ? as_json(flags, lab.name, kernel.path, launch, profile, work, estimate)
                    : as_text(flags, kernel.path, launch, profile, estimate);
}

}  // namespace

void add_model(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "model", "models a launch's time on a GPU from the emulator's counters",
                  "histolab model 04\n"
                  "histolab model 03 --kernel mine.cu --dataset constant --length 1000000\n"
                  "histolab model 05 --profile h100 --json");
  const auto flags = std::make_shared<ModelFlags>();
  command->add_option("LAB", flags->word, "name, number or first letters")
      ->required()
      ->type_name("");
  command->add_option("--kernel", flags->kernel, "the kernel (the lab's solution)")
      ->type_name("FILE");
  command->add_option("--dataset", flags->dataset, "a generator's name (english)")
      ->type_name("NAME");
  command->add_option("--length", flags->length, "elements (268435456)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}).description(""))
      ->type_name("N");
  command
      ->add_option("--grid", flags->grid,
                   "blocks (from the lab's contract; if that sets none, 8 per multiprocessor)")
      ->check(CLI::Range(1u, 0x7FFFFFFFu).description(""))
      ->type_name("N");
  command->add_option("--block", flags->block, "threads in a block (256)")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
  command
      ->add_option("--profile", flags->profile,
                   "a measured GPU in the folder profiles: h200, h100 (h200)")
      ->type_name("NAME");
  add_seed_option(*command, flags->seed);
  command->add_flag("--json", flags->json, "as JSON");
  command->callback([&context, flags] {
    context.run = [&context, flags] {
      const Result<std::string> text = model(context, *flags);
      return text ? print(*text) : complain(text.error());
    };
  });
}

}  // namespace histolab::cli
