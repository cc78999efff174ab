// Contents of datasets.
#include "base/error.hpp"
#include "store/hdf5.hpp"
#include "store/hdf5_handle.hpp"

namespace tetrawave::store {
namespace {

Handle make_space(const Extents& extents, const std::string& file) {
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose, "make a data space", file};
}

// No modification times: equal contents give equal bytes. `reserved`: space in the file is allocated at once.
Handle create_dataset(hid_t id, const std::string& path, const Handle& type, const Handle& space,
                      const std::string& file, bool reserved = false) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make link properties", file);
  check(H5Pset_create_intermediate_group(links.get(), 1), "set link properties", file);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make dataset properties", file);
  check(H5Pset_obj_track_times(properties.get(), false), "set dataset properties", file);
  if (reserved) {
    check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "set dataset properties", file);
    check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "set dataset properties", file);
  }
  return {H5Dcreate2(id, path.c_str(), type.get(), space.get(), links.get(), properties.get(), H5P_DEFAULT), H5Dclose,
          "create dataset " + path, file};
}

}  // namespace

template <class T>
void File::write_values(const std::string& path, std::span<const T> values, const std::string& units,
                        const Extents& extents) const {
  const Extents shape = extents.empty() ? Extents{static_cast<std::int64_t>(values.size())} : extents;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  ensure(count == static_cast<std::int64_t>(values.size()), "a dataset's extents multiply to its number of values");
  const Handle type = make_type<T>(name_);
  const Handle space = make_space(shape, name_);
  Handle dataset = create_dataset(id_, path, type, space, name_);
  const std::string what = "write dataset " + path;
  if (!values.empty())
    check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what, name_);
  dataset.close(what, name_);
  if (!units.empty()) set_attribute(path, "units", units);
}

void File::write(const std::string& path, std::span<const double> values, const std::string& units,
                 const Extents& extents) const {
  write_values(path, values, units, extents);
}
void File::write(const std::string& path, std::span<const float> values, const std::string& units,
                 const Extents& extents) const {
  write_values(path, values, units, extents);
}
void File::write(const std::string& path, std::span<const std::int32_t> values, const std::string& units,
                 const Extents& extents) const {
  write_values(path, values, units, extents);
}
void File::write(const std::string& path, std::span<const std::int64_t> values, const std::string& units,
                 const Extents& extents) const {
  write_values(path, values, units, extents);
}
void File::write(const std::string& path, std::span<const std::complex<double>> values, const std::string& units,
                 const Extents& extents) const {
  write_values(path, values, units, extents);
}
void File::write(const std::string& path, std::span<const Vec3> values, const std::string& units) const {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const auto rows = static_cast<std::int64_t>(values.size());
  write_values(path, std::span<const double>(values.empty() ? nullptr : values.data()->data(), 3 * values.size()),
               units, {rows, 3});
}

void File::write(const std::string& path, const std::vector<std::string>& texts) const {
  const PackedTexts packed = pack_texts(texts, texts_, name_);
  const Handle space = make_space({static_cast<std::int64_t>(texts.size())}, name_);
  Handle dataset = create_dataset(id_, path, packed.type, space, name_);
  const std::string what = "write dataset " + path;
  if (!texts.empty())
    check(H5Dwrite(dataset.get(), packed.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), what, name_);
  dataset.close(what, name_);
}

template <class T>
std::vector<T> File::read_rows(const std::string& path, std::int64_t first, std::int64_t count) const {
  const std::string what = "read dataset " + path;
  const Handle dataset(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose, what, name_);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, what, name_);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 1) throw_hdf5_failure(what + " (a list was expected)", name_);
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), what, name_);
  const auto begin = static_cast<hsize_t>(first);
  const auto rows = static_cast<hsize_t>(count);
  ensure(first >= 0 && count >= 0 && begin <= extents[0] && rows <= extents[0] - begin, "rows are inside the dataset");
  std::vector<hsize_t> start(extents.size(), 0);
  start[0] = begin;
  extents[0] = rows;
  std::size_t values = 1;
  for (const hsize_t extent : extents) values *= extent;
  std::vector<T> result(values);
  if (values == 0) return result;
  const Handle memory(H5Screate_simple(dimensions, extents.data(), nullptr), H5Sclose, what, name_);
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extents.data(), nullptr), what, name_);
  const Handle type = make_type<T>(name_);
  check(H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, result.data()), what, name_);
  return result;
}

