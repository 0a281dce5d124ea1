#include "espalier/modes/transfer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/chain_kernel.hpp"
#include "espalier/modes/test/beam_roots.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using C = std::complex<double>;

// The literature's beam in fifty segments, to 40 digits: modes 1 to 15.
const std::vector<C> kExact = {{-13.1872591035168032, 10.4693261460754112}, {-10.6856948199608505, 69.8780494865415297},
                               {-10.0808561334368859, 175.821992111230500}, {-9.84543785136097395, 332.812543998173799},
                               {-9.73113976666361769, 541.714766898894643}, {-9.66790051263420945, 802.665602570136448},
                               {-9.62943510708927577, 1115.72156505400798}, {-9.60436068324517021, 1480.90639057238184},
                               {-9.58713315070076313, 1898.23204954284587}, {-9.57479988095060173, 2367.70526803321477},
                               {-9.56567428484242924, 2889.33019572504459}, {-9.55873726942184269, 3463.10961329095885},
                               {-9.55334406799767074, 4089.04553325581295}, {-9.54907079928277278, 4767.13952170413938},
                               {-9.54562961217657057, 5497.39288106642334}};

std::vector<BendingSegment> beam_segments(int segments = 50) { return *find_bending_chain(stepped_beam(segments)); }

C value(const Scaled<C>& scaled) { return scaled.mantissa * std::ldexp(1.0, static_cast<int>(scaled.exponent)); }

TEST(PlainDeterminant, IsThatOfTheProductOfTransferMatrices) {
  for (const int n : {1, 4, 50}) {
    for (const C s : {C(-13, 10), C(0, 0), C(-5, 700), C(0, 2e4)}) {
      BendingTransfer product = BendingTransfer::Identity();
      for (const BendingSegment& segment : beam_segments(n)) {
        const C load = (segment.rho_A * s + segment.viscous) * s;
        product = (bending_transfer(segment.length, segment.EI, load) * product).eval();
      }
      const C expected = product(2, 2) * product(3, 3) - product(2, 3) * product(3, 2);
      const double size = std::abs(product(2, 2) * product(3, 3));
      EXPECT_LT(std::abs(plain_determinant(beam_segments(n), s) - expected), 1e-11 * size) << n << " " << s;
    }
  }
}

// Some s have |w| > 1 in a segment and others not, so that lanes part their ways.
TEST(PlainDeterminant, LanesAndInstructionSetsGiveTheSameBits) {
  for (const int n : {1, 7, 50}) {
    const std::vector<BendingSegment> segments = beam_segments(n);
    std::vector<C> s;
    for (int k = 0; k < 19; ++k) s.emplace_back(-2.0 * k, 9.0 * k * k * k);
    std::vector<C> lanes(s.size());
    plain_determinants(segments, s, lanes);
    for (std::size_t k = 0; k < s.size(); ++k)
      EXPECT_EQ(lanes[k], plain_determinant(segments, s[k])) << n << " " << s[k];
    for (const detail::ChainKernel* kernel : detail::chain_kernels()) {
      const auto count = to_index(kernel->lanes);
      std::vector<double> out(2 * count);
      kernel->determinants(segments.data(), n, reinterpret_cast<const double*>(s.data()), out.data());
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_EQ(C(out[2 * k], out[2 * k + 1]), lanes[k]) << kernel->name;
      }
    }
  }
}

TEST(PlainProduct, OfTwoPartsIsThatOfAll) {
  const std::vector<BendingSegment> segments = beam_segments(9);
  for (const C s : {C(-13, 10), C(0, 300)}) {
    const BendingTransfer all = plain_product(segments, s);
    const BendingTransfer joined =
        plain_product(std::span(segments).subspan(4), s) * plain_product(std::span(segments).first(4), s);
    EXPECT_LT((all - joined).norm(), 1e-13 * all.norm());
    const C determinant = all(2, 2) * all(3, 3) - all(2, 3) * all(3, 2);
    EXPECT_LT(std::abs(determinant - plain_determinant(segments, s)), 1e-9 * std::abs(all(2, 2) * all(3, 3)));
  }
}

TEST(CompoundDeterminant, IsThePlainOneWhereThatHasItsDigits) {
  std::vector<BendingSegment> segments = beam_segments(7);
  segments[2].eta = 1e-4;
  segments[3].foundation = 500;
  for (const C s : {C(-13, 10), C(0, 0), C(-5, 100), C(-10.0, 0.0), C(3, 40)}) {
    const C plain = plain_determinant(segments, s);
    EXPECT_LT(std::abs(value(compound_determinant(segments, s)) - plain), 1e-12 * std::abs(plain)) << s;
  }
}

TEST(CompoundDeterminant, HasTheBeamsRoots) {
  const std::vector<C> roots = beam_roots(beam_segments(), kExact.size(), {{-13, 10}, {-10, 70}, {-10, 176}});
  ASSERT_EQ(roots.size(), kExact.size());
  for (std::size_t k = 0; k < kExact.size(); ++k) {
    EXPECT_LT(std::abs(roots[k] - kExact[k]), 1e-13 * std::abs(kExact[k])) << k;
  }
}

TEST(PlainDeterminant, LosesTheRootsFromTheTenthOn) {
  const std::vector<BendingSegment> segments = beam_segments();
  const std::optional<double> first = plain_root_error(segments, kExact[0]),
                              ninth = plain_root_error(segments, kExact[8]);
  ASSERT_TRUE(first);
  EXPECT_LT(*first, 1e-13);
  EXPECT_GT(ninth.value_or(1), 1e-9);
  EXPECT_GT(plain_root_error(segments, kExact[14]).value_or(1), 1e-6);
}

// Modes 1 to 40: the plain product loses about 1.4 digits with each and has none left at the twelfth.
TEST(PlainDeterminant, DiesWhereThePassKeepsTwelveDigits) {
  const std::vector<BendingSegment> segments = beam_segments();
  const std::vector<C> exact = beam_roots(segments, 40, {{-13, 10}, {-10, 70}, {-10, 176}});
  ASSERT_EQ(exact.size(), 40u);
  const std::vector<std::optional<double>> found = found_root_errors(stepped_beam(), exact);
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_LT(found[k].value_or(1), 1e-12) << "mode " << k + 1;
    if (k >= 12) {
      EXPECT_GT(plain_root_error(segments, exact[k]).value_or(1), 1e-6) << "mode " << k + 1;
    }
  }
}

TEST(FindBendingChain, TakesOnlyPlainChains) {
  EXPECT_EQ(beam_segments(7).size(), 7u);
  Structure with_mass = stepped_beam(7);
  with_mass.vertices[3].mass(1, 1) = 1;
  EXPECT_FALSE(find_bending_chain(with_mass));
  Structure turned = stepped_beam(7);
  std::swap(turned.elements[3].vertex[0], turned.elements[3].vertex[1]);
  EXPECT_FALSE(find_bending_chain(turned));
  Structure in_space = stepped_beam(7);
  in_space.vertices[3].moves = kAll;
  EXPECT_FALSE(find_bending_chain(in_space));
  EXPECT_FALSE(find_bending_chain(rod_chain({1, 2})));
}

}  // namespace
}  // namespace espalier::modes
