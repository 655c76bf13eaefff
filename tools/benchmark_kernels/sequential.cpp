// The baseline of tools/benchmark: a sequential histogram of LENGTH uniform letters on one core.
// Prints the seconds of the fastest of three passes. It also prints the bins, so that the compiler
// cannot remove the work.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void histogram(const char* data, size_t length, unsigned int* histo) {
  for (size_t i = 0; i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) histo[letter / 4]++;
  }
}

int main(int argc, char** argv) {
  const size_t length = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  char* data = (char*)malloc(length + 1);
  if (data == NULL) return 2;
  unsigned long long state = 88172645463325252ull;
  for (size_t i = 0; i < length; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    data[i] = (char)('a' + (state >> 32) % 26);
  }
  unsigned int histo[7] = {0};
  double best = 1e9;
  for (int pass = 0; pass < 3; ++pass) {
    const double begin = now();
    histogram(data, length, histo);
    const double took = now() - begin;
    if (took < best) best = took;
  }
  printf("%.9f", best);
  for (int bin = 0; bin < 7; ++bin) printf(" %u", histo[bin]);
  printf("\n");
  return 0;
}
