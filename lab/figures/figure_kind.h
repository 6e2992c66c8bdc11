#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plots/figure.h"
#include "lab/setup/dataset.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

/// The requested figure, and the setup that measures it.
struct FigureRequest {
  std::string subject;                   ///< a ladder, axes of a sweep, schedules; empty: the kind's default
  DatasetRequest dataset;                ///< source empty: the kind's default
  std::vector<std::size_t> sizes;        ///< --bodies, one or several; empty: as many as the dataset has
  bool own_galaxies = false;             ///< dataset.galaxies was given
  std::vector<std::string> assignments;  ///< option assignments, NAME=VALUE
  std::optional<int> steps;
  std::string quantity;            ///< quantity to draw; empty: the kind's first
  std::string scale;               ///< value axis: "linear" or "log"; empty: chosen for the values
  std::string ladder;              ///< scaling: rungs of this ladder instead of kernels
  std::filesystem::path ladders;   ///< --ladders; empty: none
  std::vector<std::string> rungs;  ///< rungs of the ladder, in this order; empty: all
  std::string kernels;             ///< scaling: "a,b" or "all"; empty: that of the options
  std::string vary;                ///< axes of options, one curve for each combination; empty: one curve
};

/// Measurements as JSON, in the form of the command that makes them: one document a run.
using Documents = std::vector<nlohmann::json>;

/// One kind of figure. Each lives in its own file; adding one takes that file and one line in CMakeLists.txt.
/// It draws what is in JSON, and measures into the same JSON: what was saved and what is measured take one
/// way.
struct FigureKind {
  std::string_view name;
  std::string_view meaning;  ///< a line of the help
  /// The placeholder of its first word, for the help: "LADDER"; in brackets it may be left out; empty: it has
  /// none.
  std::string_view subject;
  std::string_view reads;                        ///< commands whose JSON files it draws
  std::span<const std::string_view> quantities;  ///< possible quantities, the default first; may be empty
  /// True if the document is one that it draws.
  bool (*reads_document)(const nlohmann::json& document);
  /// Throws sim::UsageError and sim::Error; ends early with what there is when a person interrupts.
  Documents (*measure)(const sim::OptionTable& table, const FigureRequest& request);
  /// The documents are those that `reads_document` takes; at least one. Throws sim::Error if nothing in them
  /// can be drawn, or nlohmann's exceptions where their form is wrong.
  plots::Figure (*draw)(const Documents& documents, const FigureRequest& request);
};

/// In the order in which the help lists them.
std::span<const FigureKind* const> all_figure_kinds();
/// Throws sim::UsageError with the names, and the one that was probably meant.
const FigureKind& find_figure_kind(const std::string& name);

/// Checks the request against the kind (its quantity, the scale) and fills in the usual quantity. Throws
/// sim::UsageError.
void complete(FigureRequest& request, const FigureKind& kind);

/// Reads saved JSON. Throws sim::Error if a file is none, or not one that the kind draws.
Documents read_documents(const FigureKind& kind, const std::vector<std::string>& files);
/// `kind.draw`, with what is wrong in the form of a document as sim::Error.
plots::Figure draw_documents(const FigureKind& kind, const Documents& documents,
                             const FigureRequest& request);

}  // namespace orrery::lab
