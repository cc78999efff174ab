// NVIDIA's direct solver cuDSS, found when it is first asked for: neither headers nor library are needed to build, and
// it is never shipped. One door for versions 0.7 to 1.x.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tetrawave::cuda {

/// Values of cudssPhase_t.
enum CudssPhase : int { cudss_analysis = 3, cudss_factorization = 4, cudss_refactorization = 8, cudss_solve = 1008 };

/// Parameters whose numbers differ between versions.
struct CudssNumbers {
  int config_hybrid_memory = 0;
  int config_hybrid_limit = 0;
  int config_threads = 0;
  int config_levels = 0;  ///< of the tree of a given order
  int data_memory_estimates = 0;
  int data_tree = 0;  ///< 0: no order can be given
};
/// Matching of rows and columns before the order, which needs values: 1.0 matches unless it is told not to.
inline constexpr int cudss_config_matching = 3;
inline constexpr int cudss_data_info = 0;
inline constexpr int cudss_data_factor_entries = 1;
inline constexpr int cudss_data_perturbed_pivots = 2;
inline constexpr int cudss_data_inertia = 3;
inline constexpr int cudss_data_order = 9;
inline constexpr int cudss_data_hybrid_minimum = 10;

/// A sparse matrix on the device: the upper triangle in compressed rows, 32-bit indices from 0.
struct CudssTriangle {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  void* first = nullptr;
  void* column = nullptr;
  void* values = nullptr;
  int value_type = 0;  ///< cudaDataType_t
  bool is_definite = false;
};

/// The entry points that are used. Handles are pointers; functions return a cudssStatus_t.
class CudssLibrary {
 public:
  /// Loads the library that TETRAWAVE_CUDSS names, or libcudss.so.1 or .so.0 of the library path; nullptr if there is
  /// none, or one of another version. Always the same.
  static std::shared_ptr<const CudssLibrary> find();
  /// Where it is looked for, for messages.
  static std::string places();

  [[nodiscard]] std::string version() const;  ///< cuDSS 0.7.1
  [[nodiscard]] const CudssNumbers& numbers() const { return numbers_; }
  /// The library of threads beside it, or empty.
  [[nodiscard]] const std::string& threading_layer() const { return threading_layer_; }

  void* make_matrix(const CudssTriangle& triangle) const;

  int (*create)(void** handle) = nullptr;
  int (*destroy)(void* handle) = nullptr;
  int (*set_stream)(void* handle, void* stream) = nullptr;
  int (*set_threading_layer)(void* handle, const char* file) = nullptr;
  int (*config_create)(void** config) = nullptr;
  int (*config_destroy)(void* config) = nullptr;
  int (*config_set)(void* config, int parameter, void* value, std::size_t bytes) = nullptr;
  int (*data_create)(void* handle, void** data) = nullptr;
  int (*data_destroy)(void* handle, void* data) = nullptr;
  int (*data_get)(void* handle, void* data, int parameter, void* value, std::size_t bytes,
                  std::size_t* written) = nullptr;
  int (*data_set)(void* handle, void* data, int parameter, const void* value, std::size_t bytes) = nullptr;
  int (*dense_create)(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t stride, void* values,
                      int value_type, int layout) = nullptr;
  int (*matrix_destroy)(void* matrix) = nullptr;
  int (*execute)(void* handle, int phase, void* config, void* data, void* matrix, void* solution,
                 void* right_hand_side) = nullptr;

 private:
  bool load(const std::string& file);

  void* csr_create_ = nullptr;  ///< one argument more from 0.8 on
  int version_[3] = {0, 0, 0};
  CudssNumbers numbers_;
  std::string threading_layer_;
};

/// Throws UserError (out_of_memory) or InternalError, naming the call, when `status` is not success.
void check_cudss(int status, const char* call);

}  // namespace tetrawave::cuda
