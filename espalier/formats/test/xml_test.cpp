#include "espalier/formats/detail/xml.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect.hpp"

namespace espalier::formats::detail {
namespace {

std::string problem(const std::string& text) {
  XmlReader xml;
  return xml.parse(text, "f.xml") != nullptr ? "read" : to_string(xml.error());
}

TEST(Xml, BrokenTextIsToldWithItsLineAndTheWayOut) {
  EXPECT_EQ(problem("<a>\n<b>\n</a>"),
            "f.xml:2: an element is not closed, or is closed by another name than it was opened with; mend the XML "
            "there");
  EXPECT_EQ(problem("<a>\n<b c=1/></a>"), "f.xml:2: an attribute is not written as name=\"value\"; mend the XML there");
  EXPECT_EQ(problem("<!-- nothing -->"), "f.xml:1: the file holds no XML element");
}

// Equals signs in quotes, in texts and in comments are no attributes.
TEST(Xml, AnElementOfTooManyAttributesIsRefusedBeforeItIsParsed) {
  std::string many;
  for (int k = 0; k < 1000; ++k) many += " a" + std::to_string(k) + "='='";
  EXPECT_EQ(problem("<e" + many + "/>"), "read");
  many += " more='='";
  EXPECT_EQ(problem("<r>\n<e" + many + "/></r>"),
            "f.xml:2: an element has more than 1000 attributes; no model needs so many");
  EXPECT_EQ(problem("<r><!-- <e" + many + "/> --><e x='>" + std::string(2000, '=') + "'/></r>"), "read");
  EXPECT_EQ(problem("<r>" + std::string(2000, '=') + "</r>"), "read");
}

TEST(Xml, AttributesAreTypedAndTheFirstFailureStays) {
  XmlReader xml;
  const XMLElement* e = xml.parse("<e name='n' one=' 2.5 ' three='1 2 3' bad='1 x' empty=''/>", "f.xml");
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(xml.text(e, "name"), "n");
  EXPECT_EQ(xml.text(e, "none", "otherwise"), "otherwise");
  EXPECT_EQ(xml.number(e, "one", 7), 2.5);
  EXPECT_EQ(xml.number(e, "none", 7), 7);
  EXPECT_EQ(xml.vector(e, "three", Eigen::Vector3d::Zero()), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(xml.optional_numbers(e, "none"), std::nullopt);
  EXPECT_TRUE(xml.optional_numbers(e, "empty")->empty());
  EXPECT_FALSE(xml.failed());
  xml.required_number(e, "three");
  xml.required_text(e, "empty");
  EXPECT_EQ(to_string(xml.error()), "f.xml:1: three='1 2 3' in <e> must be one number");
}

TEST(Xml, NumbersAreFiniteDecimals) {
  XmlReader xml;
  const XMLElement* e = xml.parse("<e bad='1 0x10'/>", "f.xml");
  xml.optional_numbers(e, "bad");
  ASSERT_TRUE(xml.failed());
  EXPECT_EQ(xml.error().message, "'0x10' in bad of <e> is not a finite number");
}

TEST(Xml, ContentIsTrimmed) {
  XmlReader xml;
  const XMLElement* e = xml.parse("<e><a> \n 1 2\t</a><b/><c> </c></e>", "f.xml");
  EXPECT_EQ(XmlReader::content(e->FirstChildElement("a")), "1 2");
  EXPECT_EQ(XmlReader::content(e->FirstChildElement("b")), "");
  EXPECT_EQ(XmlReader::content(e->FirstChildElement("c")), "");
  EXPECT_EQ(children(e).size(), 3u);
  EXPECT_EQ(children(e, "b").size(), 1u);
}

// The place is that of the first, and an element that is looked at twice counts once.
TEST(Xml, WhatIsNotReadIsNotedOnceByKind) {
  XmlReader xml;
  const XMLElement* e = xml.parse("<r>\n<z/>\n<a/>\n<z/></r>", "f.xml");
  xml.only_children(e, {});
  xml.not_read(e->LastChildElement());
  const std::vector<model::Note> notes = xml.notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(model::plain_message(notes[0]), "<z> in <r>: not read (2 times)");
  EXPECT_EQ(notes[0].where.line, 2);
  EXPECT_EQ(model::plain_message(notes[1]), "<a> in <r>: not read");
  EXPECT_EQ(notes[1].where.line, 3);
}

TEST(Xml, WhatIsSwitchedOffHasNoEffect) {
  XmlReader xml;
  const XMLElement* link = xml.parse(
      "<link><kinematic>0</kinematic><velocity_decay><linear>0</linear><angular>0.1</angular></velocity_decay>"
      "</link>",
      "f.sdf");
  xml.only_children(link, {});
  const std::vector<model::Note> notes = xml.notes();
  ASSERT_EQ(notes.size(), 2u);
  for (const model::Note& note : notes) {
    const bool off = note.message.find("kinematic") != std::string::npos;
    EXPECT_EQ(model::kind_of(note).effect, off ? model::Effect::kNone : model::Effect::kForces) << note.message;
  }
}

}  // namespace
}  // namespace espalier::formats::detail
