#include "espalier/record/detail/hdf5_guard.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/detail/hdf5.hpp"

namespace espalier::record::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemory = std::uint64_t{400} << 20;  // more than is in use [bytes]
constexpr std::uint64_t kTimesFile = 6;                      // and this many times the file: 10^5 bodies have names
constexpr std::uint64_t kSeconds = 20;                       // of processor time, and
constexpr std::uint64_t kBytesPerSecond = std::uint64_t{20} << 20;  // of the file, in a debug build
constexpr int kMostObjects = 200;
constexpr int kDeepest = 3;
// AddressSanitizer takes all addresses there are: they cannot be limited then.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressesAreFree = false;
#else
constexpr bool kAddressesAreFree = true;
#endif

// Address space in use [bytes]; nothing where /proc does not say.
std::uint64_t used_memory() {
  std::FILE* statm = std::fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  const bool read = statm != nullptr && std::fscanf(statm, "%lu", &pages) == 1;
  if (statm != nullptr) std::fclose(statm);
  return read ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void lower_limit(__rlimit_resource resource, std::uint64_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  ::setrlimit(resource, &limit);
}

void set_limits(std::uint64_t file_size) {
  // A crash is one of the answers here, and no reason to leave a core file.
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_CPU, kSeconds + file_size / kBytesPerSecond);
  const std::uint64_t used = used_memory();
  // Beyond what is in use: the child begins with all the memory of its parent.
  if (kAddressesAreFree && used > 0) lower_limit(RLIMIT_AS, used + kMemory + kTimesFile * file_size);
}

// In the child: what went wrong goes through the pipe, its kind first.
[[noreturn]] void report_trial(int pipe, const std::function<Result<void>()>& trial) {
  Error error;
  bool failed = false;
  try {
    const Result<void> tried = trial();
    failed = !tried;
    if (failed) error = tried.error();
  } catch (...) {
    failed = true;
    error.message = "reading it takes more memory than a result may";
  }
  const std::string text = fmt::format("{}{}", static_cast<char>('a' + static_cast<int>(error.code)), error.message);
  const bool told = !failed || ::write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  // Without clean-up: whatever a broken file has left behind must not be touched again.
  ::_exit(told ? 0 : 1);
}

// Until the other end is closed: how long the message is stands nowhere.
std::string read_all(int pipe) {
  std::string text;
  std::array<char, 4096> block;
  while (true) {
    const ssize_t got = ::read(pipe, block.data(), block.size());
    // A signal that the program handles ends the call, not the message.
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), to_index(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Walks through all links of a file and keeps the first thing that is foreign.
class Walk {
 public:
  std::string look_at(hid_t file) {
    attributes(file, "/");
    group(file, "", 0);
    return problem_;
  }

 private:
  void group(hid_t id, const std::string& path, int depth) {
    // A group may be linked into itself: without a depth the walk would not end.
    if (depth > kDeepest) return keep(path, "lies too deep");
    Step step{*this, path, depth};
    hsize_t at = 0;
    if (H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, &at, visit, &step) < 0) keep(path, "cannot be listed");
  }

  struct Step {
    Walk& walk;
    const std::string& path;
    int depth;
  };
  static herr_t visit(hid_t parent, const char* name, const H5L_info_t* link, void* data) {
    const Step& step = *static_cast<const Step*>(data);
    step.walk.link(parent, name, *link, step.path + "/" + name, step.depth);
    return step.walk.problem_.empty() ? 0 : 1;
  }

  void link(hid_t parent, const char* name, const H5L_info_t& info, const std::string& path, int depth) {
    // Counted before it is opened: a file of millions of objects ends here.
    if (++objects_ > kMostObjects) return keep(path, "is one of more than 200 objects");
    // Soft and external links lead wherever the file wants, into other files too.
    if (info.type != H5L_TYPE_HARD) return keep(path, "is a link to somewhere else");
    const Handle object(H5Oopen(parent, name, H5P_DEFAULT), H5Oclose);
    if (!object) return keep(path, "cannot be opened");
    attributes(object.get(), path);
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP) return group(object.get(), path, depth + 1);
    if (kind != H5I_DATASET) return keep(path, "is neither a group nor a dataset");
    dataset(object.get(), path);
  }

  void dataset(hid_t id, const std::string& path) {
    const Handle how(H5Dget_create_plist(id), H5Pclose);
    const Handle type(H5Dget_type(id), H5Tclose);
    const Handle space(H5Dget_space(id), H5Sclose);
    if (!how || !type || !space) return keep(path, "cannot be opened");
    // HDF5 would open any path that stands there.
    if (H5Pget_external_count(how.get()) != 0) return keep(path, "is stored in another file");
    const H5D_layout_t layout = H5Pget_layout(how.get());
    if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) return keep(path, "is stored as no result is");
    // A filter may load foreign code, and hides how large the data become.
    if (H5Pget_nfilters(how.get()) != 0) return keep(path, "is stored through a filter");
    if (!is_ours(type.get())) return keep(path, "holds neither numbers nor texts as we write them");
    if (H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) return keep(path, "has no dimensions");
    if (!fits(id, space.get(), H5Tget_size(type.get()))) keep(path, "is larger than what the file holds of it");
  }

  static bool is_ours(hid_t type) {
    if (H5Tget_class(type) == H5T_STRING) return H5Tis_variable_str(type) > 0;
    // Types are compared whole: a number of another width or order would be converted in silence.
    const std::array<hid_t, 4> known = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_U8LE};
    return std::any_of(known.begin(), known.end(), [&](hid_t one) { return H5Tequal(type, one) > 0; });
  }

  static bool fits(hid_t dataset, hid_t space, std::size_t size) {
    std::array<hsize_t, H5S_MAX_RANK> shape{};
    const int rank = H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    // The head of a dataset may claim any size. What is stored bounds what reading it will ask for.
    hsize_t left = H5Dget_storage_size(dataset) / std::max<std::size_t>(size, 1);
    if (rank < 0) return false;
    // With a dimension of 0 nothing is stored, whatever the others are.
    if (std::find(shape.begin(), shape.begin() + rank, hsize_t{0}) != shape.begin() + rank) return true;
    // Divided one after the other, since the product of the dimensions may overflow.
    for (int k = 0; k < rank; ++k) left /= shape[to_index(k)];
    return left >= 1;
  }

  void attributes(hid_t object, const std::string& path) {
    Step step{*this, path, 0};
    hsize_t at = 0;
    const auto see = [](hid_t owner, const char* name, const H5A_info_t*, void* data) -> herr_t {
      const Step& here = *static_cast<const Step*>(data);
      here.walk.attribute(owner, name, here.path);
      return here.walk.problem_.empty() ? 0 : 1;
    };
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, see, &step) < 0) {
      keep(path, "has attributes that cannot be listed");
    }
  }

  void attribute(hid_t owner, const char* name, const std::string& path) {
    const Handle attribute(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose);
    if (!attribute) return keep(path, "has an attribute that cannot be opened");
    const Handle type(H5Aget_type(attribute.get()), H5Tclose);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    const bool scalar = space && H5Sget_simple_extent_type(space.get()) == H5S_SCALAR;
    if (!type || !scalar || !is_ours(type.get())) keep(path, "has an attribute that we do not write");
  }

  void keep(const std::string& path, const char* what) {
    if (problem_.empty()) problem_ = fmt::format("{} {}", in_quotes(path.empty() ? "/" : path), what);
  }

  int objects_ = 0;
  std::string problem_;
};

}  // namespace

