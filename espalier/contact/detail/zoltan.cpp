#ifdef ESPALIER_ZOLTAN

#include "espalier/contact/detail/zoltan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

// The C++ bindings that MPI took back in 2012 would only add a library to link.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <zoltan.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/native.hpp"

namespace espalier::contact::detail {

bool is_zoltan_built_in() { return true; }

// Zoltan's own struct, kept from call to call: it holds the cuts whose directions are locked.
struct Zoltan {
  Zoltan_Struct* zz = nullptr;
  std::span<const WeightedPoint> points;

  explicit Zoltan(const comm::Comm& comm) {
    float version = 0;
    Zoltan_Initialize(0, nullptr, &version);
    zz = Zoltan_Create(*static_cast<const MPI_Comm*>(comm::native(comm)));
    // REDUCE_DIMENSIONS stays 0: with 1, points of a plane are assigned otherwise than boxes.
    const std::array<std::pair<const char*, const char*>, 8> settings = {{{"DEBUG_LEVEL", "0"},
                                                                          {"LB_METHOD", "RCB"},
                                                                          {"RETURN_LISTS", "NONE"},
                                                                          {"OBJ_WEIGHT_DIM", "1"},
                                                                          {"NUM_GID_ENTRIES", "1"},
                                                                          {"KEEP_CUTS", "1"},
                                                                          {"RCB_REUSE", "1"},
                                                                          {"RCB_LOCK_DIRECTIONS", "1"}}};
    for (const auto& [name, value] : settings) Zoltan_Set_Param(zz, name, value);
    // Its callbacks get this object back as `data`.
    Zoltan_Set_Num_Obj_Fn(zz, &count, this);
    Zoltan_Set_Obj_List_Fn(zz, &list, this);
    Zoltan_Set_Num_Geom_Fn(zz, &dimensions, this);
    Zoltan_Set_Geom_Multi_Fn(zz, &coordinates, this);
  }
  Zoltan(const Zoltan&) = delete;
  Zoltan& operator=(const Zoltan&) = delete;
  ~Zoltan() { Zoltan_Destroy(&zz); }

  static const Zoltan& from(void* data) { return *static_cast<const Zoltan*>(data); }
  static int count(void* data, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(from(data).points.size());
  }
  static int dimensions(void*, int* error) {
    *error = ZOLTAN_OK;
    return 3;
  }
  static void list(void* data, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int, float* weights, int* error) {
    const std::span<const WeightedPoint> points = from(data).points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      global[i] = local[i] = static_cast<ZOLTAN_ID_TYPE>(i);
      // Zoltan takes single precision; a load is not known better.
      weights[i] = static_cast<float>(points[i].weight);
    }
    *error = ZOLTAN_OK;
  }
  static void coordinates(void* data, int, int, int objects, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int, double* to,
                          int* error) {
    const std::span<const WeightedPoint> points = from(data).points;
    for (int i = 0; i < objects; ++i) std::copy_n(points[local[i]].x.begin(), 3, to + 3 * i);
    *error = ZOLTAN_OK;
  }
};

namespace {

// Zoltan's boxes end at large numbers where they are open.
double open_end(double x) {
  constexpr double kLarge = std::numeric_limits<double>::max() / 4;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // Boxes that end at a number would leave what flies out of them without an owner.
  return x > kLarge ? kInfinity : x < -kLarge ? -kInfinity : x;
}

// The cuts that make these boxes: ranks [first, first + count) are parted by a plane that none of their boxes crosses.
// Nothing where they come from no cuts: where many points share a coordinate, Zoltan gives cells that overlap.
std::optional<int> rebuild(Cells& cells, int first, int count) {
  // Leaves hold ~rank.
  if (count == 1) return ~first;
  // Which ranks a cut parts is not told, only their boxes: every split is tried along every axis.
  for (int split = 1; split < count; ++split) {
    for (int axis = 0; axis < 3; ++axis) {
      double low_end = -std::numeric_limits<double>::infinity(), high_begin = std::numeric_limits<double>::infinity();
      for (int r = first; r < first + count; ++r) {
        const geometry::Box& box = cells.boxes[to_index(r)];
        if (r < first + split) {
          low_end = std::max(low_end, box.high[axis]);
        } else {
          high_begin = std::min(high_begin, box.low[axis]);
        }
      }
      // They overlap along this axis: no plane across it parts them.
      if (low_end > high_begin) continue;
      const int index = static_cast<int>(cells.cuts.size());
      cells.cuts.push_back({axis, high_begin, -1, -1});
      const std::optional<int> low = rebuild(cells, first, split);
      const std::optional<int> high = rebuild(cells, first + split, count - split);
      if (!low || !high) return std::nullopt;
      // By number, for the list has grown since.
      cells.cuts[to_index(index)].low = *low;
      cells.cuts[to_index(index)].high = *high;
      return index;
    }
  }
  return std::nullopt;
}

}  // namespace

Cells bisect_by_zoltan(const comm::Comm& comm, std::span<const WeightedPoint> points, std::shared_ptr<Zoltan> memory) {
  if (!memory) memory = std::make_shared<Zoltan>(comm);
  // Zoltan asks for them during the call and not later.
  memory->points = points;
  int changes = 0, global_entries = 0, local_entries = 0, imports = 0, exports = 0;
  ZOLTAN_ID_PTR import_global = nullptr, import_local = nullptr, export_global = nullptr, export_local = nullptr;
  int *import_from = nullptr, *import_to = nullptr, *export_to = nullptr, *export_part = nullptr;
  const int outcome = Zoltan_LB_Partition(memory->zz, &changes, &global_entries, &local_entries, &imports,
                                          &import_global, &import_local, &import_from, &import_to, &exports,
                                          &export_global, &export_local, &export_to, &export_part);
  ESPALIER_CHECK(outcome == ZOLTAN_OK || outcome == ZOLTAN_WARN, "Zoltan could not share the points out");
  memory->points = {};
  Cells cells;
  for (int r = 0; r < comm.size(); ++r) {
    int dimensions = 0;
    geometry::Box box;
    // Zoltan keeps the cuts to itself and gives boxes alone.
    Zoltan_RCB_Box(memory->zz, r, &dimensions, &box.low.x(), &box.low.y(), &box.low.z(), &box.high.x(), &box.high.y(),
                   &box.high.z());
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = open_end(box.low[axis]);
      box.high[axis] = open_end(box.high[axis]);
    }
    cells.boxes.push_back(box);
  }
  // Every rank has the same boxes, and so all fall back together.
  if (!rebuild(cells, 0, comm.size())) cells = {};
  cells.zoltan = std::move(memory);
  return cells;
}

}  // namespace espalier::contact::detail

#endif
