// Attributes of groups and datasets.
#include "base/error.hpp"
#include "store/hdf5.hpp"
#include "store/hdf5_handle.hpp"

namespace tetrawave::store {
namespace {

struct OpenAttribute {
  Handle attribute;
  Handle type;
  Handle space;
};

OpenAttribute open_attribute(hid_t file_id, const std::string& path, const std::string& name, const std::string& what,
                             const std::string& file) {
  const Handle object = open_object(file_id, path, file);
  Handle attribute(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), H5Aclose, what, file);
  Handle type(H5Aget_type(attribute.get()), H5Tclose, what, file);
  Handle space(H5Aget_space(attribute.get()), H5Sclose, what, file);
  return {std::move(attribute), std::move(type), std::move(space)};
}

// A single value if `count` is negative (a scalar), else a list. An existing attribute is replaced.
void write_attribute(hid_t file_id, const std::string& path, const std::string& name, const Handle& type,
                     std::int64_t count, const void* values, const std::string& file) {
  const std::string what = "write attribute " + name + " of " + path;
  const Handle object = open_object(file_id, path, file);
  if (H5Aexists(object.get(), name.c_str()) > 0) check(H5Adelete(object.get(), name.c_str()), what, file);
  const auto size = static_cast<hsize_t>(count < 0 ? 1 : count);
  const Handle space(count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose, what, file);
  Handle attribute(H5Acreate2(object.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                   what, file);
  if (count != 0) check(H5Awrite(attribute.get(), type.get(), values), what, file);
  attribute.close(what, file);
}

template <class T>
std::vector<T> read_numbers(hid_t file_id, const std::string& path, const std::string& name, bool integer,
                            const std::string& file) {
  const std::string what = "read attribute " + name + " of " + path;
  const OpenAttribute open = open_attribute(file_id, path, name, what, file);
  const H5T_class_t kind = H5Tget_class(open.type.get());
  if (kind != H5T_INTEGER && (integer || kind != H5T_FLOAT))
    fail(ExitCode::io, "{}: attribute {} of {} is not {} number", file, name, path, integer ? "a whole" : "a");
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(open.space.get())));
  const Handle memory = make_type<T>(file);
  if (!values.empty()) check(H5Aread(open.attribute.get(), memory.get(), values.data()), what, file);
  return values;
}

template <class T>
T take_single(const std::vector<T>& values, const std::string& path, const std::string& name, const std::string& file) {
  if (values.size() != 1)
    fail(ExitCode::io, "{}: attribute {} of {} has {} values where one is expected", file, name, path, values.size());
  return values.front();
}

}  // namespace

void File::set_attribute(const std::string& path, const std::string& name, const std::string& value) const {
  const PackedTexts packed = pack_texts({&value, 1}, texts_, name_);
  write_attribute(id_, path, name, packed.type, -1, packed.data(), name_);
}

void File::set_attribute(const std::string& path, const std::string& name, double value) const {
  write_attribute(id_, path, name, make_type<double>(name_), -1, &value, name_);
}

void File::set_integer_attribute(const std::string& path, const std::string& name, std::int64_t value) const {
  write_attribute(id_, path, name, make_type<std::int64_t>(name_), -1, &value, name_);
}

void File::set_attribute(const std::string& path, const std::string& name,
                         const std::vector<std::string>& values) const {
  const PackedTexts packed = pack_texts(values, texts_, name_);
  write_attribute(id_, path, name, packed.type, static_cast<std::int64_t>(values.size()), packed.data(), name_);
}

void File::set_attribute(const std::string& path, const std::string& name, std::span<const double> values) const {
  write_attribute(id_, path, name, make_type<double>(name_), static_cast<std::int64_t>(values.size()), values.data(),
                  name_);
}

void File::set_attribute(const std::string& path, const std::string& name, std::span<const std::int64_t> values) const {
  write_attribute(id_, path, name, make_type<std::int64_t>(name_), static_cast<std::int64_t>(values.size()),
                  values.data(), name_);
}

void File::set_ascii_attribute(const std::string& path, const std::string& name, const std::string& value) const {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type", name_);
  check(H5Tset_size(type.get(), value.size()), "make a type", name_);
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a type", name_);
  write_attribute(id_, path, name, type, -1, value.data(), name_);
}

bool File::has_attribute(const std::string& path, const std::string& name) const {
  const Handle object = open_object(id_, path, name_);
  return H5Aexists(object.get(), name.c_str()) > 0;
}

template <>
std::vector<std::string> File::attribute(const std::string& path, const std::string& name) const {
  const std::string what = "read attribute " + name + " of " + path;
  const OpenAttribute open = open_attribute(id_, path, name, what, name_);
  const auto read = [&](hid_t memory, void* out) { return H5Aread(open.attribute.get(), memory, out); };
  return read_texts(open.type, open.space, read, what, name_);
}

template <>
std::string File::attribute(const std::string& path, const std::string& name) const {
  return take_single(attribute<std::vector<std::string>>(path, name), path, name, name_);
}

template <>
std::vector<double> File::attribute(const std::string& path, const std::string& name) const {
  return read_numbers<double>(id_, path, name, false, name_);
}

template <>
double File::attribute(const std::string& path, const std::string& name) const {
  return take_single(read_numbers<double>(id_, path, name, false, name_), path, name, name_);
}

template <>
std::int64_t File::attribute(const std::string& path, const std::string& name) const {
  return take_single(read_numbers<std::int64_t>(id_, path, name, true, name_), path, name, name_);
}

}  // namespace tetrawave::store
