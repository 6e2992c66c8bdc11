#include "sim/physics/fields/external_field.h"

#include <algorithm>

#include "external_fields.h"

namespace orrery::sim {

std::span<const ExternalField* const> external_fields() { return registry::external_fields; }

const ExternalField* find_external_field(std::string_view name) {
  const auto found = std::ranges::find(registry::external_fields, name, &ExternalField::name);
  return found == registry::external_fields.end() ? nullptr : *found;
}

}  // namespace orrery::sim
