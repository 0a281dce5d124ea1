// Model files for `modes`: those of the reference systems and the shipped ones become the structures they describe.

#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/modes/response.hpp"
#include "espalier/modes/structure.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier {
namespace {

struct Expected {
  const char* file;
  int vertices, supports, beams, hinges;
};

class ModesFile : public testing::TestWithParam<Expected> {};

TEST_P(ModesFile, IsTheStructureItDescribes) {
  const Expected& expected = GetParam();
  const Result<model::ModelSpec> spec = formats::read_model(source_dir() + "/" + expected.file);
  ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
  const Result<model::Model> model = model::compile(*spec);
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  const Result<modes::Structure> structure = modes::make_structure(*model);
  ASSERT_TRUE(structure.has_value()) << to_string(structure.error());
  int supports = 0, beams = 0;
  for (const modes::Vertex& vertex : structure->vertices) supports += vertex.moves == modes::Directions{};
  for (const modes::Element& element : structure->elements) beams += std::holds_alternative<modes::Beam>(element.law);
  EXPECT_EQ(static_cast<int>(structure->vertices.size()), expected.vertices);
  EXPECT_EQ(supports, expected.supports);
  EXPECT_EQ(beams, expected.beams);
  EXPECT_EQ(static_cast<int>(structure->elements.size()) - beams, expected.hinges);
}

INSTANTIATE_TEST_SUITE_P(
    All, ModesFile,
    testing::Values(Expected{"models/stepped_beam.yaml", 51, 1, 50, 0}, Expected{"models/y_frame.yaml", 4, 1, 3, 0},
                    Expected{"models/ten_rods.yaml", 11, 1, 10, 0},
                    Expected{"models/ten_rods_uneven.yaml", 11, 1, 10, 0}, Expected{"models/mlrs.yaml", 19, 6, 3, 16},
                    Expected{"espalier/modes/test/models/h01_clamped_clamped.yaml", 3, 2, 2, 0},
                    Expected{"espalier/modes/test/models/h01_clamped_free.yaml", 2, 1, 1, 0},
                    Expected{"espalier/modes/test/models/h01_clamped_pinned.yaml", 3, 2, 1, 1},
                    Expected{"espalier/modes/test/models/h01_clamped_slider.yaml", 3, 2, 1, 1},
                    Expected{"espalier/modes/test/models/h01_free_free.yaml", 2, 0, 1, 0},
                    Expected{"espalier/modes/test/models/h01_pinned_free.yaml", 3, 1, 1, 1},
                    Expected{"espalier/modes/test/models/h01_pinned_pinned.yaml", 4, 2, 1, 2},
                    Expected{"espalier/modes/test/models/h01_pinned_slider.yaml", 4, 2, 1, 2},
                    Expected{"espalier/modes/test/models/h01_slider_free.yaml", 3, 1, 1, 1},
                    Expected{"espalier/modes/test/models/h01_slider_slider.yaml", 4, 2, 1, 2},
                    Expected{"espalier/modes/test/models/h03_ten_rods.yaml", 11, 1, 10, 0},
                    Expected{"espalier/modes/test/models/h05_tapered_cantilever.yaml", 51, 1, 50, 0},
                    Expected{"espalier/modes/test/models/h08_y_frame.yaml", 4, 1, 3, 0},
                    Expected{"espalier/modes/test/models/h09_portal.yaml", 6, 2, 6, 0},
                    Expected{"espalier/modes/test/models/h12_chain.yaml", 101, 1, 0, 100},
                    Expected{"espalier/modes/test/models/h16_mlrs.yaml", 19, 6, 3, 16},
                    Expected{"espalier/modes/test/models/h18_half_car.yaml", 7, 2, 0, 6}));

constexpr const char* kFrame = R"(espalier: 1
gravity: [0, 0, 0]
materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}
bodies:
  - {name: stem, kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 0.02, h: 0.02}, material: steel}
  - {name: hub, mass: 2, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02], pose: {position: [1, 0, 0]}}
joints:
  - {name: clamp, type: fixed, between: [ground, stem], at: {position: [0, 0, 0]}}
  - {name: weld, type: fixed, between: [stem, hub], at: {position: [1, 0, 0]}}
)";

model::Model frame() { return model::compile(formats::read_model_text(kFrame, "frame.yaml").value()).value(); }

TEST(FindPlace, KnowsBodiesTheirPointsAndBeamEnds) {
  const model::Model model = frame();
  const modes::Structure structure = modes::make_structure(model).value();
  const modes::Place origin = modes::find_place(model, structure, "hub.y").value();
  const modes::Place end = modes::find_place(model, structure, "stem.to.y").value();
  const modes::Place point = modes::find_place(model, structure, "hub@0.3,0,0.1.y").value();
  EXPECT_EQ(origin.vertex, end.vertex);
  EXPECT_TRUE(origin.row.isApprox(end.row, 1e-12));
  // 0.3 m further out a rotation about z adds 0.3 to y, one about x takes 0.1 off.
  EXPECT_NEAR(point.row[5] - origin.row[5], 0.3, 1e-12);
  EXPECT_NEAR(point.row[3] - origin.row[3], -0.1, 1e-12);
}

TEST(FindPlace, SaysWhatItDoesNotKnow) {
  const model::Model model = frame();
  const modes::Structure structure = modes::make_structure(model).value();
  const auto message = [&](const char* text) {
    const Result<modes::Place> found = modes::find_place(model, structure, text);
    return found ? std::string() : found.error().message;
  };
  EXPECT_NE(message("hub.q").find("direction"), std::string::npos);
  EXPECT_NE(message("hup.y").find("did you mean 'hub'"), std::string::npos) << message("hup.y");
  EXPECT_NE(message("stem.y").find("stem.from"), std::string::npos) << message("stem.y");
  EXPECT_NE(message("hub@1,2.y").find("three numbers"), std::string::npos);
  EXPECT_NE(message("stem.from.y").find("does not move"), std::string::npos);
}

}  // namespace
}  // namespace espalier
