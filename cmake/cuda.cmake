# Finds a CUDA toolkit of version 12.8 or later, the first whose runtime loads a cubin from memory
# (cudaLibraryLoadData). Only the GPU parts of the project need it; the emulator does not.
#
# Search order: -DCUDAToolkit_ROOT; build/<preset>/cuda, which `./histolab setup cuda` creates if no
# toolkit is installed, or with --fetch; CUDAToolkit_ROOT in the environment; the system.
#
# Sets HISTOLAB_CUDA (TRUE or FALSE). If TRUE, it also sets CUDA::cudart_static, CUDA::nvrtc,
# HISTOLAB_CUDA_FOLDER, HISTOLAB_CUDA_INCLUDE (folder of the headers), HISTOLAB_NVRTC_FOLDER (folder
# of NVRTC's library) and HISTOLAB_NVCC, which is TRUE if the CUDA language works, too. The wrapper
# reads the result from cuda.txt in the build folder: VERSION nvcc|no-nvcc FOLDER, or none.
#
#   HISTOLAB_CUDA_ARCHITECTURES   targets of nvcc: this machine's GPU, or 90 without a GPU
set(HISTOLAB_CUDA FALSE)
set(HISTOLAB_NVCC FALSE)

set(fetched "${CMAKE_BINARY_DIR}/cuda")
if(NOT DEFINED CUDAToolkit_ROOT AND EXISTS "${fetched}/version.txt")
  set(CUDAToolkit_ROOT "${fetched}")
endif()
# CMake 3.25.1 (Debian 12) marks this library as deprecated even if the toolkit lacks it, and then
# stops.
if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()
find_package(CUDAToolkit 12.8 QUIET)
if(CUDAToolkit_FOUND AND TARGET CUDA::nvrtc AND TARGET CUDA::cudart_static)
  set(HISTOLAB_CUDA TRUE)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}: ${CUDAToolkit_BIN_DIR}")
  list(GET CUDAToolkit_INCLUDE_DIRS 0 HISTOLAB_CUDA_INCLUDE)
else()
  message(STATUS
    "no CUDA toolkit of 12.8 or later: no GPU device in this build (./histolab setup cuda gets one)")
endif()

# NVRTC opens libnvrtc-builtins by its name alone, which only searches the system's folders. Linking
# it makes sure that it is already loaded. CMake's target would also link the driver (libcuda), and
# then programs would not start on a machine without a driver.
if(HISTOLAB_CUDA)
  get_target_property(nvrtc CUDA::nvrtc IMPORTED_LOCATION)
  cmake_path(GET nvrtc PARENT_PATH HISTOLAB_NVRTC_FOLDER)
  find_library(HISTOLAB_NVRTC_BUILTINS nvrtc-builtins HINTS "${HISTOLAB_NVRTC_FOLDER}"
    NO_DEFAULT_PATH)
  set(libraries)
  if(HISTOLAB_NVRTC_BUILTINS)
    set(libraries -Wl,--push-state,--no-as-needed "${HISTOLAB_NVRTC_BUILTINS}" -Wl,--pop-state)
  endif()
  set_target_properties(CUDA::nvrtc PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
endif()

# If nvcc does not work, most often because g++ is too new for it, its programs are not built.
if(HISTOLAB_CUDA AND EXISTS "${CUDAToolkit_BIN_DIR}/nvcc")
  set(try "${CMAKE_BINARY_DIR}/CMakeFiles/histolab_nvcc.cu")
  file(WRITE "${try}" "#include <vector>\n__global__ void kernel() {}\n")
  execute_process(COMMAND "${CUDAToolkit_BIN_DIR}/nvcc" -std=c++20 -c -o "${try}.o" "${try}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0)
    set(HISTOLAB_NVCC TRUE)
  else()
    message(STATUS "nvcc does not work here, so bench and calibrate are not built: ${output}")
  endif()
endif()

set(nvcc_word no-nvcc)
if(HISTOLAB_NVCC)
  set(nvcc_word nvcc)
  if(EXISTS /dev/nvidia0)
    set(architectures native)
  else()
    set(architectures 90-real)
  endif()
  set(HISTOLAB_CUDA_ARCHITECTURES ${architectures} CACHE STRING
    "Targets of nvcc, like CMAKE_CUDA_ARCHITECTURES")
  set(CMAKE_CUDA_ARCHITECTURES ${HISTOLAB_CUDA_ARCHITECTURES})
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "${CUDAToolkit_BIN_DIR}/nvcc")
  endif()
  enable_language(CUDA)
  # CMake 3.25.1 does not know that nvcc supports C++20.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
endif()

if(HISTOLAB_CUDA)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH HISTOLAB_CUDA_FOLDER)
  set(content "${CUDAToolkit_VERSION} ${nvcc_word} ${HISTOLAB_CUDA_FOLDER}\n")
else()
  set(content "none\n")
endif()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/cuda.txt" CONTENT "${content}")
