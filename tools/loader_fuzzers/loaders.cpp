#include "tools/loader_fuzzers/loaders.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "datasets/image.h"
#include "grader/batch/gradescope.h"
#include "grader/batch/journal.h"
#include "grader/batch/rubric.h"
#include "grader/batch/tree.h"
#include "grader/cluster/messages.h"
#include "grader/checks/expectation.h"
#include "grader/lab/lab.h"
#include "grader/lab/lab_json.h"
#include "grader/pipeline/profile_json.h"
#include "grader/feedback/progress.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "grader/report/report_json.h"
#include "grader/report/report_reader.h"
#include "kernels/gpu/protocol.h"
#include "kernels/worker/protocol.h"
#include "viewer/model/event.h"
#include "viewer/model/measurements.h"
#include "viewer/model/tour.h"

namespace histolab::fuzzing {
namespace {

namespace fs = std::filesystem;

// What reads a folder gets one of this process's own, in memory where the machine has that.
class Folder {
 public:
  Folder() : path_((fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") + ("/histolab-loaders-" + std::to_string(getpid()))) { fs::create_directories(path_); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& with(const std::string& file, std::string_view bytes) const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path(), ignored);
    std::ofstream(path_ + "/" + file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_;
  }

 private:
  std::string path_;
};

const Folder& folder() {
  static const Folder one;
  return one;
}

// `again` reads what was written; both have to be the same text.
void same(const std::string& written, const std::string& again) {
  if (written == again) return;
  std::fprintf(stderr, "what was written is read differently:\n%s\n%s\n", written.c_str(), again.c_str());
  std::abort();
}

template <class Value, class Write, class Read>
void round_trip(const Result<Value>& value, Write write, Read read) {
  if (!value) return;
  const std::string written = write(*value);
  const Result<Value> again = read(written);
  same(written, again ? write(*again) : again.error().message);
}

void lab(std::string_view bytes) {
  if (const auto json = grader::read_json_text("lab.json", std::string(bytes))) static_cast<void>(grader::lab_from_json(*json, "lab.json", HISTOLAB_SOURCE_DIR "/labs/01-race"));
}

void expectation(std::string_view bytes) {
  static const Result<grader::LabSpec> of = grader::load_lab(HISTOLAB_SOURCE_DIR "/labs/04-privatization");
  if (!of) std::abort();
  static_cast<void>(grader::load_expectation(folder().with("expect.json", bytes) + "/expect.json", *of));
}

void quiz(std::string_view bytes) { static_cast<void>(histolab::quiz::load_quiz(folder().with("quiz.json", bytes), HISTOLAB_SOURCE_DIR "/docs/measurements")); }

void answers(std::string_view bytes) { static_cast<void>(histolab::quiz::sheet_of("quiz.json", std::string(bytes), "01-race")); }

void report(std::string_view bytes) {
  const auto read = [](std::string_view text) { return grader::report_from_json(text, "report.json"); };
  round_trip(read(bytes), [](const grader::Report& value) { return grader::to_json(value); }, read);
}

void profile(std::string_view bytes) { static_cast<void>(grader::parse_profile(bytes, "profile")); }

void progress(std::string_view bytes) { static_cast<void>(grader::read_progress(folder().with("progress.json", bytes))); }

void rubric(std::string_view bytes) {
  static const Result<grader::LabSpec> of = grader::load_lab(HISTOLAB_SOURCE_DIR "/labs/04-privatization");
  if (!of) std::abort();
  if (const auto rubric = batch::read_rubric("rubric.json", std::string(bytes))) static_cast<void>(batch::with_rubric({*of}, {of->name}, *rubric, "rubric.json"));
}

void gradescope(std::string_view bytes) { static_cast<void>(batch::read_gradescope(std::string(bytes))); }

void archive(std::string_view bytes) {
  batch::TreeLimits limits;
  limits.unpacked_bytes = limits.class_archive_bytes = limits.kept_bytes = 16 << 20;
  for (const char* name : {"class.zip", "class.tar.gz"}) static_cast<void>(batch::read_tree(folder().with(name, bytes) + "/" + name, limits));
}

void journal(std::string_view bytes) {
  auto read = batch::Journal::read(folder().with(fs::path(batch::journal_path("")).filename().string(), bytes));
  if (!read) return;
  static_cast<void>(read->meta());
  if (const auto tasks = read->outstanding(); tasks && !tasks->empty()) static_cast<void>(read->finished(tasks->front()));
}

void image(std::string_view bytes) {
  const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (!datasets::image_format(data)) return;
  for (const std::uint32_t element_bytes : {1u, 2u}) static_cast<void>(datasets::luminance(data, element_bytes));
}

void worker_request(std::string_view bytes) {
  namespace worker = kernels::worker;
  round_trip(worker::request_from(bytes), [](const worker::Request& value) { return worker::to_text(value); }, worker::request_from);
}

void worker_answer(std::string_view bytes) {
  namespace worker = kernels::worker;
  round_trip(worker::answer_from(bytes), [](const worker::Answer& value) { return worker::to_text(value); }, worker::answer_from);
}

void gpu_request(std::string_view bytes) {
  namespace gpu = kernels::gpu;
  round_trip(gpu::request_from(bytes), [](const gpu::Request& value) { return gpu::to_text(value); }, gpu::request_from);
}

void gpu_answer(std::string_view bytes) {
  namespace gpu = kernels::gpu;
  round_trip(gpu::answer_from(bytes), [](const gpu::Answer& value) { return gpu::to_text(value); }, gpu::answer_from);
}

template <auto from_json>
void message(std::string_view bytes) {
  const auto read = [](std::string_view text) { return from_json(text, "message"); };
  round_trip(read(bytes), [](const auto& value) { return cluster::to_json(value); }, read);
}

void stream(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    static_cast<void>(viewer::parse_event(bytes.substr(at, end - at)));
    at = end + 1;
  }
}

void tour(std::string_view bytes) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  static_cast<void>(viewer::tour_in(json, "tour.json"));
  static_cast<void>(viewer::bench_in(json, "bench.json"));
}

}  // namespace

const std::vector<Loader>& loaders() {
  static const std::vector<Loader> all = {
      {"lab", lab, {"labs/*/lab.json", "grader/testdata/documents/lab-*.json"}},
      {"expectation", expectation, {"labs/04-privatization/attempts/*/expect.json"}},
      {"quiz", quiz, {"labs/*/quiz.json", "grader/testdata/documents/quiz*.json"}},
      {"answers", answers, {"grader/testdata/documents/answers.json"}},
      {"report", report, {"grader/golden/report.json", "grader/testdata/results/*.json"}},
      {"profile", profile, {"profiles/*.json", "grader/testdata/documents/profile.json"}},
      {"progress", progress, {}},
      {"rubric", rubric, {"grader/testdata/documents/rubric.json"}},
      {"gradescope", gradescope, {}},
      {"archive", archive, {}},
      {"journal", journal, {}},
      {"image", image, {"docs/datasets/image.png"}},
      {"worker_request", worker_request, {}},
      {"worker_answer", worker_answer, {}},
      {"gpu_request", gpu_request, {}},
      {"gpu_answer", gpu_answer, {}},
      {"cluster_assignment", message<cluster::assignment_from_json>, {}},
      {"cluster_chunk", message<cluster::chunk_from_json>, {}},
      {"cluster_array", message<cluster::array_from_json>, {}},
      {"cluster_part", message<cluster::part_from_json>, {}},
      {"stream", stream, {"grader/golden/stream.jsonl"}},
      {"tour", tour, {"viewer/tour.json", "docs/measurements/h200-short-bench.json"}},
  };
  return all;
}

const Loader* find_loader(std::string_view name) {
  const auto found = std::ranges::find(loaders(), name, &Loader::name);
  return found == loaders().end() ? nullptr : &*found;
}

}  // namespace histolab::fuzzing
