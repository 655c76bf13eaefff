// ClassMachine: what `batch` grades a class with, and an appeal one of it.
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
  std::string figures;  // hash_of_figures, and whether the GPU's compiler is asked

  // What of it a journal keeps.
  [[nodiscard]] batch::Meta meta(const std::string& device_word, const std::string& rubric) const;
};
// What a journal keeps of a class that tasks of Slurm grade, before a node has told what with.
[[nodiscard]] batch::Meta meta_of_tasks(std::uint64_t seed, const std::string& device_word,
                                        const std::string& rubric);
[[nodiscard]] Result<ClassMachine> make_class_machine(const Context& context,
                                                      const std::string& device, std::uint64_t seed,
                                                      unsigned jobs);

// sha256 over the figures that a verdict may depend on: what quizzes ask for, and the profile by
// which times are modelled, if they are.
[[nodiscard]] Result<std::string> hash_of_figures(
    const Context& context, const std::optional<reference::TimingProfile>& profile);
// sha256 over all files of the kit, but labs, that a verdict may depend on.
[[nodiscard]] Result<std::string> hash_of_kit(const grader::Paths& paths);

// The labs that the words name, as the rubric, which is called `file`, changes them.
[[nodiscard]] Result<std::vector<grader::LabSpec>> class_labs(const Context& context,
                                                              const std::vector<std::string>& words,
                                                              const batch::Rubric& rubric,
                                                              const std::string& file);

// The same of a rubric that lies in a file; as they are where it is not named.
[[nodiscard]] Result<std::vector<grader::LabSpec>> class_labs(const Context& context,
                                                              const std::vector<std::string>& words,
                                                              const std::string& rubric_file);

// grade --replay: `where` is a batch's OUT, then the words are STUDENT [LAB...]; or the file of a
// report, then [LAB...], with the rubric by which it was made. A journal has its own.
[[nodiscard]] int replay(const Context& context, const std::string& where,
                         const std::vector<std::string>& words, const std::string& rubric_file);

}  // namespace histolab::cli
