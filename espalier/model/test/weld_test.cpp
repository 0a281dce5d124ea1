#include <gtest/gtest.h>

#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

// ground -pin- a =weld1= b =weld2= c; b is drawn beside its place on a.
ModelSpec three_bodies(const Eigen::Vector3d& beside) {
  ModelSpec spec;
  for (const char* name : {"a", "b", "c"}) {
    BodySpec body;
    body.name = name;
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    spec.bodies.push_back(body);
  }
  spec.bodies[0].pose.position = {1, 0, 0};
  spec.bodies[1].pose.position = Eigen::Vector3d(1, 2, 0) + beside;
  spec.bodies[2].pose.position = {1, 2, 3};
  const auto joint = [&](const char* name, JointType type, const char* a, const char* b) -> JointSpec& {
    JointSpec made;
    made.name = name;
    made.type = type;
    made.a = a;
    made.b = b;
    spec.joints.push_back(made);
    return spec.joints.back();
  };
  joint("pin", JointType::kRevolute, "ground", "a").in_a.position = {1, 0, 0};
  joint("weld1", JointType::kFixed, "b", "a").in_b.position = {0, 2, 0};
  joint("weld2", JointType::kFixed, "b", "c").in_a.position = {0, 0, 3};
  return spec;
}

TEST(CloseWelds, BodiesStandWhereTheirWeldsHoldThem) {
  const Result<Model> model = compile(three_bodies({0.5, -0.25, 4}));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_GT(drawn_gap(*model, model->joints[1]).distance, 4);
  const Model closed = close_welds(*model);
  for (const Joint& joint : closed.joints) EXPECT_LT(drawn_gap(closed, joint).distance, 1e-14) << joint.name;
  EXPECT_TRUE(closed.bodies[2].X_WB.position.isApprox(Eigen::Vector3d(1, 2, 0), 1e-14));
  EXPECT_TRUE(closed.bodies[3].X_WB.position.isApprox(Eigen::Vector3d(1, 2, 3), 1e-14));
  // The lowest body of the group is what the others are held by.
  EXPECT_EQ(closed.bodies[1].X_WB.position, model->bodies[1].X_WB.position);
}

TEST(CloseWelds, LeaveAClosedDrawingAsItIs) {
  const Result<Model> model = compile(three_bodies({1e-11, 0, 0}));
  ASSERT_TRUE(model) << model.error().message;
  const Model closed = close_welds(*model);
  for (std::size_t b = 0; b < closed.bodies.size(); ++b)
    EXPECT_EQ(closed.bodies[b].X_WB.position, model->bodies[b].X_WB.position);
}

}  // namespace
}  // namespace espalier::model
