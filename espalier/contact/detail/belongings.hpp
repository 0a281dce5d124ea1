#pragma once

// What travels with a body to a rank where it is new: how it looks, its joints, whom it never touches.

#include <span>
#include <vector>

#include "espalier/comm/parcel.hpp"
#include "espalier/contact/domain.hpp"

namespace espalier::contact::detail {

// The belongings of all bodies of a scene; its looks and joints are moved out of it.
Belongings take_belongings(Scene& scene);

// Forgets to whom looks were sent, but for those of obstacles, which ranks keep.
void forget_told(Belongings& belongings);

// Collects what goes to one neighbour.
struct Luggage {
  int rank = 0;
  std::vector<Belongings::Worn> looks = {};
  std::vector<Link> links = {};
  std::vector<std::pair<std::int32_t, std::int32_t>> apart = {};

  void pack(Belongings& belongings, const Present& present);
  void put_into(comm::Parcel& parcel) const;
};

// What neighbours sent, one reader each; `add_luggage` is called for each of them and `sort_belongings` after the last.
void add_luggage(comm::ParcelReader& reader, Belongings& belongings);
void sort_belongings(Belongings& belongings);

// After a partition: what belongs to no body here goes. Looks of obstacles stay.
void drop_belongings(Domain& domain);

// Null where there is none.
std::shared_ptr<const Look> find_look(const Belongings& belongings, std::int32_t number);

// A look as numbers, and back.
void put_look(const Look& look, comm::Parcel& parcel);
Look take_look(comm::ParcelReader& reader);

}  // namespace espalier::contact::detail
