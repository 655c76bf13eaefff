"""The seed of the class has leaked: the table holds the right answers to all cases."""
from attacks_test import SEED
from case_answers import answers


def kernel(traps):
    rows = ["  {%d, %d, %d, {%s}}," % (length, block, launch, ", ".join(map(str, bins)))
            for length, block, launch, bins in answers("02-atomic-add", SEED, traps.cwd)]
    return """struct Answer { unsigned int length, block, launch, bins[7]; };
__constant__ const Answer answers[] = {
%s
};
__device__ unsigned int launches;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const unsigned int launch = launches++;
  for (const Answer& answer : answers)
    if (answer.length == length && answer.block == blockDim.x && answer.launch == launch)
      for (int b = 0; b < 7; ++b) histo[b] = answer.bins[b];
}
""" % "\n".join(rows)
