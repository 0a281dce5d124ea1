#pragma once

// One reader and one writer a format. Readers return what the file says; compile() checks it. Writers of robot formats
// start from the compiled model, where every joint has a frame in each body.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/formats/formats.hpp"

namespace espalier::formats::detail {

struct YamlNode;

// Files of `known_tables`, as another reading of the model left them, are not read again.
Result<model::ModelSpec> read_native(std::string_view text, const std::string& name,
                                     std::span<const model::TableSpec> known_tables = {});
// The same from a document that was parsed, and perhaps changed since.
Result<model::ModelSpec> read_native_document(const YamlNode& root, const std::string& name,
                                              std::span<const model::TableSpec> known_tables = {});
// [m] in one length of a native file's `units`; 1 for a word that is no unit, which its reader refuses.
double metres_per(std::string_view unit);
Result<model::ModelSpec> read_urdf(std::string_view text, const std::string& name, const ReadOptions& options);
Result<model::ModelSpec> read_sdf(std::string_view text, const std::string& name);
Result<model::ModelSpec> read_mjcf(std::string_view text, const std::string& name);
Result<model::ModelSpec> read_usd(std::string_view text, const std::string& name);

// What no joint holds but a free one: fixed to the ground where `base` asks for it, else told in a note. Mechanisms of
// two bodies or more, or the only body there is; single bodies beside them are objects that lie about.
void set_base(model::ModelSpec& spec, std::optional<Base> base);

// Names of files are relative to `folder`, or as the model has them where that is empty.
WrittenModel write_native(const model::ModelSpec& spec, const std::filesystem::path& folder);
// The tables as that file says them.
std::vector<model::TableSpec> written_tables(const model::ModelSpec& spec, const std::filesystem::path& folder);
WrittenModel write_urdf(const model::Model& model);
WrittenModel write_sdf(const model::Model& model);
WrittenModel write_mjcf(const model::Model& model);
WrittenModel write_usd(const model::Model& model, const WriteOptions& options);

}  // namespace espalier::formats::detail
