#include <fmt/format.h>
#include <imgui.h>

#include "app/counted_limits.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

/// How near the kernel comes to what its own instructions allow.
void counted_facts(const sim::KernelReport& kernel, double gips) {
  ImGui::TextWrapped("%s", counted_text(kernel, gips).c_str());
  tooltip(
      "Counted in the machine code of this kernel: all instructions in the loop that computes most "
      "interactions, divided by its reciprocal square roots. A multiprocessor issues 128 (4 warps) and "
      "computes 16 special functions (MUFU) a clock. Rare branches, and what is outside the loop, are left "
      "out.");
}

void kernel_facts(const sim::KernelReport& kernel, double gips) {
  ImGui::TextWrapped("%s", kernel.device.c_str());
  ImGui::Text("%s", kernel.limit_gips > 0.0
                        ? fmt::format("{:.0f} % of the FP32 limit of {:.0f} GInteractions/s",
                                      counted_limits(kernel, gips).fp32_percent, kernel.limit_gips)
                              .c_str()
                        : "FP32 limit: the GPU does not tell its clock");
  tooltip("128 lanes a multiprocessor and clock, 13 issue slots an interaction.");
  counted_facts(kernel, gips);
  ImGui::Text("%s", fmt::format("{} registers, {} B spilled, {:.1f} KiB shared, block {}, occupancy {:.0f} %",
                                kernel.registers, kernel.spilled_bytes, kernel.shared_bytes / 1024.0,
                                kernel.block, 100.0 * kernel.occupancy)
                        .c_str());
  const auto compiled =
      kernel.compile_ms > 0.0 ? fmt::format("compiled in {:.0f} ms", kernel.compile_ms) : "compiled before";
  ImGui::TextDisabled("%s", fmt::format("{}{}, {:.1f} MiB on the device", compiled,
                                        kernel.compiling ? ", another is being compiled" : "",
                                        static_cast<double>(kernel.device_bytes) / 1048576.0)
                                .c_str());
}

/// How galaxies and GPUs are worked on.
void schedule_facts(const sim::KernelReport& kernel) {
  if (kernel.schedule.empty()) return;
  auto text = fmt::format("schedule {}", kernel.schedule);
  if (kernel.streams > 1) text += fmt::format(", {} streams", kernel.streams);
  ImGui::TextUnformatted(text.c_str());
  if (kernel.exchange_how.empty()) return;
  ImGui::TextWrapped(
      "%s",
      fmt::format("{} GPUs, {}: {:.3f} ms", kernel.devices, kernel.exchange_how, kernel.exchange_ms).c_str());
  tooltip("How bodies go from one GPU to the other, and how long that took last.");
}

void problem(const std::string& text) {
  if (text.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, {1.0F, 0.45F, 0.4F, 1.0F});
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void draw(PanelContext& context) {
  const auto& session = context.session;
  option_group(context, "engine");
  // Copied: a widget may change it.
  const std::string engine = session.configuration.choice("engine");
  option_group(context, engine);
  if (!session.has_dataset()) return;
  if (session.frame().kernel) {
    kernel_facts(*session.frame().kernel, session.rates().kernel_gips());
    schedule_facts(*session.frame().kernel);
    problem(session.frame().kernel->problem);
  }
  if (!session.drawn_how().empty()) ImGui::TextWrapped("%s", session.drawn_how().c_str());
  problem(session.frame().problem);
}

}  // namespace

extern const Panel engine_panel{"Engine", true, draw};

}  // namespace orrery::app
