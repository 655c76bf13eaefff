// ClassMachine: the device, clock and options with which `batch` grades a class, and with which one
// result is graded again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/batch/engine.h"
#include "grader/batch/journal.h"
#include "grader/batch/rubric.h"
#include "grader/cli/devices.h"

namespace histolab::cli {

struct ClassMachine {
  std::unique_ptr<kernels::Device> device;
  Clock clock;
  grader::GradeOptions grading;
  std::string figures;  // hash_of_figures(), and whether a GPU compiler is used

  // The journal's description of this machine.
  [[nodiscard]] batch::Meta meta(const std::string& device_word, const std::string& rubric) const;
};
// The same entries for a class that Slurm tasks grade, before a node has reported its machine.
[[nodiscard]] batch::Meta meta_of_tasks(std::uint64_t seed, const std::string& device_word,
                                        const std::string& rubric);
[[nodiscard]] Result<ClassMachine> make_class_machine(const Context& context,
                                                      const std::string& device, std::uint64_t seed,
                                                      unsigned jobs);

// SHA-256 over the figures that a verdict may depend on: those that quizzes ask for, and the timing
// profile if times are modelled.
[[nodiscard]] Result<std::string> hash_of_figures(
    const Context& context, const std::optional<reference::TimingProfile>& profile);
// SHA-256 over all files of the kit, except labs, that a verdict may depend on.
[[nodiscard]] Result<std::string> hash_of_kit(const grader::Paths& paths);

// The named labs, changed as the rubric says. `file` is the rubric's name, for messages.
[[nodiscard]] Result<std::vector<grader::LabSpec>> class_labs(const Context& context,
                                                              const std::vector<std::string>& words,
                                                              const batch::Rubric& rubric,
                                                              const std::string& file);

// The same for a rubric in a file. Without a file, the labs are unchanged.
[[nodiscard]] Result<std::vector<grader::LabSpec>> class_labs(const Context& context,
                                                              const std::vector<std::string>& words,
                                                              const std::string& rubric_file);

// grade --replay. If `where` is the OUT folder of a batch, the words are STUDENT [LAB...]. If it is
// a report, they are [LAB...], and `rubric_file` is the rubric of that grading. A journal has its
// own rubric. Returns the exit code.
[[nodiscard]] int replay(const Context& context, const std::string& where,
                         const std::vector<std::string>& words, const std::string& rubric_file);

}  // namespace histolab::cli
