// Question: how long do the modes of a structure take to the same accuracy, beside LAPACK (dsygv, dggev) and SLEPc
// (Krylov-Schur, TOAR) on finite elements of the same structure, and beside the literature's direct separation of
// variables?
// All start from the Structure, so that the time has the assembly in it. The finite elements have the least order at
// which all asked eigenvalues are within 1e-9, or the best that there is. Time of the processor, least of all passes.
// Usage: modes_peers [CSV].

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "bench/chains.hpp"
#include "bench/fem.hpp"
#include "bench/separation.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/model.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/range.hpp"
#include "espalier/modes/transfer.hpp"
#if defined(BENCH_LAPACK) || defined(BENCH_SLEPC)
#include "bench/peers/eigen_solvers.hpp"
#endif

namespace {

namespace modes = espalier::modes;
using Complex = std::complex<double>;
using Values = std::vector<Complex>;

constexpr double kBudget = 1;  // [s] a contender
constexpr double kAccuracy = 1e-9;
constexpr int kLeastOrder = 3, kMostOrder = 9;
constexpr int kReferenceOrder = 8;

// The literature's beam in fifty segments, to 40 digits: modes 1 to 7.
const Values kBeam = {{-13.1872591035168032, 10.4693261460754112}, {-10.6856948199608505, 69.8780494865415297},
                      {-10.0808561334368859, 175.821992111230500}, {-9.84543785136097395, 332.812543998173799},
                      {-9.73113976666361769, 541.714766898894643}, {-9.66790051263420945, 802.665602570136448},
                      {-9.62943510708927577, 1115.72156505400798}};

struct Case {
  std::string name;
  modes::Structure structure;
  int count = 0;
  double upto = 0, decay = 0;  // damped: where to look [1/s]
  Values reference;            // empty: to be found
};

Values on_axis(const std::vector<double>& omega) {
  Values values;
  for (const double w : omega) values.emplace_back(0, w);
  return values;
}

double error_of(const Values& found, const Values& reference) {
  if (found.size() < reference.size()) return 1;
  double worst = 0;
  for (std::size_t k = 0; k < reference.size(); ++k) {
    worst = std::max(worst, std::abs(found[k] - reference[k]) / std::abs(reference[k]));
  }
  return worst;
}

// Ours: tree, counts, roots; without shapes, as the others.
Values ours(const Case& of) {
  const modes::Tree tree = bench::need(modes::plan_tree(of.structure));
  modes::ModesOptions options;
  options.count = of.count;
  options.shapes = false;
  options.max_frequency = of.upto;
  options.max_decay = of.decay;
  const modes::ModeSet set =
      bench::need(modes::find_modes(espalier::comm::Comm::serial(), of.structure, tree, options));
  Values values;
  for (const modes::Mode& mode : set.modes) {
    for (int k = 0; k < mode.multiplicity && static_cast<int>(values.size()) < of.count; ++k) values.push_back(mode.s);
  }
  return values;
}

// The root of the chain's determinant by compound matrices near to a given one, by secants: neither the pass nor
// finite elements have a part in it but the start.
Complex polish(const std::vector<modes::BendingSegment>& segments, Complex s) {
  const std::int64_t unit = modes::compound_determinant(segments, s * (1 + 1e-6)).exponent;
  const auto value = [&](Complex at) {
    const modes::Scaled<Complex> found = modes::compound_determinant(segments, at);
    return found.mantissa * std::ldexp(1.0, static_cast<int>(found.exponent - unit));
  };
  Complex before = s * (1 + 1e-6), f_before = value(before);
  for (int k = 0; k < 20; ++k) {
    const Complex f = value(s);
    if (f == f_before) break;
    const Complex step = -f * (s - before) / (f - f_before);
    before = s, f_before = f;
    s += step;
    if (std::abs(step) < 1e-15 * std::abs(s)) break;
  }
  return s;
}

// Of chains by compound matrices, of others by finite elements of high order.
Values find_reference(const Case& of) {
  if (!of.reference.empty()) return of.reference;
  if (const auto segments = modes::find_bending_chain(of.structure)) {
    Values values = ours(of);
    for (Complex& s : values) s = polish(*segments, s);
    return values;
  }
#ifdef BENCH_LAPACK
  return on_axis(bench::lapack_frequencies(bench::assemble(of.structure, kReferenceOrder), of.count));
#else
  return ours(of);
#endif
}

struct Contender {
  std::string name;
  int most = 0;  // coordinates: beyond, one solution takes many seconds
  std::function<Values(const bench::Pencil&, int count, bool damped)> solve;
};

std::vector<Contender> contenders() {
  std::vector<Contender> all;
#ifdef BENCH_LAPACK
  all.push_back({"LAPACK", 1500, [](const bench::Pencil& pencil, int count, bool damped) {
                   return damped ? bench::lapack_eigenvalues(pencil, count)
                                 : on_axis(bench::lapack_frequencies(pencil, count));
                 }});
#endif
#ifdef BENCH_SLEPC
  all.push_back({"SLEPc", 1'000'000, [](const bench::Pencil& pencil, int count, bool damped) {
                   return damped ? bench::slepc_eigenvalues(pencil, count)
                                 : on_axis(bench::slepc_frequencies(pencil, count));
                 }});
#endif
  return all;
}

// The least order that is accurate enough, or the most accurate; 0 where even the first is too large.
int choose_order(const Case& of, const Contender& with, bool damped) {
  int best = 0;
  double least = 2;
  for (int order = kLeastOrder; order <= kMostOrder; ++order) {
    const bench::Pencil pencil = bench::assemble(of.structure, order);
    if (pencil.M.rows() > with.most) break;
    const double error = error_of(with.solve(pencil, of.count, damped), of.reference);
    if (error < least) least = error, best = order;
    if (error <= kAccuracy) break;
  }
  return best;
}

struct Entry {
  std::string name;
  int order = 0, size = 0;
  double error = 0, seconds = 0;
};

void compare(Case of, std::FILE* csv) {
  const bool damped = modes::is_damped(of.structure);
  std::vector<Entry> entries = {{"espalier", 0, 0, 0, 0}};
  std::vector<std::function<void(int)>> calls = {[&](int) { ours(of); }};
  of.reference = find_reference(of);
  entries[0].error = error_of(ours(of), of.reference);
  for (const Contender& with : contenders()) {
    const int order = choose_order(of, with, damped);
    if (order == 0) continue;
    const bench::Pencil pencil = bench::assemble(of.structure, order);
    entries.push_back({with.name, order, static_cast<int>(pencil.M.rows()),
                       error_of(with.solve(pencil, of.count, damped), of.reference), 0});
    calls.push_back(
        [&of, with, order, damped](int) { with.solve(bench::assemble(of.structure, order), of.count, damped); });
  }
  const std::vector<bench::Times> times = bench::time_in_turns(calls, kBudget);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    const double ms = 1e3 * times[k].least;
    std::printf("%-16s %5d %-9s %6d %6d %10.1e %10.3f %8.2f\n", of.name.c_str(), of.count, e.name.c_str(), e.order,
                e.size, e.error, ms, times[k].least / times[0].least);
    if (csv != nullptr) {
      std::fprintf(csv, "%s,%d,%s,%d,%d,%.2e,%.4f\n", of.name.c_str(), of.count, e.name.c_str(), e.order, e.size,
                   e.error, ms);
    }
  }
  std::fflush(stdout);
}

