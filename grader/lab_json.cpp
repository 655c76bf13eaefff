// load_lab: lab.json -> LabSpec.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "datasets/datasets.h"
#include "grader/json_reader.h"
#include "grader/lab.h"
#include "grader/words.h"
#include "reference/device_profile.h"

namespace histolab::grader {
namespace {

constexpr long long largest_word = 0xFFFFFFFF;
constexpr long long largest_case = 1 << 26;  // elements; a lab's case is meant to take milliseconds

std::uint32_t word(long long value) { return static_cast<std::uint32_t>(value); }

bool is_identifier(const std::string& text) {
  const auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), good);
}

void read_exports(ObjectReader& root, LabSpec& lab, Problems& problems) {
  for (const Json& item : root.array("exports", false)) {
    ObjectReader reader{item, fmt::format("/exports/{}", lab.exports.size()), problems};
    ExportSpec read;
    read.name = reader.text("name");
    read.min = word(reader.integer("min", 0, largest_word));
    read.max = word(reader.integer("max", read.min, largest_word));
    read.fallback = word(reader.integer("default", read.min, read.max));
    reader.done();
    lab.exports.push_back(read);
  }
}

KernelArgument read_argument(const Json& item, const std::string& pointer, KernelSpec& kernel, Problems& problems) {
  ObjectReader argument{item, pointer, problems};
  using Kind = KernelArgument::Kind;
  using reference::Word;
  KernelArgument read;
  read.name = argument.text("name");
  read.kind = argument.choice<Kind>(
      "kind", {{"input", Kind::input}, {"length", Kind::length}, {"bins", Kind::bins}, {"width", Kind::width}, {"output", Kind::output}}, true);
  read.element_bytes = 4;
  if (read.kind == Kind::input) read.element_bytes = word(argument.integer("element_bytes", 1, 2));
  if (read.kind == Kind::output) {
    kernel.task.word = argument.choice<Word>("type", {{"u32", Word::u32}, {"u64", Word::u64}, {"f32", Word::f32}}, false);
    read.element_bytes = reference::bytes_of(kernel.task.word);
    if (word(argument.integer("element_bytes", 4, 8)) != read.element_bytes)
      argument.problem("element_bytes", fmt::format("an element of this type has {} bytes", read.element_bytes));
    kernel.copies = argument.text_or("copies", "");
  }
  argument.done();
  return read;
}

void read_task(const Json& json, const std::string& pointer, reference::Task& task, Problems& problems) {
  using reference::Quantity;
  ObjectReader reader{json, pointer, problems};
  task.quantity = reader.choice<Quantity>("quantity",
                                          {{"count", Quantity::count},
                                           {"weighted", Quantity::weighted},
                                           {"saturated", Quantity::saturated},
                                           {"largest", Quantity::largest},
                                           {"tickets", Quantity::tickets},
                                           {"busiest_block", Quantity::busiest_block},
                                           {"per_mille", Quantity::per_mille}},
                                          true);
  if (task.quantity == Quantity::weighted || task.quantity == Quantity::saturated)
    task.parameter = static_cast<std::uint64_t>(reader.integer("parameter", 1, 1ll << 33));
  reader.done();
}

reference::Binning read_binning(const Json& json, const std::string& pointer, Problems& problems) {
  ObjectReader reader{json, pointer, problems};
  using reference::Domain;
  reference::Binning binning;
  binning.domain = reader.choice<Domain>("domain", {{"letters", Domain::letters}, {"bytes", Domain::bytes}, {"shorts", Domain::shorts}}, true);
  binning.bins = word(reader.integer("bins", 1, 1 << 20));
  binning.width = word(reader.integer("width", 1, 1 << 16));
  reader.done();
  return binning;
}

// The export that `name` names; a problem where there is none, or where it may be less than `least`.
void want_export(ObjectReader& reader, const std::string& key, const std::string& name, std::uint32_t least, const LabSpec& lab) {
  const auto named = std::find_if(lab.exports.begin(), lab.exports.end(), [&](const auto& e) { return e.name == name; });
  if (named == lab.exports.end())
    reader.problem(key, fmt::format("no export is called \"{}\"", name));
  else if (named->min < least)
    reader.problem(key, fmt::format("the export's min must be at least {}", least));
}

