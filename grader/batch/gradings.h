// Gradings: the hash of everything that a result depends on, except the version of g++. Equal
// hashes mean equal results. `--resume` and appeals rely on this.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/batch/journal.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::batch {

class Gradings {
 public:
  // `figures` is a hash of the measurements in use. `rubric` has the rubric's changes by lab.
  // Returns an Error if a lab's file cannot be read.
  static Result<Gradings> make(const std::vector<grader::LabSpec>& labs, const Meta& meta,
                               const std::string& figures,
                               const std::map<std::string, std::string>& rubric);
  [[nodiscard]] Journal::Hashes of(const std::string& lab, const Work& work) const;

 private:
  struct OfLab {
    std::string rest;  // version, seed, devices, the lab's files, solutions it is compared with
    std::uint64_t source_limit = 0;  // in bytes
  };
  std::map<std::string, OfLab> by_lab_;
};

}  // namespace histolab::batch
