// histolab list
#include <fmt/format.h>
#include <algorithm>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/cli/command.h"
#include "grader/lab_kernels.h"
#include "grader/words.h"
#include "grader/work_folder.h"

namespace histolab::cli {
namespace {

using grader::LabSpec;

bool started(const LabSpec& lab) {
  std::error_code ignored;
  return std::filesystem::exists(grader::work_path(lab, work_folder), ignored);
}

std::string as_json(const std::vector<LabSpec>& labs) {
  nlohmann::ordered_json json;
  json["schema"] = "histolab/list/1";
  json["version"] = HISTOLAB_VERSION;
  json["labs"] = nlohmann::ordered_json::array();
  for (const LabSpec& lab : labs) {
    nlohmann::ordered_json item;
    item["lab"] = lab.name;
    item["number"] = lab.number;
    item["title"] = lab.title;
    item["summary"] = lab.summary;
    item["objectives"] = lab.objectives;
    item["max_score"] = lab.max_score;
    item["started"] = started(lab);
    item["bin_labels"] = nlohmann::ordered_json::array();
    const grader::KernelSpec& first = lab.kernels.front();
    for (std::uint32_t bin = 0; bin < first.binning.bins; ++bin) item["bin_labels"].push_back(first.task.label(first.binning, bin));
    item["kernels"] = nlohmann::ordered_json::array();
    for (const grader::LabKernel& kernel : grader::kernels_of(lab, work_folder))
      item["kernels"].push_back({{"role", grader::name(kernel.role)}, {"name", kernel.name}, {"path", grader::shown(kernel.path)}});
    json["labs"].push_back(std::move(item));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<LabSpec>& labs) {
  std::string out;
  for (const LabSpec& lab : labs) {
    out += fmt::format("{:<20} {:>3} points{}\n", lab.name, lab.max_score, started(lab) ? "   started" : "");
    for (const std::string& line : grader::wrapped(lab.summary, 76)) out += "    " + line + "\n";
  }
  const bool all_started = std::all_of(labs.begin(), labs.end(), started);
  return out + (all_started ? "\nnext: histolab grade\n" : "\nnext: histolab start LAB\n");
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "list", "the labs", "histolab list\nhistolab list --json");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([&context, json] {
    context.run = [&context, json] {
      const Result<std::vector<LabSpec>> labs = chosen_labs(context, {});
      if (!labs) return complain(labs.error());
      return print(*json ? as_json(*labs) : as_text(*labs));
    };
  });
}

}  // namespace histolab::cli
