#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/cuda/families/tree_domains.h"
#include "sim/tree/curve_grid.h"
#include "sim/tree/curve_sort.h"
#include "tests/sim/cuda/emulator/emulated_forces.h"

namespace orrery::sim::cuda::emulator {

/// One galaxy as several GPUs have it, in main memory: a domain each, and what goes between them.
class EmulatedDomains {
 public:
  struct Domain {
    std::vector<std::uint32_t> bodies;  ///< of the dataset
    std::unique_ptr<Emulated> queue;
    tree::DomainShape shape;
    std::vector<std::byte> numbers, emigrants, lists;
  };

  /// `order`: the bodies along the curve through `grid`, as they were in `cut`; the domains begin at `begins`
  /// of it.
  EmulatedDomains(const Bodies& bodies, const Bodies& cut, const EvenGrid& grid,
                  const std::vector<std::uint32_t>& order, const std::vector<std::size_t>& begins,
                  const TreeSettings& settings, float eps2, unsigned seed, const KernelConfiguration& kernel,
                  const KernelNamed& kernels) {
    for (std::size_t k = 0; k < begins.size(); ++k) {
      const std::size_t end = k + 1 < begins.size() ? begins[k + 1] : order.size();
      auto& domain = domains.emplace_back();
      domain.bodies.assign(order.begin() + static_cast<std::ptrdiff_t>(begins[k]),
                           order.begin() + static_cast<std::ptrdiff_t>(end));
      Bodies own;
      for (const auto i : domain.bodies) {
        own.position.push_back(bodies.position[i]);
        own.velocity.push_back(bodies.velocity[i]);
        own.mass.push_back(bodies.mass[i]);
      }
      domain.queue =
          std::make_unique<Emulated>(own, settings, eps2, seed + static_cast<unsigned>(k), kernel, kernels);
      domain.shape = {.bodies = own.size(),
                      .tree = shape_of(settings),
                      .group = settings.group_size,
                      .curve = curve(grid, cut, order, begins, static_cast<unsigned>(k))};
      domain.emigrants.assign(tree::emigrant_bytes(domain.shape) + 256, std::byte{0xff});
    }
  }

  /// One force evaluation.
  void evaluate() {
    for (auto& domain : domains) queue_of(domain)->find_emigrants();
    for (auto& domain : domains) {
      auto& shape = domain.shape;
      shape.imports.left = shape.imports.now = shape.imports.all = 0;
      for (const auto& other : domains) {
        shape.imports.all += other.shape.bodies;
        if (&other == &domain) continue;
        shape.imports.left += emigrants(domain, other.shape.own());
        shape.imports.now += emigrants(other, shape.own());
      }
      // A tree has a body at least: one without mass, where all have left.
      if (shape.in_tree() == 0) shape.imports.now = 1;
      domain.lists.assign(tree::emigrant_list_bytes(shape.imports.left) + 256, std::byte{0xff});
      if (shape.imports.left > 0) queue_of(domain)->list_emigrants();
      shape.room.imports = shape.imports.now;
    }
    for (auto& domain : domains) {
      domain.shape.room = room_for_all_of(domain);
      // What is not cleared must not matter.
      domain.numbers.assign(tree::domain_memory(0, domain.shape).bytes + 256, std::byte{0xff});
      domain.queue->use_scratch(tree::domain_tree_bytes(domain.shape));
      exchange_guests(domain);
      queue_of(domain)->build();
    }
    exchange_pieces();
    for (auto& domain : domains) queue_of(domain)->select();
    for (auto& domain : domains) exchange_parcels(domain);
    for (auto& domain : domains) queue_of(domain)->walk(roots(domain.shape.own()));
    for (auto& domain : domains) return_guests(domain);
  }

  std::vector<Vec3> accelerations(std::size_t bodies) const {
    std::vector<Vec3> all(bodies, Vec3{NAN, NAN, NAN});
    for (const auto& domain : domains)
      for (std::size_t k = 0; k < domain.bodies.size(); ++k)
        all[domain.bodies[k]] = domain.queue->acceleration[k];
    return all;
  }
  std::uint64_t interactions() const {
    std::uint64_t sum = 0;
    for (const auto& domain : domains) sum += domain.queue->interactions;
    return sum;
  }
  tree::ParcelSize size(unsigned from, unsigned to) const {
    tree::ParcelSize size;
    std::memcpy(&size, at<std::byte>(memory_of(domains[from]).shared.total + to * sizeof size), sizeof size);
    return size;
  }
  /// Bodies of a domain that another one computes.
  static std::size_t emigrants(const Domain& from, unsigned to) {
    return at<std::uint32_t>(emigrants_of(from).total)[to];
  }
  static tree::DomainMemory memory_of(const Domain& domain) {
    return tree::domain_memory(address_of(domain.numbers), domain.shape);
  }
  static tree::TreeLeavers emigrants_of(const Domain& domain) {
    return tree::emigrant_memory(address_of(domain.emigrants),
                                 domain.lists.empty() ? 0 : address_of(domain.lists), domain.shape);
  }
  static tree::TreeMemory tree_of(const Domain& domain) {
    return tree::domain_tree(domain.queue->scratch(), domain.shape);
  }
  template <typename T>
  static T* at(DeviceAddress address) {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
  }

