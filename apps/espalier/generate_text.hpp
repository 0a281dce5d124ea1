#pragma once

#include <string>

#include "espalier/study/generate.hpp"

namespace espalier::app {

// What the format could not say of the model; how to ask for a formula's answer.
std::string remarks(const study::GenerateAnswer& answer);
// "wrote chain.yaml: 8 bodies, 8 movable joints, 0 loops".
std::string written_line(const study::GenerateAnswer& answer);

}  // namespace espalier::app
