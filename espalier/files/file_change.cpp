#include "espalier/files/system_file.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "espalier/base/numbers.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

// Only a unit of bookkeeping: pages of the file need not be those of the system.
constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 20;  // bytes of one call
constexpr std::string_view kMagic = "espalier journal 1\n";
constexpr std::size_t kWord = 8;

std::uint64_t word_at(std::string_view text) { return WordReader(text.substr(0, kWord)).word(); }

// A regular file, not what a link leads to: a run folder may come from a stranger.
Result<Descriptor> open_plain(const fs::path& path, int flags) {
  // Asked first, so that a file that is not there gets a sentence of its own.
  std::error_code code;
  if (!fs::exists(path, code)) {
    return make_error(ErrorCode::kFile, {path.string(), 0, 0}, "no such file; check the path");
  }
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK));
  // O_NONBLOCK: opening a pipe would otherwise wait for whoever writes into it.
  const std::string reason = file ? "" : errno == ELOOP ? "it is a link" : system_reason();
  if (!file) return make_error(ErrorCode::kFile, {path.string(), 0, 0}, "cannot be opened: " + reason);
  struct stat about = {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return make_error(ErrorCode::kFile, {path.string(), 0, 0}, "not a plain file");
  }
  return file;
}

std::uint64_t size_of(const Descriptor& file) {
  struct stat about = {};
  return ::fstat(file.get(), &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}

}  // namespace

// The journal holds the new pages of a change under way. Whoever finds one completes the change or reads through it.
fs::path FileChange::journal_of(const fs::path& path) { return path.string() + ".journal"; }

FileChange FileChange::create(fs::path path) { return {std::move(path), std::nullopt, 0}; }

Result<FileChange> FileChange::open_to_read(const fs::path& path) {
  Result<Descriptor> file = open_plain(path, O_RDONLY);
  ESPALIER_TRY(file);
  const std::uint64_t size = size_of(*file);
  FileChange change(path, *std::move(file), size);
  // A reader takes the pages of a journal as if they were in the file and writes nothing.
  const Result<void> taken = change.take_journal();
  ESPALIER_TRY(taken);
  return change;
}

Result<FileChange> FileChange::open(const fs::path& path) {
  // Here the file is written, so that a link must not lead the change elsewhere.
  Result<Descriptor> file = open_plain(path, O_RDWR | O_NOFOLLOW);
  ESPALIER_TRY(file);
  const std::uint64_t size = size_of(*file);
  FileChange change(path, *std::move(file), size);
  const Result<void> taken = change.take_journal();
  ESPALIER_TRY(taken);
  std::error_code code;
  // A change that was cut off is completed first: from here on the file and its pages are one.
  if (fs::exists(journal_of(path), code)) {
    const Result<void> replaced = change.replace_pages(change.pages_.end());
    ESPALIER_TRY(replaced);
    change.old_size_ = change.size_;
    change.pages_.clear();
  }
  return change;
}

// The pages of a journal that is there become pages of this change.
Result<void> FileChange::take_journal() {
  const fs::path path = journal_of(path_);
  std::error_code code;
  if (!fs::exists(fs::symlink_status(path, code))) return {};
  const auto damaged = [&] {
    return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                      fmt::format("damaged, and {} is not whole without it; start a new run in another folder",
                                  path_.filename().string()));
  };
  const Result<Descriptor> plain = open_plain(path, O_RDONLY | O_NOFOLLOW);
  const Result<std::string> text = plain ? read_text_file(path) : tl::unexpected(plain.error());
  // Whoever writes the file may be done with it by now.
  if (!text && !fs::exists(fs::symlink_status(path, code))) return {};
  ESPALIER_TRY(text);
  std::string_view rest = *text;
  if (!rest.starts_with(kMagic) || rest.size() < kMagic.size() + 2 * kWord) return damaged();
  const std::string_view whole = rest.substr(0, rest.size() - kWord);
  // A journal was whole when it got its name; one whose sum is wrong was damaged later and cannot be trusted in part.
  if (word_at(rest.substr(whole.size())) != Hash().add(whole).value()) return damaged();
  rest = whole.substr(kMagic.size());
  size_ = word_at(rest);
  rest.remove_prefix(kWord);
  // The file had its new length before there was a journal.
  if (size_ > old_size_ || rest.size() % (kWord + kPage) != 0) return damaged();
  for (; !rest.empty(); rest.remove_prefix(kWord + kPage)) {
    pages_[word_at(rest)] = std::string(rest.substr(kWord, kPage));
  }
  // A page behind the end would be written over nothing the file ever had.
  if (!pages_.empty() && pages_.rbegin()->first > old_size_ / kPage) return damaged();
  return {};
}

bool FileChange::read_old(std::uint64_t offset, std::span<char> bytes) {
  if (file_ && read_all_at(file_->get(), bytes, offset)) return true;
  if (file_) reason_ = system_reason();
  // What cannot be read reads as zeros, which a new page starts with; the caller learns of a failure by the result.
  std::fill(bytes.begin(), bytes.end(), '\0');
  return !file_;
}

bool FileChange::read(std::uint64_t offset, std::span<char> bytes) {
  if (bytes.empty()) return true;
  if (!read_old(offset, bytes)) return false;
  const std::uint64_t end = offset + bytes.size();
  // First the file, then the pages that have changed, over it.
  for (auto page = pages_.lower_bound(offset / kPage); page != pages_.end() && page->first * kPage < end; ++page) {
    const std::uint64_t from = std::max(offset, page->first * kPage), to = std::min(end, (page->first + 1) * kPage);
    page->second.copy(bytes.data() + (from - offset), to - from, from - page->first * kPage);
  }
  return true;
}

