#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plots/figure.h"

namespace orrery::lab {

/// The selection of the JSON that a figure draws.
struct FigureRequest {
  std::string quantity;            ///< what the values are; empty: the kind's first
  std::string scale;               ///< value axis: "linear" or "log"; empty: chosen for the values
  std::string ladder;              ///< the ladder to draw, if the JSON has several
  std::vector<std::string> rungs;  ///< rungs of the ladder, in this order; empty: all
  std::vector<std::size_t> sizes;  ///< numbers of bodies of a ladder; empty: all
};

/// Measurements as JSON, in the form of the command that makes them: one document a run.
using Documents = std::vector<nlohmann::json>;

/// One kind of figure, which draws the JSON that a measuring command wrote. Each lives in a file of its own
/// or of its kind; adding one takes that file and one line in CMakeLists.txt.
struct FigureKind {
  std::string_view name;
  std::string_view meaning;                           ///< a line of the help
  std::string_view reads;                             ///< the commands whose JSON it draws
  std::span<const std::string_view> quantities = {};  ///< what the values may be, the usual one first
  /// True if the document is one that it draws.
  bool (*reads_document)(const nlohmann::json& document);
  /// The documents are those that `reads_document` takes; at least one. Throws sim::Error if nothing in them
  /// can be drawn, or nlohmann's exceptions where their form is wrong.
  plots::Figure (*draw)(const Documents& documents, const FigureRequest& request);
  bool several = false;  ///< draws several documents in one figure
};

/// All kinds in the order of the help.
std::span<const FigureKind* const> all_figure_kinds();
/// Throws sim::UsageError with the names, and the one that was probably meant.
const FigureKind& find_figure_kind(const std::string& name);

/// Checks the request against the kind (its quantity, the scale) and fills in the usual quantity. Throws
/// sim::UsageError.
void complete(FigureRequest& request, const FigureKind& kind);

/// Reads saved JSON. Throws sim::UsageError for a file that is not there and for more files than the kind
/// draws, sim::Error if one is no JSON, or none that the kind draws.
Documents read_documents(const FigureKind& kind, const std::vector<std::string>& files);
/// `kind.draw`, with what is wrong in the form of a document as sim::Error.
plots::Figure draw_documents(const FigureKind& kind, const Documents& documents,
                             const FigureRequest& request);

}  // namespace orrery::lab
