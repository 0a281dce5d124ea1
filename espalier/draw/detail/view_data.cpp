#include "espalier/draw/detail/view_data.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::draw::detail {
namespace {

using nlohmann::ordered_json;

// The turns of balls are left out of piles with more bodies than this.
constexpr std::size_t kPile = 3000;

struct Range {
  double low = 0, span = 0;
};
template <class Value>
Range range_of(std::size_t count, Value value) {
  double low = INFINITY, high = -INFINITY;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = value(k);
    // What is no number has no place in a range; it is shown as the lowest.
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return low <= high ? Range{low, high - low} : Range{};
}

// A body of which nothing but balls about its origin is drawn looks the same however it is turned.
std::vector<char> round_bodies(const Scene& scene, std::size_t bodies) {
  std::vector<char> round(bodies, 1);
  for (const Piece& piece : scene.pieces) {
    if (piece.kind != PieceKind::kSphere || piece.pose.position.norm() > 0) round[to_index(piece.body)] = 0;
  }
  for (const SceneLine& line : scene.lines) {
    // A spring that is fastened beside the centre shows how its body turns.
    round[to_index(line.a)] = round[to_index(line.b)] = 0;
  }
  return round;
}

bool moves(const ViewFrames& frames, std::size_t body, std::size_t bodies) {
  for (std::size_t f = 1; f < frames.times.size(); ++f) {
    for (std::size_t k = 0; k < 7; ++k) {
      // Exactly: what stands still in the file stands still to the last bit.
      if (frames.poses[7 * (f * bodies + body) + k] != frames.poses[7 * body + k]) return true;
    }
  }
  return false;
}

}  // namespace

PackedFrames packed_frames(const ViewFrames& frames, const Scene& scene, std::size_t bodies) {
  const std::size_t count = frames.times.size();
  const auto number = [&](std::size_t f, std::size_t b, std::size_t k) {
    return frames.poses[7 * (f * bodies + b) + k];
  };
  const std::vector<char> round = bodies > kPile ? round_bodies(scene, bodies) : std::vector<char>(bodies, 0);
  std::vector<std::size_t> moving;
  std::vector<double> low, span;
  std::vector<int> turns;
  std::vector<std::uint16_t> words;
  PackedFrames packed;
  for (std::size_t b = 0; b < bodies; ++b) {
    // Its one pose stands in the page already.
    if (!moves(frames, b, bodies)) continue;
    moving.push_back(b);
    turns.push_back(round[b] ? 0 : 1);
    // Each body has its own box: what moves little is told as finely as its own way asks for.
    for (std::size_t k = 0; k < 3; ++k) {
      const Range range = range_of(count, [&](std::size_t f) { return number(f, b, k); });
      // As the page reads them, or the rounding of the box would shift the body.
      low.push_back(static_cast<float>(range.low));
      span.push_back(static_cast<float>(range.span));
      // Half a step of 65535.
      packed.position_error = std::max(packed.position_error, range.span / 131070);
      for (std::size_t f = 0; f < count; ++f) words.push_back(quantised(number(f, b, k), low.back(), span.back()));
    }
    if (round[b]) continue;
    const std::size_t begin = words.size();
    words.resize(begin + 3 * count);
    for (std::size_t f = 0; f < count; ++f) {
      const auto turn = packed_turn({number(f, b, 3), number(f, b, 4), number(f, b, 5), number(f, b, 6)});
      // Each part by itself over all frames: neighbours in time are alike, and differences small.
      for (std::size_t k = 0; k < 3; ++k) words[begin + k * count + f] = turn[k];
    }
  }
  // A part is off by half a step, sqrt(1/2) / 32767, and three of them by sqrt(3) times that. The fourth, at least 1/2,
  // is made from them, which doubles the error at most. An angle is twice what a quaternion has.
  packed.angle_error = 4 * std::sqrt(1.5) / 32767;
  PackedSeries series = packed_series(words, count);
  packed.json = {{"times", frames.times}, {"bodies", moving}, {"low", low},
                 {"span", span},          {"turns", turns},   {"order", series.order}};
  packed.bytes = std::move(series.bytes);
  return packed;
}

