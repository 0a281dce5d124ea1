// One function of each of three rooms, so that their libraries, and what those link to, must be found.

#include <cstdio>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/model.hpp"

int main() {
  const espalier::comm::Session session;
  const espalier::comm::Comm comm = espalier::comm::Comm::world();

  espalier::model::ModelSpec spec;
  spec.bodies.push_back({.name = "bob", .mass = 1.0, .inertia = Eigen::Matrix3d::Identity()});
  spec.joints.push_back({.name = "pin", .a = "ground", .b = "bob"});
  const espalier::Result<espalier::model::Model> model = espalier::model::compile(spec);
  if (!model) {
    std::puts(espalier::to_string(model.error()).c_str());
    return 1;
  }
  const bool knows_urdf = espalier::formats::find_format("urdf").has_value();
  std::printf("%zu bodies with the ground, %d rank\n", model->bodies.size(), espalier::comm::sum(comm, 1));
  return knows_urdf && model->bodies.size() == 2 ? 0 : 1;
}
