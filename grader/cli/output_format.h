// Format: one value of --format. output_format.cpp has the only table; the help, the completions
// and the error messages of `grade`, `watch` and `export` read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/class_formats.h"
#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

enum class Scope {
  screen,       // sentences for a person: `grade`, `watch`
  editor,       // lines that an editor reads: `grade`, `watch`
  report,       // the report itself: `grade`
  student,      // one student: `grade`, `export`
  whole_class,  // several students: `export`
};

inline Status always_possible() { return Done{}; }

struct Format {
  const char* name;
  const char* extension = "";  // of a student's file
  Scope scope;
  // Scope::student. Returns an Error if the score is missing and the format cannot express that, or
  // if `possible` fails.
  Result<std::string> (*text)(const formats::Graded& graded) = nullptr;
  // Scope::whole_class, and formats of a student that join several in one file.
  WriteClass write = nullptr;
  bool takes_columns = false, takes_worksheet = false;  // --column, --worksheet
  bool one_submission = false;  // describes the submission that its runner grades: one student
  // Checks, before an hour of grading, whether `text` can work. The Error names what the
  // environment lacks.
  Status (*possible)() = always_possible;
};

enum class FormatUse { grade, watch, exporting };

// The values of --format, in the table's order.
[[nodiscard]] std::vector<std::string> format_names(FormatUse use);
// The Error suggests a similar name and lists all of them.
[[nodiscard]] Result<const Format*> find_format(std::string_view name, FormatUse use);

}  // namespace histolab::cli
