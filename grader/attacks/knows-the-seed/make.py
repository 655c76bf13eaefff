"""Somebody has told the seed: the table holds the right answers to all cases."""
import json

from attacks_test import SEED
from histolab_program import SOURCE, histolab

LAB = "02-atomic-add"


def kernel(traps):
    solution = SOURCE / "labs" / LAB / "solution.cu"
    histolab("grade", LAB, "--submission", solution, "--seed", SEED, "--json", traps.cwd / "answers.json")
    rows = []
    for case in json.loads((traps.cwd / "answers.json").read_text())["labs"][0]["cases"]:
        for launch in range(case["launches"]):
            asked = histolab("run", LAB, "--kernel", solution, "--dataset", case["dataset"], "--length", case["length"],
                             "--seed", case["seed"] + launch, "--json")
            bins = json.loads(asked.stdout)["histogram"][:7]
            rows.append("  {%d, %d, %d, {%s}}," % (case["length"], case["block"], launch, ", ".join(map(str, bins))))
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
