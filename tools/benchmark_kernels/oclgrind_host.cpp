// Runs one kernel of oclgrind.cl under Oclgrind: KERNELS.cl NAME DATA THREADS [ELEMENTS_A_THREAD]. Prints the seconds of the
// launch alone, then the bins.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

static void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, error);
  std::exit(2);
}

static std::string content(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string source = content(argv[1]);
  std::string data = content(argv[3]);
  const size_t threads = std::strtoul(argv[4], nullptr, 10), each = argc > 5 ? std::strtoul(argv[5], nullptr, 10) : 1;
  const cl_uint length = static_cast<cl_uint>(data.size());
  cl_uint histo[7] = {};

  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "context");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  const char* text = source.c_str();
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "build");
  const cl_kernel kernel = clCreateKernel(program, argv[2], &error);
  check(error, argv[2]);
  const cl_mem input = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, data.size(), data.data(), &error);
  check(error, "data");
  const cl_mem output = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof histo, histo, &error);
  check(error, "histo");
  check(clSetKernelArg(kernel, 0, sizeof input, &input), "argument");
  check(clSetKernelArg(kernel, 1, sizeof length, &length), "argument");
  check(clSetKernelArg(kernel, 2, sizeof output, &output), "argument");
  check(clFinish(queue), "finish");

  const size_t blocks = (data.size() + threads * each - 1) / (threads * each), all = blocks * threads;
  const auto begin = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &all, &threads, 0, nullptr, nullptr), "launch");
  check(clFinish(queue), "launch");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  check(clEnqueueReadBuffer(queue, output, CL_TRUE, 0, sizeof histo, histo, 0, nullptr, nullptr), "result");
  std::printf("%.9f", took.count());
  for (const cl_uint bin : histo) std::printf(" %u", bin);
  std::printf("\n");
  return 0;
}
