"""If one character is missing, there is one message. It is true and names the right line.

Removes one `)`, `;`, `{`, `}` or quote at a time from kernels that compile, in several styles, and
grades each of them.
"""
import concurrent.futures
import re

from histolab_program import SOURCE, Checks, grade_text

check = Checks()
SOURCES = {
    **{name: (SOURCE / "labs" / name / "solution.cu").read_text()
       for name in ("02-atomic-add", "04-privatization", "05-coarsening", "06-aggregation",
                    "07-global-privatization")},
    "02-atomic-add, braces in lines of their own": """#include <stdio.h>
#define BINS 7
__device__ int bin_of(char c)
{
  if (c < 'a' || c > 'z') return -1;
  return (c - 'a') / 4;
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo)
{
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < length)
  {
    int b = bin_of(data[tid]);
    if (b >= 0 && b < BINS)
    {
      atomicAdd(&(histo[b]), 1);
    }
    else
      return;
  }
}
""",
    "04-privatization, short":
        """__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int s[];
  int t = threadIdx.x;
  if (t == 0) for (int b = 0; b < 7; b++) s[b] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + t;
  while (i < length) {
    char c = data[i];
    if (c >= 'a' && c <= 'z') atomicAdd(&s[(c - 'a') / 4], 1u);
    i += gridDim.x * blockDim.x;
  }
  __syncthreads();
  for (; t < 7; t += blockDim.x) atomicAdd(histo + t, s[t]);
}
""",
}
# A missing brace shows only where the file ends or another brace closes: its message names the line
# that opens the block.
FAR = "{}"
COMPILER = re.compile(r"expected|was not declared|does not name|could not convert|lvalue")


def without_one():
    for name, text in SOURCES.items():
        comments = [match.span() for match in re.finditer(r"//.*|#include.*", text)]
        for at, sign in enumerate(text):
            if sign in ");{}'\"" and not any(begin <= at < end for begin, end in comments):
                yield name, sign, text.count("\n", 0, at) + 1, text[:at] + text[at + 1:]


def judge(mutant):
    name, sign, line, text = mutant
    result, _ = grade_text(name[:2], text, "--quick")
    if result["status"] != "compile_error":
        return None
    errors = [(each["line"], each["message"]) for each in result["diagnostics"]
              if each["severity"] == "error"]
    what = f"{name}, line {line} without {sign}: {text.splitlines()[line - 1].strip()}"
    told = [f"line {at}: {message}" for at, message in errors]
    if len(errors) != 1:
        return what, told
    at, message = errors[0]
    if (COMPILER.search(message) or "in a block that has ended" in message or
        (sign not in FAR and abs(at - line) > 1) or at > line + 1):
        return what, told
    return None


mutants = list(without_one())
check(len(mutants) > 250, "few signs were taken out", len(mutants))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for wrong in filter(None, pool.map(judge, mutants)):
        check(False, wrong[0], *wrong[1])
check.finish()
