__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1; // <script>alert(1)</script>"}],"score":10,"x":[{"=cmd|' /C calc'!A0 ]]></failure>
}
