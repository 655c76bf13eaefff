// load_lab: lab.json -> LabSpec.
#include "grader/lab/lab_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "datasets/datasets.h"

namespace histolab::grader {
namespace {

// In elements. A lab's case should take milliseconds.
constexpr long long largest_case = 1 << 26;

std::string dataset_of(ObjectReader& reader, const reference::Binning& binning) {
  std::string dataset = reader.text("dataset");
  if (datasets::is_hot(dataset) || datasets::typed_text(dataset) ||
      datasets::is_generator(dataset)) {
    if (const auto made = datasets::generate_samples(dataset, 0, 0, binning.sample_bytes()); !made)
      reader.problem("dataset", made.error().message);
  } else if (!dataset.empty()) {
    std::vector<std::string> names;
    for (const datasets::Dataset& each : datasets::catalogue()) names.push_back(each.name);
    reader.unknown_word("dataset", dataset, names);
  }
  return dataset;
}

// Reads the kernel that a case launches, and its bins: the kernel's own, or the number that the
// case gives if the kernel takes it as an argument.
void read_kernel_of_case(ObjectReader& reader, const LabSpec& lab, std::size_t& number,
                         reference::Binning& binning) {
  const std::string named = reader.text_or("kernel", lab.kernels.front().name);
  const std::optional<std::size_t> found = lab.kernel_called(named);
  if (!found) reader.problem("kernel", fmt::format("no kernel is called \"{}\"", named));
  number = found.value_or(0);
  const KernelSpec& kernel = lab.kernels[number];
  binning = kernel.binning;
  if (!reader.has("bins")) return;
  const auto changed = kernel.binning_with(word(reader.integer("bins", 1, 1 << 20)));
  if (changed)
    binning = *changed;
  else
    reader.problem("bins", fmt::format("the kernel {} has no argument for it", kernel.name));
}

std::uint32_t grid_of(ObjectReader& reader, const KernelSpec& kernel) {
  if (kernel.launch.grid == LaunchRule::Grid::fixed) return word(reader.integer("grid", 1, 65535));
  if (reader.has("grid")) {
    reader.ignore("grid");
    reader.problem("grid", "is only for labs with launch.grid \"fixed\"");
  }
  return 0;
}

CaseSpec::Fixed fixed_of(ObjectReader& reader) {
  CaseSpec::Fixed fixed;
  const std::vector<std::string> named = reader.words("fixed", false),
                                 known = {"length", "block", "grid"};
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (std::ranges::find(known, named[i]) == known.end())
      reader.unknown_word(fmt::format("fixed/{}", i), named[i], known);
    fixed.length |= named[i] == "length";
    fixed.block |= named[i] == "block";
    fixed.grid |= named[i] == "grid";
  }
  return fixed;
}

void read_cases(ObjectReader& root, LabSpec& lab, Problems& problems) {
  std::set<std::string> ids;
  for (const Json& item : root.array("cases", true)) {
    ObjectReader reader{item, fmt::format("/cases/{}", lab.cases.size()), problems};
    CaseSpec read;
    read.id = reader.text("id");
    if (!read.id.empty() && !ids.insert(read.id).second)
      reader.problem("id", fmt::format("two cases are called \"{}\"", read.id));
    read_kernel_of_case(reader, lab, read.kernel, read.binning);
    read.dataset = dataset_of(reader, read.binning);
    read.length = static_cast<std::uint64_t>(reader.integer("length", 0, largest_case));
    read.offset = word(reader.integer_or("offset", 0, 0, 255));
    if (read.offset % read.binning.sample_bytes() != 0)
      reader.problem("offset", "must be a multiple of the sample size");
    read.block = word(reader.integer("block", 1, 1024));
    read.grid = grid_of(reader, lab.kernels[read.kernel]);
    read.schedule = reader.named("schedule", kernels::all_schedules, false);
    if (reader.has("block_order"))
      read.block_order = reader.named("block_order", kernels::all_block_orders, true);
    if (!kernels::fit_together(read.schedule, read.block_order))
      reader.problem("block_order", "\"interleaved\" needs \"schedule\": \"adversarial\"");
    read.launches = word(reader.integer_or("launches", 1, 1, 16));
    read.quick = reader.boolean_or("quick", false);
    read.fixed = fixed_of(reader);
    reader.done();
    lab.cases.push_back(read);
  }
}

void read_timed(ObjectReader& root, LabSpec& lab, Problems& problems) {
  for (const Json& item : root.array("timed", false)) {
    ObjectReader reader{item, fmt::format("/timed/{}", lab.timed.size()), problems};
    TimedCaseSpec read;
    read.id = reader.text("id");
    const auto taken = [&](const auto& other) { return other.id == read.id; };
    if (!read.id.empty() && (std::any_of(lab.cases.begin(), lab.cases.end(), taken) ||
                             std::any_of(lab.timed.begin(), lab.timed.end(), taken)))
      reader.problem("id", fmt::format("two cases are called \"{}\"", read.id));
    read_kernel_of_case(reader, lab, read.kernel, read.binning);
    if (!lab.kernels[read.kernel].task.can_be_timed())
      reader.problem("kernel",
                     "its results are not counts, so it cannot be timed with changing data");
    read.dataset = dataset_of(reader, read.binning);
    read.length = static_cast<std::uint64_t>(reader.integer("length", 1 << 16, 1 << 30));
    read.emulated_length =
        static_cast<std::uint64_t>(reader.integer("emulated_length", 1 << 16, largest_case));
    // Otherwise the submission exports the block size.
    if (lab.kernels[read.kernel].launch.timed_block.empty()) {
      read.block = word(reader.integer("block", 1, 1024));
      read.grid = grid_of(reader, lab.kernels[read.kernel]);
    }
    reader.done();
    lab.timed.push_back(read);
  }
}

void read_stub(const Json& json, LabSpec& lab, Problems& problems) {
  ObjectReader stub{json, "/stub", problems};
  lab.stub_status = stub.text("status");
  const std::vector<std::string> known = {"failed", "compile_error", "crashed", "timeout",
                                          "refused"};
  if (!lab.stub_status.empty() &&
      std::find(known.begin(), known.end(), lab.stub_status) == known.end())
    stub.unknown_word("status", lab.stub_status, known);
  lab.stub_check = stub.text_or("check", "");
  const bool is_check = std::any_of(lab.checks.begin(), lab.checks.end(),
                                    [&](const CheckSpec& c) { return c.id == lab.stub_check; });
  if (!lab.stub_check.empty() && !is_check)
    stub.problem("check", fmt::format("no check is called \"{}\"", lab.stub_check));
  if (lab.stub_status == "failed" && lab.stub_check.empty() && !stub.has("check"))
    stub.problem("check", "is missing; expected the id of the check that the stub fails first");
  stub.done();
}

// A program has one kernel of data, a length and counts, and no other parts that only kernels have.
void check_program(ObjectReader& root, const LabSpec& lab) {
  if (!lab.program) return;
  const KernelSpec& kernel = lab.kernels.front();
  const bool is_plain = kernel.binning.domain == reference::Domain::letters &&
                        kernel.task.quantity == reference::Quantity::count &&
                        kernel.launch.grid == LaunchRule::Grid::per_element &&
                        !kernel.takes(KernelArgument::Kind::bins) &&
                        !kernel.takes(KernelArgument::Kind::width);
  if (lab.kernels.size() > 1 || !is_plain)
    root.problem("program", "needs one kernel that counts letters, launched per element");
  if (!lab.exports.empty() || !lab.timed.empty())
    root.problem("program", "a program has neither exports nor timed cases");
  if (lab.has_check(CheckKind::registers_only) || lab.runs_one_by_one())
    root.problem("program", "registers_only and one_by_one judge kernels, not programs");
  if (std::ranges::any_of(lab.cases, [](const CaseSpec& each) { return each.offset != 0; }))
    root.problem("program", "a case's offset has no effect on a program");
}

}  // namespace

