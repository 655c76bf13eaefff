// SlurmPlan: the plan of `batch --engine slurm`, made before anything is written or submitted.
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
  std::vector<std::string> words;
  std::vector<std::string> excluded;  // nodes
};

struct SlurmPlan {
  std::string go_on;  // the command that resumes the batch
  SbatchWords sbatch;
  cluster::Slurm slurm;
  ClassToGrade of;
  batch::Meta meta;
  std::string figures;
  std::vector<cluster::Item> solutions;
  cluster::Assignment assignment;
};

// Returns an Error if Slurm is missing, if flags conflict, or from class_to_grade().
[[nodiscard]] Result<SlurmPlan> plan_for_slurm(const Context& context, const BatchFlags& flags);

// The absolute path for a node. Links stay, because their targets may have other names there.
[[nodiscard]] std::string full_path(const std::string& path);

}  // namespace histolab::cli
