// Loaders of submissions, of exports of learning platforms, and of the files and messages of a
// batch and its nodes.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/batch/gradescope.h"
#include "grader/batch/intake.h"
#include "grader/batch/journal.h"
#include "grader/batch/overview.h"
#include "grader/batch/schemes.h"
#include "grader/batch/tree.h"
#include "grader/batch/tree_message.h"
#include "grader/cluster/messages.h"
#include "grader/cluster/slurm.h"
#include "grader/pipeline/measured.h"
#include "grader/quiz/answers.h"
#include "tools/loader_fuzzers/loaders.h"
#include "tools/loader_fuzzers/taking.h"

namespace histolab::fuzzing {
namespace {

namespace fs = std::filesystem;

void answers(std::string_view bytes) {
  static const Result<quiz::Quiz> asked = quiz::load_quiz(HISTOLAB_SOURCE_DIR "/labs/01-race",
                                                          HISTOLAB_SOURCE_DIR "/docs/measurements");
  if (!asked) std::abort();
  static_cast<void>(quiz::outcome_of_text(*asked, "answers.json", std::string(bytes)));
}

void gradescope(std::string_view bytes) {
  static_cast<void>(batch::read_gradescope(std::string(bytes)));
  static_cast<void>(batch::time_from_text(std::string(bytes)));
}

void platform_page(std::string_view bytes) {
  static_cast<void>(batch::text_of_page(std::string(bytes)));
}

// Uses the same bytes as the graded archive and as an archive within it.
void archive(std::string_view bytes) {
  batch::TreeLimits limits;
  limits.unpacked_bytes = limits.class_archive_bytes = limits.kept_bytes = 16 << 20;
  limits.entries = limits.entries_of_archive = 1000;
  limits.apart = false;
  const auto taken_in = [&](const std::string& path) {
    if (auto tree = batch::read_tree(path, limits))
      static_cast<void>(batch::Intake::of(
          std::move(*tree), {.labs = {"01-race"}, .file_times = true, .other_labs = {}}));
  };
  const std::string& folder = folder_with("class.zip", bytes);
  taken_in(folder + "/class.zip");
  taken_in(folder);
}

std::string archive_of(int (*format)(struct archive*), int (*filter)(struct archive*),
                       const std::vector<std::string>& names) {
  std::vector<char> made(1 << 20);
  std::size_t used = 0;
  struct archive* const out = archive_write_new();
  if (format(out) != ARCHIVE_OK || filter(out) < ARCHIVE_WARN ||
      archive_write_set_bytes_in_last_block(out, 1) != ARCHIVE_OK ||
      archive_write_open_memory(out, made.data(), made.size(), &used) != ARCHIVE_OK)
    std::abort();
  constexpr std::string_view kernel =
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {}\n";
  for (const std::string& name : names) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(kernel.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 1'790'000'000, 0);
    if (archive_write_header(out, entry) >= ARCHIVE_WARN)
      archive_write_data(out, kernel.data(), kernel.size());
    archive_entry_free(entry);
  }
  if (archive_write_close(out) != ARCHIVE_OK) std::abort();
  archive_write_free(out);
  return {made.data(), used};
}

std::vector<std::string> archives() {
  const std::vector<std::string> names = {"ada/01-race.cu", "ada/01-race.quiz.json",
                                          "grace/01-race/stub.cu"};
  std::vector<std::string> all;
  for (const auto format : {archive_write_set_format_zip, archive_write_set_format_7zip})
    all.push_back(archive_of(format, archive_write_add_filter_none, names));
  for (const auto filter :
       {archive_write_add_filter_none, archive_write_add_filter_gzip,
        archive_write_add_filter_bzip2, archive_write_add_filter_xz, archive_write_add_filter_zstd})
    all.push_back(archive_of(archive_write_set_format_pax_restricted, filter, names));
  all.push_back(archive_of(archive_write_set_format_gnutar, archive_write_add_filter_none, names));
  return all;
}

// The answer of the process that reads a student's archive.
void archive_answer(std::string_view bytes) {
  const Result<batch::Tree> tree = batch::tree_from_message(bytes, "ada.zip");
  if (!tree) return;
  const std::string again = batch::to_message(*tree);
  const Result<batch::Tree> same = batch::tree_from_message(again, "ada.zip");
  if (!same || batch::to_message(*same) != again) std::abort();
}

std::vector<std::string> archive_answers() {
  batch::Tree tree;
  tree.files["ada.zip/01-race.cu"] = {.bytes = "__global__ void histogram() {}",
                                      .read = true,
                                      .problem = {},
                                      .modified = 1'790'000'000};
  tree.files["ada.zip/inner.tar/02-atomic-add.cu"] = {
      .bytes = {}, .read = false, .problem = "is a link", .modified = {}};
  tree.folders = {"ada.zip", "ada.zip/inner.tar"}, tree.archives = tree.folders,
  tree.unread = {"ada.zip/inner.tar"};
  tree.problems["ada.zip/inner.tar"] = "is cut off";
  return {batch::to_message({}), batch::to_message(tree)};
}

// File names of students and platforms, one per line.
void file_names(std::string_view bytes) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < bytes.size() && names.size() < 100;) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    names.emplace_back(bytes.substr(at, std::min<std::size_t>(end - at, 200)));
    at = end + 1;
  }
  const std::string tar =
      archive_of(archive_write_set_format_pax_restricted, archive_write_add_filter_none, names);
  if (auto tree = batch::read_tree(folder_with("class.tar", tar) + "/class.tar"))
    static_cast<void>(batch::Intake::of(std::move(*tree), {.labs = {"01-race", "02-atomic-add"},
                                                           .file_times = true,
                                                           .other_labs = {"04-privatization"}}));
}

