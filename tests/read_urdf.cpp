// Reads one model and counts its bodies: all that a program needs for that is espalier::formats.
//   usage: read_urdf FILE

#include <cstdio>

#include "espalier/formats/formats.hpp"

using namespace espalier;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Result<model::ModelSpec> spec = formats::read_model(argv[1]);
  if (!spec) {
    std::fprintf(stderr, "%s\n", to_string(spec.error()).c_str());
    return 2;
  }
  std::printf("%zu bodies\n", spec->bodies.size());
  return 0;
}
