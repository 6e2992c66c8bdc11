#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lab/figures/figure_kind.h"
#include "lab/plots/figure.h"
#include "sim/engines/timeline.h"

// What figures read from JSON, of ladders too, and words and colours that several of them use.
namespace orrery::lab {

/// A number that was not measured.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The results of the ladder that `request` names, or of the only one; with `sizes`
/// those of these numbers of bodies. Throws sim::Error if there are none, or of several ladders.
std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request);
/// The only ladder of a document. Throws sim::Error if there are several.
const nlohmann::json& one_ladder(const nlohmann::json& document, const FigureRequest& request);

/// The rungs of those names in that order, or all. Throws sim::UsageError for a name that is none.
std::vector<const nlohmann::json*> chosen_rungs(const nlohmann::json& ladder,
                                                const std::vector<std::string>& names);

/// The colour of an activity in all figures: of copies blue and purple, of forces orange, of updates green.
plots::Color activity_color(sim::TimelineKind activity);

/// The number of that name; NaN if it is null or absent. Throws nlohmann's exception for what is no number.
double number_in(const nlohmann::json& object, std::string_view name);
/// The number of that name if it is above 0; else NaN.
double positive_in(const nlohmann::json& object, std::string_view name);
/// The text of that name; empty if it is null or absent.
std::string text_in(const nlohmann::json& object, std::string_view name);
/// Points of two arrays of numbers, as many as both have; null becomes NaN.
std::vector<plots::Point> points_in(const nlohmann::json& object, std::string_view x, std::string_view y);
/// An array of numbers; null becomes NaN.
std::vector<double> numbers_in(const nlohmann::json& object, std::string_view name);
/// One coordinate of all points.
std::vector<double> all_of(const std::vector<plots::Line>& lines, double plots::Point::*coordinate);

/// The k-th of several curves, in a colour of its own; when all colours are used, dashed.
plots::Line curve(std::string name, std::size_t k);

/// The computing device: the name in "device"; empty if it is not said.
std::string device_in(const nlohmann::json& document);
/// The number of bodies of each galaxy.
double bodies_of_galaxy(const nlohmann::json& document);
/// "32 galaxies of 8192 bodies", "20000 bodies". `bodies`: of each galaxy.
std::string bodies_text(double bodies, double galaxies);
/// Title of the dataset and its bodies: "plummer, 1000 bodies".
std::string dataset_in(const nlohmann::json& document);
/// True if the document was measured for that kind of figure.
bool made_by(const nlohmann::json& document, std::string_view figure);
/// Parts that are not empty, with dots between them.
std::string joined(const std::vector<std::string>& parts);

/// Logarithmic if asked for, or where nobody asked and the values span more than a factor of 30.
plots::Scale scale_for(const FigureRequest& request, const std::vector<double>& values);

}  // namespace orrery::lab
