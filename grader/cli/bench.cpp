// histolab bench
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/words/words.h"
#include "kernels/gpu/gpu.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchFlags {
  std::string set = "limits", file = "bench.json", device = "gpu";
  std::map<std::string, std::string> lists;  // passed on unchanged: "--kernels" -> "limit,cub"
  unsigned runs = 9;
  std::uint64_t seed = 1;
  bool resume = false;
};

// The finished rows stay in this file until all rows are done.
std::string rows_file(const BenchFlags& flags) { return flags.file + ".rows"; }

// The launch of a lab's solution, in the notation of histolab-bench.
std::string description_of(const grader::LabSpec& lab) {
  // 8 blocks per multiprocessor of an H200.
  constexpr std::uint32_t block = 256, persistent_blocks = 1056;
  const grader::LaunchRule& launch = lab.kernels.front().launch;
  nlohmann::json json = {{"name", lab.name},
                         {"source", lab.solution_path()},
                         {"block", block},
                         {"shared_bytes", launch.dynamic_shared_bytes},
                         {"opt_in", launch.shared_opt_in}};
  using Grid = grader::LaunchRule::Grid;
  if (launch.grid == Grid::fixed)
    json["grid"] = persistent_blocks;
  else
    json["share"] = block;
  if (launch.grid == Grid::per_coarse_element) {
    json["factor"] = launch.factor;
    for (const grader::ExportSpec& each : lab.exports)
      if (each.name == launch.factor) json["fallback"] = each.fallback;
  }
  return json.dump();
}

// True if the kernel has the signature histogram(data, length, histo), the only one that
// histolab-bench launches.
bool has_core_abi(const grader::LabSpec& lab) {
  const grader::KernelSpec& kernel = lab.kernels.front();
  return lab.kernels.size() == 1 && kernel.arguments.size() == 3 &&
         kernel.binning == reference::Binning{} && kernel.copies.empty() &&
         kernel.launch.shared_export.empty();
}

std::vector<std::string> command_of(const Context& context, const BenchFlags& flags, int gpu,
                                    const std::vector<grader::LabSpec>& labs) {
  std::vector<std::string> command = {context.paths.bench,
                                      "--set",
                                      flags.set,
                                      "--runs",
                                      std::to_string(flags.runs),
                                      "--seed",
                                      std::to_string(flags.seed),
                                      "--gpu",
                                      std::to_string(gpu)};
  for (const auto& [name, value] : flags.lists)
    if (!value.empty()) command.insert(command.end(), {name, value});
  for (const grader::LabSpec& lab : labs)
    if (has_core_abi(lab)) command.insert(command.end(), {"--lab", description_of(lab)});
  return command;
}

// JSON lines: the first describes the GPU, the others are rows. An incomplete last line is ignored.
struct Lines {
  Json header;
  std::vector<Json> rows;
};
Lines lines_in(const std::string& path) {
  Lines lines;
  std::ifstream in{path};
  for (std::string line; std::getline(in, line);) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) continue;
    if (json.contains("kernel"))
      lines.rows.push_back(std::move(json));
    else
      lines.header = std::move(json);
  }
  return lines;
}

std::string case_of(const Json& row) {
  return fmt::format("{} {} {} {} {}", row.value("dataset", ""), row.value("layout", ""),
                     row.value("bins", 0), row.value("sample_bytes", 0),
                     row.value("length", std::uint64_t{0}));
}

std::string length_of(std::uint64_t length) {
  if (length >= 1024 && (length & (length - 1)) == 0)
    return fmt::format("2^{}", std::countr_zero(length));
  return grader::grouped(length);
}

std::string table_of(const Lines& lines) {
  std::string out = fmt::format(
      "{}, driver {}: reads {:.0f} GB/s\n\n{:<18} {:<16} {:>6} {:>5} {:>6} {:>9} {:>7} {:>6}\n",
      lines.header.value("device", "GPU"), lines.header.value("driver", "?"),
      lines.header.value("read_limit_gb_per_s", 0.0), "kernel", "dataset", "bins", "bytes",
      "length", "G/s", "% read", "x CUB");
  for (const Json& row : lines.rows) {
    const Json& ratio = row.at("ratio_to_cub");
    out +=
        fmt::format("{:<18} {:<16} {:>6} {:>5} {:>6} {:>9.4g} {:>7.1f} {:>6}{}\n",
                    row.value("kernel", ""), row.value("dataset", ""), row.value("bins", 0),
                    row.value("sample_bytes", 0), length_of(row.value("length", std::uint64_t{0})),
                    row.value("elements_per_s", 0.0) / 1e9, row.value("percent_of_read_limit", 0.0),
                    ratio.is_number() ? fmt::format("{:.2f}", ratio.get<double>()) : "-",
                    row.value("verified", true) ? "" : "  wrong");
  }
  return out;
}

// The object with one row per line, so that two runs can be compared with diff.
std::string with_rows(const Json& header, const std::vector<Json>& rows) {
  std::string text = header.dump(1);
  text.resize(text.rfind("\n}"));
  text += ",\n \"rows\": [";
  for (const Json& row : rows) text += (&row == rows.data() ? "\n  " : ",\n  ") + row.dump();
  return text + "\n ]\n}\n";
}