LaunchRule read_launch(const Json& json, const std::string& pointer, const LabSpec& lab, Problems& problems) {
  ObjectReader launch{json, pointer, problems};
  using Grid = LaunchRule::Grid;
  LaunchRule rule;
  rule.grid = launch.choice<Grid>(
      "grid", {{"per_element", Grid::per_element}, {"fixed", Grid::fixed}, {"per_coarse_element", Grid::per_coarse_element}}, true);
  const reference::DeviceProfile& device = reference::device_profiles.front();
  rule.shared_opt_in = launch.boolean_or("shared_opt_in", false);
  const long long most = rule.shared_opt_in ? device.shared_bytes_per_block_opt_in : device.shared_bytes_per_block;
  rule.dynamic_shared_bytes = word(launch.integer_or("dynamic_shared_bytes", 0, 0, most));
  rule.shared_bytes_per_bin = word(launch.integer_or("dynamic_shared_bytes_per_bin", 0, 1, 64));
  rule.shared_export = launch.text_or("dynamic_shared_bytes_from", "");
  if (!rule.shared_export.empty()) want_export(launch, "dynamic_shared_bytes_from", rule.shared_export, 0, lab);
  rule.timed_block = launch.text_or("timed_block_from", "");
  rule.timed_blocks = launch.text_or("timed_blocks_per_multiprocessor_from", "");
  for (const auto& [key, name] : {std::pair{"timed_block_from", rule.timed_block}, {"timed_blocks_per_multiprocessor_from", rule.timed_blocks}})
    if (!name.empty()) want_export(launch, key, name, 1, lab);
  if (rule.timed_block.empty() != rule.timed_blocks.empty()) launch.problem("timed_block_from", "and timed_blocks_per_multiprocessor_from come together");
  if (rule.grid == Grid::per_coarse_element) {
    rule.factor = launch.text("factor");
    want_export(launch, "factor", rule.factor, 1, lab);  // blocks are length / (block * factor)
  }
  launch.done();
  return rule;
}

// One kernel; what it does not say itself of `binning` and `launch`, the lab says for all.
KernelSpec read_kernel(const Json& json, const std::string& pointer, ObjectReader& root, const LabSpec& lab, Problems& problems) {
  ObjectReader kernel{json, pointer, problems};
  KernelSpec read;
  read.name = kernel.text("name");
  if (!read.name.empty() && !is_identifier(read.name)) kernel.problem("name", "expected a C++ identifier");
  if (lab.kernel_called(read.name)) kernel.problem("name", fmt::format("two kernels are called \"{}\"", read.name));
  read.declaration = kernel.text("declaration");
  for (const Json& item : kernel.array("arguments", true))
    read.arguments.push_back(read_argument(item, fmt::format("{}/arguments/{}", pointer, read.arguments.size()), read, problems));
  for (const auto kind : {KernelArgument::Kind::input, KernelArgument::Kind::output}) {
    const auto count = std::count_if(read.arguments.begin(), read.arguments.end(), [&](const auto& a) { return a.kind == kind; });
    if (count != 1) kernel.problem("arguments", "expected one input and one output");
  }
  if (!read.copies.empty()) want_export(kernel, "arguments", read.copies, 1, lab);
  if (kernel.has("task")) read_task(kernel.object("task"), pointer + "/task", read.task, problems);
  read.binning = kernel.has("binning") ? read_binning(kernel.object("binning"), pointer + "/binning", problems)
                                       : read_binning(root.object("binning"), "/binning", problems);
  read.launch = kernel.has("launch") ? read_launch(kernel.object("launch"), pointer + "/launch", lab, problems)
                                     : read_launch(root.object("launch"), "/launch", lab, problems);
  const auto input = std::find_if(read.arguments.begin(), read.arguments.end(), [](const auto& a) { return a.kind == KernelArgument::Kind::input; });
  if (input != read.arguments.end() && input->element_bytes != read.binning.sample_bytes())
    kernel.problem("arguments", fmt::format("samples of this binning have {} bytes", read.binning.sample_bytes()));
  kernel.done();
  return read;
}

void read_kernels(ObjectReader& root, LabSpec& lab, Problems& problems) {
  if (root.has("kernels")) {
    for (const Json& item : root.array("kernels", true))
      lab.kernels.push_back(read_kernel(item, fmt::format("/kernels/{}", lab.kernels.size()), root, lab, problems));
    root.ignore("binning"), root.ignore("launch");
  } else {
    lab.kernels.push_back(read_kernel(root.object("kernel"), "/kernel", root, lab, problems));
  }
  if (lab.kernels.empty()) {
    root.problem("kernels", "expected one kernel at least");
    lab.kernels.emplace_back();  // so that reading goes on
  }
}

