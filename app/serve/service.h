#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::app {
struct ViewOptions;
}

namespace orrery::app::serve {

/// Options of `orrery serve` besides those of the window.
struct ServiceOptions {
  std::string host;                      ///< address to listen at; empty: this machine only
  std::uint64_t port = 0;                ///< 0: any that is free
  std::filesystem::path socket;          ///< Unix socket instead of a port; empty: none
  std::vector<std::string> allow_hosts;  ///< further names under which browsers may ask
  std::string base_url;                  ///< path of the page behind a proxy; empty: /
  std::filesystem::path token_file;      ///< holds the token; empty: a random one
  bool view_only_link = false;           ///< a second token for those who only watch
  std::uint64_t upload_mib = 4096;       ///< largest file that a browser may send
  std::uint64_t upload_total_mib = 0;    ///< all files that are kept at a time; 0: four of the largest
  /// File for scripts with host, port and token; empty: none. "-": printed, and the server ends when its
  /// standard input does.
  std::filesystem::path connection;
};

/// Serves the window until it is closed or interrupted. Throws sim::Error, sim::UsageError or render::Error.
void serve(const ViewOptions& view, const ServiceOptions& options);

}  // namespace orrery::app::serve