Result<void> try_apart(const fs::path& file, const std::function<Result<void>()>& trial) {
  const auto failed = [&](ErrorCode code, std::string why) {
    return make_error(code, {file.string(), 0, 0}, std::move(why));
  };
  std::error_code code;
  const fs::file_status status = fs::symlink_status(file, code);
  if (!fs::exists(status)) return failed(ErrorCode::kFile, "no such file; check the path");
  if (!fs::is_regular_file(status)) return failed(ErrorCode::kFile, "not a file of its own; a result is no link");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed(ErrorCode::kFile, "no pipe can be made to read it safely");
  // A large result may take longer, and more memory, than a small one.
  const std::uintmax_t size = fs::file_size(file, code);
  const pid_t child = ::fork();
  if (child == 0) {
    // Whoever kills this program must not leave a child that turns in circles in HDF5.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A crash has to end the child: no handler of this program may take it for its own.
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGXCPU}) ::signal(signal, SIG_DFL);
    set_limits(size);
    report_trial(ends[1], trial);
  }
  // The reader sees the end of the message only when nobody else can write.
  ::close(ends[1]);
  // Read before the child is waited for: one with a long message waits for its reader.
  const std::string said = child > 0 ? read_all(ends[0]) : std::string();
  ::close(ends[0]);
  if (child < 0) return failed(ErrorCode::kFile, "no process can be started to read it safely");
  const int ended = wait_for(child);
  // A child that could say what is wrong has not crashed.
  if (!said.empty()) return failed(static_cast<ErrorCode>(said[0] - 'a'), said.substr(1));
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return {};
  const bool slow = WIFSIGNALED(ended) && (WTERMSIG(ended) == SIGXCPU || WTERMSIG(ended) == SIGKILL);
  return failed(ErrorCode::kFormat,
                slow ? "damaged: HDF5 does not come to an end with it; start a new run in another folder"
                     : "damaged: HDF5 breaks down on it; start a new run in another folder");
}

Result<void> check_parts(std::int64_t file, const fs::path& path) {
  const std::string problem = Walk().look_at(file);
  if (problem.empty()) return {};
  return make_error(ErrorCode::kFormat, {path.string(), 0, 0},
                    problem + ": no result of ours, or a damaged one; start a new run in another folder");
}

}  // namespace espalier::record::detail
