#pragma once

// What travels with a body to a rank where it is new: its shapes, its joints, whom it never touches.

#include <span>
#include <vector>

#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/domain.hpp"

namespace espalier::contact::detail {

// The body data of all bodies of a scene; its shapes and joints are moved out of it.
BodyData take_body_data(Scene& scene);

// Forgets to whom shapes were sent, except for those of obstacles, which ranks keep.
void forget_sent(BodyData& body_data);

// Collects what goes to one neighbour.
struct BodyDataMessage {
  int rank = 0;
  std::vector<BodyData::SharedShapes> shapes = {};
  std::vector<Link> links = {};
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded = {};

  void pack(BodyData& body_data, const LocalBody& local);
  void put_into(comm::Parcel& parcel) const;
};

// What neighbours sent, one reader each: `add_body_data` is called for each of them, `sort_body_data` after the last.
void add_body_data(comm::ParcelReader& reader, BodyData& body_data);
void sort_body_data(BodyData& body_data);

// After a partition: what belongs to no body here goes. Looks of obstacles stay.
void drop_body_data(Domain& domain);

// Null where there is none.
std::shared_ptr<const BodyShapes> find_shapes(const BodyData& body_data, std::int32_t number);

// Shapes as numbers, and back.
void put_shapes(const BodyShapes& shapes, comm::Parcel& parcel);
BodyShapes take_shapes(comm::ParcelReader& reader);

}  // namespace espalier::contact::detail
