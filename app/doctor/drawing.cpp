#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/doctor/findings.h"
#include "app/gui/font.h"
#include "app/session/interop.h"
#include "app/window/display_window.h"
#include "lab/plots/fonts.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "sim/core/json_text.h"
#include "sim/cuda/driver/device.h"

namespace orrery::app {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

std::string text(const json& value) { return value.get<std::string>(); }

std::string renderer(const json& report) {
  const int device = report.at("cuda_device").get<int>();
  return fmt::format("{}: {}{}{}", text(report.at("how")), text(report.at("renderer")),
                     report.at("software").get<bool>() ? " (by software: slow)" : "",
                     device >= 0 ? fmt::format(", CUDA device {}", device) : "");
}

Finding window(const json& report) {
  if (report.at("available").get<bool>()) return working("window", renderer(report));
  return absent("window", text(report.at("why_not")));
}

Finding headless(const json& report) {
  if (report.at("available").get<bool>()) return working("without a window", renderer(report));
  return missing("without a window", text(report.at("why_not")),
                 install_hint("libegl1 libgl1-mesa-dri", "mesa-libEGL mesa-dri-drivers"));
}

std::vector<std::string> split_by_colons(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ':');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// The files by which libglvnd finds who draws, as it looks for them itself.
std::vector<std::string> vendor_files() {
  if (const char* files = std::getenv("__EGL_VENDOR_LIBRARY_FILENAMES"); files != nullptr)
    return split_by_colons(files);
  const char* folders = std::getenv("__EGL_VENDOR_LIBRARY_DIRS");
  std::vector<std::string> found;
  for (const auto& folder : split_by_colons(
           folders != nullptr ? folders : "/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d")) {
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure))
      if (entry.path().extension() == ".json") found.push_back(entry.path().string());
  }
  std::ranges::sort(found);
  return found;
}

Finding vendors() {
  const auto files = vendor_files();
  const auto names = fmt::format("{}", fmt::join(files, ", "));
  const bool has_nvidia =
      std::ranges::any_of(files, [](const auto& file) { return file.find("nvidia") != std::string::npos; });
  if (!sim::cuda::devices().empty() && !has_nvidia)
    // Without root's rights; Apptainer's --nv leaves the file out.
    return missing(
        "EGL vendors", "none of NVIDIA, so the GPU draws nothing: " + (files.empty() ? "no file" : names),
        R"(echo '{"file_format_version":"1.0.0","ICD":{"library_path":"libEGL_nvidia.so.0"}}' >~/10_nvidia.json; )"
        "export __EGL_VENDOR_LIBRARY_FILENAMES=~/10_nvidia.json");
  return files.empty() ? absent("EGL vendors", "no file that names one") : working("EGL vendors", names);
}

/// Whether the GPU writes what it draws. Without a GPU there is nothing to share.
Finding interop(const json& report) {
  const auto& found = report.at("interop");
  if (found.at("possible").get<bool>())
    return working("interop", "the GPU writes the vertex buffer that it draws");
  const auto why = text(found.at("why_not")), remedy = text(found.at("remedy"));
  return remedy.empty() ? absent("interop", why) : missing("interop", why, remedy);
}

Finding window_font() {
  if (has_real_font()) return working("font of the window", "part of the program");
  return absent("font of the window", "plain letters: this orrery was built without fonts-dejavu-core");
}

Finding figure_font() {
  if (plots::has_font()) return working("font of figures", "found");
  return missing("font of figures", "none, so figures have plain letters",
                 install_hint("fonts-dejavu-core", "dejavu-sans-fonts"));
}

/// Describes the renderer of the current context, and whether CUDA may write its buffers.
json drawing(const std::string& how) {
  const auto info = render::gl_info();
  const auto interop = probe_interop(-1);
  return {{"available", true},
          {"how", how},
          {"renderer", info.renderer},
          {"version", info.version},
          {"software", info.software},
          {"cuda_device", interop.device},
          {"interop",
           {{"possible", interop.possible}, {"why_not", interop.why_not}, {"remedy", interop.remedy}}}};
}

json without_window(const std::string& why) { return {{"available", false}, {"why_not", why}}; }

json window_here() try {
  if (!DisplayWindow::available()) return without_window("no display; `orrery serve` shows it in a browser");
  const DisplayWindow window({64, 64}, "Orrery", DisplayWindow::Look::hidden);
  return drawing("a window");
} catch (const std::exception& error) {
  return without_window(error.what());
}

}  // namespace

std::vector<Finding> drawing_findings(const json& window_report, const json& headless_report) {
  std::vector<Finding> findings{window(window_report), headless(headless_report), vendors()};
  for (const auto* report : {&window_report, &headless_report}) {
    if (!report->at("available").get<bool>()) continue;
    findings.push_back(interop(*report));
    break;
  }
  findings.push_back(window_font());
  findings.push_back(figure_font());
  return findings;
}

json window_drawing() {
  int ends[2] = {};
  if (pipe(ends) != 0) return window_here();
  const pid_t child = fork();
  if (child == 0) {
    const auto text = sim::dump_json(window_here());
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count = 0; child > 0 && (count = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  const auto report = sim::json_in(text);
  return report.is_object() ? report : without_window("the window's graphics driver ended the attempt");
}

json headless_drawing() try {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  return drawing(context.description());
} catch (const std::exception& error) {
  return {{"available", false}, {"why_not", error.what()}};
}

}  // namespace orrery::app