Result<LabSpec> load_lab(const std::string& directory) {
  const std::string file = directory + "/lab.json";
  return lab_from_json(TRY(read_json_file(file, "lab description")), file, directory);
}

Result<LabSpec> lab_from_json(const Json& json, const std::string& file,
                              const std::string& directory) {
  Problems problems{file};
  LabSpec lab;
  lab.directory = directory;
  lab.name = std::filesystem::path(directory).filename().string();
  lab.number = std::atoi(lab.name.c_str());

  ObjectReader root{json, "", problems};
  const std::string schema = root.text("schema");
  if (!schema.empty() && schema != "histolab/lab/1")
    root.problem("schema", fmt::format("expected \"histolab/lab/1\", found \"{}\"", schema));
  lab.title = root.text("title");
  lab.summary = root.text("summary");
  lab.strategy = root.text_or("strategy", "");
  lab.objectives = root.words("objectives", true);
  lab.program = root.boolean_or("program", false);
  read_exports(root, lab, problems);
  read_kernels(root, lab, problems);
  read_cases(root, lab, problems);
  read_timed(root, lab, problems);
  read_checks(root, lab, problems);
  read_stub(root.object("stub"), lab, problems);
  check_program(root, lab);
  root.done();
  if (!problems.empty()) return problems.error();
  return lab;
}

}  // namespace histolab::grader