std::string dataset_of(ObjectReader& reader, const reference::Binning& binning) {
  std::string dataset = reader.text("dataset");
  if (datasets::is_hot(dataset) || datasets::typed_text(dataset) || datasets::is_generator(dataset)) {
    if (const auto made = datasets::generate_samples(dataset, 0, 0, binning.sample_bytes()); !made) reader.problem("dataset", made.error().message);
  } else if (!dataset.empty() && !datasets::is_generator(dataset)) {
    std::vector<std::string> names;
    for (const datasets::Dataset& each : datasets::catalogue()) names.push_back(each.name);
    reader.unknown_word("dataset", dataset, names);
  }
  return dataset;
}

// The kernel that a case launches, and its bins: the kernel's own, or as many as the case says where the kernel is told.
void read_kernel_of_case(ObjectReader& reader, const LabSpec& lab, std::size_t& number, reference::Binning& binning) {
  const std::string named = reader.text_or("kernel", lab.kernels.front().name);
  const std::optional<std::size_t> found = lab.kernel_called(named);
  if (!found) reader.problem("kernel", fmt::format("no kernel is called \"{}\"", named));
  number = found.value_or(0);
  const KernelSpec& kernel = lab.kernels[number];
  binning = kernel.binning;
  if (!reader.has("bins")) return;
  const auto changed = kernel.binning_with(word(reader.integer("bins", 1, 1 << 20)));
  if (changed) binning = *changed;
  else reader.problem("bins", fmt::format("the kernel {} has no argument that tells it", kernel.name));
}

std::uint32_t grid_of(ObjectReader& reader, const KernelSpec& kernel) {
  if (kernel.launch.grid == LaunchRule::Grid::fixed) return word(reader.integer("grid", 1, 65535));
  if (reader.has("grid"))
    reader.ignore("grid"), reader.problem("grid", "only a lab whose launch.grid is \"fixed\" says it");
  return 0;
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
    if (read.offset % read.binning.sample_bytes() != 0) reader.problem("offset", "a sample would begin in the middle of another one's place");
    read.block = word(reader.integer("block", 1, 1024));
    read.grid = grid_of(reader, lab.kernels[read.kernel]);
    using kernels::Schedule;
    read.schedule = reader.choice<Schedule>(
        "schedule",
        {{"lockstep", Schedule::lockstep}, {"run_to_barrier", Schedule::run_to_barrier}, {"random", Schedule::random},
         {"adversarial", Schedule::adversarial}},
        false);
    read.launches = word(reader.integer_or("launches", 1, 1, 16));
    read.quick = reader.boolean_or("quick", false);
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
    if (!read.id.empty() && (std::any_of(lab.cases.begin(), lab.cases.end(), taken) || std::any_of(lab.timed.begin(), lab.timed.end(), taken)))
      reader.problem("id", fmt::format("two cases are called \"{}\"", read.id));
    read_kernel_of_case(reader, lab, read.kernel, read.binning);
    if (!lab.kernels[read.kernel].task.can_be_timed()) reader.problem("kernel", "its results are no counts, so it cannot be timed on ever changed data");
    read.dataset = dataset_of(reader, read.binning);
    read.length = static_cast<std::uint64_t>(reader.integer("length", 1 << 16, 1 << 30));
    read.emulated_length = static_cast<std::uint64_t>(reader.integer("emulated_length", 1 << 16, largest_case));
    if (lab.kernels[read.kernel].launch.timed_block.empty()) {  // else the submission says it
      read.block = word(reader.integer("block", 1, 1024));
      read.grid = grid_of(reader, lab.kernels[read.kernel]);
    }
    reader.done();
    lab.timed.push_back(read);
  }
}

std::optional<kernels::FindingKind> finding_kind(ObjectReader& reader, const std::string& key,
                                                 const std::string& text) {
  const auto kind = kernels::finding_kind_from_name(text);
  if (kind || text.empty()) return kind;
  std::vector<std::string> known;
  for (const kernels::FindingKind each : kernels::all_finding_kinds) known.emplace_back(kernels::name(each));
  reader.unknown_word(key, text, known);
  return std::nullopt;
}

std::vector<kernels::FindingKind> finding_kinds(ObjectReader& reader, const std::string& key) {
  std::vector<kernels::FindingKind> kinds;
  const std::vector<std::string> words = reader.words(key, false);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const auto found = finding_kind(reader, fmt::format("{}/{}", key, i), words[i])) kinds.push_back(*found);
  return kinds;
}

void read_limit(const Json& json, const std::string& pointer, Limit& limit, Problems& problems) {
  ObjectReader reader{json, pointer, problems};
  if (json.is_object() && json.empty())
    problems.add(pointer, "expected one of constant, per_element, per_thread and per_block");
  limit = {reader.number_or("constant", 0), reader.number_or("per_element", 0), reader.number_or("per_thread", 0),
           reader.number_or("per_block", 0)};
  reader.done();
}

