#include "espalier/contact/detail/body_data.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

// Bodies 1 and 2 have one list of shapes and a joint; 3 has shapes of its own. The ground stands.
Scene three_balls() {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.1), {0, 0, 1});
  add_body(spec, "b", sphere_shape(0.1), {1, 0, 1});
  add_body(spec, "c", sphere_shape(0.2), {2, 0, 1});
  add_joint(spec, model::JointType::kSpherical, "a", "b", at_point({0.5, 0, 1}));
  return compile_scene(spec);
}

Domain domain_of(Scene scene) {
  Domain domain;
  const std::vector<Body> bodies = scene.bodies;
  domain.body_data = take_body_data(scene);
  for (const Body& body : bodies) {
    domain.bodies.push_back({body, {}, 0, {0}, find_shapes(domain.body_data, body.constants.shapes)});
  }
  return domain;
}

TEST(TakeBodyData, NamesJointsAndExcludedPairsBothWays) {
  Scene scene = three_balls();
  const BodyData data = take_body_data(scene);
  ASSERT_EQ(data.shapes.size(), 3u);
  EXPECT_TRUE(data.shapes[0].stays);
  EXPECT_FALSE(data.shapes[1].stays);
  EXPECT_EQ(data.links_of, (Pairs{{1, 0}, {2, 0}}));
  EXPECT_EQ(data.excluded, (Pairs{{1, 2}, {2, 1}}));
  EXPECT_EQ(find_shapes(data, 1)->front().geometry.size.x(), 0.1);
  EXPECT_EQ(find_shapes(data, 9), nullptr);
}

TEST(BodyDataMessage, BringsWhatABodyNeedsElsewhere) {
  Domain domain = domain_of(three_balls());
  BodyDataMessage message;
  message.rank = 1;
  message.pack(domain.body_data, domain.bodies[1]);
  comm::Parcel parcel;
  message.put_into(parcel);
  comm::ParcelReader reader(parcel.bytes());
  BodyData there;
  // Neighbours may send the same: it is kept once.
  add_body_data(reader, there);
  EXPECT_TRUE(reader.at_end());
  comm::ParcelReader again(parcel.bytes());
  add_body_data(again, there);
  sort_body_data(there);
  ASSERT_EQ(there.shapes.size(), 1u);
  EXPECT_EQ(there.shapes[0].number, domain.bodies[1].body.constants.shapes);
  ASSERT_EQ(there.links.size(), 1u);
  EXPECT_EQ(there.links[0].on_a, domain.body_data.links[0].on_a);
  EXPECT_EQ(there.excluded, (Pairs{{1, 2}, {2, 1}}));
}

// Shapes go to a rank once; after a partition those of obstacles are still there, others may have been dropped.
TEST(BodyDataMessage, SendsShapesOnce) {
  Domain domain = domain_of(three_balls());
  const auto sent = [&](int rank, std::size_t body) {
    BodyDataMessage message;
    message.rank = rank;
    message.pack(domain.body_data, domain.bodies[body]);
    return message.shapes.size();
  };
  EXPECT_EQ(sent(1, 1), 1u);
  EXPECT_EQ(sent(1, 2), 0u);
  EXPECT_EQ(sent(2, 2), 1u);
  EXPECT_EQ(sent(1, 0), 1u);
  forget_sent(domain.body_data);
  EXPECT_EQ(sent(1, 1), 1u);
  EXPECT_EQ(sent(1, 0), 0u);
}

TEST(DropBodyData, WhatBelongsToNoBodyHereGoes) {
  Domain domain = domain_of(three_balls());
  // Body 2 stays, and with it its shapes and the joint; body 3 leaves with its own.
  domain.bodies.erase(domain.bodies.begin() + 3);
  domain.bodies.erase(domain.bodies.begin() + 1);
  drop_body_data(domain);
  EXPECT_EQ(domain.body_data.shapes.size(), 2u);
  EXPECT_EQ(domain.body_data.links.size(), 1u);
  domain.bodies.clear();
  drop_body_data(domain);
  // Shapes of obstacles stay.
  ASSERT_EQ(domain.body_data.shapes.size(), 1u);
  EXPECT_TRUE(domain.body_data.shapes[0].stays);
  EXPECT_TRUE(domain.body_data.links.empty());
  EXPECT_TRUE(domain.body_data.excluded.empty());
  EXPECT_TRUE(domain.body_data.links_of.empty());
}

}  // namespace
}  // namespace espalier::contact::detail