// Reads the journal like a report, an overview and a replay.
void journal(std::string_view bytes) {
  const std::string& folder =
      folder_with(fs::path(batch::journal_path("")).filename().string(), bytes);
  if (auto reader = batch::ClassReader::open(folder)) {
    static_cast<void>(reader->find_alike());
    static_cast<void>(
        reader->each([](std::size_t, const batch::Entry&) -> Status { return Done{}; }));
  }
  auto read = batch::Journal::read(folder);
  if (!read) return;
  static_cast<void>(read->meta());
  static_cast<void>(batch::overview_of(*read));
  const auto tasks = read->outstanding();
  if (!tasks || tasks->empty()) return;
  static_cast<void>(read->finished(tasks->front()));
  static_cast<void>(read->source(tasks->front().kernel));
}

std::vector<std::string> journals() {
  const std::string out = folder_with("unused", "") + "/out";
  {
    auto begun = batch::Journal::begin(out, false);
    if (!begun) std::abort();
    batch::Lab lab;
    lab.name = lab.title = "01-race";
    lab.max_score = 10;
    batch::HandIn ada;
    ada.student.key = ada.student.name = "ada";
    ada.works["01-race"].kernel = "__global__ void histogram() {}\n";
    const auto hashes = [](const std::string&, const batch::Work&) {
      return batch::Journal::Hashes{"grading", "sharing"};
    };
    if (!begun->set_meta({}) ||
        !begun->set_class({lab}, {1, [&](std::size_t) { return ada; }}, hashes))
      std::abort();
    const auto tasks = begun->outstanding();
    if (!tasks || tasks->empty() ||
        !begun->add({{&tasks->front(), std::make_shared<const batch::Outcome>(batch::Outcome{
                                           .status = "failed", .score = 3, .report = "{}"})}}) ||
        !begun->fold())
      std::abort();
  }
  std::ifstream file(batch::journal_path(out), std::ios::binary);
  return {{std::istreambuf_iterator<char>(file), {}}};
}

template <auto from_json>
void message(std::string_view bytes) {
  const auto read = [](std::string_view text) { return from_json(text, "message"); };
  round_trip(
      read(bytes), [](const auto& value) { return cluster::to_json(value); }, read);
}

