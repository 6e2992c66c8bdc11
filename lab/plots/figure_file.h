#pragma once

#include <filesystem>
#include <string>

#include "lab/plots/drawing.h"

namespace orrery::plots {

/// The output format of a figure: the part of SVG (texts as shapes, the same on every machine) and PNG.
/// `size`, pixels of the PNG: the figure becomes as wide for its height; 0: of the figure itself, twice for
/// the PNG.
struct PictureForm {
  int width = 0, height = 0;
};

/// The whole file as text. Throws sim::Error if Cairo cannot draw.
std::string svg_of(const Figure& figure, const PictureForm& form = {});
/// The whole file as bytes; the same.
std::string png_of(const Figure& figure, const PictureForm& form = {});
/// The areas of the panels in both formats, in units of the figure.
std::vector<Frame> frames_of(const Figure& figure);

/// Before anything is measured: throws sim::UsageError for another extension than .svg and .png, sim::Error
/// if the file exists or cannot be written; the former also for a PNG with too many pixels. Makes nothing.
void check_figure_file(const std::filesystem::path& path, const PictureForm& form = {});
/// Writes SVG or PNG, as the extension says, in place of an existing file with --overwrite only. Throws as
/// the others.
void write_figure(const std::filesystem::path& path, const Figure& figure, const PictureForm& form = {});

}  // namespace orrery::plots
