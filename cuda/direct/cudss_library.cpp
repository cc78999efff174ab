#include "cuda/direct/cudss_library.hpp"

#include <dlfcn.h>
#include <library_types.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.hpp"

namespace tetrawave::cuda {

namespace {

constexpr const char* variable = "TETRAWAVE_CUDSS";

// Enumerators of cuDSS' headers that are the same in all versions.
constexpr int symmetric = 1, positive_definite = 3;
constexpr int upper_triangle = 2;
constexpr int from_zero = 0;

template <class Function>
bool bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::vector<std::string> files() {
  if (const char* named = std::getenv(variable); named != nullptr && *named != 0) return {named};
  return {"libcudss.so.1", "libcudss.so.0"};
}

/// cuDSS 0.8 has dropped one parameter of the configuration and added one of the data. 0.7.0 does not take the tree of
/// an order.
CudssNumbers numbers_of(bool is_old, bool takes_tree) {
  const int shift = is_old ? 1 : 0;
  return {11 + shift, 12 + shift, 14 + shift, 17 + shift, 13 - shift, takes_tree ? 21 - shift : 0};
}

/// Beside the library, with its number.
std::string threading_layer_of(void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const auto library = std::filesystem::canonical(info.dli_fname, error);
  const std::string name = library.filename().string();
  const auto suffix = name.find(".so");
  if (error || suffix == std::string::npos) return {};
  const auto layer = library.parent_path() / ("libcudss_mtlayer_gomp" + name.substr(suffix));
  return std::filesystem::exists(layer, error) ? layer.string() : std::string();
}

}  // namespace

void check_cudss(int status, const char* call) {
  constexpr int allocation_failed = 2;
  if (status == 0) return;
  if (status == allocation_failed)
    fail(ExitCode::out_of_memory,
         "the GPU has not enough memory for the factors of the matrix ({}): use solver.precision: mixed, a coarser "
         "mesh, "
         "or --backend cpu",
         call);
  throw InternalError(tetrawave::format("{} failed with status {}", call, status));
}

bool CudssLibrary::load(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  int (*property)(int kind, int* value) = nullptr;
  if (!bind(library, "cudssGetProperty", property)) return false;
  for (int kind = 0; kind < 3; ++kind) property(kind, &version_[kind]);
  const bool is_old = version_[0] == 0 && version_[1] == 7;
  if (version_[0] > 1 || (version_[0] == 0 && version_[1] < 7)) return false;
  numbers_ = numbers_of(is_old, !is_old || version_[2] > 0);
  threading_layer_ = threading_layer_of(reinterpret_cast<void*>(property));
  return bind(library, "cudssCreate", create) && bind(library, "cudssDestroy", destroy) &&
         bind(library, "cudssSetStream", set_stream) && bind(library, "cudssSetThreadingLayer", set_threading_layer) &&
         bind(library, "cudssConfigCreate", config_create) && bind(library, "cudssConfigDestroy", config_destroy) &&
         bind(library, "cudssConfigSet", config_set) && bind(library, "cudssDataCreate", data_create) &&
         bind(library, "cudssDataDestroy", data_destroy) && bind(library, "cudssDataGet", data_get) &&
         bind(library, "cudssDataSet", data_set) && bind(library, "cudssMatrixCreateDn", dense_create) &&
         bind(library, "cudssMatrixDestroy", matrix_destroy) && bind(library, "cudssExecute", execute) &&
         bind(library, "cudssMatrixCreateCsr", csr_create_);
}

std::shared_ptr<const CudssLibrary> CudssLibrary::find() {
  static const std::shared_ptr<const CudssLibrary> found = [] {
    auto library = std::make_shared<CudssLibrary>();
    for (const std::string& file : files())
      if (library->load(file)) return std::shared_ptr<const CudssLibrary>(library);
    return std::shared_ptr<const CudssLibrary>();
  }();
  return found;
}

std::string CudssLibrary::places() {
  if (files().size() == 1) return tetrawave::format("{}, as {} says", files().front(), variable);
  return tetrawave::format("{} or {} on the library path", files()[0], files()[1]);
}

std::string CudssLibrary::version() const {
  return tetrawave::format("cuDSS {}.{}.{}", version_[0], version_[1], version_[2]);
}

void* CudssLibrary::make_matrix(const CudssTriangle& triangle) const {
  void* matrix = nullptr;
  const int kind = triangle.is_definite ? positive_definite : symmetric;
  const std::int64_t n = triangle.rows;
  int status = 0;
  if (version_[0] == 0 && version_[1] == 7) {
    using Create =
        int (*)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, void*, int, int, int, int, int);
    status = reinterpret_cast<Create>(csr_create_)(&matrix, n, n, triangle.entries, triangle.first, nullptr,
                                                   triangle.column, triangle.values, CUDA_R_32I, triangle.value_type,
                                                   kind, upper_triangle, from_zero);
  } else {
    using Create = int (*)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, void*, int, int, int,
                           int, int, int);
    status = reinterpret_cast<Create>(csr_create_)(&matrix, n, n, triangle.entries, triangle.first, nullptr,
                                                   triangle.column, triangle.values, CUDA_R_32I, CUDA_R_32I,
                                                   triangle.value_type, kind, upper_triangle, from_zero);
  }
  check_cudss(status, "cudssMatrixCreateCsr");
  return matrix;
}

}  // namespace tetrawave::cuda
