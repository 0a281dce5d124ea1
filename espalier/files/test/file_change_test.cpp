#include "espalier/files/system_file.hpp"

#include <fstream>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/files/sealed_file.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void put_bytes(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// As the change sees it.
std::string seen(FileChange& change) {
  std::string text(change.size(), '\0');
  EXPECT_TRUE(change.read(0, text));
  return text;
}

class Change : public TestFolder {
 protected:
  fs::path path_ = folder_ / "file";
  fs::path journal_ = FileChange::journal_of(path_);
};

TEST_F(Change, OfANewFileIsThereAfterItsCommitAlone) {
  FileChange change = FileChange::create(path_);
  ASSERT_TRUE(change.write(5000, "behind"));
  ASSERT_TRUE(change.write(0, "before"));
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(change.commit().has_value());
  EXPECT_EQ(bytes_of(path_), "before" + std::string(4994, '\0') + "behind");
  EXPECT_FALSE(fs::exists(journal_));
}

// Random writes, reads and ends against a plain string.
TEST_F(Change, DoesWhatAPlainStringDoes) {
  Random random(3, 0);
  const auto below = [&](int count) { return to_index(random.below(count)); };
  std::string expected(below(30000), 'a');
  put_bytes(path_, expected);
  for (int round = 0; round < 40; ++round) {
    Result<FileChange> change = FileChange::open(path_);
    ASSERT_TRUE(change.has_value());
    for (int k = 0; k < 10; ++k) {
      const std::size_t offset = below(40000);
      const std::string text(below(9000), static_cast<char>('b' + k));
      ASSERT_TRUE(change->write(offset, text));
      if (expected.size() < offset + text.size()) expected.resize(offset + text.size());
      expected.replace(offset, text.size(), text);
    }
    EXPECT_EQ(seen(*change), expected);
    const std::size_t from = below(static_cast<int>(expected.size()));
    std::string part(expected.size() - from, '\0');
    EXPECT_TRUE(change->read(from, part));
    EXPECT_EQ(part, expected.substr(from));
    if (round % 3 == 0) expected.resize(below(static_cast<int>(expected.size())));
    change->set_size(expected.size());
    ASSERT_TRUE(change->commit().has_value());
    ASSERT_EQ(bytes_of(path_), expected);
    EXPECT_FALSE(fs::exists(journal_));
  }
}

TEST_F(Change, WithoutCommitLeavesTheFileAsItWas) {
  put_bytes(path_, "as it was");
  {
    Result<FileChange> change = FileChange::open(path_);
    ASSERT_TRUE(change->write(0, "other"));
  }
  EXPECT_EQ(bytes_of(path_), "as it was");
}

// What step 2 writes for these pages.
std::string journal_text(std::uint64_t size, const std::vector<std::pair<std::uint64_t, std::string>>& pages) {
  std::string text = "espalier journal 1\n";
  put(text, size);
  for (const auto& [number, bytes] : pages) {
    put(text, number);
    text += bytes;
  }
  put(text, Hash().add(std::string_view(text)).value());
  return text;
}

// A program killed in step 3 leaves any mix of old and new pages, and the length of either file.
TEST_F(Change, IsCompletedFromTheJournal) {
  const std::string o(4096, 'o'), n(4096, 'n'), half = n.substr(0, 1000) + o.substr(0, 3096);
  const std::string journal = journal_text(3 * 4096 + 5, {{0, n}, {2, half}, {3, n}});
  for (const std::string& left : {o + o + o + o + "tail", n + o + o + o, n + o + half + "nnnnn"}) {
    put_bytes(path_, left);
    put_bytes(journal_, journal);
    Result<FileChange> looked_at = FileChange::open_to_read(path_);
    ASSERT_TRUE(looked_at.has_value()) << to_string(looked_at.error());
    EXPECT_EQ(seen(*looked_at), n + o + half + "nnnnn");
    EXPECT_EQ(bytes_of(path_), left);
    Result<FileChange> change = FileChange::open(path_);
    ASSERT_TRUE(change.has_value()) << to_string(change.error());
    EXPECT_EQ(bytes_of(path_), n + o + half + "nnnnn");
    EXPECT_FALSE(fs::exists(journal_));
    EXPECT_EQ(seen(*change), n + o + half + "nnnnn");
  }
}

TEST_F(Change, ThatCannotGetItsJournalLeavesTheFileAsItWas) {
  const std::string old(20000, 'o');
  put_bytes(path_, old);
  Result<FileChange> change = FileChange::open(path_);
  ASSERT_TRUE(change->write(100, std::string(50000, 'n')));
  fs::create_directories(journal_);  // no file can be renamed to it
  EXPECT_FALSE(change->commit().has_value());
  EXPECT_EQ(bytes_of(path_), old);
}

// A journal can only be about bytes that the file has.
TEST_F(Change, OfAStrangersJournalDoesNotMakeTheFileLonger) {
  put_bytes(path_, std::string(5000, 'o'));
  for (const std::string& journal :
       {journal_text(std::uint64_t{1} << 50, {}), journal_text(5000, {{7, std::string(4096, 'n')}})}) {
    put_bytes(journal_, journal);
    EXPECT_FALSE(FileChange::open(path_).has_value());
  }
  EXPECT_EQ(bytes_of(path_), std::string(5000, 'o'));
}

TEST_F(Change, ThatIsDamagedIsRefusedAndNotTaken) {
  put_bytes(path_, std::string(20000, 'o'));
  for (const std::string journal : {"", "espalier journal 1\n", "espalier journal 1\n0123456789abcdef"}) {
    put_bytes(journal_, journal);
    EXPECT_FALSE(FileChange::open(path_).has_value());
    EXPECT_FALSE(FileChange::open_to_read(path_).has_value());
  }
  EXPECT_EQ(bytes_of(path_), std::string(20000, 'o'));
}

TEST_F(Change, DoesNotWriteThroughALink) {
  put_bytes(folder_ / "elsewhere", "mine");
  fs::create_symlink(folder_ / "elsewhere", path_);
  EXPECT_FALSE(FileChange::open(path_).has_value());
}

TEST_F(Change, SaysWhatTheSystemSays) {
  const Result<FileChange> change = FileChange::open(folder_ / "none");
  ASSERT_FALSE(change.has_value());
  EXPECT_EQ(to_string(change.error()), (folder_ / "none").string() + ": no such file; check the path");
}

}  // namespace
}  // namespace espalier::files
