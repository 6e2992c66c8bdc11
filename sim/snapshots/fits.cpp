#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/text_table.h"
#include "snapshot_formats.h"

// Binary tables of FITS (FITS Standard 4.0, 4.4.1 and 7.3). Columns are found by their names; variable-length
// arrays, complex numbers and texts are left out. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

constexpr std::size_t card_size = 80, record_size = 2880;
constexpr std::uint64_t too_many = std::uint64_t{1} << 60;

/// One header, and where its data and the next header are.
struct Unit {
  std::map<std::string, std::string, std::less<>> cards;
  std::size_t data = 0, next = 0;

  std::string text(std::string_view key) const {
    const auto found = cards.find(key);
    return found == cards.end() ? std::string() : found->second;
  }
  std::optional<double> number(std::string_view key) const { return parse_number(text(key)); }
  /// 0 if it is no count.
  std::uint64_t whole(std::string_view key) const {
    const auto value = text(key);
    std::uint64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return std::min(number, too_many);
  }
  std::string text(std::string_view key, std::size_t k) const { return text(fmt::format("{}{}", key, k)); }
};

/// The value of a card: a text without its quotes, or what stands before the comment.
std::string value_of(std::string_view card) {
  auto value = trimmed(card.substr(10));
  if (!value.starts_with('\'')) return std::string(trimmed(value.substr(0, value.find('/'))));
  std::string text;
  for (std::size_t k = 1; k < value.size(); ++k) {
    if (value[k] == '\'' && (k + 1 == value.size() || value[++k] != '\'')) break;
    text += value[k];
  }
  return std::string(trimmed(text));
}

std::uint64_t rounded_up(std::uint64_t size) { return (size + record_size - 1) / record_size * record_size; }

/// Behind the data of a header.
std::size_t end_of_data(const Unit& unit) {
  const auto axes = unit.whole("NAXIS");
  std::uint64_t size = axes > 0 && axes < 1000 ? 1 : 0;
  for (std::uint64_t k = 1; k <= axes && axes < 1000; ++k)
    size = limited_product(size, unit.whole(fmt::format("NAXIS{}", k)));
  const auto groups = std::max<std::uint64_t>(unit.whole("GCOUNT"), 1);
  const double bits = std::abs(unit.number("BITPIX").value_or(8.0));
  const auto width = bits >= 8.0 && bits <= 64.0 ? static_cast<std::uint64_t>(bits) / 8 : 1;
  size = limited_product(limited_product(std::min(size + unit.whole("PCOUNT"), too_many), groups), width);
  return static_cast<std::size_t>(std::min<std::uint64_t>(unit.data + rounded_up(size), too_many));
}

/// The header that begins there; empty at the end of the file.
std::optional<Unit> unit_at(const FileView& file, std::size_t begin) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  Unit unit;
  if (!bytes.substr(std::min(begin, bytes.size())).starts_with(begin == 0 ? "SIMPLE" : "XTENSION"))
    return std::nullopt;
  for (std::size_t at = begin; at + card_size <= bytes.size(); at += card_size) {
    const auto card = bytes.substr(at, card_size);
    const auto key = trimmed(card.substr(0, 8));
    if (key == "END") {
      unit.data = static_cast<std::size_t>(rounded_up(at + card_size));
      unit.next = end_of_data(unit);
      return unit;
    }
    if (card.substr(8, 2) == "= ") unit.cards.insert_or_assign(std::string(key), value_of(card));
  }
  cannot_read(file.path, "a header of its FITS has no END; copy it again");
}

struct Field {
  std::string name, unit;
  ArrayType type = ArrayType::text;
  std::size_t components = 1, offset = 0;
  double scale = 1.0, zero = 0.0;
  std::optional<double> null;

  bool is_scaled() const { return scale != 1.0 || zero != 0.0; }
};

/// A letter of TFORM, bytes of a number, and its type.
struct Form {
  char letter;
  std::size_t width;
  ArrayType type;
};
constexpr auto unread = ArrayType::text;
constexpr std::array forms{
    Form{'B', 1, ArrayType::u8},  Form{'I', 2, ArrayType::i16}, Form{'J', 4, ArrayType::i32},
    Form{'K', 8, ArrayType::i64}, Form{'E', 4, ArrayType::f32}, Form{'D', 8, ArrayType::f64},
    Form{'L', 1, unread},         Form{'A', 1, unread},         Form{'C', 8, unread},
    Form{'P', 8, unread},         Form{'M', 16, unread},        Form{'Q', 16, unread}};