// The cases a check is judged on; `min_block` and empty data narrow only the counters' (nothing is there to be counted).
void read_check_cases(ObjectReader& reader, const LabSpec& lab, CheckSpec& check) {
  const std::vector<std::string> named = reader.words("cases", false);
  if (reader.has("cases") && named.empty()) reader.problem("cases", "expected an array of case ids that is not empty");
  for (std::size_t i = 0; i < named.size(); ++i)
    if (std::none_of(lab.cases.begin(), lab.cases.end(), [&](const CaseSpec& c) { return c.id == named[i]; }))
      reader.problem(fmt::format("cases/{}", i), fmt::format("no case is called \"{}\"", named[i]));
  const bool counts = check.kind == CheckKind::counter_at_least || check.kind == CheckKind::counter_at_most;
  const std::uint32_t min_block = counts ? word(reader.integer_or("min_block", 1, 1, 1024)) : 1;
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const CaseSpec& candidate = lab.cases[i];
    if (!named.empty() && std::find(named.begin(), named.end(), candidate.id) == named.end()) continue;
    if (counts && (candidate.block < min_block || candidate.length == 0)) continue;
    check.cases.push_back(i);
  }
  if (check.cases.empty()) reader.problem("cases", "no case is left for this check to be judged on");
}

void read_timed_cases(ObjectReader& reader, const LabSpec& lab, CheckSpec& check) {
  const std::vector<std::string> named = reader.words("timed", false);
  for (std::size_t i = 0; i < named.size(); ++i)
    if (std::none_of(lab.timed.begin(), lab.timed.end(), [&](const TimedCaseSpec& c) { return c.id == named[i]; }))
      reader.problem(fmt::format("timed/{}", i), fmt::format("no timed case is called \"{}\"", named[i]));
  for (std::size_t i = 0; i < lab.timed.size(); ++i)
    if (named.empty() || std::find(named.begin(), named.end(), lab.timed[i].id) != named.end()) check.timed.push_back(i);
  if (check.timed.empty()) reader.problem("timed", "the lab has no timed case for this check to be judged on");
}

// {"data_race": "what to try"}; of wrong counts {"too_many": "what to try"}
void read_hints(ObjectReader& reader, CheckSpec& check, Problems& problems) {
  if (!reader.has("hints")) return;
  const Json& hints = reader.object("hints");
  ObjectReader each{hints, reader.at("hints"), problems};
  std::vector<std::string> known;
  if (check.kind == CheckKind::no_findings)
    for (const kernels::FindingKind kind : kernels::all_finding_kinds) known.emplace_back(kernels::name(kind));
  else
    for (const Symptom symptom : all_symptoms) known.emplace_back(name(symptom));
  for (const auto& [key, text] : hints.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end())
      check.hints.emplace_back(key, each.text(key));
    else
      each.ignore(key), each.unknown_word(key, key, known);
  }
  each.done();
}

