#include "espalier/draw/detail/plan_words.hpp"

#include <gtest/gtest.h>

namespace espalier::draw {
namespace {

// In text a '<' begins an element; in an attribute a '"' ends it.
TEST(Escaped, NothingOfANameIsMarkup) {
  EXPECT_EQ(detail::escaped("crank 1"), "crank 1");
  EXPECT_EQ(detail::escaped("<b title=\"x\">&amp;</b>"), "&lt;b title=&quot;x&quot;&gt;&amp;amp;&lt;/b&gt;");
}

}  // namespace
}  // namespace espalier::draw
