// histolab task: the program that Slurm runs on a node for `batch --engine slurm`. It is not in the
// help.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "grader/batch/gradings.h"
#include "grader/batch/memory.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "grader/cluster/task.h"
#include "grader/files/read_file.h"
#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

using cluster::Assignment;
using cluster::Chunk;
using cluster::Phase;
using grader::LabSpec;

// A shared directory may show a new file late.
template <class Ask>
auto retry_for_a_minute(Ask ask) -> decltype(ask()) {
  constexpr auto pause = std::chrono::seconds{1};
  for (int tries = 0;; ++tries) {
    auto answer = ask();
    if (answer || tries == 60) return answer;
    std::this_thread::sleep_for(pause);
  }
}

std::string node_name() {
  if (const char* name = std::getenv("SLURMD_NODENAME"); name != nullptr && *name != '\0')
    return name;
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "a node";
}

// The node's means for grading. `grades` is missing if the node lacks something (Node::obstacles).
struct NodeMachine {
  std::optional<ClassMachine> grades;
  std::vector<LabSpec> labs;
};

void inspect_sandbox(const Context& context, const Assignment& assignment, const std::string& tier,
                     cluster::Node& node) {
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  if (!sandbox) return node.obstacles.push_back(sandbox.error().message);
  node.sandbox = sandbox::name((*sandbox)->tier());
  if (Status safe = may_run_strangers(**sandbox, assignment.unsafe); !safe)
    node.obstacles.push_back("it " + safe.error().message);
  else if (!tier.empty() && tier != node.sandbox)
    node.obstacles.push_back(
        fmt::format("its sandbox is {}, but the class is graded in the sandbox {}: {}",
                    node.sandbox, tier, why_no_better(**sandbox)));
}

// With too little memory a compiler runs into its time limit, and the submission would be blamed.
void inspect_memory(const Assignment& assignment, cluster::Node& node) {
  const std::uint64_t least = std::uint64_t{assignment.jobs} * kernels::most_memory_of_compiler;
  if (const auto limit = batch::memory_limit(); limit && *limit < least)
    node.obstacles.push_back(fmt::format(
        "a task may use only {} MiB of memory there, but with --jobs {} it needs at least {}; ask "
        "for more with --sbatch-args --mem=..., or omit --mem: the batch asks for enough",
        *limit >> 20, assignment.jobs, least >> 20));
}

void inspect_labs(const Context& context, const Assignment& assignment, const Chunk& chunk,
                  NodeMachine& machine, cluster::Node& node) {
  batch::Meta meta = meta_of_tasks(assignment.seed, assignment.device, assignment.rubric);
  meta.device_kind = node.device_kind;
  const Result<batch::Rubric> rubric = batch::rubric_in(meta);
  if (!rubric) return node.obstacles.push_back(rubric.error().message);
  Result<std::vector<LabSpec>> labs = class_labs(context, assignment.labs, *rubric, "the rubric");
  if (!labs) return node.obstacles.push_back(labs.error().message);
  const Result<batch::Gradings> gradings =
      batch::Gradings::make(*labs, meta, machine.grades->figures, rubric->of_labs());
  if (!gradings) return node.obstacles.push_back(gradings.error().message);
  for (const cluster::Item& item : chunk.items) {
    batch::Work work = item.work;
    const auto lab = std::ranges::find(*labs, item.lab, &LabSpec::name);
    if (item.solution && lab != labs->end()) {
      Result<std::string> text = grader::read_text_file(lab->solution_path(), "solution");
      if (text) work.kernel = std::move(*text);
    }
    const std::string grading = gradings->of(item.lab, work).grading;
    if ((item.solution ? cluster::solution_grading(grading) : grading) == item.grading) continue;
    return node.obstacles.push_back(
        fmt::format("its labs in {} differ from those of the machine that submits: {} differs; the "
                    "nodes need the same folder, or an equal one under the same path",
                    context.paths.labs, item.lab));
  }
  machine.labs = std::move(*labs);
}