// The page to write into, with the old bytes in it; null where they cannot be read.
std::string* FileChange::find_page(std::uint64_t number) {
  // A page is read once; after that writes of a few bytes stay in memory.
  const auto found = pages_.find(number);
  if (found != pages_.end()) return &found->second;
  std::string page(kPage, '\0');
  if (number * kPage < old_size_ && !read_old(number * kPage, page)) return nullptr;
  return &(pages_[number] = std::move(page));
}

bool FileChange::write(std::uint64_t offset, std::string_view bytes) {
  size_ = std::max(size_, offset + bytes.size());
  while (!bytes.empty()) {
    std::string* page = find_page(offset / kPage);
    if (page == nullptr) return false;
    const std::size_t count = std::min<std::size_t>(bytes.size(), kPage - offset % kPage);
    page->replace(offset % kPage, count, bytes.substr(0, count));
    offset += count;
    bytes.remove_prefix(count);
  }
  return true;
}

// Pages that follow each other in one call; none reaches behind the new end.
bool FileChange::write_pages(int file, Pages::const_iterator begin, Pages::const_iterator end) const {
  std::string block;
  for (auto page = begin; page != end; ++page) {
    block += page->second;
    const auto next = std::next(page);
    if (next != end && next->first == page->first + 1 && block.size() < kMostAtOnce) continue;
    const std::uint64_t block_end = (page->first + 1) * kPage;
    // The block ends with its last page, so that its beginning follows from its length.
    const std::uint64_t offset = block_end - block.size();
    // A file that became shorter needs no pages behind its end.
    if (block_end > size_) block.resize(size_ > offset ? size_ - offset : 0);
    if (!write_all_at(file, block, offset)) return false;
    block.clear();
  }
  return true;
}

Result<void> FileChange::commit() {
  pages_.erase(pages_.lower_bound((size_ + kPage - 1) / kPage), pages_.end());
  return file_ ? commit_old() : commit_new();
}

// A new file gets its name only when it is whole and on the disk: no journal is needed.
Result<void> FileChange::commit_new() {
  const fs::path beside = fmt::format("{}.{}.part", path_.string(), ::getpid());
  const fs::path journal = journal_of(path_);
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  // A journal of an older file of this name would change the new one, so that it goes before the new name.
  const bool done = file && write_pages(file.get(), pages_.begin(), pages_.end()) &&
                    ::ftruncate(file.get(), static_cast<off_t>(size_)) == 0 && sync(file.get()) && file.close() &&
                    (::unlink(journal.c_str()) == 0 || errno == ENOENT) && ::rename(beside.c_str(), path_.c_str()) == 0;
  if (done) return sync_folder_of(path_);
  const std::string reason = system_reason();
  ::unlink(beside.c_str());
  return cannot_write(path_, reason);
}

// 1. New pages behind the old end, which nobody reads yet. 2. The journal with the pages that replace old ones.
// 3. Those pages. Before 2 the old file is whole, after it the journal makes the new one whole.
Result<void> FileChange::commit_old() {
  const Pages::const_iterator tail = pages_.lower_bound((old_size_ + kPage - 1) / kPage);
  const bool longer = tail != pages_.end() || size_ > old_size_;
  const Result<void> added = longer ? add_tail(tail) : Result<void>();
  ESPALIER_TRY(added);
  // Nothing that was there changes: the new end alone is the change.
  if (pages_.begin() == tail && size_ >= old_size_) return {};
  const Result<void> noted = write_journal(tail);
  if (!noted) {
    // Nothing points behind the old end, unless the journal got its name all the same and keeps it.
    const fs::path journal = journal_of(path_);
    ::unlink(journal.c_str());
    std::error_code code;
    if (!fs::is_regular_file(fs::symlink_status(journal, code))) {
      (void)!::ftruncate(file_->get(), static_cast<off_t>(old_size_));
    }
    return noted;
  }
  return replace_pages(tail);
}

Result<void> FileChange::add_tail(Pages::const_iterator tail) {
  const bool done = write_pages(file_->get(), tail, pages_.end()) &&
                    ::ftruncate(file_->get(), static_cast<off_t>(size_)) == 0 && sync(file_->get());
  if (done) return {};
  const std::string reason = system_reason();
  // Back to the old length: what was added is not part of anything.
  (void)!::ftruncate(file_->get(), static_cast<off_t>(old_size_));
  return cannot_write(path_, reason);
}

Result<void> FileChange::write_journal(Pages::const_iterator tail) const {
  std::string text(kMagic);
  put(text, size_);
  for (auto page = pages_.begin(); page != tail; ++page) {
    put(text, page->first);
    text += page->second;
  }
  // The sum comes last, over all that stands before it.
  put(text, Hash().add(std::string_view(text)).value());
  const Result<void> written = replace_file(journal_of(path_), text);
  return written ? sync_folder_of(path_) : written;
}

// The old bytes are gone from here on until all is done.
Result<void> FileChange::replace_pages(Pages::const_iterator tail) {
  const fs::path journal = journal_of(path_);
  const bool done = write_pages(file_->get(), pages_.begin(), tail) &&
                    ::ftruncate(file_->get(), static_cast<off_t>(size_)) == 0 && sync(file_->get()) &&
                    ::unlink(journal.c_str()) == 0;
  return done ? Result<void>() : cannot_write(path_, system_reason());
}

}  // namespace espalier::files
