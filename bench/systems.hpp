#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/spec.hpp"

namespace bench {

// The value; or the error on stderr, and the end.
template <class T>
T need(espalier::Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "bench: %s\n", espalier::to_string(result.error()).c_str());
  std::exit(1);
}

// The model on its planned tree. Joints called `pinned` stay in the tree.
espalier::dynamics::System make_system(const espalier::model::ModelSpec& spec,
                                       const std::vector<std::string>& pinned = {});

}  // namespace bench
