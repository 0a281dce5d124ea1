#pragma once

// The sections of a native model file, each read by one function.

#include "espalier/formats/detail/native_fields.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

void read_materials(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_bodies(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_joints(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
// These look up joints that are read already, for the dimension of their coordinates.
void read_couplings(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_forces(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_keyframes(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_contact(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
model::ActiveDirections read_active(NativeContext& context, const YamlNode& node);

}  // namespace espalier::formats::detail
