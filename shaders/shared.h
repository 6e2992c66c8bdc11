// What C++ and the shaders both number. Valid in both languages: C++ includes it by
// render/context/shader_constants.h, and every program puts it before its shaders
// (render/context/shader_program.h).

// The arrays of bodies: attributes of vertices, and storage buffers of compute shaders.
const int position_place = 0;   // 4 floats: and mass
const int velocity_place = 1;   // 4 floats, the last one the square of the acceleration
const int component_place = 2;  // a byte
const int galaxy_place = 3;     // 32 bits
// The storage buffer in which compute shaders add light up: 4 floats a pixel, rows from below.
const int sum_place = 4;
// Of trails: the numbers of the bodies that are followed; what is written: places, or looks.
const int followed_place = 5;
const int trail_place = 6;
// The header of an activity map: the first float is the largest value.
const int map_place = 7;
const int map_header = 64;  // floats before the cells
// The histogram of the light meter: pixels by the logarithm of their light.
const int meter_place = 8;
const int meter_bins = 512;
const int meter_bins_per_stop = 8;
const int meter_lowest = -32;  // log2 of the light where the first bin begins

// A number a body that is neither place nor velocity: what ColorMode::source says.
const int quantity_place = 9;

// Texture units and images.
const int color_map_unit = 0;
const int light_unit = 0;  // what is gathered, blurred or shown
const int glow_unit = 1;
const int points_unit = 1;  // of trails
const int looks_unit = 2;
const int crowd_unit = 1;        // of bodies: how many there are around each place of the picture
const int dust_unit = 2;         // of bodies: how much dust there is in front of each place
const int forming_map_unit = 3;  // of bodies: how dense the disk is
const int forming_counts_unit = 4;
const int levels_unit = 0;
const int map_unit = 0;
const int map_colors_unit = 1;
const int light_image = 0;
const int crowd_image = 0;
const int result_image = 0;

// Between the stages of point sprites, and what the last stage writes.
const int sprite_light = 0;
const int sprite_kernel = 1;
const int color_output = 0;
const int spike_axis = 2;  // after the light and the kernel

// Invocations of a work group.
const int splat_group = 128;
const int trail_group = 256;
const int add_columns = 32;
const int add_rows = 8;

const int outside_colors = 3;   // of scalars below the range, above it, and that are no numbers
const int body_components = 8;  // that a body can be of
// What is drawn of bodies: all of their light in the picture; their stars where these are small, there; large
// ones in the levels; what is spread over the distance to the neighbours, in the levels.
const uint part_whole = 0u;
const uint part_stars = 1u;
const uint part_large = 2u;
const uint part_spread = 3u;
// And the share of stars' light that an effect draws: spikes.
const uint part_effect = 4u;
// Levels: pictures of half, a quarter, ... of the resolution, side by side, for wide images of bodies.
const int most_levels = 8;
const int level_border = 12;         // texels around each, so that no image reaches into the next level
const float level_reach = 6.0F;      // texels outside up to which the middle of an image can be
const float widest_in_level = 5.0F;  // half width in texels; the next level begins there
// Cells in which bodies are counted, on either side, and the sizes of squares of them.
const int crowd_cells = 512;
const int crowd_levels = 9;
// Slices of dust, from the nearest to the farthest, side by side in one picture: so many in a row of it.
const int dust_slices = 24;
const int dust_columns = 4;
// A cloud of dust at the usual distance, in the whole numbers that are added up.
const float cloud_units = 256.0F;
const uint last_component = uint(body_components - 1);
const uint galaxy_of_none = 0xffffffffu;  // a number that no galaxy has
const int galaxy_looks = 2;               // of the galaxy that is singled out, and of the others
// Where the triweight kernel (1 - x^2)^3 falls to half, of its half width.
const float half_maximum = 0.4542020F;
// The lot of a body of the brightest star, whose normal deviate is 3.5: exp(-3.5^2 / 2).
const float least_deviate = 0.0021874911F;
// Half length of the largest distant galaxies, to where they end, as a part of the picture's height.
const float largest_galaxy = 0.022F;
const int most_discs = 100;  // bodies that can be drawn as discs
const int glow_taps = 9;     // weights of the blur, from the middle outwards
// What trails are counted from.
const int origin_dataset = 0;
const int origin_body = 1;
const int origin_center = 2;
