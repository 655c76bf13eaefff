#include "grader/cli/slurm_plan.h"

#include <fmt/format.h>

#include <wordexp.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "grader/batch/gradings.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/devices.h"
#include "grader/files/paths.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"
#include "grader/lab/catalogue.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using cluster::Assignment;
using grader::LabSpec;

std::string describe_wordexp(int failure) {
  switch (failure) {
    case WRDE_BADCHAR:
      return "; text with | & ; < > ( ) { } needs quotes of its own, as in --sbatch-args "
             "\"--constraint='a|b'\"";
    case WRDE_BADVAL: return ": a variable is not set";
    case WRDE_CMDSUB: return ": no command is run in it";
    default: return "";
  }
}

// Splits the text like a shell.
Result<SbatchWords> sbatch_words(const std::string& text) {
  SbatchWords result;
  if (text.empty()) return result;
  wordexp_t found{};
  if (const int failure = wordexp(text.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF); failure != 0)
    return Error{
        fmt::format("--sbatch-args {}: not valid in a shell{}", text, describe_wordexp(failure))};
  for (std::size_t i = 0; i < found.we_wordc; ++i) result.words.emplace_back(found.we_wordv[i]);
  wordfree(&found);
  Result<std::vector<std::string>> excluded = cluster::take_excluded(result.words);
  if (!excluded) return Error{fmt::format("--sbatch-args: {}", excluded.error().message)};
  result.excluded = std::move(*excluded);
  return result;
}

Status check_flags(const BatchFlags& flags) {
  if (flags.device == "auto")
    return Error{
        "--engine slurm: each node would choose its own device; use --device gpu or --device "
        "emulator"};
  if (!flags.timing_partition.empty() && !gpu_number(flags.device))
    return Error{"--timing-partition is for times on GPUs; add --device gpu"};
  return Done{};
}

// The hash of the figures on the nodes.
Result<std::string> figures_of(const Context& context, const BatchFlags& flags) {
  if (gpu_number(flags.device)) return hash_of_figures(context, {});
  return hash_of_figures(context, TRY(make_clock(context, "emulator")).profile);
}

Result<Assignment> assignment_of(const Context& context, const BatchFlags& flags,
                                 const ClassToGrade& of,
                                 const std::vector<cluster::Item>& solutions) {
  Assignment wanted;
  wanted.version = HISTOLAB_VERSION;
  wanted.program = grader::own_executable();
  const Result<std::string> hash = hash_of_kit(context.paths);
  if (!hash)
    return Error{
        fmt::format("{}; build it with ./histolab, which builds everything a command needs",
                    hash.error().message)};
  wanted.program_hash = *hash;
  std::string gradings;
  for (const cluster::Item& solution : solutions) gradings += solution.grading;
  wanted.labs_hash = grader::sha256(gradings);
  wanted.labs_folder = full_path(context.paths.labs);
  wanted.labs = grader::names_of(of.labs);
  wanted.seed = of.seed;
  wanted.device = flags.device;
  wanted.rubric = of.rubric.text;
  wanted.unsafe = flags.unsafe;
  wanted.jobs = std::max(1u, flags.jobs);
  return wanted;
}

Result<std::vector<cluster::Item>> solutions_of(const ClassToGrade& of,
                                                const batch::Gradings& gradings) {
  std::vector<cluster::Item> items;
  for (const LabSpec& lab : of.labs) {
    std::string text = TRY(grader::read_text_file(lab.solution_path(), "solution"));
    batch::Work work;
    work.kernel = std::move(text);
    items.push_back({.grading = cluster::solution_grading(gradings.of(lab.name, work).grading),
                     .lab = lab.name,
                     .solution = true});
  }
  return items;
}

}  // namespace

std::string full_path(const std::string& path) {
  std::error_code failure;
  std::string whole = fs::absolute(path, failure).lexically_normal().string();
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

Result<SlurmPlan> plan_for_slurm(const Context& context, const BatchFlags& flags) {
  TRY(check_flags(flags));
  SbatchWords sbatch = TRY(sbatch_words(flags.sbatch));
  cluster::Slurm slurm = TRY(cluster::Slurm::find());
  ClassToGrade of = TRY(class_to_grade(context, flags));
  batch::Meta meta = meta_of_tasks(of.seed, flags.device, of.rubric.text);
  of.put_into(meta);
  std::string figures = TRY(figures_of(context, flags));
  const batch::Gradings gradings =
      TRY(batch::Gradings::make(of.labs, meta, figures, of.rubric.of_labs()));
  std::vector<cluster::Item> solutions = TRY(solutions_of(of, gradings));
  Assignment assignment = TRY(assignment_of(context, flags, of, solutions));
  return SlurmPlan{command_to_go_on(context, flags),
                   std::move(sbatch),
                   std::move(slurm),
                   std::move(of),
                   std::move(meta),
                   std::move(figures),
                   std::move(solutions),
                   std::move(assignment)};
}

}  // namespace histolab::cli
