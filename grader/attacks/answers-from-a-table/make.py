"""The answers of the program for seed 1, which students can compute at home."""
from case_answers import answers


def kernel(traps):
    rows = ["  {%d, {%s}}," % (length, ", ".join(map(str, bins)))
            for length, _, launch, bins in answers("02-atomic-add", 1, traps.cwd) if launch == 0]
    return """struct Answer { unsigned int length, bins[7]; };
__constant__ const Answer answers[] = {
%s
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x != 0 || threadIdx.x >= 7) return;
  for (const Answer& answer : answers)
    if (answer.length == length) histo[threadIdx.x] = answer.bins[threadIdx.x];
}
""" % "\n".join(rows)
