#include "sim/engines/checkpoint_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/core/byte_order.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/hash.h"
#include "sim/core/json_text.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

// The file, in words of 8 bytes, numbers with the lowest byte first: signature, version, length of the
// header, the header (JSON) filled up with blanks, the arrays that it names, each filled up with zeros, and
// the 64-bit FNV-1a hash of all words before.
namespace orrery::sim {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view checkpoint_signature = "ORRERYCP";
constexpr std::uint64_t form_version = 1;
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t header_at = 3 * word;

std::size_t in_words(std::size_t bytes) { return (bytes + word - 1) / word * word; }

/// Writes whole words and adds them to the hash.
class WordWriter {
 public:
  explicit WordWriter(FileWriter& file) : file_(file) {}
  void add(std::span<const std::byte> bytes, char fill = '\0') {
    const auto whole = bytes.size() / word * word;
    put(bytes.first(whole));
    if (whole == bytes.size()) return;
    std::array<std::byte, word> last;
    last.fill(std::byte(fill));
    std::ranges::copy(bytes.subspan(whole), last.begin());
    put(last);
  }
  void add(std::uint64_t number) {
    std::array<std::byte, word> bytes;
    store(number, false, bytes.data());
    put(bytes);
  }
  std::uint64_t hash() const { return hash_.value(); }

 private:
  void put(std::span<const std::byte> words) {
    for (std::size_t at = 0; at < words.size(); at += word)
      hash_.add_word(load<std::uint64_t>(words.data() + at, false));
    file_.write(words);
  }
  FileWriter& file_;
  Fnv1a<std::uint64_t> hash_;
};

json checkpoint_header(std::string_view about, const EngineState& engine) {
  auto arrays = json::array();
  for (const auto& array : engine.arrays)
    arrays.push_back({{"name", array.name}, {"bytes", array.bytes.size()}});
  return {{"program", "orrery"},  {"time", engine.time},
          {"step", engine.steps}, {"bodies", engine.position.size()},
          {"form", engine.form},  {"arrays", std::move(arrays)},
          {"about", about}};
}

std::span<const std::byte> vector_bytes(const std::vector<Vec3>& vectors) {
  return std::as_bytes(std::span(vectors));
}

/// Gives the file a second name first: the first name is never without a whole file. Where the file
/// system has no second names, it is renamed.
void keep_as_previous(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) return;
  const auto previous = previous_checkpoint(file);
  auto passing = previous;
  passing += fmt::format(".{}", ::getpid());
  fs::remove(passing, failure);
  fs::create_hard_link(file, passing, failure);
  if (failure)
    fs::rename(file, previous, failure);
  else
    fs::rename(passing, previous, failure);
  if (failure) cannot_write(previous, failure.message() + "; choose another folder for the checkpoints");
}

/// Throws Error unless the words are those that were written.
void check_words(const FileView& file) {
  const auto& bytes = file.bytes;
  if (bytes.size() < checkpoint_signature.size() ||
      std::memcmp(bytes.data(), checkpoint_signature.data(), checkpoint_signature.size()) != 0)
    throw Error("it is no checkpoint of orrery");
  const auto number = [&](std::size_t at) { return load<std::uint64_t>(bytes.data() + at, false); };
  if (bytes.size() >= 2 * word && number(word) != form_version)
    throw Error(fmt::format("it is of another version of orrery (form {}, this program reads {})",
                            number(word), form_version));
  if (bytes.size() < header_at + word || bytes.size() % word != 0)
    throw Error("it is damaged: its end is missing");
  Fnv1a<std::uint64_t> hash;
  for (std::size_t at = 0; at + word < bytes.size(); at += word) hash.add_word(number(at));
  if (hash.value() != number(bytes.size() - word))
    throw Error("it is damaged: its content does not give the checksum at its end");
}