class BinaryTable {
 public:
  BinaryTable(const FileView& file, const Unit& unit)
      : file_(file), unit_(unit), row_(unit.whole("NAXIS1")), rows_(unit.whole("NAXIS2")) {
    for (std::size_t k = 1; k <= std::min<std::uint64_t>(unit.whole("TFIELDS"), 999); ++k) add_field(k);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& field : fields_) names.push_back(field.name);
    return names;
  }

  std::vector<NamedArray> arrays(const ReadOptions& options) const {
    const auto begin = std::min(unit_.data, file_.bytes.size());
    if (end_ > row_ || row_ == 0 || row_ >= too_many || rows_ > (file_.bytes.size() - begin) / row_)
      cannot_read(file_.path,
                  fmt::format("its FITS table should have {} rows of {} bytes, for which the file is too "
                              "short; copy it again",
                              rows_, row_));
    return needed_arrays(names(), options.progress, [&](std::size_t k) { return array_of(fields_[k]); });
  }

 private:
  const FileView& file_;
  const Unit& unit_;
  std::vector<Field> fields_;
  std::uint64_t row_, rows_, end_ = 0;  ///< bytes of a row, rows, and where the fields end

  void add_field(std::size_t k) {
    const auto text = unit_.text("TFORM", k);
    std::uint64_t repeat = 1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), repeat);
    const char letter = end < text.data() + text.size() ? *end : '\0';
    const auto form = std::ranges::find(forms, letter, &Form::letter);
    const bool is_known = form != forms.end();
    fields_.push_back({.name = unit_.text("TTYPE", k),
                       .unit = unit_.text("TUNIT", k),
                       .type = is_known && repeat > 0 ? form->type : unread,
                       .components = static_cast<std::size_t>(std::min(repeat, too_many)),
                       .offset = static_cast<std::size_t>(end_),
                       .scale = unit_.number(fmt::format("TSCAL{}", k)).value_or(1.0),
                       .zero = unit_.number(fmt::format("TZERO{}", k)).value_or(0.0),
                       .null = unit_.number(fmt::format("TNULL{}", k))});
    const auto bytes = letter == 'X' ? (repeat + 7) / 8 : limited_product(repeat, is_known ? form->width : 0);
    end_ = std::min(end_ + bytes, too_many);
  }

  /// Numbers as they are, or in double precision where they are scaled or some are missing.
  NamedArray array_of(const Field& field) const {
    NamedArray array{.name = field.name, .type = field.type, .components = 1, .unit = field.unit};
    if (field.type == ArrayType::text) return array;
    array.components = field.components;
    const auto size = size_of(field.type), tuple = size * field.components;
    array.bytes.resize(static_cast<std::size_t>(rows_) * tuple);
    for (std::size_t i = 0; i < rows_; ++i)
      std::memcpy(array.bytes.data() + i * tuple, file_.bytes.data() + unit_.data + i * row_ + field.offset,
                  tuple);
    to_native(array.bytes, size, true);
    const bool is_whole = field.type != ArrayType::f32 && field.type != ArrayType::f64;
    if (!field.is_scaled() && !(is_whole && field.null)) return array;
    // Unsigned numbers of 64 bits are stored as signed ones, 2^63 smaller.
    constexpr double half = 9223372036854775808.0;
    if (field.type == ArrayType::i64 && field.scale == 1.0 && field.zero == half)
      return as_unsigned(std::move(array));
    return as_numbers(field, array, is_whole);
  }
  static NamedArray as_unsigned(NamedArray array) {
    array.type = ArrayType::u64;
    constexpr std::size_t sign = 7;  // little-endian
    for (std::size_t at = sign; at < array.bytes.size(); at += 8) array.bytes[at] ^= std::byte{0x80};
    return array;
  }
  static NamedArray as_numbers(const Field& field, const NamedArray& stored, bool is_whole) {
    auto array = array_of_numbers(stored.name, stored.values(), [&](std::size_t i) {
      const double number = stored.number(i);
      const bool missing = is_whole && field.null == number;
      return missing ? std::numeric_limits<double>::quiet_NaN() : number * field.scale + field.zero;
    });
    array.components = stored.components;
    array.unit = stored.unit;
    return array;
  }
};

bool recognizes_fits(const FileView& file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  return bytes.starts_with("SIMPLE  =");
}

Scene read_fits(const FileView& file, const ReadOptions& options) {
  bool has_table = false, has_ascii = false;
  std::vector<std::string> others;
  for (auto unit = unit_at(file, 0); unit; unit = unit_at(file, unit->next)) {
    const auto kind = unit->text("XTENSION");
    has_ascii = has_ascii || kind == "TABLE";
    if (kind != "BINTABLE") continue;
    has_table = true;
    const BinaryTable table(file, *unit);
    const auto names = table.names();
    if (!names_places(names)) continue;
    const auto title = unit->text("EXTNAME");
    if (!options.group.empty() && title != options.group) {
      others.push_back(printable(title.empty() ? "(without a name)" : title, 32));
      continue;
    }
    auto arrays = table.arrays(options);
    return scene_of_arrays(file, std::move(arrays), options,
                           title.empty() ? "FITS table" : fmt::format("FITS table {}", printable(title, 40)));
  }
  if (!others.empty())
    cannot_read(file.path,
                fmt::format("it has no table '{}' of bodies; choose one of {} with --set group=NAME",
                            printable(options.group, 40), fmt::join(others, ", ")));
  cannot_read(
      file.path,
      has_table
          ? "none of its FITS tables has columns x, y and z, or ra, dec and parallax; rename the columns"
      : has_ascii
          ? "its FITS tables are in ASCII; save them as binary tables or CSV, for example with astropy"
          : "it is a FITS file without a table (pictures only); choose a catalogue");
}

}  // namespace

const SnapshotFormat fits_format{.name = "fits",
                                 .meaning = "binary tables of FITS: bodies, or objects on the sky",
                                 .recognizes = &recognizes_fits,
                                 .read = &read_fits};

}  // namespace orrery::sim
