#include "lab/figures/figure_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "figure_kinds.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

namespace {

[[noreturn]] void cannot_open(const std::filesystem::path& file, int reason) {
  if (file == "-")
    throw sim::UsageError("plot reads files, not standard input: save the JSON with --json FILE first");
  if (reason == EACCES) sim::cannot_read(file, sim::reason_of(reason) + "; check its permissions");
  if (reason != ENOENT) sim::cannot_read(file, sim::reason_of(reason));
  const auto near = sim::nearest_file(file);
  throw sim::UsageError(fmt::format("there is no file {}; {}", sim::quoted(file),
                                    near.empty() ? std::string("check the name and the folder")
                                                 : fmt::format("did you mean {}?", sim::quoted(near))));
}

nlohmann::json read_json(const std::filesystem::path& file) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure))
    throw sim::UsageError(
        fmt::format("'{}' is a folder; plot draws a file that a command wrote with --json", file.string()));
  errno = 0;
  std::ifstream input(file);
  if (!input) cannot_open(file, errno);
  auto document = sim::json_in(std::string(std::istreambuf_iterator<char>(input), {}));
  if (document.is_discarded())
    throw sim::Error(
        fmt::format("'{}' is no JSON, or it is cut off; save it again with --json", file.string()));
  sim::clean_texts(document);
  return document;
}

/// "; `orrery plot scaling` or `orrery plot stages` draws this file"
std::string drawn_by_others(const nlohmann::json& document) {
  std::vector<std::string> commands;
  for (const auto* kind : all_figure_kinds())
    if (kind->reads_document(document)) commands.push_back(fmt::format("`orrery plot {}`", kind->name));
  return commands.empty() ? std::string() : fmt::format("; {} draws this file", fmt::join(commands, " or "));
}

[[noreturn]] void refuse_document(const FigureKind& kind, const std::string& file,
                                  const nlohmann::json& document) {
  const auto others = document.is_object() ? drawn_by_others(document) : std::string();
  throw sim::Error(
      fmt::format("plot {} cannot draw '{}': {}; it draws the JSON of {}{}", kind.name, file,
                  others.empty() ? "no measurement of orrery is in it" : "that is another measurement",
                  kind.reads, others));
}

}  // namespace

std::span<const FigureKind* const> all_figure_kinds() { return registry::figure_kinds; }

const FigureKind& find_figure_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const auto* kind : all_figure_kinds()) {
    if (kind->name == name) return *kind;
    names.emplace_back(kind->name);
  }
  throw sim::UsageError(fmt::format("there is no kind of figure '{}'{}; the kinds are {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
}

void complete(FigureRequest& request, const FigureKind& kind) {
  const std::vector<std::string> names(kind.quantities.begin(), kind.quantities.end());
  if (request.quantity.empty() && !names.empty()) request.quantity = names.front();
  if (!request.quantity.empty() && std::ranges::find(names, request.quantity) == names.end()) {
    throw sim::UsageError(
        names.empty() ? fmt::format("plot {} shows one quantity; leave --quantity out", kind.name)
                      : fmt::format("plot {} has no quantity '{}'{}; it has {}", kind.name, request.quantity,
                                    sim::did_you_mean(request.quantity, names), fmt::join(names, ", ")));
  }
  if (!request.scale.empty() && request.scale != "linear" && request.scale != "log")
    throw sim::UsageError(fmt::format("--scale takes linear or log, not '{}'", request.scale));
}

Documents read_documents(const FigureKind& kind, const std::vector<std::string>& files) {
  Documents documents;
  for (const auto& file : files) {
    auto content = read_json(file);
    // Earlier versions saved several runs as a list.
    if (!content.is_array()) content = nlohmann::json::array({std::move(content)});
    if (content.empty()) refuse_document(kind, file, content);
    for (auto& document : content) {
      if (!document.is_object() || !kind.reads_document(document)) refuse_document(kind, file, document);
      documents.push_back(std::move(document));
    }
  }
  if (documents.size() > 1 && !kind.several)
    throw sim::UsageError(fmt::format("plot {} draws one measurement, not {}: make a figure of each",
                                      kind.name, documents.size()));
  return documents;
}

plots::Figure draw_documents(const FigureKind& kind, const Documents& documents,
                             const FigureRequest& request) try {
  return kind.draw(documents, request);
} catch (const nlohmann::json::exception& error) {
  throw sim::Error(fmt::format("the JSON is not of the form that it has from {}: {}", kind.reads,
                               sim::json_problem(error)));
}

}  // namespace orrery::lab
