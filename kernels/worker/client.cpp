#include "kernels/worker/client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <filesystem>
#include <future>
#include <set>
#include <utility>

#include "kernels/code_tokens.h"
#include "kernels/variable_declaration.h"
#include "kernels/worker/asking.h"
#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/compiling/compiler_command.h"
#include "kernels/worker/compiling/local_arrays.h"
#include "kernels/worker/compiling/precompiled_shim.h"
#include "kernels/worker/debugger.h"
#include "kernels/worker/explaining/explain.h"
#include "kernels/worker/explaining/explain_findings.h"
#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/worker_pool.h"
#include "kernels/worker/protocol/protocol.h"
#include "kernels/worker/source_rules/forbidden.h"
#include "kernels/worker/source_rules/host_code.h"
#include "kernels/worker/source_rules/source_rules.h"
#include "reference/utf8.h"

namespace histolab::kernels {
namespace {

using worker::Request;
using worker::WorkerRun;

struct Image {
  Buffer object;
  std::vector<KernelSignature> signatures;
  std::string text;
  std::vector<emulator::WideAccess> wide_accesses;
  std::vector<int> local_lines;
};

class Emulator final : public Device {
 public:
  explicit Emulator(EmulatorPaths paths) : paths_(std::move(paths)) {
    if (paths_.worker_pool == nullptr)
      paths_.worker_pool = std::make_shared<worker::WorkerPool>(paths_.worker, paths_.confinement);
  }

  [[nodiscard]] std::string kind() const override { return "emulator"; }
  [[nodiscard]] std::string name() const override { return emulator_name; }
  [[nodiscard]] std::string sandbox() const override {
    return std::string(paths_.confinement == nullptr || paths_.debugger != nullptr
                           ? "none"
                           : paths_.confinement->name());
  }

  Result<Compiled> compile(const Source& source,
                           const std::vector<KernelSignature>& signatures) override;
  Result<std::vector<Observation>> launch(const Compiled& compiled, const LaunchConfig& config,
                                          const std::vector<std::vector<Argument>>& launches,
                                          const Options& options) override;

 private:
  [[nodiscard]] Result<Compiled> compile_whole(const Source& source,
                                               const std::vector<KernelSignature>& signatures);
  struct Judged {
    std::vector<Diagnostic> refusals;
    bool is_whole = false;  // nothing of it was cut off
  };
  // Applies the rules for sources after macro expansion.
  [[nodiscard]] Result<Judged> judge_preprocessed(const std::string& text) const;
  [[nodiscard]] Result<std::vector<Diagnostic>> mistaken_exports(
      const std::string& text, const std::map<std::string, std::uint32_t>& exports) const;

