// For whole programs: declared in the file that is included before each source.
#pragma once
#include "../histolab/whole_program.h"
