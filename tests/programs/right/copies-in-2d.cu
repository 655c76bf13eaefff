// A pitched image is copied, cleared in part, and copied back.
#include <cstdio>
#include <vector>

__global__ void invert(unsigned char* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * pitch + x] = 255 - image[y * pitch + x];
}

int main() {
  const int width = 75, height = 20;
  std::vector<unsigned char> image(width * height, 10), result(width * height);
  unsigned char* d_image;
  size_t pitch;
  if (cudaMallocPitch(&d_image, &pitch, width, height)) return 1;
  if (cudaMemcpy2D(d_image, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice))
    return 1;
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  invert<<<grid, block>>>(d_image, pitch, width, height);
  if (cudaMemset2D(d_image + 5, pitch, 7, 10, height)) return 1;
  if (cudaMemcpy2D(result.data(), width, d_image, pitch, width, height, cudaMemcpyDeviceToHost))
    return 1;
  int wrong = 0;
  for (int i = 0; i < width * height; ++i)
    wrong += result[i] != (i % width >= 5 && i % width < 15 ? 7 : 245);
  std::printf("%d wrong\n", wrong);
  if (cudaFree(d_image)) return 1;
  return wrong;
}