  EmulatorPaths paths_;
};

// Translates the diagnostics and sorts them by line. g++ reports an error in a template at its use,
// which is later than the template.
void put_in_order(std::vector<Diagnostic>& diagnostics, const std::string& text,
                  const std::vector<KernelSignature>& signatures) {
  std::vector<std::string> kernels;
  for (const KernelSignature& signature : signatures) kernels.push_back(signature.name);
  worker::explain(diagnostics, text, kernels);
  worker::locate(diagnostics, text);
  const auto place = [](const Diagnostic& d) { return d.line == 0 ? INT_MAX : d.line; };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

// Shortens messages. They may contain names from the source, which can be of any length.
void shorten(std::vector<Diagnostic>& diagnostics) {
  constexpr std::size_t longest = 1000;
  for (Diagnostic& each : diagnostics) {
    if (each.message.size() <= longest) continue;
    each.message.replace(beginning_of(each.message, longest).size(), std::string::npos, "...");
  }
}

Result<Compiled> Emulator::compile(const Source& source,
                                   const std::vector<KernelSignature>& signatures) {
  Result<Compiled> compiled = compile_whole(source, signatures);
  if (compiled) shorten(compiled->diagnostics);
  return compiled;
}

Result<Emulator::Judged> Emulator::judge_preprocessed(const std::string& text) const {
  const worker::Preprocessed preprocessed = TRY(worker::preprocess_for_emulator(text, paths_));
  Judged judged{worker::forbidden_in_preprocessed(preprocessed.text, text, paths_.include_dir),
                preprocessed.is_whole};
  if (preprocessed.text.size() >= worker::most_preprocessed_bytes)
    judged.refusals.push_back({Severity::error, 0, 0,
                               "the source becomes far too large when its macros and headers are "
                               "expanded. Write the kernel without them"});
  return judged;
}

// An export of another type would be read as a number: 8.0f as 1090519040.
Result<std::vector<Diagnostic>> Emulator::mistaken_exports(
    const std::string& text, const std::map<std::string, std::uint32_t>& exports) const {
  std::vector<Diagnostic> mistaken;
  if (exports.empty()) return mistaken;
  const std::vector<CodeToken> tokens = code_tokens(text);
  for (const auto& [name, value] : exports) {
    const std::optional<VariableDeclaration> declared = find_variable(tokens, name);
    if (declared && declared->is_integer) continue;
    const bool is_integer =
        TRY(declared && declared->is_other ? Result<bool>{false}
                                           : worker::is_integer_variable(text, name, paths_));
    if (!is_integer)
      mistaken.push_back(
          {Severity::error, declared ? declared->line : 0, 0, about_wrong_export(name)});
  }
  return mistaken;
}

Result<Compiled> Emulator::compile_whole(const Source& source,
                                         const std::vector<KernelSignature>& signatures) {
  Compiled compiled;
  compiled.path = source.path;
  worker::Verdict forbidden = worker::forbidden_in(source.text, paths_.include_dir);
  std::vector<Diagnostic> refusals = std::move(forbidden.refusals);
  compiled.refused = !refusals.empty();
  if (refusals.empty()) refusals = std::move(forbidden.missing);
  if (refusals.empty()) refusals = worker::refuse_source(source.text);
  if (refusals.empty()) refusals = worker::refuse_not_yet(source.text, paths_.include_dir);
  const bool is_looked_at_twice =
      forbidden.unsure ||
      std::any_of(signatures.begin(), signatures.end(),
                  [](const KernelSignature& s) { return s.tells_local_memory; });
  // Otherwise a source could detect which of the two compiler runs it is in.
  if (refusals.empty() && is_looked_at_twice && paths_.shim != nullptr)
    static_cast<void>(paths_.shim->wait());
  bool was_judged_whole = true;
  if (refusals.empty() && forbidden.unsure) {
    Judged judged = TRY(judge_preprocessed(source.text));
    was_judged_whole = judged.is_whole;
    refusals = std::move(judged.refusals);
    compiled.refused = !refusals.empty();
  }
  if (!refusals.empty()) {
    compiled.diagnostics = std::move(refusals);
    return compiled;
  }
  // The second compiler run takes as long as the first, so both run at the same time.
  std::future<Result<std::string>> optimized;
  if (std::any_of(signatures.begin(), signatures.end(),
                  [](const KernelSignature& s) { return s.tells_local_memory; }))
    optimized = std::async(std::launch::async,
                           [&] { return worker::optimize_for_registers(source.text, paths_); });
  const std::string debugged_path =
      paths_.debugger != nullptr
          ? std::filesystem::absolute(source.path).lexically_normal().string()
          : std::string{};
  worker::CompilerOutput output =
      TRY(worker::compile_for_emulator(source.text, paths_, debugged_path));
  compiled.diagnostics = std::move(output.diagnostics);
  if (output.object && !was_judged_whole) {  // a machine failure may have passed
    Judged again = TRY(judge_preprocessed(source.text));
    if (!again.is_whole && again.refusals.empty())
      again.refusals.push_back({Severity::error, 0, 0,
                                "the preprocessor takes too long on this source, or sees other "
                                "text than the compiler. Write it more simply"});
    if (!again.refusals.empty()) {
      compiled.refused = true;
      compiled.diagnostics = std::move(again.refusals);
      return compiled;
    }
  }
  if (!output.object) {
    put_in_order(compiled.diagnostics, source.text, signatures);
    return compiled;
  }

  // Messages about the file are listed once for all kernels.
  std::set<std::pair<int, std::string>> told;
  Request request;
  request.signatures = signatures;
  WorkerRun run = TRY(worker::ask(paths_, request, *output.object, {}, std::chrono::seconds(5)));
  if (!run.answer || run.answer->modules.size() != signatures.size()) {
    compiled.diagnostics.push_back(
        {Severity::error, 0, 0,
         "the compiled kernel could not be loaded. Remove unusual constructs, attributes first"});
    return compiled;
  }
  for (Diagnostic& each : worker::device_variables_set_by_code(
           source.text, worker::set_before_launch(output.call_graph)))
    if (told.emplace(each.line, each.message).second)
      compiled.diagnostics.push_back(std::move(each));
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    emulator::ModuleInfo& module = run.answer->modules[i];
    if (module.diagnostics.empty())
      module.diagnostics = worker::host_code_in_kernel(
          source.text, worker::calls_below(output.call_graph, signatures[i].name),
          module.variables);
    for (Diagnostic& each : module.diagnostics)
      if (told.emplace(each.line, each.message).second)
        compiled.diagnostics.push_back(std::move(each));
    compiled.exports.merge(module.exports);
  }
  if (told.empty()) {
    for (const Diagnostic& each : TRY(mistaken_exports(source.text, compiled.exports)))
      if (told.emplace(each.line, each.message).second) compiled.diagnostics.push_back(each);
  }
  put_in_order(compiled.diagnostics, source.text, signatures);
  if (!told.empty()) return compiled;
  const bool must_report = optimized.valid();
  std::vector<int> local_lines;
  if (must_report || (output.indexes_arrays && debugged_path.empty())) {
    const std::string lines =
        TRY(must_report ? optimized.get() : worker::optimize_for_registers(source.text, paths_));
    if (must_report && lines.empty()) {
      compiled.diagnostics.push_back(
          {Severity::error, 0, 0,
           "the compiler cannot optimize this kernel, or its output is too large, so histolab "
           "cannot tell which variables are in registers. Write it more simply"});
      return compiled;
    }
    compiled.indexed_arrays = worker::indexed_arrays(lines, worker::source_name);
    for (const IndexedArray& each : compiled.indexed_arrays)
      local_lines.insert(local_lines.end(), each.memory_lines.begin(), each.memory_lines.end());
  }
  compiled.ok = true;
  compiled.image =
      std::make_shared<Image>(Image{std::move(*output.object), signatures, source.text,
                                    std::move(output.wide_accesses), std::move(local_lines)});
  return compiled;
}

// The observation for a submission that has no time left for a launch.
Observation over_budget(const ProcessorBudget& budget) {
  Observation observation;
  observation.ending = Ending::timed_out;
  observation.ending_detail = fmt::format(
      "all cases together used up {:g} s of processor time, all that a submission may use. Make "
      "the kernel do less work",
      static_cast<double>(budget.all().count()) / 1000);
  return observation;
}

// The buffers that a worker gets. Launches that share a buffer share its descriptor. No descriptor
// allows any code in the worker to change an input.
class SharedBuffers {
 public:
  // Returns the buffer's descriptor number in the worker.
  int number_of(const Buffer& buffer, bool writable) {
    for (std::size_t i = 0; i < shared_.size(); ++i)
      if (shared_[i].owner == buffer.fd() && shared_[i].writable == writable)
        return worker::first_buffer_descriptor + static_cast<int>(i);
    shared_.push_back({buffer.fd(), writable,
                       writable ? worker::Descriptor{} : worker::for_reading(buffer.fd())});
    return worker::first_buffer_descriptor + static_cast<int>(shared_.size()) - 1;
  }

