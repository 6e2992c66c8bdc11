#include "sim/engines/domain_exchange.h"

#include "sim/ranks/packing.h"

namespace orrery::sim {

void DomainExchange::bring(std::span<const Vec3> own, std::span<Vec3> all, bool to_every_worker) {
  std::vector<Vec3> mine;
  mine.reserve(index_.size());
  for (const auto k : index_) {
    mine.push_back(own[k]);
    all[k] = own[k];
  }
  std::vector<Bytes> messages(workers());
  for (std::size_t w = 0; w < workers(); ++w) {
    if (w == worker() || (w > 0 && !to_every_worker)) continue;
    pack(index_, messages[w]);
    pack(mine, messages[w]);
  }
  for (const auto& message : send(std::move(messages))->wait()) {
    if (message.empty()) continue;
    Unpacking from(message);
    const auto index = from.take<std::uint32_t>();
    const auto vectors = from.take<Vec3>();
    for (std::size_t k = 0; k < index.size(); ++k) all[index[k]] = vectors[k];
  }
}

}  // namespace orrery::sim
