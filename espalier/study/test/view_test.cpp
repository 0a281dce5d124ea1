#include "espalier/study/view.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/test/shipped.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

class ViewVerb : public TestFolder {
 protected:
  static std::string model_file(const std::string& name) { return source_dir() + "/models/" + name + ".yaml"; }

  fs::path run(const std::string& name, const TreeOptions& tree = {}) const {
    SimulateOptions options;
    options.end_time = 0.1;
    options.folder = folder_ / "run";
    options.tree = tree;
    const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), shipped(name), options);
    EXPECT_TRUE(answer.has_value()) << to_string(answer.error());
    return folder_ / "run";
  }
  fs::path plan_of(const std::string& name, const PlanningOptions& options) const {
    const Result<PlanAnswer> answer = plan(shipped(name), options);
    EXPECT_TRUE(answer.has_value());
    std::ofstream(folder_ / "plan.json") << to_json(*answer);
    return folder_ / "plan.json";
  }
  static ViewAnswer viewed(const fs::path& what) {
    const Result<ViewAnswer> answer = view(what);
    EXPECT_TRUE(answer.has_value()) << to_string(answer.error());
    return answer.value_or(ViewAnswer());
  }
};

TEST_F(ViewVerb, TellsModelsRunsAndPlansApart) {
  const ViewAnswer model = viewed(model_file("four_bar"));
  EXPECT_EQ(model.subject, ViewSubject::kModel);
  EXPECT_EQ(model.bodies, 3u);
  EXPECT_EQ(model.frames, 0u);
  const ViewAnswer moving = viewed(run("four_bar"));
  EXPECT_EQ(moving.subject, ViewSubject::kRun);
  EXPECT_EQ(moving.frames, 11u);
  EXPECT_EQ(moving.run_frames, 11u);
  // Half a step of 16 bits of the way, which is a metre or so here.
  EXPECT_GT(moving.position_error, 0);
  EXPECT_LT(moving.position_error, 1e-4);
  const ViewAnswer plan = viewed(plan_of("four_bar", {}));
  EXPECT_EQ(plan.subject, ViewSubject::kPlan);
  EXPECT_EQ(plan.title, model.title);
  for (const ViewAnswer* answer : {&model, &moving, &plan}) EXPECT_MENTIONS(answer->html, "<!DOCTYPE html>");
}

TEST_F(ViewVerb, ItsDocumentSaysWhatIsOnThePage) {
  ViewAnswer answer = viewed(model_file("stewart"));
  answer.written = "stewart.html";
  const nlohmann::json document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["subject"], "model");
  EXPECT_EQ(document["bodies"], 13);
  EXPECT_EQ(document["bytes"], answer.html.size());
  EXPECT_MENTIONS(to_text(answer), "Wrote stewart.html");
}

// A plan that was made with wishes is explained by them: without them the card would call another cut cheaper.
TEST_F(ViewVerb, WhyAJointIsCutIsWhatThePlanSaid) {
  PlanningOptions options;
  options.cut = {"B"};
  const fs::path file = plan_of("four_bar", options);
  nlohmann::json document = nlohmann::json::parse(*files::read_text_file(file));
  ASSERT_EQ(document["reasons"].size(), 1u);
  EXPECT_EQ(document["reasons"][0]["joint"], "B");
  EXPECT_EQ(document["reasons"][0]["reason"], "it was asked for");
  TreeOptions tree;
  tree.cut = {"C"};
  const nlohmann::json run_json = nlohmann::json::parse(*files::read_text_file(run("four_bar", tree) / "run.json"));
  EXPECT_EQ(run_json["plan"]["reasons"][0]["reason"], "it was asked for");
}

TEST_F(ViewVerb, ARunForParaviewHasAFileForEachFrame) {
  const Result<ViewFiles> files = write_paraview(run("four_bar"), folder_ / "out");
  ASSERT_TRUE(files.has_value()) << to_string(files.error());
  EXPECT_EQ(files->frames, 11u);
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "out")) bytes += fs::file_size(entry);
  EXPECT_EQ(bytes, files->bytes);
  EXPECT_EQ(nlohmann::json::parse(to_json(*files))["frames"], 11);
  EXPECT_MENTIONS(to_text(*files), "run.pvd in ParaView");
}

TEST_F(ViewVerb, RefusesWhatItCannotShow) {
  EXPECT_EQ(view(folder_).error().code, ErrorCode::kFile);
  EXPECT_MENTIONS(write_paraview(folder_, folder_ / "out").error().message, "no run");
  EXPECT_FALSE(view(folder_ / "nothing.yaml"));
  ViewOptions other;
  other.model = model_file("governor");
  EXPECT_EQ(view(run("four_bar"), other).error().option, "model");
}

TEST(ViewTimes, AreOneTimeOrThreeNumbers) {
  const ViewTimes times = parse_view_times("0:5:0.04").value();
  EXPECT_EQ(times.from, 0);
  EXPECT_EQ(times.to, 5);
  EXPECT_EQ(times.step, 0.04);
  EXPECT_EQ(parse_view_times("2.5")->from, 2.5);
  for (const char* bad : {"", "0:1", "1:0:1", "0:1:0", "0:1:0.1:", "a", "0:1:nan"}) {
    EXPECT_FALSE(parse_view_times(bad)) << bad;
  }
}

TEST_F(ViewVerb, PicturesAreAtTheTimesAskedFor) {
  const fs::path folder = run("four_bar");
  const Result<ViewPictures> pictures = view_pictures(folder, {0, 0.1, 0.03});
  ASSERT_TRUE(pictures.has_value()) << to_string(pictures.error());
  ASSERT_EQ(pictures->pictures.size(), 4u);
  EXPECT_DOUBLE_EQ(pictures->times[3], 0.09);
  EXPECT_MENTIONS(pictures->pictures[3], "0.090 s");
  EXPECT_EQ(view_moving_picture(folder, {0, 0.1, 0.05})->pictures.size(), 1u);
  EXPECT_EQ(view_pictures(folder, {0, 0.2, 0.1}).error().option, "at");
}

}  // namespace
}  // namespace espalier::study