NodeMachine inspect_machine(const Context& context, const Assignment& assignment,
                            const cluster::Array& array, const Chunk& chunk, cluster::Node& node) {
  NodeMachine machine;
  if (assignment.version != HISTOLAB_VERSION)
    node.obstacles.push_back(fmt::format("it has histolab {}, but the machine that submits has {}",
                                         HISTOLAB_VERSION, assignment.version));
  const Result<std::string> hash = hash_of_kit(context.paths);
  if (!hash)
    node.obstacles.push_back(hash.error().message);
  else if (*hash != assignment.program_hash)
    node.obstacles.push_back(
        fmt::format("its {}, or a program, header or profile that belongs to it, is not that of "
                    "the machine that submits; the nodes need the same files",
                    assignment.program));
  if (const std::string version = kernels::worker::compiler_version(); !version.empty())
    node.compiler = "g++ " + version;
  if (node.compiler.empty())
    node.obstacles.push_back("it has no g++ to compile kernels");
  else if (!array.compiler.empty() && array.compiler != node.compiler)
    node.obstacles.push_back(fmt::format(
        "it compiles with {}, but the class is compiled with {}; diagnostics would differ",
        node.compiler, array.compiler));
  inspect_memory(assignment, node);
  inspect_sandbox(context, assignment, array.tier, node);
  if (!node.obstacles.empty()) return machine;
  Result<ClassMachine> made =
      make_class_machine(context, chunk.phase == Phase::judge ? "emulator" : assignment.device,
                         assignment.seed, assignment.jobs);
  if (!made) {
    node.obstacles.push_back(made.error().message);
    return machine;
  }
  machine.grades = std::move(*made);
  // A task that judges with another node's times measures none itself.
  if (gpu_number(assignment.device)) {
    machine.grades->grading.profile.reset();
    Result<std::string> figures = hash_of_figures(context, {});
    if (!figures) {
      node.obstacles.push_back(figures.error().message);
      return machine;
    }
    machine.grades->figures = std::move(*figures);
  }
  node.device_kind = machine.grades->device->kind();
  node.device_name = machine.grades->device->name();
  if (const kernels::TimedDevice* gpu = machine.grades->grading.gpu) {
    node.gpu_name = gpu->name();
    node.gpu_driver = gpu->driver();
  }
  inspect_labs(context, assignment, chunk, machine, node);
  return machine;
}

int run_task(const Context& context, const std::string& folder, std::size_t number,
             std::size_t index) {
  const auto begun = std::chrono::steady_clock::now();
  const cluster::Spool spool{folder};
  const Result<Assignment> assignment = retry_for_a_minute([&] { return spool.assignment(); });
  if (!assignment) return complain(assignment.error());
  if (spool.is_cancelled()) return done;
  const Result<cluster::Array> array = retry_for_a_minute([&] { return spool.array(number); });
  if (!array) return complain(array.error());
  if (index >= array->chunks.size())
    return complain({fmt::format("array {} has {} chunks, but no number {}", number,
                                 array->chunks.size(), index)});
  const Result<Chunk> chunk = retry_for_a_minute([&] { return spool.chunk(array->chunks[index]); });
  if (!chunk) return complain(chunk.error());

  cluster::Part blank;
  blank.spool = assignment->id;
  blank.array = number;
  blank.index = index;
  blank.node.name = node_name();
  blank.node.time = std::time(nullptr);
  NodeMachine machine = inspect_machine(context, *assignment, *array, *chunk, blank.node);
  cluster::PartWriter writer{spool, blank, begun};
  if (!blank.node.obstacles.empty()) {
    const Status reported = writer.give_up(blank.node.obstacles.front());
    return complain(reported ? Error{blank.node.obstacles.front()} : reported.error());
  }
  cluster::TaskEngine engine{.batch = {.device = *machine.grades->device,
                                       .labs = machine.labs,
                                       .grading = machine.grades->grading,
                                       .measurements = context.paths.measurements},
                             .gpu = machine.grades->grading.gpu};
  engine.batch.stopped = [] { return kernels::worker::cancelled(); };
  const Status graded = cluster::run_chunk(*chunk, engine, writer);
  wait_if_interrupted();
  return graded ? done : complain(graded.error());
}

}  // namespace

void add_task(CLI::App& app, Context& context) {
  struct Words {
    std::string spool;
    std::size_t array = 0, index = 0;
  };
  CLI::App* command = app.add_subcommand("task", "one task of batch --engine slurm");
  command->group("");
  const auto words = std::make_shared<Words>();
  command->add_option("SPOOL", words->spool)->required();
  command->add_option("ARRAY", words->array)->required();
  command->add_option("TASK", words->index)->required();
  command->callback([&context, words] {
    context.run = [&context, words] {
      return run_task(context, words->spool, words->array, words->index);
    };
  });
}

}  // namespace histolab::cli