  [[nodiscard]] std::vector<int> descriptors() const {
    std::vector<int> all;
    for (const Shared& shared : shared_)
      all.push_back(shared.writable ? shared.owner : shared.for_reading.get());
    return all;
  }

 private:
  struct Shared {
    int owner;
    bool writable;
    worker::Descriptor for_reading;
  };
  std::vector<Shared> shared_;
};

// Returns whether there is one observation per launch up to the first incomplete one, and no more
// recorded data than requested.
bool is_complete(const std::vector<Observation>& observations, std::size_t launches,
                 const Options& options) {
  if (observations.empty() || observations.size() > launches) return false;
  if (observations[0].accesses.size() > options.recorded_accesses ||
      observations[0].steps.size() > options.recorded_steps)
    return false;
  if (std::any_of(observations.begin() + 1, observations.end(),
                  [](const Observation& o) { return !o.accesses.empty() || !o.steps.empty(); }))
    return false;
  const auto completed = [](const Observation& o) { return o.ending == Ending::completed; };
  const auto first = std::find_if_not(observations.begin(), observations.end(), completed);
  return first == observations.end() ? observations.size() == launches
                                     : first + 1 == observations.end();
}

// Returns the names of outputs that contain only zeros before a launch.
std::vector<std::string> zeroed_outputs(const std::vector<std::vector<Argument>>& launches) {
  std::vector<std::string> names;
  const auto is_zero = [](const Argument& argument) {
    const auto bytes = std::as_const(*argument.output).bytes();
    return argument.initialized &&
           std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
  };
  for (const auto& arguments : launches)
    for (const Argument& argument : arguments)
      if (argument.kind == Argument::Kind::output && is_zero(argument))
        names.push_back(argument.name);
  return names;
}

Result<std::vector<Observation>> Emulator::launch(
    const Compiled& compiled, const LaunchConfig& config,
    const std::vector<std::vector<Argument>>& launches, const Options& options) {
  const auto& image = *static_cast<const Image*>(compiled.image.get());
  Request request;
  request.signatures = {image.signatures.at(config.kernel)};
  request.launch = true;
  request.config = config;
  request.options = options;
  request.options.debugged = paths_.debugger != nullptr;
  if (request.options.debugged) request.own_data_limit = worker::worker_memory;
  request.wide_accesses = image.wide_accesses;
  request.local_lines = image.local_lines;
  SharedBuffers buffers;
  for (const auto& arguments : launches) {
    auto& mapped = request.launches.emplace_back();
    for (const Argument& argument : arguments) {
      const Buffer* buffer =
          argument.kind == Argument::Kind::input ? argument.input : argument.output;
      const bool is_word = argument.kind == Argument::Kind::word;
      const int number =
          is_word ? -1 : buffers.number_of(*buffer, argument.kind == Argument::Kind::output);
      mapped.push_back({argument.kind, argument.name, argument.element_bytes,
                        is_word ? 0 : buffer->size(), number, argument.word, argument.initialized,
                        argument.offset});
    }
  }
  if (options.live != nullptr)
    request.live_descriptor = buffers.number_of(options.live->buffer(), true);
  for (const int descriptor : buffers.descriptors())
    if (descriptor < 0) return worker::cannot_reopen();
  ProcessorBudget* const budget = compiled.budget.get();
  if (budget != nullptr && budget->left().count() == 0)
    return std::vector<Observation>{over_budget(*budget)};
  const std::chrono::milliseconds limit =
      budget == nullptr ? options.time_limit : std::min(options.time_limit, budget->left());
  const std::vector<std::string> zeroed = zeroed_outputs(launches);
  WorkerRun run =
      TRY(worker::ask(paths_, request, image.object, buffers.descriptors(), limit, options.live));
  const bool timed_out = run.process.end == worker::ProcessResult::End::timed_out;
  if (budget != nullptr) {
    const std::chrono::microseconds least = timed_out ? limit : std::chrono::milliseconds{0};
    const std::chrono::microseconds used = run.process.processor / worker::slowness;
    budget->use(std::max(used, least), options.time_limit);
  }
  if (!run.answer || !is_complete(run.answer->observations, launches.size(), options)) {
    if (timed_out && limit < options.time_limit)
      return std::vector<Observation>{over_budget(*budget)};
    return std::vector<Observation>{worker::without_answer(run.process, options.time_limit)};
  }
  for (Observation& observation : run.answer->observations) {
    worker::locate(observation.findings, image.text);
    worker::judge_ended_lanes(observation.findings, image.text, request.signatures.front().name);
    worker::explain_findings(observation.findings, image.text, zeroed);
  }
  return std::move(run.answer->observations);
}

}  // namespace

std::unique_ptr<Device> make_emulator(EmulatorPaths paths) {
  return std::make_unique<Emulator>(std::move(paths));
}

}  // namespace histolab::kernels
