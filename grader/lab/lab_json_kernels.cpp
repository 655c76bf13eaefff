// lab.json: exports, kernels, their arguments, bins, tasks and launches.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "grader/lab/lab_json.h"
#include "reference/device_profile.h"

namespace histolab::grader {
namespace {

bool is_identifier(const std::string& text) {
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), good);
}

KernelArgument read_argument(const Json& item, const std::string& pointer, KernelSpec& kernel,
                             Problems& problems) {
  ObjectReader argument{item, pointer, problems};
  using Kind = KernelArgument::Kind;
  using reference::Word;
  KernelArgument read;
  read.name = argument.text("name");
  read.kind = argument.choice<Kind>("kind",
                                    {{"input", Kind::input},
                                     {"length", Kind::length},
                                     {"bins", Kind::bins},
                                     {"width", Kind::width},
                                     {"output", Kind::output}},
                                    true);
  read.element_bytes = 4;
  if (read.kind == Kind::input) read.element_bytes = word(argument.integer("element_bytes", 1, 2));
  if (read.kind == Kind::output) {
    kernel.task.word = argument.choice<Word>(
        "type", {{"u32", Word::u32}, {"u64", Word::u64}, {"f32", Word::f32}}, false);
    read.element_bytes = reference::bytes_of(kernel.task.word);
    if (word(argument.integer("element_bytes", 4, 8)) != read.element_bytes)
      argument.problem("element_bytes",
                       fmt::format("an element of this type has {} bytes", read.element_bytes));
    kernel.copies = argument.text_or("copies", "");
  }
  argument.done();
  return read;
}

void read_task(const Json& json, const std::string& pointer, reference::Task& task,
               Problems& problems) {
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
  reference::Binning binning;
  binning.domain = reader.named("domain", reference::all_domains, true);
  binning.bins = word(reader.integer("bins", 1, 1 << 20));
  binning.width = word(reader.integer("width", 1, 1 << 16));
  reader.done();
  return binning;
}

// Records a problem if the export `name` does not exist or may be less than `least`.
void want_export(ObjectReader& reader, const std::string& key, const std::string& name,
                 std::uint32_t least, const LabSpec& lab) {
  const auto named = std::find_if(lab.exports.begin(), lab.exports.end(),
                                  [&](const auto& e) { return e.name == name; });
  if (named == lab.exports.end())
    reader.problem(key, fmt::format("no export is called \"{}\"", name));
  else if (named->min < least)
    reader.problem(key, fmt::format("the export's min must be at least {}", least));
}

LaunchRule read_launch(const Json& json, const std::string& pointer, const LabSpec& lab,
                       Problems& problems) {
  ObjectReader launch{json, pointer, problems};
  using Grid = LaunchRule::Grid;
  LaunchRule rule;
  rule.grid = launch.choice<Grid>("grid",
                                  {{"per_element", Grid::per_element},
                                   {"fixed", Grid::fixed},
                                   {"per_coarse_element", Grid::per_coarse_element}},
                                  true);
  const reference::DeviceProfile& device = reference::device_profiles.front();
  rule.shared_opt_in = launch.boolean_or("shared_opt_in", false);
  const long long most =
      rule.shared_opt_in ? device.shared_bytes_per_block_opt_in : device.shared_bytes_per_block;
  rule.dynamic_shared_bytes = word(launch.integer_or("dynamic_shared_bytes", 0, 0, most));
  rule.shared_bytes_per_bin = word(launch.integer_or("dynamic_shared_bytes_per_bin", 0, 1, 64));
  rule.shared_export = launch.text_or("dynamic_shared_bytes_from", "");
  if (!rule.shared_export.empty())
    want_export(launch, "dynamic_shared_bytes_from", rule.shared_export, 0, lab);
  rule.timed_block = launch.text_or("timed_block_from", "");
  rule.timed_blocks = launch.text_or("timed_blocks_per_multiprocessor_from", "");
  for (const auto& [key, name] : {std::pair{"timed_block_from", rule.timed_block},
                                  {"timed_blocks_per_multiprocessor_from", rule.timed_blocks}})
    if (!name.empty()) want_export(launch, key, name, 1, lab);
  if (rule.timed_block.empty() != rule.timed_blocks.empty())
    launch.problem("timed_block_from", "and timed_blocks_per_multiprocessor_from come together");
  if (rule.grid == Grid::per_coarse_element) {
    rule.factor = launch.text("factor");
    // The number of blocks is length / (block * factor).
    want_export(launch, "factor", rule.factor, 1, lab);
  }
  launch.done();
  return rule;
}

