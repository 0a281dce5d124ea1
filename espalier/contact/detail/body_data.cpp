#include "espalier/contact/detail/body_data.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

std::int32_t id_of(const LocalBody& local) { return static_cast<std::int32_t>(local.body.id); }

template <class T, class Less>
void sort_unique(std::vector<T>& list, Less less) {
  // Stable: of equal entries that which was here first stays.
  std::stable_sort(list.begin(), list.end(), less);
  const auto same = [&](const T& a, const T& b) { return !less(a, b); };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

bool is_here(const Domain& domain, std::int32_t id) {
  const int place = find_body(domain, id);
  return place >= 0 && !is_obstacle(domain.bodies[to_index(place)]);
}

// Calls `use` with each pair that starts with `id`.
template <class Use>
void for_each_of(const std::vector<Pair>& pairs, std::int32_t id, Use use) {
  const auto first = std::lower_bound(pairs.begin(), pairs.end(), Pair(id, -1));
  for (auto at = first; at != pairs.end() && at->first == id; ++at) use(*at);
}

const BodyData::SharedShapes* find_shared(const BodyData& body_data, std::int32_t number) {
  const auto found = std::lower_bound(body_data.shapes.begin(), body_data.shapes.end(), number,
                                      [](const auto& shared, std::int32_t value) { return shared.number < value; });
  return found != body_data.shapes.end() && found->number == number ? &*found : nullptr;
}

}  // namespace

BodyData take_body_data(Scene& scene) {
  BodyData all;
  for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
    all.shapes.push_back({static_cast<std::int32_t>(i), false, std::move(scene.shapes[i])});
  }
  for (const Body& body : scene.bodies) {
    const auto number = to_index(body.constants.shapes);
    // Obstacles are sent once, so ranks keep their shapes.
    if (body.constants.kind == Kind::kObstacle && body.constants.shapes >= 0) all.shapes[number].stays = true;
  }
  all.links = std::move(scene.links);
  // Both ways, so that either body finds its pairs by bisection.
  for (const auto& [low, high] : scene.excluded) {
    all.excluded.emplace_back(low, high);
    all.excluded.emplace_back(high, low);
  }
  sort_body_data(all);
  return all;
}

void forget_sent(BodyData& body_data) {
  // Other shapes may have been dropped over there when their last body left.
  std::erase_if(body_data.sent, [&](const auto& sent) {
    const BodyData::SharedShapes* shared = find_shared(body_data, sent.first);
    return shared == nullptr || !shared->stays;
  });
}

void BodyDataMessage::pack(BodyData& body_data, const LocalBody& local) {
  if (local.shapes) {
    // Shapes are large and shared by many bodies: who has them is remembered.
    const std::pair sent(local.body.constants.shapes, rank);
    const auto found = std::lower_bound(body_data.sent.begin(), body_data.sent.end(), sent);
    if (found == body_data.sent.end() || *found != sent) {
      body_data.sent.insert(found, sent);
      shapes.push_back({sent.first, is_obstacle(local), local.shapes});
    }
  }
  // An obstacle may have as many joints as there are bodies; they travel with those that move.
  if (is_obstacle(local)) return;
  for_each_of(body_data.links_of, id_of(local),
              [&](const Pair& of) { links.push_back(body_data.links[to_index(of.second)]); });
  for_each_of(body_data.excluded, id_of(local), [&](const Pair& pair) {
    // Both ways again, as every rank keeps them.
    excluded.push_back(pair);
    excluded.emplace_back(pair.second, pair.first);
  });
}

void BodyDataMessage::put_into(comm::Parcel& parcel) const {
  parcel.put(links);
  // Arrays, because pairs of the library may not travel byte by byte.
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const auto& [a, b] : excluded) pairs.push_back({a, b});
  parcel.put(pairs);
  parcel.put(shapes.size());
  for (const BodyData::SharedShapes& shared : shapes) {
    parcel.put(shared.number);
    parcel.put(shared.stays);
    put_shapes(*shared.shapes, parcel);
  }
}

void add_body_data(comm::ParcelReader& reader, BodyData& body_data) {
  for (const Link& link : reader.take<Link>()) body_data.links.push_back(link);
  for (const auto& [a, b] : reader.take<std::array<std::int32_t, 2>>()) body_data.excluded.emplace_back(a, b);
  const auto shapes = reader.take_one<std::size_t>();
  for (std::size_t i = 0; i < shapes; ++i) {
    const auto number = reader.take_one<std::int32_t>();
    const bool stays = reader.take_one<bool>();
    body_data.shapes.push_back({number, stays, std::make_shared<const BodyShapes>(take_shapes(reader))});
  }
}

void sort_body_data(BodyData& body_data) {
  // Several neighbours may have sent the same.
  sort_unique(body_data.shapes, [](const auto& a, const auto& b) { return a.number < b.number; });
  sort_unique(body_data.links, [](const Link& a, const Link& b) { return a.number < b.number; });
  sort_unique(body_data.excluded, std::less<Pair>());
  // By body: whoever packs or measures a body asks for all of its joints.
  body_data.links_of.clear();
  for (std::size_t i = 0; i < body_data.links.size(); ++i) {
    body_data.links_of.emplace_back(body_data.links[i].a, static_cast<std::int32_t>(i));
    body_data.links_of.emplace_back(body_data.links[i].b, static_cast<std::int32_t>(i));
  }
  std::sort(body_data.links_of.begin(), body_data.links_of.end());
}

void drop_body_data(Domain& domain) {
  BodyData& body_data = domain.body_data;
  // Used by this list alone: no body here has them.
  std::erase_if(body_data.shapes, [](const auto& shared) { return shared.shapes.use_count() == 1 && !shared.stays; });
  // A joint stays where one of its bodies is that move.
  std::erase_if(body_data.links,
                [&](const Link& link) { return !is_here(domain, link.a) && !is_here(domain, link.b); });
  std::erase_if(body_data.excluded,
                [&](const Pair& pair) { return !is_here(domain, pair.first) && !is_here(domain, pair.second); });
  sort_body_data(body_data);
}

std::shared_ptr<const BodyShapes> find_shapes(const BodyData& body_data, std::int32_t number) {
  const BodyData::SharedShapes* shared = find_shared(body_data, number);
  return shared != nullptr ? shared->shapes : nullptr;
}

}  // namespace espalier::contact::detail
