#include "store/hdf5_handle.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"

namespace tetrawave::store {
namespace {

// Called for the innermost record of the error stack first: the cause. Stops there.
herr_t take_cause(unsigned /*n*/, const H5E_error2_t* record, void* out) {
  *static_cast<std::string*>(out) = record->desc == nullptr ? "" : record->desc;
  return 1;
}

// The system's own words where HDF5 quotes them: ... error message = 'No space left on device', ...
std::string find_reason() {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_cause, &cause);
  constexpr std::string_view mark = "error message = '";
  const auto begin = cause.find(mark);
  if (begin == std::string::npos) return cause;
  const auto text = cause.substr(begin + mark.size());
  return text.substr(0, text.find('\''));
}

}  // namespace

void throw_hdf5_failure(const std::string& what, const std::string& file) {
  const std::string reason = find_reason();
  H5Eclear2(H5E_DEFAULT);
  fail(ExitCode::io, "{}: cannot {}{}{}", file, what, reason.empty() ? "" : ": ", reason);
}

template <>
Handle make_type<double>(const std::string& file) {
  return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose, "make a type", file};
}
template <>
Handle make_type<float>(const std::string& file) {
  return {H5Tcopy(H5T_NATIVE_FLOAT), H5Tclose, "make a type", file};
}
template <>
Handle make_type<std::int32_t>(const std::string& file) {
  return {H5Tcopy(H5T_NATIVE_INT32), H5Tclose, "make a type", file};
}
template <>
Handle make_type<std::uint8_t>(const std::string& file) {
  return {H5Tcopy(H5T_NATIVE_UINT8), H5Tclose, "make a type", file};
}
template <>
Handle make_type<std::int64_t>(const std::string& file) {
  return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose, "make a type", file};
}
template <>
Handle make_type<std::complex<double>>(const std::string& file) {
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose, "make a type", file);
  check(H5Tinsert(type.get(), "r", 0, H5T_NATIVE_DOUBLE), "make a type", file);
  check(H5Tinsert(type.get(), "i", sizeof(double), H5T_NATIVE_DOUBLE), "make a type", file);
  return type;
}
template <>
Handle make_type<std::string>(const std::string& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type", file);
  check(H5Tset_size(type.get(), H5T_VARIABLE), "make a type", file);
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a type", file);
  return type;
}

PackedTexts pack_texts(std::span<const std::string> texts, TextStyle style, const std::string& file) {
  if (style == TextStyle::variable) {
    PackedTexts packed{make_type<std::string>(file), {}, {}};
    for (const std::string& text : texts) packed.pointers.push_back(text.c_str());
    return packed;
  }
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  PackedTexts packed{{H5Tcopy(H5T_C_S1), H5Tclose, "make a type", file}, {}, {}};
  check(H5Tset_size(packed.type.get(), width), "make a type", file);
  check(H5Tset_cset(packed.type.get(), H5T_CSET_UTF8), "make a type", file);
  check(H5Tset_strpad(packed.type.get(), H5T_STR_NULLPAD), "make a type", file);
  for (const std::string& text : texts) packed.block += text + std::string(width - text.size(), '\0');
  return packed;
}

Handle open_object(hid_t file_id, const std::string& path, const std::string& file) {
  return {H5Oopen(file_id, path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path, file};
}

}  // namespace tetrawave::store