template <class T>
std::vector<T> File::read(const std::string& path) const {
  const Extents extents = info(path).extents;
  return read_rows<T>(path, 0, extents.empty() ? 0 : extents[0]);
}

template <>
std::vector<std::string> File::read<std::string>(const std::string& path) const {
  const std::string what = "read dataset " + path;
  const Handle dataset(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose, what, name_);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose, what, name_);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, what, name_);
  const auto read = [&](hid_t memory, void* out) {
    return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  };
  return read_texts(type, space, read, what, name_);
}

template <class T>
void File::reserve(const std::string& path, const Extents& extents, const std::string& units) const {
  create_dataset(id_, path, make_type<T>(name_), make_space(extents, name_), name_, true)
      .close("create dataset " + path, name_);
  if (!units.empty()) set_attribute(path, "units", units);
}

template <class T>
void File::write_rows(const std::string& path, std::int64_t first, std::span<const T> values) const {
  const std::string what = "write dataset " + path;
  Handle dataset(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose, what, name_);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, what, name_);
  std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), what, name_);
  std::size_t width = 1;
  for (std::size_t axis = 1; axis < extents.size(); ++axis) width *= extents[axis];
  const hsize_t rows = values.size() / width;
  ensure(values.size() % width == 0 && first >= 0 && static_cast<hsize_t>(first) + rows <= extents[0],
         "rows are inside the dataset");
  if (rows == 0) return;
  std::vector<hsize_t> start(extents.size(), 0);
  start[0] = static_cast<hsize_t>(first);
  extents[0] = rows;
  const Handle memory(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose, what,
                      name_);
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extents.data(), nullptr), what, name_);
  const Handle type = make_type<T>(name_);
  check(H5Dwrite(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, values.data()), what, name_);
  dataset.close(what, name_);
}

template void File::reserve<double>(const std::string&, const Extents&, const std::string&) const;
template void File::reserve<float>(const std::string&, const Extents&, const std::string&) const;
template void File::reserve<std::int32_t>(const std::string&, const Extents&, const std::string&) const;
template void File::reserve<std::int64_t>(const std::string&, const Extents&, const std::string&) const;
template void File::reserve<std::uint8_t>(const std::string&, const Extents&, const std::string&) const;
template void File::write_rows(const std::string&, std::int64_t, std::span<const double>) const;
template void File::write_rows(const std::string&, std::int64_t, std::span<const float>) const;
template void File::write_rows(const std::string&, std::int64_t, std::span<const std::int32_t>) const;
template void File::write_rows(const std::string&, std::int64_t, std::span<const std::int64_t>) const;
template void File::write_rows(const std::string&, std::int64_t, std::span<const std::uint8_t>) const;

template std::vector<double> File::read_rows(const std::string&, std::int64_t, std::int64_t) const;
template std::vector<float> File::read_rows(const std::string&, std::int64_t, std::int64_t) const;
template std::vector<std::int32_t> File::read_rows(const std::string&, std::int64_t, std::int64_t) const;
template std::vector<std::int64_t> File::read_rows(const std::string&, std::int64_t, std::int64_t) const;
template std::vector<std::complex<double>> File::read_rows(const std::string&, std::int64_t, std::int64_t) const;
template std::vector<double> File::read(const std::string&) const;
template std::vector<float> File::read(const std::string&) const;
template std::vector<std::int32_t> File::read(const std::string&) const;
template std::vector<std::int64_t> File::read(const std::string&) const;
template std::vector<std::complex<double>> File::read(const std::string&) const;

}  // namespace tetrawave::store