CheckSpec read_check(const Json& item, const LabSpec& lab, Problems& problems) {
  ObjectReader reader{item, fmt::format("/checks/{}", lab.checks.size()), problems};
  CheckSpec check;
  check.id = reader.text("id");
  for (const CheckSpec& other : lab.checks)
    if (other.id == check.id) reader.problem("id", fmt::format("two checks are called \"{}\"", check.id));
  check.kind = reader.choice<CheckKind>("kind",
                                        {{"matches_reference", CheckKind::matches_reference},
                                         {"no_findings", CheckKind::no_findings},
                                         {"expects_finding", CheckKind::expects_finding},
                                         {"counter_at_least", CheckKind::counter_at_least},
                                         {"counter_at_most", CheckKind::counter_at_most},
                                         {"registers_only", CheckKind::registers_only},
                                         {"within_of_solution", CheckKind::within_of_solution},
                                         {"speedup_over", CheckKind::speedup_over},
                                         {"share_of_read_limit", CheckKind::share_of_read_limit},
                                         {"quiz", CheckKind::quiz}},
                                        true);
  check.points = static_cast<int>(reader.integer("points", 1, 1000));
  if (check.kind == CheckKind::no_findings || check.kind == CheckKind::matches_reference) read_hints(reader, check, problems);
  check.title = reader.text_or("title", "");
  check.hint = reader.text_or("hint", "");
  if (check.kind == CheckKind::quiz) {
    reader.done();
    return check;
  }
  const bool of_read_limit = check.kind == CheckKind::share_of_read_limit;
  if (of_read_limit || check.kind == CheckKind::within_of_solution || check.kind == CheckKind::speedup_over) {
    const std::string key = of_read_limit ? "percent" : "factor";
    check.factor = reader.number_or(key, 0);
    if (check.factor < 1 || (of_read_limit && check.factor > 100)) reader.problem(key, of_read_limit ? "expected a number from 1 to 100" : "expected a number of at least 1");
    if (of_read_limit && !std::filesystem::exists(lab.read_path())) reader.problem("kind", fmt::format("there is no {}, which only reads the data", lab.read_path()));
    if (check.kind == CheckKind::speedup_over) check.rival = reader.text("lab");
    read_timed_cases(reader, lab, check);
    reader.done();
    return check;
  }
  if (check.kind == CheckKind::no_findings) {
    check.except = finding_kinds(reader, "except");
    check.hint_for = finding_kinds(reader, "hint_for");
  } else if (check.kind == CheckKind::expects_finding) {
    check.finding = finding_kind(reader, "finding", reader.text("finding"));
    check.variable = reader.text_or("variable", "");
  } else if (check.kind != CheckKind::matches_reference && check.kind != CheckKind::registers_only) {
    check.counter = reader.text("counter");
    const std::vector<std::string> known = counter_names();
    if (!check.counter.empty() && std::find(known.begin(), known.end(), check.counter) == known.end())
      reader.unknown_word("counter", check.counter, known);
    read_limit(reader.object("limit"), reader.at("limit"), check.limit, problems);
  }
  read_check_cases(reader, lab, check);
  reader.done();
  return check;
}

void read_checks(ObjectReader& root, LabSpec& lab, Problems& problems) {
  int points = 0;
  for (const Json& item : root.array("checks", true)) {
    const std::string at = fmt::format("/checks/{}/kind", lab.checks.size());
    lab.checks.push_back(read_check(item, lab, problems));
    const auto is_quiz = [](const CheckSpec& check) { return check.kind == CheckKind::quiz; };
    if (is_quiz(lab.checks.back()) && std::count_if(lab.checks.begin(), lab.checks.end(), is_quiz) > 1) problems.add(at, "a lab has one quiz, so one such check");
    points += lab.checks.back().points;
  }
  lab.max_score = static_cast<int>(root.integer("max_score", 1, 1000));
  if (problems.empty() && points != lab.max_score)
    root.problem("max_score", fmt::format("is {}, but the points of the checks add up to {}", lab.max_score, points));
}

void read_stub(const Json& json, LabSpec& lab, Problems& problems) {
  ObjectReader stub{json, "/stub", problems};
  lab.stub_status = stub.text("status");
  const std::vector<std::string> known = {"failed", "compile_error", "crashed", "timeout", "refused"};
  if (!lab.stub_status.empty() && std::find(known.begin(), known.end(), lab.stub_status) == known.end())
    stub.unknown_word("status", lab.stub_status, known);
  lab.stub_check = stub.text_or("check", "");
  const bool is_check =
      std::any_of(lab.checks.begin(), lab.checks.end(), [&](const CheckSpec& c) { return c.id == lab.stub_check; });
  if (!lab.stub_check.empty() && !is_check)
    stub.problem("check", fmt::format("no check is called \"{}\"", lab.stub_check));
  if (lab.stub_status == "failed" && lab.stub_check.empty() && !stub.has("check"))
    stub.problem("check", "is missing; expected the id of the check that the stub fails first");
  stub.done();
}

}  // namespace

Result<LabSpec> load_lab(const std::string& directory) {
  const std::string file = directory + "/lab.json";
  Result<Json> json = read_json_file(file, "lab description");
  if (!json) return json.error();
  Problems problems{file};
  LabSpec lab;
  lab.directory = directory;
  lab.name = std::filesystem::path(directory).filename().string();
  lab.number = std::atoi(lab.name.c_str());

  ObjectReader root{*json, "", problems};
  const std::string schema = root.text("schema");
  if (!schema.empty() && schema != "histolab/lab/1")
    root.problem("schema", fmt::format("expected \"histolab/lab/1\", found \"{}\"", schema));
  lab.title = root.text("title");
  lab.summary = root.text("summary");
  lab.objectives = root.words("objectives", true);
  read_exports(root, lab, problems);
  read_kernels(root, lab, problems);
  read_cases(root, lab, problems);
  read_timed(root, lab, problems);
  read_checks(root, lab, problems);
  read_stub(root.object("stub"), lab, problems);
  root.done();
  if (!problems.empty()) return problems.error();
  return lab;
}

}  // namespace histolab::grader
