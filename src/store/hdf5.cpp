// Files, groups and properties of datasets.
#include "store/hdf5.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "store/hdf5_handle.hpp"

namespace tetrawave::store {
namespace {

// Locks are switched off: they fail on some parallel file systems, and every file has one writer, which renames it into
// place only when it is complete.
Handle make_access(const std::string& file) {
  // A file that could not be closed because of a full disk would crash HDF5's own clean-up at exit, and lose the exit
  // code. Every file is closed by its owner, so that clean-up has nothing to do.
  static const herr_t without_cleanup = H5dont_atexit();
  check(without_cleanup, "start HDF5", file);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make access properties", file);
  check(H5Pset_file_locking(access.get(), false, true), "switch locks off", file);
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "set access properties", file);
  return access;
}

ElementKind classify(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return ElementKind::real;
    case H5T_INTEGER:
      return ElementKind::integer;
    case H5T_STRING:
      return ElementKind::text;
    case H5T_COMPOUND:
      return H5Tget_nmembers(type) == 2 && H5Tget_member_index(type, "r") == 0 && H5Tget_member_index(type, "i") == 1
                 ? ElementKind::complex
                 : ElementKind::other;
    default:
      return ElementKind::other;
  }
}

// Raw bytes of a dataset that are in the file itself, or -1 if it is chunked, filtered, virtual or external.
std::int64_t measure_storage(const Handle& dataset, hid_t file_id, const std::string& file) {
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose, "read dataset properties", file);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) return -1;
  if (H5Pget_external_count(properties.get()) != 0 || H5Pget_nfilters(properties.get()) != 0) return -1;
  const auto bytes = static_cast<std::uint64_t>(H5Dget_storage_size(dataset.get()));
  if (layout == H5D_COMPACT || bytes == 0) return static_cast<std::int64_t>(bytes);
  hsize_t length = 0;
  check(H5Fget_filesize(file_id, &length), "read the file's length", file);
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF || offset > length || bytes > length - offset) return 0;
  return static_cast<std::int64_t>(bytes);
}

herr_t take_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}

}  // namespace

std::int64_t DatasetInfo::claimed_bytes() const {
  std::int64_t bytes = element_bytes;
  for (const std::int64_t extent : extents) {
    if (extent != 0 && bytes > std::numeric_limits<std::int64_t>::max() / extent) return -1;
    bytes *= extent;
  }
  return bytes;
}

File File::create(const std::filesystem::path& path, TextStyle texts) {
  const std::string name = path.string();
  const Handle access = make_access(name);
  const hid_t id = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  if (id < 0) throw_hdf5_failure("create the file", name);
  return {id, name, texts};
}

File File::open_to_fill(const std::filesystem::path& path) {
  const std::string name = path.string();
  const Handle access = make_access(name);
  const hid_t id = H5Fopen(name.c_str(), H5F_ACC_RDWR, access.get());
  if (id < 0) throw_hdf5_failure("open the file", name);
  return {id, name, TextStyle::variable};
}

File File::open(const std::filesystem::path& path) {
  const std::string name = path.string();
  const Handle access = make_access(name);
  const hid_t id = H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.get());
  if (id < 0) throw_hdf5_failure("open the file", name);
  return {id, name, TextStyle::variable};
}

File::File(File&& other) noexcept
    : id_(std::exchange(other.id_, -1)), name_(std::move(other.name_)), texts_(other.texts_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(name_, other.name_);
  std::swap(texts_, other.texts_);
  return *this;
}

File::~File() {
  if (id_ >= 0) H5Fclose(id_);
}

void File::close() {
  const std::string what = "write the file out";
  Handle file(std::exchange(id_, -1), H5Fclose, what, name_);
  check(H5Fflush(file.get(), H5F_SCOPE_LOCAL), what, name_);  // its reason is gone once the file is closed
  file.close(what, name_);
}

void File::create_group(const std::string& path) const {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make link properties", name_);
  check(H5Pset_create_intermediate_group(links.get(), 1), "set link properties", name_);
  Handle group(H5Gcreate2(id_, path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "create group " + path,
               name_);
  group.close("create group " + path, name_);
}

void File::link(const std::string& link, const std::string& target) const {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make link properties", name_);
  check(H5Pset_create_intermediate_group(links.get(), 1), "set link properties", name_);
  check(H5Lcreate_soft(target.c_str(), id_, link.c_str(), links.get(), H5P_DEFAULT), "create link " + link, name_);
}

bool File::has(const std::string& path) const {
  if (is_root(path)) return true;
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (H5Lexists(id_, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(id_, path.c_str(), H5P_DEFAULT) > 0 && H5Oexists_by_name(id_, path.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> File::list(const std::string& group) const {
  const Handle object(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), H5Gclose, "open group " + group, name_);
  std::vector<std::string> names;
  check(H5Literate(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &names), "list group " + group, name_);
  return names;
}

DatasetInfo File::info(const std::string& path) const {
  const std::string what = "read dataset " + path;
  const Handle dataset(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose, what, name_);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose, what, name_);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, what, name_);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) throw_hdf5_failure(what, name_);
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), what, name_);
  DatasetInfo info;
  for (const hsize_t extent : extents) {
    constexpr hsize_t most = std::numeric_limits<std::int64_t>::max();
    info.extents.push_back(static_cast<std::int64_t>(std::min(extent, most)));
  }
  info.kind = classify(type.get());
  info.element_bytes = static_cast<std::int64_t>(H5Tget_size(type.get()));
  info.stored_bytes = measure_storage(dataset, id_, name_);
  return info;
}

}  // namespace tetrawave::store