  std::vector<Domain> domains;
  /// Tests break what goes from one domain to another.
  std::function<void(unsigned from, unsigned to, Float4* pieces)> change_pieces;
  std::function<bool(unsigned from, unsigned to)> forget_tree;

 private:
  static tree::TreeCurve curve(const EvenGrid& grid, const Bodies& cut,
                               const std::vector<std::uint32_t>& order,
                               const std::vector<std::size_t>& begins, unsigned own) {
    const auto& middle = grid.middle();
    tree::TreeCurve curve{.center = {middle.x, middle.y, middle.z},
                          .spread = grid.spread(),
                          .domains = static_cast<unsigned>(begins.size()),
                          .own = own,
                          .begin = {}};
    for (std::size_t k = 1; k < begins.size(); ++k)
      curve.begin[k] = tree::curve_key(grid.key(cut.position[order[begins[k]]]));
    return curve;
  }
  static DeviceAddress address_of(const std::vector<std::byte>& memory) {
    return (reinterpret_cast<DeviceAddress>(memory.data()) + 255) / 256 * 256;
  }
  static std::unique_ptr<tree::DomainQueue> queue_of(Domain& domain) {
    return std::make_unique<tree::DomainQueue>(*domain.queue, domain.shape, address_of(domain.numbers),
                                               emigrants_of(domain));
  }
  /// Where the emigrants to a domain begin in the list of another one.
  std::size_t begin_of(const Domain& from, unsigned to) const {
    std::size_t begin = 0;
    for (unsigned k = 0; k < to; ++k) begin += k == from.shape.own() ? 0 : emigrants(from, k);
    return begin;
  }
  void exchange_guests(Domain& to) {
    std::memset(at<std::byte>(memory_of(to).imports), 0, to.shape.imports.now * tree::import_bytes);
    std::size_t place = 0;
    for (const auto& from : domains) {
      if (&from == &to) continue;
      const std::size_t count = emigrants(from, to.shape.own());
      std::memcpy(
          at<std::byte>(memory_of(to).imports + place * tree::import_bytes),
          at<std::byte>(emigrants_of(from).leaving + begin_of(from, to.shape.own()) * tree::import_bytes),
          count * tree::import_bytes);
      place += count;
    }
  }
  void return_guests(Domain& to) {
    constexpr std::size_t each = tree::acceleration_bytes;
    std::memcpy(to.queue->acceleration.data(), at<std::byte>(memory_of(to).accelerations),
                to.shape.bodies * each);
    for (const auto& from : domains) {
      if (&from == &to) continue;
      std::size_t place = from.shape.bodies;
      for (const auto& other : domains) {
        if (&other == &to) break;
        if (&other != &from) place += emigrants(other, from.shape.own());
      }
      std::memcpy(at<std::byte>(emigrants_of(to).returned + begin_of(to, from.shape.own()) * each),
                  at<std::byte>(memory_of(from).accelerations + place * each),
                  emigrants(to, from.shape.own()) * each);
    }
    queue_of(to)->finish();
  }

  void exchange_pieces() {
    for (auto& to : domains) {
      for (const auto& from : domains) {
        if (&from == &to) continue;
        const std::size_t offset = from.shape.own() * tree::piece_bytes;
        auto* pieces = at<std::byte>(memory_of(to).shared.piece + offset);
        std::memcpy(pieces, at<std::byte>(memory_of(from).shared.piece + offset), tree::piece_bytes);
        if (change_pieces) change_pieces(from.shape.own(), to.shape.own(), reinterpret_cast<Float4*>(pieces));
      }
    }
  }

  /// The whole trees of the others, and a node without mass.
  tree::Capacity room_for_all_of(const Domain& to) const {
    tree::Capacity room{.nodes = 1, .bodies = 0, .imports = to.shape.imports.now};
    for (const auto& from : domains) {
      if (&from == &to) continue;
      room.nodes +=
          tree::node_capacity(from.shape.bodies + from.shape.imports.now, from.shape.tree.leaf_size);
      room.bodies += from.shape.bodies + from.shape.imports.now;
    }
    return room;
  }

  void exchange_parcels(Domain& receiver) {
    const auto tree = tree_of(receiver);
    unsigned node = tree.capacity + 1, body = tree.bodies;  // for as many as there is room
    for (auto& from : domains) {
      if (&from == &receiver) continue;
      const auto size = this->size(from.shape.own(), receiver.shape.own());
      std::vector<std::byte> sent(tree::parcel_bytes(size, from.shape.tree) + 256, std::byte{0xff});
      const auto parcel = tree::parcel_at(address_of(sent), size, from.shape.tree,
                                          tree::parcel_in(tree, receiver.shape.own(), node, body));
      queue_of(from)->pack(parcel);
      for (const auto& part : tree::parts_of(parcel, size, tree))
        if (part.bytes > 0) std::memcpy(at<std::byte>(part.to), at<std::byte>(part.from), part.bytes);
      node += size.nodes;
      body += size.bodies;
    }
  }

  tree::TreeRoots roots(unsigned own) const {
    tree::TreeRoots roots{};
    unsigned node = tree_of(domains[own]).capacity + 1;
    for (unsigned from = 0; from < domains.size(); ++from) {
      if (from == own) continue;
      if (!forget_tree || !forget_tree(from, own)) roots.root[roots.count++] = node;
      node += size(from, own).nodes;
    }
    return roots;
  }
};

}  // namespace orrery::sim::cuda::emulator
