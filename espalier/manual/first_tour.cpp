#include <filesystem>

#include "espalier/manual/manual.hpp"

namespace espalier::manual {

std::vector<Chapter> first_tour(const std::string& folder, int ranks) {
  const auto in = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  const std::string walker = in("strandbeest.yaml"), pile = in("pile.yaml"), launcher = in("launcher.yaml");
  const std::string platform = in("stewart.yaml");
  std::vector<std::string> fall = {"simulate", pile, "--end",    "0.5",    "--output-step",
                                   "0.02",     "-o", in("pile"), "--page", in("pile.html")};
  if (ranks > 1) fall.insert(fall.end(), {"--ranks", std::to_string(ranks)});
  return {
      {"What is it made of?",
       "A walking linkage of 73 bodies closes 36 loops. Counted before anything moves: its degrees of freedom, which "
       "constraints are redundant, and what is doubtful about it.",
       "check.html",
       "",
       {{"generate", "strandbeest", "6", "-o", walker}, {"check", walker, "--page", in("check.html")}}},
      {"Which joints to cut?",
       "Equations of motion are computed on a spanning tree, and every loop is cut once. Another tree costs up to "
       "several times as much; this one is the cheapest, with the proof.",
       "plan.html",
       "",
       {{"plan", walker, "--page", in("plan.html")}}},
      {"How does it move?",
       "On the tree that is fastest the loops stay closed to rounding, and energy is accounted for. The page on top of "
       "this one is this run.",
       "",
       "walk",
       {{"simulate", walker, "--end", "4", "-o", in("walk")}}},
      {"What if things touch?",
       "A pile of grains falls into a tray, on two processes. It comes out the same, bit for bit, on any number of "
       "them.",
       "pile.html",
       "pile",
       {{"generate", "pile", "80", "-o", pile}, fall}},
      {"At which frequencies does it vibrate?",
       "A rocket launcher with an elastic tube. None of its lowest modes is missing, and the report says why.",
       "modes.html",
       "",
       {{"generate", "mlrs", "-o", launcher}, {"modes", launcher, "--count", "10", "--page", in("modes.html")}}},
      {"And which numbers would be better?",
       "Sixteen stiffnesses of the same launcher are searched until its frequencies are those that were measured on a "
       "real one, and none is near the firing rate.",
       "tuned.html",
       "tuned",
       {{"tune", launcher, "--generations", "6", "-o", in("tuned"), "--page", in("tuned.html")}}},
      {"Does another program take it?",
       "A mechanism with loops as MJCF, URDF or SDF: its loops are kept, and what is lost is said.",
       "",
       "",
       {{"generate", "stewart", "-o", platform}, {"convert", platform, "-o", in("stewart.xml")}}},
  };
}

}  // namespace espalier::manual