// Values that the lab sets for all kernels. A kernel may override them.
struct ForAll {
  std::optional<reference::Binning> binning;
  std::optional<LaunchRule> launch;
};

ForAll read_for_all(ObjectReader& root, const LabSpec& lab, Problems& problems) {
  ForAll read;
  if (root.has("binning"))
    read.binning = read_binning(root.object("binning"), "/binning", problems);
  if (root.has("launch"))
    read.launch = read_launch(root.object("launch"), "/launch", lab, problems);
  return read;
}

KernelSpec read_kernel(const Json& json, const std::string& pointer, ObjectReader& root,
                       const ForAll& for_all, const LabSpec& lab, Problems& problems) {
  ObjectReader kernel{json, pointer, problems};
  KernelSpec read;
  read.name = kernel.text("name");
  if (!read.name.empty() && !is_identifier(read.name))
    kernel.problem("name", "expected a C++ identifier");
  if (lab.kernel_called(read.name))
    kernel.problem("name", fmt::format("two kernels are called \"{}\"", read.name));
  read.declaration = kernel.text("declaration");
  for (const Json& item : kernel.array("arguments", true))
    read.arguments.push_back(read_argument(
        item, fmt::format("{}/arguments/{}", pointer, read.arguments.size()), read, problems));
  for (const auto kind : {KernelArgument::Kind::input, KernelArgument::Kind::output}) {
    const auto count = std::count_if(read.arguments.begin(), read.arguments.end(),
                                     [&](const auto& a) { return a.kind == kind; });
    if (count != 1) kernel.problem("arguments", "expected one input and one output");
  }
  if (!read.copies.empty()) want_export(kernel, "arguments", read.copies, 1, lab);
  if (kernel.has("task")) read_task(kernel.object("task"), pointer + "/task", read.task, problems);
  if (kernel.has("binning"))
    read.binning = read_binning(kernel.object("binning"), pointer + "/binning", problems);
  else if (for_all.binning)
    read.binning = *for_all.binning;
  // Records that it is missing.
  else
    static_cast<void>(root.object("binning"));
  if (kernel.has("launch"))
    read.launch = read_launch(kernel.object("launch"), pointer + "/launch", lab, problems);
  else if (for_all.launch)
    read.launch = *for_all.launch;
  else
    static_cast<void>(root.object("launch"));
  const auto input = std::find_if(read.arguments.begin(), read.arguments.end(), [](const auto& a) {
    return a.kind == KernelArgument::Kind::input;
  });
  if (input != read.arguments.end() && input->element_bytes != read.binning.sample_bytes())
    kernel.problem("arguments", fmt::format("samples of this binning have {} bytes",
                                            read.binning.sample_bytes()));
  kernel.done();
  return read;
}

}  // namespace

void read_exports(ObjectReader& root, LabSpec& lab, Problems& problems) {
  for (const Json& item : root.array("exports", false)) {
    ObjectReader reader{item, fmt::format("/exports/{}", lab.exports.size()), problems};
    ExportSpec read;
    read.name = reader.text("name");
    read.min = word(reader.integer("min", 0, largest_word));
    read.max = word(reader.integer("max", read.min, largest_word));
    read.fallback = word(reader.integer("default", read.min, read.max));
    if (reader.has("multiple_of"))
      read.multiple_of = word(reader.integer("multiple_of", 1, largest_word));
    if (read.fallback % read.multiple_of != 0)
      reader.problem("default", fmt::format("expected a multiple of {}, not {}", read.multiple_of,
                                            read.fallback));
    reader.done();
    lab.exports.push_back(read);
  }
}

void read_kernels(ObjectReader& root, LabSpec& lab, Problems& problems) {
  const ForAll for_all = read_for_all(root, lab, problems);
  if (root.has("kernels")) {
    for (const Json& item : root.array("kernels", true))
      lab.kernels.push_back(read_kernel(item, fmt::format("/kernels/{}", lab.kernels.size()), root,
                                        for_all, lab, problems));
  } else {
    lab.kernels.push_back(
        read_kernel(root.object("kernel"), "/kernel", root, for_all, lab, problems));
  }
  if (lab.kernels.empty()) {
    root.problem("kernels", "expected at least one kernel");
    // Lets reading continue.
    lab.kernels.emplace_back();
  }
}

}  // namespace histolab::grader
