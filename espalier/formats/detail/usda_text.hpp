#pragma once

// USD text (.usda) as a tree of prims, with the line of everything. One layer, nothing composed and no mechanics:
// usd_stage.hpp gives prims their places, the other usd_ files say what they mean.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::formats::detail {

// A value with its brackets taken away: numbers and texts in the order of the file. The reader of an attribute knows
// how many it needs.
struct UsdValue {
  std::vector<double> numbers;     // may be infinite or NaN: USD has words for both
  std::vector<std::string> texts;  // strings, tokens, assets, paths and bare words as `true`
  bool blocked = false;            // None: as if it were not there
};

struct UsdProperty {
  std::string type;      // "float", "point3f[]", "rel", ...; empty for metadata
  UsdValue value;        // of a rel: its targets, without < and >
  bool given = false;    // a value stands in the file
  bool sampled = false;  // so do values over time
  int line = 0;
};

enum class UsdSpecifier { kDef, kOver, kClass };

struct UsdPrim {
  UsdSpecifier specifier = UsdSpecifier::kDef;
  std::string type;  // "Xform", "PhysicsRevoluteJoint", ...; may be empty
  std::string name;
  const UsdPrim* parent = nullptr;                               // null for the root, which is the file
  std::map<std::string, UsdProperty, std::less<>> metadata;      // in (); variantSets too
  std::map<std::string, UsdProperty, std::less<>> properties;    // attributes and relationships
  std::vector<std::string> apis;                                 // applied schemas, with their instances behind ':'
  std::vector<std::unique_ptr<UsdPrim>> children;                // in file order
  std::unordered_map<std::string_view, const UsdPrim*> by_name;  // the same
  int line = 0;
};

// "/World/arm".
std::string usd_path(const UsdPrim& prim);

// The root of the file's tree. Errors: broken syntax, prims nested too deep, a name that is taken.
Result<std::unique_ptr<UsdPrim>> parse_usda(std::string_view text, const std::string& file);

}  // namespace espalier::formats::detail