PackedPart packed_curves(std::span<const ViewCurve> curves) {
  const std::size_t count = curves.empty() ? 0 : curves[0].values.size();
  ordered_json list = ordered_json::array();
  std::vector<std::uint16_t> words;
  for (const ViewCurve& curve : curves) {
    const Range range = range_of(count, [&](std::size_t f) { return curve.values[f]; });
    for (const double value : curve.values) words.push_back(quantised(value, range.low, range.span));
    ordered_json entry = {
        {"group", curve.group}, {"name", curve.name}, {"unit", curve.unit}, {"low", range.low}, {"span", range.span}};
    // Only joints have one.
    if (!curve.label.empty()) entry["label"] = curve.label;
    list.push_back(std::move(entry));
  }
  PackedSeries series = packed_series(words, count);
  return {{{"list", std::move(list)},
           {"order", series.order},
           {"remark", "Each curve is rounded to 1/65536 of its range; result.h5 has all digits."}},
          std::move(series.bytes)};
}

PackedPart packed_contacts(const ViewContacts& contacts) {
  const std::size_t rows = contacts.points.size();
  std::vector<std::uint16_t> words;
  words.reserve(7 * rows);
  std::vector<double> low, span, sizes;
  for (std::size_t k = 0; k < 3; ++k) {
    const Range range = range_of(rows, [&](std::size_t r) { return contacts.points[r][k]; });
    low.push_back(range.low);
    span.push_back(range.span);
    for (std::size_t r = 0; r < rows; ++r) words.push_back(quantised(contacts.points[r][k], range.low, range.span));
  }
  double largest = 0;
  for (const std::array<double, 3>& f : contacts.forces) {
    for (const double part : f) largest = std::max(largest, std::abs(part));
    sizes.push_back(std::hypot(f[0], f[1], f[2]));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (const std::array<double, 3>& f : contacts.forces) {
      // By cube roots: forces of a pile differ by powers of ten, and the small ones need a direction too.
      const double part = largest > 0 ? elementary::cbrt(f[k] / largest) : 0;
      words.push_back(static_cast<std::uint16_t>(32768 + std::lround(part * 32767)));
    }
  }
  // Column by column: alike stands beside alike, which is what the packing lives on.
  for (const ViewContacts::State state : contacts.states) words.push_back(state);
  std::size_t most = 0, begin = 0;
  for (const std::size_t end : contacts.end) {
    most = std::max(most, end - begin);
    begin = end;
  }
  // What arrows are scaled by: of the strongest hundredth, the weakest.
  const std::size_t strong = sizes.size() - 1 - sizes.size() / 100;
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(strong), sizes.end());
  return {{{"rows", rows},
           {"end", contacts.end},
           {"most", most},
           {"low", low},
           {"span", span},
           {"force", largest},
           {"typical", sizes[strong]},
           {"remark",
            "A contact slides where its points pass each other at more than 1 mm/s. Forces are means of the "
            "step that ends at the frame, on the first body."}},
          deflated(differences(words, rows, 1))};
}

PackedPart packed_ranks(const ViewRanks& ranks, std::size_t bodies) {
  const std::size_t frames = ranks.load.size();
  ordered_json load = ordered_json::array(), owned = ordered_json::array();
  std::size_t count = 0;
  for (const std::vector<model::RankLoad>& frame : ranks.load) {
    ordered_json rows = ordered_json::array();
    for (const model::RankLoad& rank : frame) rows.push_back({rank.busy, rank.waiting, rank.bodies, rank.contacts});
    count = std::max(count, frame.size());
    load.push_back(std::move(rows));
  }
  std::vector<std::uint16_t> words;
  // Nobody owns the ground.
  for (std::size_t b = 1; b < bodies; ++b) {
    owned.push_back(b);
    for (std::size_t f = 0; f < frames; ++f) {
      words.push_back(static_cast<std::uint16_t>(std::max(0, ranks.owner[f * bodies + b])));
    }
  }
  return {{{"count", count}, {"load", std::move(load)}, {"bodies", std::move(owned)}},
          deflated(differences(words, frames, 1))};
}

}  // namespace espalier::draw::detail
