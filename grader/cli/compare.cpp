// histolab compare
#include <fmt/format.h>

#include "datasets/datasets.h"
#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/comparison/comparison.h"
#include "grader/lab/lab_kernels.h"

namespace histolab::cli {
namespace {

struct CompareFlags {
  LaunchFlags launch;
  std::vector<std::string> kernels, datasets;
  bool json = false;
};

// One of the two launches.
struct Side {
  grader::LabSpec lab;
  LaunchFlags flags;
};

// "04", "04=mine.cu", "04=stub": a lab, optionally followed by = and the name of one of its kernels
// or a file.
Result<Side> side_of(const Context& context, const LaunchFlags& flags, const std::string& words,
                     const std::string& dataset) {
  const std::size_t sign = words.find('=');
  grader::LabSpec lab = TRY(chosen_lab(context, words.substr(0, sign)));
  Side side{.lab = std::move(lab), .flags = flags};
  side.flags.dataset = dataset;
  if (sign == std::string::npos) return side;
  side.flags.kernel = words.substr(sign + 1);
  if (side.flags.kernel.empty())
    return Error{fmt::format(
        "\"{}\": after the = give a file, stub, solution, work or the name of an attempt", words)};
  for (const grader::LabKernel& kernel : grader::kernels_of(side.lab, work_folder))
    if (kernel.name == side.flags.kernel) {
      side.flags.kernel = grader::shown(kernel.path);
      break;
    }
  return side;
}

// "A" or "A,B". A "text:" dataset extends to the end of the argument, commas included.
std::vector<std::string> names_in(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (std::string_view rest : given)
    for (std::size_t comma = 0; comma != rest.npos;) {
      comma = datasets::typed_text(rest) ? rest.npos : rest.find(',');
      names.emplace_back(rest.substr(0, comma));
      if (comma != rest.npos) rest.remove_prefix(comma + 1);
    }
  return names;
}

Result<std::pair<Side, Side>> sides_of(const Context& context, const CompareFlags& flags) {
  const std::vector<std::string>& kernels = flags.kernels;
  const std::vector<std::string> datasets = names_in(flags.datasets);
  if (datasets.size() > 2) return Error{"--dataset: at most two datasets can be compared"};
  if (kernels.size() == 1 && datasets.size() < 2)
    return Error{
        "there is only one kernel on one dataset: name a second LAB or LAB=FILE, or --dataset A,B"};
  if (kernels.size() == 2 && kernels[0] != kernels[1] && datasets.size() == 2)
    return Error{
        "two kernels on two datasets differ in two things: give one kernel with --dataset A,B, or "
        "two kernels with one dataset"};
  const std::string first = datasets.empty() ? flags.launch.dataset : datasets.front();
  Side a = TRY(side_of(context, flags.launch, kernels.front(), first));
  Side b = TRY(
      side_of(context, flags.launch, kernels.back(), datasets.empty() ? first : datasets.back()));
  return std::pair{std::move(a), std::move(b)};
}

// Loads the same number of elements for both. For two files this is the length of the shorter one.
Status load_both(Side& a, Side& b, LaunchData& of_a, LaunchData& of_b) {
  for (const auto& [side, into] : {std::pair{&a, &of_a}, {&b, &of_b}})
    *into = TRY(load_data(side->lab, side->flags));
  if (of_a.length == of_b.length) return Done{};
  a.flags.length = b.flags.length = std::min(of_a.length, of_b.length);
  return load_both(a, b, of_a, of_b);
}

Result<grader::RunReport> run_side(const Context& context, const PreparedLaunch& prepared,
                                   const Side& side, LaunchData data) {
  grader::RunReport plan = plan_launch(prepared, data.name, data.length, side.flags.seed);
  if (!plan.compiled) return plan;
  return launch(context, prepared, std::move(plan), {std::move(data.bytes)});
}

int compare(const Context& context, const CompareFlags& flags) {
  Result<std::pair<Side, Side>> sides = sides_of(context, flags);
  if (!sides) return complain(sides.error());
  auto& [a, b] = *sides;
  LaunchData of_a, of_b;
  if (Status loaded = load_both(a, b, of_a, of_b); !loaded) return complain(loaded.error());
  std::vector<PreparedLaunch> prepared;
  for (const Side* side : {&a, &b}) {
    if (side == &b && flags.kernels.front() == flags.kernels.back())
      break;  // one kernel, compiled once
    Result<PreparedLaunch> one = prepare_launch(context, side->flags, side->lab);
    if (!one) return complain(one.error());
    if (!one->unfit.empty()) return report_unfit(*one);
    prepared.push_back(std::move(*one));
  }
  Result<grader::RunReport> run_a = run_side(context, prepared.front(), a, std::move(of_a));
  if (!run_a) return complain(run_a.error());
  Result<grader::RunReport> run_b = run_side(context, prepared.back(), b, std::move(of_b));
  if (!run_b) return complain(run_b.error());
  const bool both_ended = has_ended(*run_a) && has_ended(*run_b);
  const auto [label_a, label_b] = grader::labels_of(*run_a, *run_b);
  const grader::Comparison both =
      grader::compared({label_a, std::move(*run_a)}, {label_b, std::move(*run_b)});
  const grader::TextOptions options{
      .color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()};
  const int printed = print(flags.json ? grader::to_json(both) : grader::to_text(both, options));
  return printed != done ? printed : both_ended ? done : not_passed;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "compare", "compares two kernels, or one on two datasets: times, counters, and why",
      "histolab compare 02 04\n"
      "histolab compare 04=work 04=solution --dataset english\n"
      "histolab compare 04=mine.cu 05 --length 100000 --json\n"
      "histolab compare 02 --dataset hot:0,hot:100");
  const auto flags = std::make_shared<CompareFlags>();
  command
      ->add_option("LAB", flags->kernels,
                   "a lab, or LAB=KERNEL: a file, stub, solution, work or the name of an attempt "
                   "(work/<LAB>.cu, or else the solution)")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command
      ->add_option("--dataset", flags->datasets,
                   "a generator's name or a file; two separated by a comma (mixed)")
      ->expected(1)
      ->take_all()
      ->type_name("A[,B]");
  add_shape_options(*command, flags->launch);
  command->add_flag("--json", flags->json, "as JSON (docs/compare.schema.json)");
  command->callback([&context, flags] {
    if (gpu_number(flags->launch.device)) context.needs = "gpu";
    context.run = [&context, flags] { return compare(context, *flags); };
  });
}

}  // namespace histolab::cli