modes::Structure read_structure(const std::string& name) {
  const auto spec = bench::need(espalier::formats::read_model(std::string(ESPALIER_SOURCE_DIR) + "/models/" + name));
  return bench::need(modes::make_structure(bench::need(espalier::model::compile(spec))));
}

// One determinant of the literature's beam by each way, over the number of segments.
void compare_separation(std::FILE* csv) {
  std::printf("\n%8s %18s %12s %12s [us, one determinant]\n", "segments", "separation", "product", "sweep");
  for (const int n : {3, 5, 10, 20, 50, 100}) {
    const modes::Structure chain = bench::make_chain(n, false, 20);
    const auto segments = modes::find_bending_chain(chain);
    const modes::Pass pass = bench::need(modes::make_pass(chain, bench::chain_tree(n), 1300));
    modes::PassWorkspace work(pass);
    const Complex s(-3, 200);
    double sum = 0;
    const std::vector<bench::Times> times =
        bench::time_in_turns({[&](int) { sum += std::abs(bench::separated_determinant(*segments, s).mantissa); },
                              [&](int) { sum += std::abs(modes::plain_determinant(*segments, s)); },
                              [&](int) { sum += std::abs(modes::evaluate(pass, s, work).determinant.mantissa); }},
                             kBudget / 4);
    std::printf("%8d %18.2f %12.2f %12.2f\n", n, 1e6 * times[0].least, 1e6 * times[1].least, 1e6 * times[2].least);
    if (csv == nullptr) continue;
    const char* names[] = {"separation", "product", "sweep"};
    for (std::size_t k = 0; k < 3; ++k) {
      std::fprintf(csv, "determinant_%d,1,%s,,,,%.6f\n", n, names[k], 1e3 * times[k].least);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "case,modes,program,order,size,error,milliseconds\n");
  std::printf("%-16s %5s %-9s %6s %6s %10s %10s %8s\n", "case", "modes", "program", "order", "size", "error", "ms",
              "[x]");
  const modes::Structure beam = read_structure("stepped_beam.yaml");
  compare({"beam", modes::without_damping(beam), 7, 0, 0, {}}, csv);
  compare({"beam_damped", beam, 7, 1200, 20, kBeam}, csv);
  compare({"launcher", read_structure("mlrs.yaml"), 49, 0, 0, {}}, csv);
  for (const int n : {50, 100, 200, 1000}) {
    compare({"chain_plane_" + std::to_string(n), bench::make_chain(n, false), 10, 0, 0, {}}, csv);
  }
  // The lowest in space bend in either plane, each frequency twice.
  Values twice;
  for (const Complex& s : find_reference({"", bench::make_chain(200, false), 5, 0, 0, {}}))
    twice.insert(twice.end(), 2, s);
  compare({"chain_space_200", bench::make_chain(200, true), 10, 0, 0, twice}, csv);
  compare_separation(csv);
  if (csv != nullptr) std::fclose(csv);
}
