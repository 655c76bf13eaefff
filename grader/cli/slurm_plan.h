// SlurmPlan: what `batch --engine slurm` is to do, as far as it is known before anything is written
// or submitted.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/cli/batch_class.h"
#include "grader/cluster/messages.h"
#include "grader/cluster/slurm.h"
#include "reference/result.h"

namespace histolab::cli {

struct SbatchWords {
  std::vector<std::string> words, excluded;  // nodes
};

struct SlurmPlan {
  std::string go_on;  // the command that takes the batch up again
  SbatchWords sbatch;
  cluster::Slurm slurm;
  ClassToGrade of;
  batch::Meta meta;
  std::string figures;
  std::vector<cluster::Item> solutions;
  cluster::Assignment assignment;
};

// Error: there is no Slurm, flags that do not fit, or what class_to_grade says.
[[nodiscard]] Result<SlurmPlan> plan_for_slurm(const Context& context, const BatchFlags& flags);

// Absolute, as a node sees it: links are kept, since what they lead to may have another name there.
[[nodiscard]] std::string full_path(const std::string& path);

}  // namespace histolab::cli
