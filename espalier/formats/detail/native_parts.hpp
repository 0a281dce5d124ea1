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
// The value of a load, on a joint or a body: one formula, or a list of them.
std::vector<model::Expression> read_load_value(NativeContext& context, const YamlNode& node, const std::string& what,
                                               bool torque, const model::ModelSpec& spec);
void read_keyframes(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void read_contact(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
// The section `tables`; each reads its CSV file, sought in the folder of the model.
void read_tables(NativeContext& context, const YamlNode& node, model::ModelSpec& spec);
void note_unused_tables(model::ModelSpec& spec);
// Of a unit word of a column, in SI; nothing for an unknown one.
std::optional<double> unit_value(const std::string& word);
model::ActiveDirections read_active(NativeContext& context, const YamlNode& node);

}  // namespace espalier::formats::detail
