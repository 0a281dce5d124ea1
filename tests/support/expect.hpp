#pragma once

#include <string>

#include <gtest/gtest.h>

// Pages are long: the first lines are enough to see what went wrong.
#define EXPECT_MENTIONS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text).substr(0, 2000)
