#include "sim/snapshots/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

std::string gzipped(std::string_view content) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstandard(std::string_view content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  auto* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), content.data(), content.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

class Unpack : public SnapshotTest {
 protected:
  /// Every format that can be written.
  std::vector<std::filesystem::path> written() const {
    auto scene = varied_scene(50, 3);
    std::vector<std::filesystem::path> paths;
    for (const auto* const name : {"a.bin", "a.vtp", "a.gad", "a.nemo", "a.tipsy", "a.csv", "a.hdf5"}) {
      try {
        write_snapshot(scene, folder() / name);
        paths.push_back(folder() / name);
      } catch (const Error&) {
        EXPECT_STREQ(name, "a.hdf5") << "only that may be lacking";
      }
    }
    return paths;
  }
};

TEST_F(Unpack, AllSnapshotsOfAPackedFileCount) {
  auto scene = varied_scene(50, 1);
  write_snapshot(scene, folder() / "a.nemo");
  scene.time += 2.0;
  write_snapshot(scene, folder() / "b.nemo");
  const auto both = content_of(folder() / "a.nemo") + content_of(folder() / "b.nemo");
  for (const auto& path :
       {save("c.nemo", both), save("c.nemo.gz", gzipped(both)), save("c.nemo.zst", zstandard(both))}) {
    EXPECT_EQ(count_snapshots(path), 2U) << path;
    EXPECT_EQ(read_snapshot(path).snapshots, 2U) << path;
    EXPECT_EQ(read_snapshot(path, {.snapshot = 1}).time, scene.time) << path;
  }
  EXPECT_EQ(read_snapshot(folder() / "a.nemo").snapshots, 1U);
}

TEST_F(Unpack, EveryFormatInBothPackings) {
  for (const auto& path : written()) {
    SCOPED_TRACE(path);
    const auto plain = read_snapshot(path);
    for (const auto& [extension, pack] : {std::pair{".gz", &gzipped}, std::pair{".zst", &zstandard}}) {
      const auto packed = save(path.filename().string() + extension, pack(content_of(path)));
      const auto scene = read_snapshot(packed);
      expect_same_bodies(scene.bodies, plain.bodies);
      EXPECT_EQ(scene.title, plain.title);
      EXPECT_EQ(scene.physics, plain.physics);
      EXPECT_EQ(scene.states_physics, plain.states_physics);
      EXPECT_EQ(scene.source.find(plain.source + ", packed with "), 0U) << scene.source;
    }
  }
}

/// As `zstd --long=WINDOW` packs what comes through a pipe: its head asks for the whole window.
std::string with_window(std::string_view content, int window_log) {
  std::string packed(ZSTD_compressBound(content.size()) + 64, '\0');
  auto* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ZSTD_inBuffer input{content.data(), content.size(), 0};
  ZSTD_outBuffer output{packed.data(), packed.size(), 0};
  // Without its end in sight the size is not known.
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush);
  EXPECT_EQ(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end), 0U);
  packed.resize(output.pos);
  ZSTD_freeCCtx(context);
  return packed;
}

// A fuzzer found 80 bytes that took 64 MiB.
TEST_F(Unpack, MemoryDoesNotFollowTheWindowThatASmallFileAsksFor) {
  const std::string table = "x,y,z\n1,2,3\n4,5,6\n";
  EXPECT_EQ(read_snapshot(save("usual.csv.zst", with_window(table, 23))).bodies.size(), 2U);
  for (const int window_log : {24, 26, 27}) {
    const auto path = save("large.csv.zst", with_window(table, window_log));
    try {
      read_snapshot(path);
      FAIL() << window_log;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("window"), std::string::npos) << error.what();
      EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
    }
  }
}

TEST_F(Unpack, SeveralPartsAndPaddingAreRead) {
  const std::string rows = "1 2 3 4 5 6\n", more = "2 3 4 5 6 7\n";
  EXPECT_EQ(read_text(gzipped(rows) + gzipped(more)).bodies.size(), 2U);
  EXPECT_EQ(read_text(gzipped(rows) + std::string(512, '\0')).bodies.size(), 1U);
  EXPECT_EQ(read_text(zstandard(rows) + zstandard(more)).bodies.size(), 2U);
}

TEST_F(Unpack, EveryPartOfAPackedFileIsRefused) {
  std::string rows;
  for (int k = 0; k < 40; ++k) rows += std::to_string(k * k * 7919) + " 2 3 -4 5 6 -7\n";
  for (const auto& content : {gzipped(rows), zstandard(rows)}) {
    for (std::size_t size = 4; size < content.size(); ++size)
      EXPECT_NE(text_refusal(content.substr(0, size)).find("cut off or damaged"), std::string::npos) << size;
    auto damaged = content;
    damaged[content.size() / 2] ^= '\x55';
    EXPECT_FALSE(text_refusal(damaged).empty());
  }
}

TEST_F(Unpack, BombsAndTwicePackedFilesAreRefused) {
  const std::string zeros(std::size_t{70} << 20, '\0');
  for (const auto& bomb : {gzipped(zeros), zstandard(zeros)})
    EXPECT_NE(text_refusal(bomb).find("times as large"), std::string::npos);
  EXPECT_NE(text_refusal(gzipped(zstandard("1 2 3\n"))).find("packed twice"), std::string::npos);
  EXPECT_NE(text_refusal(gzipped("")).find("nothing is packed"), std::string::npos);
  EXPECT_NE(text_refusal(gzipped("\x01\x02\x03garbage")).find("no known format"), std::string::npos);
}

TEST_F(Unpack, LimitsAreKept) {
  const auto packed = gzipped(std::string(std::size_t{5} << 20, 'a'));
  const FileView file{"a.gz", std::as_bytes(std::span(packed))};
  EXPECT_EQ(unpack(file, nullptr).size(), std::size_t{5} << 20);
  EXPECT_THROW(unpack(file, nullptr, {std::size_t{4} << 20, 1e9}), Error);
  Progress progress;
  progress.cancel = true;
  EXPECT_THROW(unpack(file, &progress), Cancelled);
}

TEST_F(Unpack, NamesLoseTheirPacking) {
  EXPECT_EQ(unpacked_name("a/b.tab.gz"), "a/b.tab");
  EXPECT_EQ(unpacked_name("b.hdf5.zst"), "b.hdf5");
  EXPECT_EQ(unpacked_name("b.csv"), "b.csv");
}

}  // namespace
}  // namespace orrery::sim
