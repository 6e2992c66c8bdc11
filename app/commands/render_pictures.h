#pragma once

#include <memory>

#include "app/commands/render.h"
#include "app/commands/render_film.h"
#include "app/commands/render_job.h"
#include "app/commands/render_stage.h"
#include "app/commands/render_steps.h"
#include "render/context/headless_context.h"

// The pictures of `orrery render`.
namespace orrery::app {

/// The renderer of the first process; empty in the others.
struct Studio {
  std::unique_ptr<render::HeadlessContext> context;
  std::unique_ptr<RenderStage> stage;
  std::unique_ptr<FilmShoot> film;  ///< null: none
};

/// OpenGL without a display. Throws render::Error, and sim::Error for pictures that do not fit.
std::unique_ptr<render::HeadlessContext> open_context(const RenderOptions& options);

/// The steps with what is drawn on the way; the last picture is left to the caller.
StepWork run_and_draw(const RenderOptions& options, RenderJob& job, sim::Engine& engine,
                      const RunOutputs& keeping, const Studio& studio, const FilmTiming& timing);

/// A view that was asked for shows what there is after the last step. In films, and where several pictures
/// are to be compared, the camera stays; so does the one of the start, unless nearly all bodies have left it.
void fit_camera(const RenderOptions& options, RenderJob& job, RenderStage& stage);
/// A picture without bodies is black, and does not say why: a line on standard error does.
void note_empty_picture(const RenderOptions& options, const RenderJob& job, RenderStage& stage);
/// Draws and writes the picture of the present state, which has been published. First process only.
void take_picture(const RenderOptions& options, RenderJob& job, sim::Engine& engine, RenderStage& stage);

}  // namespace orrery::app
