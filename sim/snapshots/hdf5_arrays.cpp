#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/counted.h"
#include "sim/core/message.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/hdf5_snapshot.h"

// HDF5 files of no program in particular: datasets of one group, named like the columns of a text table.

namespace orrery::sim {

namespace {

std::string path_in(const std::string& group, const std::string& name) {
  return (group == "/" ? "" : group) + "/" + name;
}

/// The datasets of a group that can be one number or a short vector for each body. Independent galaxies and
/// charges are not among them.
std::vector<std::string> arrays_in(const Hdf5File& file, const std::string& group) {
  std::vector<std::string> names;
  for (const auto& name : file.children(group)) {
    const auto shape = file.dataset(path_in(group, name));
    const bool fits = shape && shape->kind != Hdf5Shape::Kind::other &&
                      (shape->elsewhere || shape->extent.size() == 1 ||
                       (shape->extent.size() == 2 && shape->extent[1] <= 3));
    const auto quantity = quantity_named(name);
    if (fits && quantity != "galaxy" && quantity != "charge") names.push_back(name);
  }
  return names;
}

ArrayType type_for(const Hdf5Shape& shape, std::string_view quantity) {
  if (quantity == "id" && shape.kind == Hdf5Shape::Kind::whole) return ArrayType::u64;
  return shape.kind == Hdf5Shape::Kind::real && shape.width == 4 ? ArrayType::f32 : ArrayType::f64;
}

NamedArray read_array(const Hdf5Reader& reader, const std::string& group, const std::string& name) {
  const auto path = path_in(group, name);
  const auto shape = *reader.file.dataset(path);
  require_plausible(reader.view, path, shape);
  const auto columns = shape.extent.size() == 2 ? static_cast<std::size_t>(shape.extent[1]) : 1;
  if (columns == 0 || shape.extent[0] == 0) refuse_dataset(reader.view, path, "is empty");
  const auto count = static_cast<std::size_t>(shape.extent[0]) * columns;
  NamedArray array{.name = name, .type = type_for(shape, quantity_named(name)), .components = columns};
  array.unit = reader.file.text(path, "units");
  array.bytes.resize(count * size_of(array.type));
  if (!reader.file.read(path, 0, array.type, count, array.bytes.data()))
    refuse_dataset(reader.view, path, "cannot be unpacked");
  return array;
}

std::vector<double> header_numbers(const Hdf5File& file, const std::string& name) {
  const auto shape = file.dataset("/header/" + name);
  constexpr std::size_t most = 64;
  if (!shape || shape->extent.size() > 1 || (shape->extent.size() == 1 && shape->extent[0] > most)) return {};
  std::vector<double> numbers(shape->extent.empty() ? 1 : shape->extent[0]);
  return file.read("/header/" + name, 0, std::span(numbers)) ? numbers : std::vector<double>();
}

/// Files that phantom2hdf5 makes: a header with the time and the mass of each type of particle, and sinks in
/// a group of their own.
class PhantomParts {
 public:
  PhantomParts(const Hdf5Reader& reader, std::string group)
      : reader_(reader), group_(std::move(group)), masses_(header_numbers(reader.file, "massoftype")) {}

  bool is_phantom() const { return !masses_.empty() && group_ == "/particles"; }

  void add(std::vector<NamedArray>& arrays, std::vector<std::string>& notes) const {
    const auto find = [&](std::string_view name) {
      return std::ranges::find(arrays, name, &NamedArray::name);
    };
    if (find("xyz") == arrays.end()) return;
    if (find("mass") == arrays.end()) arrays.push_back(masses_of(find("xyz")->tuples()));
    if (const auto time = header_numbers(reader_.file, "time"); time.size() == 1)
      arrays.push_back(array_of_numbers("time", 1, [&](std::size_t) { return time[0]; }));
    const auto sinks = arrays_in(reader_.file, "/sinks");
    std::vector<std::pair<NamedArray*, NamedArray>> longer;
    for (const auto& [name, own] :
         {std::pair("xyz", "xyz"), std::pair("vxyz", "vxyz"), std::pair("m", "mass")}) {
      const auto to = find(own);
      if (to == arrays.end() || std::ranges::find(sinks, name) == sinks.end()) return;
      longer.emplace_back(&*to, read_array(reader_, "/sinks", name));
      const auto& more = longer.back().second;
      if (more.components != to->components || more.type != to->type ||
          more.tuples() != longer.front().second.tuples())
        return;
    }
    for (auto& [to, more] : longer) to->bytes.insert(to->bytes.end(), more.bytes.begin(), more.bytes.end());
    notes.push_back(
        fmt::format("with {} of the group /sinks", counted(longer[0].second.tuples(), "body", "bodies")));
  }

 private:
  NamedArray masses_of(std::size_t count) const {
    const auto types = numbers("/itype", count);
    // What was accreted has no smoothing length any more: its mass is that of a sink.
    const auto lengths = numbers("/h", count);
    return array_of_numbers("mass", count, [&](std::size_t i) {
      if (lengths[i] <= 0.0) return 0.0;
      const double type = std::abs(types[i]) - 1.0;
      return type >= 0.0 && type < static_cast<double>(masses_.size())
                 ? masses_[static_cast<std::size_t>(type)]
                 : 0.0;
    });
  }

  /// One number a body, 1 where the file does not have as many.
  std::vector<double> numbers(const std::string& name, std::size_t count) const {
    std::vector<double> found(count, 1.0);
    const auto shape = reader_.file.dataset(group_ + name);
    if (shape && shape->extent == std::vector<std::uint64_t>{count})
      reader_.file.read(group_ + name, 0, std::span(found));
    return found;
  }

  const Hdf5Reader& reader_;
  std::string group_;
  std::vector<double> masses_;
};

}  // namespace

std::vector<std::string> groups_of_arrays(const Hdf5File& file) {
  std::vector<std::string> groups;
  if (names_places(arrays_in(file, "/"))) groups.emplace_back("/");
  for (const auto& name : file.children("/"))
    if (names_places(arrays_in(file, "/" + name))) groups.push_back("/" + name);
  return groups;
}

Scene read_hdf5_arrays(const Hdf5Reader& reader, const std::vector<std::string>& groups) {
  const auto found = std::ranges::find_if(
      groups, [&](const std::string& path) { return is_named(path, reader.options.group); });
  if (found == groups.end()) refuse_group(reader.view, reader.options.group, groups);
  const auto& group = *found;
  const auto names = arrays_in(reader.file, group);
  std::vector<NamedArray> arrays;
  for (const auto& name : names) {
    if (needs_array(name, names))
      arrays.push_back(read_array(reader, group, name));
    else
      arrays.push_back({.name = name, .type = ArrayType::text});
    reader.tell(0.8 * static_cast<double>(arrays.size()) / static_cast<double>(names.size()));
  }
  std::vector<std::string> notes;
  const PhantomParts phantom(reader, group);
  if (phantom.is_phantom()) phantom.add(arrays, notes);
  const auto source =
      group == "/" ? std::string("HDF5, arrays") : fmt::format("HDF5, arrays of {}", printable(group));
  auto scene = scene_of_arrays(reader.view, std::move(arrays), reader.options, source);
  scene.notes.insert(scene.notes.end(), notes.begin(), notes.end());
  if (groups.size() > (notes.empty() ? 1U : 2U))
    scene.notes.push_back(fmt::format(
        "{} groups of the file have places ({}): {} is read, the others are not; --set group=NAME "
        "chooses another",
        groups.size(), some_of(groups, 6), printable(group)));
  return scene;
}

}  // namespace orrery::sim
