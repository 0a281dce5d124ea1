#include "espalier/contact/detail/belongings.hpp"

#include <algorithm>

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

std::int32_t id_of(const Present& present) { return static_cast<std::int32_t>(present.body.id); }

template <class T, class Less>
void sort_unique(std::vector<T>& list, Less less) {
  std::stable_sort(list.begin(), list.end(), less);
  const auto same = [&](const T& a, const T& b) { return !less(a, b); };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

bool is_here(const Domain& domain, std::int32_t id) {
  const int place = find_body(domain, id);
  return place >= 0 && !stands(domain.bodies[static_cast<std::size_t>(place)]);
}

// Calls `use` with each pair that starts with `id`.
template <class Use>
void for_each_of(const std::vector<Pair>& pairs, std::int32_t id, Use use) {
  const auto first = std::lower_bound(pairs.begin(), pairs.end(), Pair(id, -1));
  for (auto at = first; at != pairs.end() && at->first == id; ++at) use(*at);
}

const Belongings::Worn* find_worn(const Belongings& belongings, std::int32_t number) {
  const auto found = std::lower_bound(belongings.looks.begin(), belongings.looks.end(), number,
                                      [](const auto& worn, std::int32_t value) { return worn.number < value; });
  return found != belongings.looks.end() && found->number == number ? &*found : nullptr;
}

}  // namespace

Belongings take_belongings(Scene& scene) {
  Belongings all;
  for (std::size_t i = 0; i < scene.looks.size(); ++i) {
    all.looks.push_back({static_cast<std::int32_t>(i), false, std::move(scene.looks[i])});
  }
  for (const Body& body : scene.bodies) {
    const auto number = static_cast<std::size_t>(body.constants.look);
    if (body.constants.kind == Kind::kObstacle && body.constants.look >= 0) all.looks[number].stays = true;
  }
  all.links = std::move(scene.links);
  for (const auto& [low, high] : scene.excluded) {
    all.apart.emplace_back(low, high);
    all.apart.emplace_back(high, low);
  }
  sort_belongings(all);
  return all;
}

void forget_told(Belongings& belongings) {
  std::erase_if(belongings.told, [&](const auto& told) {
    const Belongings::Worn* worn = find_worn(belongings, told.first);
    return worn == nullptr || !worn->stays;
  });
}

void Luggage::pack(Belongings& belongings, const Present& present) {
  if (present.look) {
    const std::pair told(present.body.constants.look, rank);
    const auto found = std::lower_bound(belongings.told.begin(), belongings.told.end(), told);
    if (found == belongings.told.end() || *found != told) {
      belongings.told.insert(found, told);
      looks.push_back({told.first, stands(present), present.look});
    }
  }
  // An obstacle may have as many joints as there are bodies; they travel with those that move.
  if (stands(present)) return;
  for_each_of(belongings.links_of, id_of(present),
              [&](const Pair& of) { links.push_back(belongings.links[static_cast<std::size_t>(of.second)]); });
  for_each_of(belongings.apart, id_of(present), [&](const Pair& pair) {
    apart.push_back(pair);
    apart.emplace_back(pair.second, pair.first);
  });
}

void Luggage::put_into(comm::Parcel& parcel) const {
  parcel.put(links);
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const auto& [a, b] : apart) pairs.push_back({a, b});
  parcel.put(pairs);
  parcel.put(looks.size());
  for (const Belongings::Worn& worn : looks) {
    parcel.put(worn.number);
    parcel.put(worn.stays);
    put_look(*worn.look, parcel);
  }
}

void add_luggage(comm::ParcelReader& reader, Belongings& belongings) {
  for (const Link& link : reader.take<Link>()) belongings.links.push_back(link);
  for (const auto& [a, b] : reader.take<std::array<std::int32_t, 2>>()) belongings.apart.emplace_back(a, b);
  const auto looks = reader.take_one<std::size_t>();
  for (std::size_t i = 0; i < looks; ++i) {
    const auto number = reader.take_one<std::int32_t>();
    const bool stays = reader.take_one<bool>();
    belongings.looks.push_back({number, stays, std::make_shared<const Look>(take_look(reader))});
  }
}

void sort_belongings(Belongings& belongings) {
  sort_unique(belongings.looks, [](const auto& a, const auto& b) { return a.number < b.number; });
  sort_unique(belongings.links, [](const Link& a, const Link& b) { return a.number < b.number; });
  sort_unique(belongings.apart, std::less<Pair>());
  belongings.links_of.clear();
  for (std::size_t i = 0; i < belongings.links.size(); ++i) {
    belongings.links_of.emplace_back(belongings.links[i].a, static_cast<std::int32_t>(i));
    belongings.links_of.emplace_back(belongings.links[i].b, static_cast<std::int32_t>(i));
  }
  std::sort(belongings.links_of.begin(), belongings.links_of.end());
}

void drop_belongings(Domain& domain) {
  Belongings& belongings = domain.belongings;
  std::erase_if(belongings.looks, [](const auto& worn) { return worn.look.use_count() == 1 && !worn.stays; });
  std::erase_if(belongings.links,
                [&](const Link& link) { return !is_here(domain, link.a) && !is_here(domain, link.b); });
  std::erase_if(belongings.apart,
                [&](const Pair& pair) { return !is_here(domain, pair.first) && !is_here(domain, pair.second); });
  sort_belongings(belongings);
}

std::shared_ptr<const Look> find_look(const Belongings& belongings, std::int32_t number) {
  const Belongings::Worn* worn = find_worn(belongings, number);
  return worn != nullptr ? worn->look : nullptr;
}

}  // namespace espalier::contact::detail
