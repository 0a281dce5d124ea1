#include "espalier/files/system_file.hpp"

#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "espalier/files/text_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

class SystemFile : public TestFolder {
 protected:
  Descriptor open_file() { return Descriptor(::open((folder_ / "a").c_str(), O_RDWR | O_CREAT, 0600)); }
};

TEST_F(SystemFile, BytesAreReadWhereTheyWereWritten) {
  const Descriptor file = open_file();
  ASSERT_TRUE(file);
  EXPECT_TRUE(write_all(file.get(), "0123456789"));
  EXPECT_TRUE(write_all_at(file.get(), "ab", 3));
  std::string bytes(6, '?');
  EXPECT_TRUE(read_all_at(file.get(), bytes, 2));
  EXPECT_EQ(bytes, "2ab567");
  // Behind the end there are zeros, as in a file that is made longer.
  std::string tail(4, '?');
  EXPECT_TRUE(read_all_at(file.get(), tail, 8));
  EXPECT_EQ(tail, std::string("89\0\0", 4));
}

TEST_F(SystemFile, ADescriptorHasOneOwner) {
  Descriptor file = open_file();
  const int number = file.get();
  Descriptor moved = std::move(file);
  EXPECT_EQ(moved.get(), number);
  EXPECT_TRUE(moved.close());
  EXPECT_EQ(::fcntl(number, F_GETFD), -1) << "it is closed";
  EXPECT_FALSE(moved);
  Descriptor released = open_file();
  const int kept = released.release();
  EXPECT_FALSE(released);
  EXPECT_NE(::fcntl(kept, F_GETFD), -1) << "its new owner closes it";
  ::close(kept);
}

TEST_F(SystemFile, AFailedWriteIsToldWithTheSystemsReason) {
  const Descriptor file(::open((folder_ / "none" / "a").c_str(), O_RDWR));
  EXPECT_FALSE(file);
  EXPECT_MENTIONS(system_reason(), "No such file");
  EXPECT_FALSE(write_all(file.get(), "x"));
  const Error error = cannot_write("a.bin", "the disk is full").value();
  EXPECT_EQ(to_string(error), "a.bin: cannot be written: the disk is full");
}

TEST_F(SystemFile, ReplacingKeepsTheOldOneWhereItIsAskedFor) {
  const fs::path path = folder_ / "a", before = folder_ / "before";
  ASSERT_TRUE(replace_file(path, "one", before).has_value());
  EXPECT_FALSE(fs::exists(before));
  ASSERT_TRUE(replace_file(path, "two", before).has_value());
  EXPECT_EQ(*read_text_file(path), "two");
  EXPECT_EQ(*read_text_file(before), "one");
  ASSERT_TRUE(replace_file(path, "three").has_value());
  EXPECT_EQ(*read_text_file(before), "one");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2)
      << "nothing half-written is left";
}

}  // namespace
}  // namespace espalier::files
