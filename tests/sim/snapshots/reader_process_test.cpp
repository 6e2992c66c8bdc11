#include "sim/snapshots/reader_process.h"

#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <tuple>

#include "sim/core/error.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/scene_wire.h"
#include "tests/eventually.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// All that a scene holds, as bytes.
std::string bytes_of(Scene scene) {
  const int file = ::memfd_create("scene", MFD_CLOEXEC);
  const WireSender send(file);
  pass(send, scene);
  std::string bytes(static_cast<std::size_t>(::lseek(file, 0, SEEK_CUR)), '\0');
  EXPECT_EQ(::pread(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  ::close(file);
  return bytes;
}

Scene scene_of(std::string_view bytes, std::size_t room) {
  Scene scene;
  WireReceiver receive(
      [&](void* to, std::size_t size) {
        if (size > bytes.size()) throw Error("cut off");
        bytes.copy(static_cast<char*>(to), size);
        bytes.remove_prefix(size);
      },
      room);
  pass(receive, scene);
  EXPECT_TRUE(bytes.empty());
  return scene;
}

/// Every member differs from that of a new scene.
Scene unusual_scene() {
  Scene scene = charged_scene(50);
  scene.bodies.color.assign(50, 0x010203U);
  scene.bodies.galaxy.back() = 1;
  scene.bodies.origin = {1, 2, 3};
  double number = 0.5;
  for_each_value(scene.physics, [&](std::string_view, auto& value) {
    if constexpr (std::is_floating_point_v<std::remove_reference_t<decltype(value)>>) value = number += 1.0;
  });
  scene.physics.law = find_force_law("electric");
  scene.physics.integrator = find_integrator("yoshida");
  scene.physics.field = find_external_field("logarithmic");
  scene.physics.step = find_step_rule("block");
  scene.physics.dimensions = 2;
  scene.units = {4, 5, 6};
  scene.scale = 7;
  scene.speed = 8;
  scene.period = 9;
  scene.title = "title";
  scene.source = std::string("source\0with", 11);
  scene.wants_double = scene.states_physics = scene.states_gravity = scene.physics_suggested = true;
  scene.has_velocities = false;
  scene.names.assign(50, "name");
  scene.radii.assign(50, 10);
  scene.proposed_units = unit_systems().back().name;
  scene.snapshots = 11;
  scene.box = {12, 13, 14};
  scene.box_middle = DVec3{15, 16, 17};
  scene.notes = {"a", ""};
  scene.suggested_notes = {"b"};
  scene.motion_note = "c";
  return scene;
}

TEST(SceneWire, NothingIsLost) {
  const auto sent = unusual_scene();
  const auto got = scene_of(bytes_of(sent), std::size_t{1} << 20);
  expect_same_bodies(got.bodies, sent.bodies);
  EXPECT_EQ(got.bodies.origin, sent.bodies.origin);
  EXPECT_EQ(got.physics, sent.physics);
  EXPECT_EQ(got.units, sent.units);
  EXPECT_EQ(std::tie(got.time, got.scale, got.speed, got.period, got.title, got.source, got.wants_double,
                     got.has_velocities, got.names, got.radii),
            std::tie(sent.time, sent.scale, sent.speed, sent.period, sent.title, sent.source,
                     sent.wants_double, sent.has_velocities, sent.names, sent.radii));
  EXPECT_EQ(std::tie(got.states_physics, got.states_gravity, got.proposed_units, got.physics_suggested,
                     got.snapshots, got.box, got.box_middle, got.notes, got.suggested_notes, got.motion_note),
            std::tie(sent.states_physics, sent.states_gravity, sent.proposed_units, sent.physics_suggested,
                     sent.snapshots, sent.box, sent.box_middle, sent.notes, sent.suggested_notes,
                     sent.motion_note));
  // The name of a unit system outlives the message.
  EXPECT_EQ(got.proposed_units.data(), unit_systems().back().name.data());
}

TEST(SceneWire, NoBytesDoHarm) {
  const auto bytes = bytes_of(unusual_scene());
  EXPECT_THROW(scene_of(bytes, 1000), std::bad_alloc);
  for (std::size_t at = 0; at < bytes.size(); at += at < 200 ? 1 : 7) {
    auto damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    try {
      scene_of(damaged, std::size_t{1} << 20);
    } catch (const Error&) {
      continue;
    } catch (const std::bad_alloc&) {
      continue;
    }
  }
  for (std::size_t size = 0; size < bytes.size(); size += 13)
    EXPECT_THROW(scene_of(std::string_view(bytes).substr(0, size), std::size_t{1} << 20), Error) << size;
}

class ReaderProcess : public SnapshotTest {
 protected:
  /// The message with which reading in a process of its own fails.
  static std::string refusal_apart(const std::filesystem::path& path, const ReadOptions& options = {},
                                   const std::filesystem::path& reader = reader_program()) {
    try {
      read_snapshot_apart(path, options, reader);
    } catch (const Error& error) {
      EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
      return error.what();
    }
    ADD_FAILURE() << path << " was read";
    return {};
  }
  /// A reader that is this shell script: $1 is the task's descriptor, $2 the answer's.
  std::filesystem::path script(std::string_view commands) const {
    auto path = save("script", fmt::format("#!/bin/sh\n{}\n", commands));
    ::chmod(path.c_str(), 0700);
    return path;
  }
  void expect_same_apart(const std::filesystem::path& path, const ReadOptions& options = {}) const {
    const auto here = read_snapshot(path, options), apart = read_snapshot_apart(path, options);
    EXPECT_TRUE(bytes_of(here) == bytes_of(apart)) << path;
  }
};

TEST_F(ReaderProcess, EveryFormatHasTheSameBits) {
  for (const auto* const format : snapshot_formats()) {
    const ReadOptions options{.format = std::string(format->name)};
    std::size_t were_read = 0;
    for (const auto& each : std::filesystem::directory_iterator(ORRERY_FUZZ_CORPUS "/" + options.format)) {
      try {
        read_snapshot(each.path(), options);
      } catch (const Error& error) {
        EXPECT_EQ(refusal_apart(each.path(), options), error.what());
        continue;
      }
      expect_same_apart(each.path(), options);
      ++were_read;
    }
    EXPECT_TRUE(were_read > 0 || (format->name == "hdf5" && !hdf5_problem().empty())) << format->name;
  }
  expect_same_apart(save("far", "x,y,z,mass\n1e9,0,0,1e-50\n1.00000001e9,1,0,1e-50\n"));
  for (const auto& path : real_snapshots()) expect_same_apart(path);
}

TEST_F(ReaderProcess, OptionsReachIt) {
  const auto path = save("table", "skipped\n1 0 0 0 7\n2 5 5 5 7\n3 1 0 0 7\n4 2 0 0 7\n");
  ReadOptions options{.columns = "mass,x,y,z,-", .format = "csv", .units = "kpc", .skip = 1};
  options.filter.radius = 2.5;
  options.filter.centre = DVec3{0, 0, 0};
  options.filter.every_nth = 2;
  options.suggest = false;
  expect_same_apart(path, options);
  EXPECT_EQ(read_snapshot_apart(path, options).bodies.size(), 2U);
  options.components = ComponentSet("gas", "");
  EXPECT_EQ(refusal_apart(path, options), refusal(path, options));
}

TEST_F(ReaderProcess, SnapshotsAreCounted) {
  EXPECT_EQ(count_snapshots_apart(save("a.csv", "t,x,y\n1,2,3\n2,2,3\n3,2,3\n")), 3U);
  EXPECT_EQ(count_snapshots_apart(folder() / "absent"), 1U);
}

TEST_F(ReaderProcess, RefusalsAreTheSame) {
  const auto path = save("nothing", "no bodies at all");
  EXPECT_EQ(refusal_apart(path), refusal(path));
  EXPECT_EQ(refusal_apart(folder() / "absent"), refusal(folder() / "absent"));
  EXPECT_THROW(read_snapshot_apart(path, {.format = "tga"}), UsageError);
}

TEST_F(ReaderProcess, EveryBadEndIsTold) {
  const auto path = save("table", "1 2 3\n");
  const auto with = [&](std::string_view commands) { return refusal_apart(path, {}, script(commands)); };
  EXPECT_NE(with("kill -SEGV $$").find("crashed (SIGSEGV)"), std::string::npos);
  EXPECT_NE(with("kill -XCPU $$").find("came to no end"), std::string::npos);
  EXPECT_NE(with("kill -KILL $$").find("memory runs out"), std::string::npos);
  EXPECT_NE(with("exit 0").find("without an answer"), std::string::npos);
  // It closes its answer and stays.
  EXPECT_NE(with("eval \"exec $2>&-\"; exec sleep 1000").find("cannot read"), std::string::npos);
  EXPECT_NE(refusal_apart(path, {}, folder() / "no program").find("install orrery again"), std::string::npos);
  EXPECT_EQ(count_snapshots_apart(path, {}, script("kill -SEGV $$")), 1U);
}

TEST_F(ReaderProcess, AnswersWithoutSenseAreRefused) {
  const auto path = save("table", "1 2 3\n");
  const auto with = [&](std::string_view bytes) {
    return refusal_apart(path, {}, script(fmt::format("printf '{}' > /proc/self/fd/$2", bytes)));
  };
  EXPECT_NE(with(R"(\000\377\377\377\377\377\377\377\377)").find("no sense"), std::string::npos);
  EXPECT_NE(with(R"(\011\001\000\000\000\000\000\000\000x)").find("no sense"), std::string::npos);
  EXPECT_NE(with(R"(\000\001)").find("without an answer"), std::string::npos);
  // One line for terminals, whatever it holds.
  const auto line = with(R"(\002\004\000\000\000\000\000\000\000a\033\nb)");
  EXPECT_EQ(line.find('\033'), std::string::npos);
  // A scene without bodies.
  EXPECT_NE(refusal_apart(path, {}, script("(printf '\\000'; head -c 4096 /dev/zero) > /proc/self/fd/$2"))
                .find("no sense"),
            std::string::npos);
}

TEST_F(ReaderProcess, ProgressIsSeenAndCancelEndsIt) {
  const auto path = save("table", "1 2 3\n");
  Progress progress;
  const auto slow =
      script(R"(printf '\000\000\000\077' | dd of=/proc/self/fd/$1 conv=notrunc; exec sleep 1000)");
  std::thread reading(
      [&] { EXPECT_THROW(read_snapshot_apart(path, {.progress = &progress}, slow), Cancelled); });
  EXPECT_TRUE(test::eventually([&] { return progress.fraction.load() == 0.5F; }));
  progress.cancel = true;
  reading.join();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// A library in the reader's process that has a fault.
class FaultyLibrary : public ReaderProcess {
 protected:
  std::string refusal_with(const char* fault) const {
    ::setenv("LD_PRELOAD", ORRERY_HOSTILE_EXPAT, 1);
    ::setenv("ORRERY_TEST_FAULT", fault, 1);
    ::setenv("ORRERY_TEST_TARGET", (folder() / "target").c_str(), 1);
    auto text = refusal_apart(save("table", "<VOTABLE></VOTABLE>"));
    for (const auto* const name : {"LD_PRELOAD", "ORRERY_TEST_FAULT", "ORRERY_TEST_TARGET"}) ::unsetenv(name);
    return text;
  }
};

TEST_F(FaultyLibrary, EndsNothingButTheReader) {
  EXPECT_NE(refusal_with("crash").find("crashed (SIGABRT)"), std::string::npos);
  EXPECT_NE(refusal_with("end").find("without an answer"), std::string::npos);
  EXPECT_NE(refusal_with("memory").find("memory"), std::string::npos);
}

TEST_F(FaultyLibrary, WritesNoFile) {
  const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  constexpr int with_truncate = 3;
  if (version >= with_truncate) {
    const auto target = save("target", "kept");
    EXPECT_NE(refusal_with("cut").find("crashed (SIGABRT)"), std::string::npos);
    EXPECT_EQ(content_of(target), "kept");
    std::filesystem::remove(target);
  }
  const auto said = refusal_with("write");
  if (version > 0) {
    EXPECT_NE(said.find("crashed (SIGABRT)"), std::string::npos) << said;
    EXPECT_FALSE(std::filesystem::exists(folder() / "target"));
    return;
  }
  // Linux before 5.13: it fills no disk.
  EXPECT_NE(said.find("crashed (SIGXFSZ)"), std::string::npos) << said;
  EXPECT_LE(content_of(folder() / "target").size(), reader_page);
}
#endif

}  // namespace
}  // namespace orrery::sim