std::vector<std::string> assignments() {
  return {cluster::to_json(cluster::Assignment{.id = "0123456789abcdef",
                                               .version = "0.1.0",
                                               .program = "/usr/bin/histolab",
                                               .program_hash = "a",
                                               .labs_hash = "b",
                                               .labs_folder = "/labs",
                                               .labs = {"01-race"},
                                               .seed = 1,
                                               .device = "auto",
                                               .rubric = "{}",
                                               .unsafe = false,
                                               .jobs = 2})};
}

std::vector<std::string> chunks() {
  cluster::Chunk chunk{.number = 3, .phase = cluster::Phase::judge, .tries = 1, .items = {}};
  chunk.items.push_back({.grading = "a",
                         .lab = "01-race",
                         .solution = false,
                         .work = {.path = {},
                                  .kernel = "\xff\xfe",
                                  .problem = "a problem",
                                  .sheet = {},
                                  .sheet_path = {},
                                  .at = {},
                                  .marked_late = {}},
                         .measured = "{}"});
  chunk.items.push_back({.grading = "b", .lab = "01-race", .solution = true});
  return {cluster::to_json(chunk)};
}

std::vector<std::string> arrays() {
  return {cluster::to_json(
      cluster::Array{.number = 1, .tier = "full", .compiler = "g++ 12.2.0", .chunks = {1, 2, 3}})};
}

std::vector<std::string> parts() {
  cluster::Part part;
  part.spool = "0123456789abcdef";
  part.array = 1;
  part.index = 2;
  part.complete = true;
  part.seconds = 1.5;
  part.seconds_to_begin = 0.5;
  part.node.name = "n1";
  part.node.time = 1'790'000'000;
  part.node.device_kind = part.node.device_name = "emulator";
  part.node.sandbox = "full", part.node.compiler = "g++ 12.2.0", part.node.obstacles = {"none"};
  part.found.push_back(
      {.grading = "a",
       .outcome = {.status = "passed", .score = 10, .report = "{}", .seconds = 0.5},
       .measured = {}});
  return {cluster::to_json(part)};
}

void slurm(std::string_view bytes) {
  static_cast<void>(cluster::limits_from(bytes));
  static_cast<void>(cluster::node_sizes_from(bytes));
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    static_cast<void>(cluster::queue_line(bytes.substr(at, end - at)));
    at = end + 1;
  }
}

void measured(std::string_view bytes) {
  const auto read = [](std::string_view text) {
    return grader::measured_from_json(text, "measured");
  };
  round_trip(
      read(bytes), [](const grader::Measured& value) { return grader::to_json(value); }, read);
}

std::vector<std::string> measurements() {
  grader::Measured value;
  value.multiprocessors = 132;
  value.local_bytes = 16;
  auto& timed = value.timed.emplace_back();
  timed.id = "long";
  timed.dataset = "english";
  timed.device = "NVIDIA H200";
  timed.rounds = timed.right_rounds = 3;
  kernels::Timing& timing = timed.timing.emplace();
  timing.median_ms = timing.alone_ms = 2, timing.low_ms = 1, timing.high_ms = 3,
  timing.samples_ms = {1, 2, 3};
  return {grader::to_json(value)};
}

}  // namespace

std::vector<Loader> class_loaders() {
  return {
      {"answers", answers, {"grader/testdata/documents/answers.json"}},
      {"gradescope", gradescope},
      {"platform_page", platform_page},
      {"file_names", file_names},
      {"archive", archive, {}, archives},
      {"archive_answer", archive_answer, {}, archive_answers},
      {"journal", journal, {}, journals},
      {"cluster_assignment", message<cluster::assignment_from_json>, {}, assignments},
      {"cluster_chunk", message<cluster::chunk_from_json>, {}, chunks},
      {"cluster_array", message<cluster::array_from_json>, {}, arrays},
      {"cluster_part", message<cluster::part_from_json>, {}, parts},
      {"slurm", slurm},
      {"measured", measured, {}, measurements},
  };
}

}  // namespace histolab::fuzzing