int bench(const Context& context, const BenchFlags& flags) {
  if (const auto all = chosen_labs(context, {}); all)
    if (Status whole = needs_whole_kit(*all, "bench"); !whole) return complain(whole.error());
  const Result<int> gpu = gpu_to_measure(flags.device);
  if (!gpu) return complain(gpu.error());
  if (Status built = has_program(context.paths.bench); !built) return complain(built.error());
  if (!gpu_may_be_there())
    return complain(
        {"there is no NVIDIA GPU here, or no driver for it; docs/measurements has what an H200 "
         "did"});
  if (Status writable = grader::check_writable(flags.file); !writable)
    return complain(writable.error());
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {});
  if (!labs) return complain(labs.error());
  std::error_code ignored;
  const std::string kept = rows_file(flags);
  if (flags.resume && !std::filesystem::exists(kept, ignored))
    return complain({fmt::format("there is no {} to resume from; leave out --resume", kept)});
  if (!flags.resume && std::filesystem::exists(kept, ignored))
    return complain({fmt::format(
        "{} is left over from an unfinished run: continue it with --resume, or delete it", kept)});

  std::vector<std::string> command = command_of(context, flags, *gpu, *labs);
  const std::size_t before = lines_in(kept).rows.size();
  if (flags.resume) command.insert(command.end(), {"--skip", kept});
  std::ofstream rows{kept, std::ios::app};
  if (!rows) return complain({fmt::format("cannot write {}", kept)});

  const bool show_progress = isatty(STDERR_FILENO) != 0;
  std::size_t done_rows = before;
  std::string line;
  bool full = false;
  kernels::worker::ProcessSpec spec;
  spec.command = command;
  spec.environment = kernels::gpu_environment();
  spec.limits.wall = std::chrono::hours{12};
  spec.limits.cpu_seconds = 12 * 3600;
  spec.limits.data_bytes = ~0ull;
  spec.limits.output_bytes = 1ull << 30;
  spec.on_output = [&](std::string_view text) {
    rows << text << std::flush;
    full = full || !rows;
    if (!show_progress) return;
    for (const char c : text) {
      if (c != '\n') {
        line += c;
        continue;
      }
      const Json row = Json::parse(line, nullptr, false);
      line.clear();
      if (row.is_discarded() || !row.contains("kernel")) continue;
      note(fmt::format("\r\033[Kbench: {} done, {} on {}", grader::counted(++done_rows, "row"),
                       row.value("kernel", ""), case_of(row)));
    }
  };
  advise_when_interrupted(
      fmt::format("the finished rows are in {}; --resume continues from them", kept));
  const Result<kernels::worker::ProcessResult> ran = kernels::worker::run_process(spec);
  advise_when_interrupted({});
  if (show_progress) note("\r\033[K");
  if (!ran) return complain(ran.error());
  using End = kernels::worker::ProcessResult::End;
  Lines lines = lines_in(kept);
  const auto not_done = [&](const std::string& why) {
    if (lines.rows.empty()) std::filesystem::remove(kept, ignored);
    if (lines.rows.empty()) return complain({why});
    return complain({fmt::format("{}; {} are in {}; --resume continues from them", why,
                                 grader::counted(lines.rows.size(), "row"), kept)});
  };
  if (full) return not_done(fmt::format("cannot write {}: is the disk full?", kept));
  if (ran->end != End::exited || ran->code != 0) {
    const std::string last = ran->errors.substr(0, ran->errors.find_last_not_of('\n') + 1);
    if (ran->end == End::cancelled) return not_done("interrupted");
    return not_done(last.empty() ? "measuring ended early" : last);
  }
  Json report = Json::object();
  report["schema"] = "histolab/bench/1";
  report.update(lines.header);
  std::vector<std::string> shown = command_of(context, flags, *gpu, {});
  shown.front() = "histolab-bench";
  report["command"] = fmt::format("{}", fmt::join(shown, " "));
  if (Status written = grader::write_file(flags.file, with_rows(report, lines.rows)); !written)
    return complain(written.error());
  std::filesystem::remove(kept, ignored);
  return flags.file == "-"
             ? static_cast<int>(done)
             : print(table_of(lines) + fmt::format("\n{} in {}\n",
                                                   grader::counted(lines.rows.size(), "row"),
                                                   flags.file));
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "bench",
      "times kernels on this machine's GPU, dataset by dataset, against CUB and the read limit",
      "histolab bench\n"
      "histolab bench --set map --sample-bytes 4 --json map.json\n"
      "histolab bench --kernels limit,cub --datasets constant --lengths 1000000");
  const auto flags = std::make_shared<BenchFlags>();
  command
      ->add_option("--set", flags->set,
                   "limits (letters and 256 bins), map (all widths and bins), all, or envelope "
                   "(2^10 to 2^30) (limits)")
      ->check(CLI::IsMember({"limits", "map", "all", "envelope"}).description(""))
      ->type_name("NAME");
  for (const auto& [name, help] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--kernels", "only these: limit, cub, labs and textbook kernels by name"},
           {"--datasets", "only these; also hot:P, where P percent of the samples are m"},
           {"--layouts", "only letters, even or uneven"},
           {"--bins", "only these numbers of bins"},
           {"--sample-bytes", "only samples of 1, 2 or 4 bytes"},
           {"--lengths", "only these numbers of samples"}})
    command->add_option(name, flags->lists[name], help)->type_name("LIST");
  command->add_option("--runs", flags->runs, "timed launches of each kernel (9)")
      ->check(CLI::Range(1u, 1000u).description(""))
      ->type_name("N");
  command->add_option("--device", flags->device, "gpu or gpu:N (gpu)")->type_name("NAME");
  add_seed_option(*command, flags->seed);
  command->add_option("--json", flags->file, "output file (bench.json)")->type_name("FILE");
  command->add_flag("--resume", flags->resume, "continue an interrupted run");
  command->callback([&context, flags] {
    context.needs = "gpu_tools";
    context.run = [&context, flags] { return bench(context, *flags); };
  });
}

}  // namespace histolab::cli
