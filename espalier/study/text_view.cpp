#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/view.hpp"

namespace espalier::study {

std::string to_text(const ViewAnswer& answer, const TextOptions& options) {
  const bool modes = answer.subject == ViewSubject::kModes;
  std::string text = fmt::format("{} {}: {}", word_of(answer.subject), printable_name(answer.title),
                                 modes ? counted(answer.modes, "mode") : counted(answer.bodies, "body", "bodies"));
  // "Modes of a bar" says so by itself.
  if (modes) text.erase(0, text.find(' ') + 1);
  if (answer.frames > 0) text += ", " + counted(answer.frames, "frame");
  // A long run is thinned out for the page.
  if (answer.frames < answer.run_frames) text += fmt::format(" of {}", answer.run_frames);
  text += "\n";
  // One pose has all its digits.
  if (answer.frames > 1) {
    text += wrapped("  ",
                    fmt::format("Positions are rounded by at most {:.1e} m, turns by {:.1e} rad.",
                                answer.position_error, answer.angle_error),
                    options.width);
  }
  if (answer.difference) {
    const ViewDifference& d = *answer.difference;
    const std::string text_of =
        d.first_time
            ? fmt::format(
                  "They differ first at {:.6g} s, where {} is {:.2g} m away, and most at {:.6g} s, {} by "
                  "{:.2g} m.",
                  *d.first_time, in_quotes(d.first_body), d.first_distance, d.most_time, in_quotes(d.most_body), d.most)
            : fmt::format("They do not differ: no body is more than {:.2g} m away.", d.most);
    text += wrapped("  ", fmt::format("Compared with {}. {}", in_quotes(d.other), text_of), options.width);
  }
  for (const draw::MissingMesh& mesh : answer.missing) {
    text += wrapped("  ",
                    fmt::format("The mesh {} of {} is not drawn ({}); a box stands for it.", in_quotes(mesh.file),
                                in_quotes(mesh.body), mesh.why),
                    options.width);
  }
  for (const std::string& note : answer.notes) text += wrapped("  ", note, options.width);
  if (!answer.written.empty()) {
    text += fmt::format("Wrote {} ({:.1f} MB): open it in a browser\n", answer.written,
                        static_cast<double>(answer.html.size()) / 1e6);
  }
  return text;
}

std::string to_text(const ViewFiles& files) {
  std::string text = fmt::format("Wrote {}", files.written);
  // One file that moves is one picture.
  if (files.written.ends_with('/')) text += fmt::format(": {}", counted(files.frames, "picture"));
  if (!files.open.empty())
    text += fmt::format("/: {}; open {} in ParaView", counted(files.frames, "frame"), files.open);
  return text + "\n";
}

}  // namespace espalier::study
