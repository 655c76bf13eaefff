// histolab data
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "datasets/datasets.h"
#include "datasets/summary.h"
#include "grader/cli/command.h"
#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using datasets::Dataset;
using datasets::Summary;
using grader::counted, grader::grouped, grader::plain;
using Json = nlohmann::ordered_json;

struct DataFlags {
  std::string name, out = "-";
  std::optional<std::uint64_t> length;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> element_bytes;
  bool histogram = false, json = false;
};

// Rounded for JSON: 1.83.
double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string catalogue_as_json() {
  Json json{{"schema", "histolab/datasets/1"},
            {"version", HISTOLAB_VERSION},
            {"datasets", Json::array()}};
  for (const Dataset& each : datasets::catalogue())
    json["datasets"].push_back({{"name", each.name},
                                {"description", each.description},
                                {"example", each.example},
                                {"element_bytes", each.element_bytes}});
  return json.dump(2) + "\n";
}

std::string catalogue_as_text() {
  std::string out = "dataset          bytes\n";
  for (const Dataset& each : datasets::catalogue())
    out += fmt::format("{:<16} {:<4} {}\n", each.name,
                       fmt::format("{}", fmt::join(each.element_bytes, ",")), each.description);
  return out + "\nnext: histolab data NAME --histogram\n";
}

std::string as_json(const DataFlags& flags, std::uint32_t element_bytes, const Summary& summary) {
  Json json{{"schema", "histolab/data/1"},
            {"version", HISTOLAB_VERSION},
            {"dataset", flags.name},
            {"length", summary.length},
            {"seed", flags.seed},
            {"element_bytes", element_bytes},
            {"distinct", summary.distinct},
            {"mean_run_length", ratio(summary.length, summary.runs)},
            {"lanes_on_one_value", ratio(summary.lanes_on_one_value, summary.warps)},
            {"letters", nullptr}};
  if (summary.letters)
    json["letters"] = {
        {"count", summary.letters->count},
        {"bins", summary.letters->bins},
        {"lanes_on_one_bin", ratio(summary.letters->lanes_on_one_bin, summary.warps)}};
  json["histogram"] = summary.counts;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// "101  e", " 32  space", "28013".
std::string value_text(std::uint32_t value, std::uint32_t element_bytes) {
  const bool shows = element_bytes == 1 && value >= ' ' && value < 127;
  const std::string shown = !shows         ? ""
                            : value == ' ' ? "space"
                                           : std::string(1, static_cast<char>(value));
  return fmt::format("{:>5}  {:<5}", value, shown);
}

std::string line(const std::string& name, const std::string& number, const std::string& unit = "") {
  return fmt::format("  {:<28} {:>9}{}\n", name, number, unit);
}

std::string as_text(const DataFlags& flags, std::uint32_t element_bytes, const Summary& summary) {
  std::string out = grader::paragraph(
      fmt::format("{}: {} of {}, seed {}", flags.name, counted(summary.length, "element"),
                  counted(element_bytes, "byte"), flags.seed),
      0);
  if (summary.length == 0) return out;
  out += "\n" + line("different values", grouped(summary.distinct)) +
         line("mean length of a run", plain(ratio(summary.length, summary.runs))) +
         line("lanes of a warp on one value",
              plain(ratio(summary.lanes_on_one_value, summary.warps)), "  of 32, on average");
  if (summary.letters && summary.letters->count > 0)
    out += line("letters a-z", grader::percent(summary.letters->count, summary.length)) +
           line("lanes on one bin of letters",
                plain(ratio(summary.letters->lanes_on_one_bin, summary.warps)),
                "  in the 7 bins of the letter labs");

  out += "\n  The most frequent values:\n";
  const std::vector<std::uint32_t> values = datasets::most_frequent(summary, 10);
  const std::uint64_t most = summary.counts[values.front()];
  for (const std::uint32_t value : values) {
    const std::uint64_t count = summary.counts[value];
    const auto bar = static_cast<std::size_t>((count * 32 + most - 1) / most);
    out += fmt::format("  {}  {:>13}  {:>8.4f} %  {}\n", value_text(value, element_bytes),
                       grouped(count), 100 * ratio(count, summary.length), std::string(bar, '#'));
  }
  return out;
}

// Returns the requested width, or else the smaller one of the generator. Files are read as bytes.
std::uint32_t element_bytes_of(const DataFlags& flags) {
  if (flags.element_bytes) return *flags.element_bytes;
  for (const Dataset& each : datasets::catalogue())
    if (each.name == flags.name) return each.element_bytes.front();
  return 1;
}

Status write(const DataFlags& flags, std::string_view bytes) {
  wait_if_interrupted();
  return grader::write_file(flags.out, bytes);
}

Status deliver(const DataFlags& flags) {
  const bool raw = !flags.histogram && !flags.json;
  if (flags.name.empty())
    return write(flags, flags.json ? catalogue_as_json() : catalogue_as_text());
  if (raw && flags.out == "-" && isatty(STDOUT_FILENO) != 0)
    return Error{
        "the data are raw bytes, not text for a terminal: name a file with --out, pipe them into "
        "another program, or use --histogram"};
  TRY(grader::check_writable(flags.out));
  const std::uint32_t element_bytes = element_bytes_of(flags);
  const std::vector<std::uint8_t> data =
      TRY(datasets::load_samples(flags.name, flags.length, flags.seed, element_bytes));
  if (raw) return write(flags, {reinterpret_cast<const char*>(data.data()), data.size()});
  const Summary summary = datasets::summary_of(data, element_bytes);
  return write(flags, flags.json ? as_json(flags, element_bytes, summary)
                                 : as_text(flags, element_bytes, summary));
}

}  // namespace

void add_data(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "data", "prints a dataset: its bytes, or how often each value occurs",
                  "histolab data\n"
                  "histolab data english --histogram\n"
                  "histolab data sensor --length 1000000 --out sensor.raw\n"
                  "histolab data photo.png --element-bytes 2 --json");
  const auto flags = std::make_shared<DataFlags>();
  command
      ->add_option("NAME|FILE", flags->name,
                   "a generator or a file; without it, the generators are listed")
      ->type_name("");
  command->add_option("--length", flags->length, "elements (the whole file; 1 Mi from a generator)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}).description(""))
      ->type_name("N");
  command
      ->add_option("--element-bytes", flags->element_bytes,
                   "bytes per element: 1, or 2 in little-endian order (the smallest available)")
      ->check(CLI::IsMember({1, 2}).description(""))
      ->type_name("N");
  CLI::Option* histogram = command->add_flag("--histogram", flags->histogram,
                                             "print a histogram of the data, not the bytes");
  command->add_flag("--json", flags->json, "the histogram as JSON, with the count of every value")
      ->excludes(histogram);
  command->add_option("--out", flags->out, "output file (-, the standard output)")
      ->type_name("FILE|-");
  add_seed_option(*command, flags->seed);
  command->callback([&context, flags] {
    context.run = [flags] {
      const Status delivered = deliver(*flags);
      return delivered ? done : complain(delivered.error());
    };
  });
}

}  // namespace histolab::cli
