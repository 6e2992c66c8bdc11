#include "app/serve/picture_message.h"

namespace orrery::app::serve {

std::shared_ptr<const Outgoing> picture_message(const PictureHead& head, std::span<const std::byte> picture,
                                                std::string_view panel) {
  auto message = std::make_shared<Outgoing>();
  auto& bytes = message->bytes;
  put_number(bytes, static_cast<std::uint64_t>(head.kind), 1);
  put_number(bytes, head.panel_in_lists ? 1 : 0, 3);
  put_number(bytes, head.number, 4);
  for (const int each : {0, 0, head.window.x, head.window.y, head.window.x, head.window.y})
    put_number(bytes, static_cast<std::uint64_t>(each), 2);
  put_number(bytes, picture.size(), 4);
  put_number(bytes, panel.size(), 4);
  put_number(bytes, head.milliseconds, 4);
  bytes.append(reinterpret_cast<const char*>(picture.data()), picture.size());
  bytes.append(panel);
  return message;
}

}  // namespace orrery::app::serve