/// Hands out the arrays one after another.
class ArrayReader {
 public:
  ArrayReader(std::span<const std::byte> bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  std::span<const std::byte> next(std::uint64_t size) {
    const std::size_t left = bytes_.size() - word - at_;
    if (size > left || in_words(size) > left) throw Error("it is damaged: arrays are missing");
    const auto part = bytes_.subspan(at_, size);
    at_ += in_words(size);
    return part;
  }
  std::vector<Vec3> next_vectors(std::uint64_t count) {
    if (count > bytes_.size() / sizeof(Vec3)) throw Error("it is damaged: bodies are missing");
    std::vector<Vec3> vectors(count);
    std::ranges::copy(next(count * sizeof(Vec3)), std::as_writable_bytes(std::span(vectors)).begin());
    return vectors;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_;
};

CheckpointContent content_of(std::span<const std::byte> bytes) try {
  const auto length = load<std::uint64_t>(bytes.data() + 2 * word, false);
  if (length > bytes.size() - header_at - word) throw Error("it is damaged: its header is too long");
  const auto* text = reinterpret_cast<const char*>(bytes.data() + header_at);
  const auto header = json_in({text, length});
  CheckpointContent content{.about = header.at("about").get<std::string>(), .engine = {}};
  auto& engine = content.engine;
  engine.time = header.at("time").get<double>();
  engine.steps = header.at("step").get<std::uint64_t>();
  engine.form = header.at("form").get<std::string>();
  ArrayReader arrays(bytes, header_at + in_words(length));
  const auto bodies = header.at("bodies").get<std::uint64_t>();
  engine.position = arrays.next_vectors(bodies);
  engine.velocity = arrays.next_vectors(bodies);
  for (const auto& array : header.at("arrays"))
    engine.add(array.at("name").get<std::string>(), arrays.next(array.at("bytes").get<std::uint64_t>()));
  return content;
} catch (const json::exception&) {
  throw Error("it is damaged: its header cannot be read");
}

CheckpointContent read_whole(const fs::path& file) {
  const MappedFile mapped(file);
  const TornFileGuard guard(mapped.view().bytes);
  check_words(mapped.view());
  auto content = content_of(mapped.view().bytes);
  if (guard.torn()) throw Error("it was shortened while it was read");
  return content;
}

/// "; 'x.previous' is whole and is of step 300", or what else to do.
std::string what_helps(const fs::path& file) {
  const auto previous = previous_checkpoint(file);
  std::error_code failure;
  if (file.extension() != ".previous" && fs::exists(previous, failure)) {
    try {
      return fmt::format("; {} is whole, of step {}: use that", quoted(previous),
                         read_whole(previous).engine.steps);
    } catch (const Error&) {
      // It helps nobody either.
    }
  }
  return "; use another checkpoint";
}

}  // namespace

fs::path previous_checkpoint(const fs::path& file) {
  auto previous = file;
  return previous += ".previous";
}

void write_checkpoint(const fs::path& file, std::string_view about, const EngineState& engine,
                      bool keep_previous) {
  FileWriter writer(file);
  WordWriter words(writer);
  const auto header = dump_json(checkpoint_header(about, engine));
  words.add(std::as_bytes(std::span(checkpoint_signature)));
  words.add(form_version);
  words.add(header.size());
  words.add(std::as_bytes(std::span(header)), ' ');
  words.add(vector_bytes(engine.position));
  words.add(vector_bytes(engine.velocity));
  for (const auto& array : engine.arrays) words.add(array.bytes);
  words.add(std::uint64_t{words.hash()});
  // A full disk is noticed before the file that is there gives way.
  writer.settle();
  if (keep_previous) keep_as_previous(writer.target());
  writer.finish();
}

bool looks_like_checkpoint(const fs::path& file) {
  std::error_code failure;
  // A pipe would be waited for.
  if (!fs::is_regular_file(file, failure)) return false;
  std::array<char, checkpoint_signature.size()> bytes{};
  std::ifstream(file, std::ios::binary).read(bytes.data(), bytes.size());
  return std::string_view(bytes.data(), bytes.size()) == checkpoint_signature;
}

CheckpointContent read_checkpoint(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure) && !failure && !fs::exists(previous_checkpoint(file), failure)) {
    const auto near = nearest_file(file);
    throw UsageError(fmt::format(
        "there is no checkpoint {}; {}", quoted(file),
        near.empty() ? std::string("check the name and the folder") : "did you mean " + quoted(near) + "?"));
  }
  try {
    return read_whole(file);
  } catch (const Error& error) {
    const std::string why = error.what();
    const auto prefix =
        why.starts_with("cannot read") ? std::string() : fmt::format("cannot go on from {}: ", quoted(file));
    throw Error(prefix + why + what_helps(file));
  }
}

}  // namespace orrery::sim
