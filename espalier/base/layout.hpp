#pragma once

// Text in lines and columns, for reports.

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// `text` in lines of at most `width`, the first led by `first`, the others by as many spaces.
std::string wrapped(std::string_view first, std::string_view text, int width);

// Left-aligned columns under their heads; the last column is wrapped at `width`.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows, int width);

}  // namespace espalier
