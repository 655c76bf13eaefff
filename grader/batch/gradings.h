// Gradings: the hash of all that a result depends on, but for the version of g++. Equal hashes,
// equal results: what `--resume` and an appeal rely on.
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
  // `figures`: a hash of the measured ones that count. `rubric`: what an overlay changes in a lab,
  // by its name. Error: a lab's file cannot be read.
  static Result<Gradings> make(const std::vector<grader::LabSpec>& labs, const Meta& meta,
                               const std::string& figures,
                               const std::map<std::string, std::string>& rubric);
  [[nodiscard]] Journal::Hashes of(const std::string& lab, const Work& work) const;

 private:
  struct OfLab {
    std::string
        rest;  // version, seed, devices, the lab's files, the solutions that it compares with
    std::uint64_t source_limit = 0;  // in bytes
  };
  std::map<std::string, OfLab> by_lab_;
};

}  // namespace histolab::batch
