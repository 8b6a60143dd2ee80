#include "platform/files/file.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void ThrowErrno(const std::string& what) {
  throw WriteError(errno, std::generic_category(), what);
}

void WriteAll(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR) {
      ThrowErrno("cannot write " + name);
    }
  }
}

class Descriptor {
 public:
  Descriptor(int fd, std::string name)
      : fd_(fd),
        name_(std::move(name)) {
    if (fd_ < 0) {
      ThrowErrno("cannot write " + name_);
    }
  }

  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int Get() const {
    return fd_;
  }

  // Makes the file safe on the disk. Some file systems report a full disk only here.
  void Sync() {
    // EINVAL: a pipe or a device, where nothing has to be made safe.
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) {
      ThrowErrno("cannot write " + name_);
    }
  }

  void Close() {
    // EINTR: it is closed anyway, and Sync() has made the data safe.
    if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) {
      ThrowErrno("cannot write " + name_);
    }
  }

 private:
  int fd_;
  const std::string name_;
};

// A file that replaces another one when it is complete.
class TemporaryFile {
 public:
  enum class Name {
    kAtTheEnd,  // a killed process leaves nothing behind, if the file system permits it
    kNow,       // next to the target; the destructor removes it
  };

  TemporaryFile(const fs::path& beside, const std::string& name, Name when)
      : path_(beside.string() + ".XXXXXX"),
        descriptor_(Open(beside.parent_path(), when), name) {
  }

  ~TemporaryFile() {
    if (is_named_) {
      ::unlink(path_.c_str());
    }
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  Descriptor& File() {
    return descriptor_;
  }

  // Closes the file and names it. Returns false if the system refuses to name an unnamed file.
  bool MoveTo(const fs::path& target, const std::string& name) {
    const bool is_there = !is_named_ && Link(target.string());
    if (!is_named_ && !is_there && (errno != EEXIST || !LinkBeside(target.string()))) {
      return false;
    }
    descriptor_.Close();
    if (is_named_ && ::rename(path_.c_str(), target.c_str()) != 0) {
      ThrowErrno("cannot write " + name);
    }
    is_named_ = false;
    return true;
  }

 private:
  int Open(const fs::path& folder, Name when) {
    const int fd =
        when == Name::kNow || ::access("/proc/self/fd", X_OK) != 0
            ? -1
            : ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) {
      return fd;
    }
    is_named_ = true;
    return ::mkostemp(path_.data(), O_CLOEXEC);
  }

  bool Link(const std::string& path) const {
    const std::string descriptor = "/proc/self/fd/" + std::to_string(descriptor_.Get());
    return ::linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  // Names the file next to the existing target, because no call replaces a name by an unnamed file.
  // A kill before rename() leaves the file. It never touches a file that has the name already.
  bool LinkBeside(const std::string& target) {
    constexpr int kTries = 100;
    std::random_device random;
    for (int i = 0; i < kTries && !is_named_; ++i) {
      path_ = target + "." + std::to_string(random());
      is_named_ = Link(path_);
      if (!is_named_ && errno != EEXIST) {
        return false;
      }
    }
    return is_named_;
  }

  std::string path_;
  bool is_named_ = false;  // path_ is its name
  Descriptor descriptor_;
};

mode_t CreationMask() {
  const mode_t mask = ::umask(0);  // umask() cannot only read the mask
  ::umask(mask);
  return mask;
}

struct Target {
  fs::path path;         // after symbolic links
  bool ordinary = true;  // an ordinary file, or none yet
  mode_t mode = 0;
};

Target Resolve(const std::string& path) {
  Target target{.path = path, .mode = static_cast<mode_t>(0666 & ~CreationMask())};
  std::error_code error;
  // If the last step is missing, the link (or the name itself) is what will be created.
  const fs::path real = fs::weakly_canonical(path, error);
  if (!error && !real.empty()) {
    target.path = real;
  }
  struct stat status{};
  if (::stat(target.path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      ThrowErrno("cannot write " + path);
    }
    target.ordinary = S_ISREG(status.st_mode);
    target.mode = status.st_mode & 07777;
    // Replacing a file needs no permission to write it, but its owner protected it, also from root.
    constexpr mode_t kWritable = S_IWUSR | S_IWGRP | S_IWOTH;
    if (target.ordinary && (target.mode & kWritable) == 0) {
      errno = EACCES;
      ThrowErrno("cannot write " + path);
    }
    if (target.ordinary && ::access(target.path.c_str(), W_OK) != 0) {
      ThrowErrno("cannot write " + path);
    }
  }
  return target;
}

void SyncFolder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);  // the complete file has its name: a refusal here is harmless
    ::close(fd);
  }
}

}  // namespace

void WriteTo(Stream stream, std::string_view text) {
  if (stream == Stream::kOut) {
    WriteAll(STDOUT_FILENO, text, "standard output");
  } else {
    WriteAll(STDERR_FILENO, text, "standard error");
  }
}

void IgnoreWriteSignals() noexcept {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void WriteFileWhole(const std::string& path, std::string_view text) {
  const Target target = Resolve(path);
  if (!target.ordinary) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), path);
    WriteAll(file.Get(), text, path);
    file.Sync();
    file.Close();
    return;
  }
  using Name = TemporaryFile::Name;
  for (const Name when : {Name::kAtTheEnd, Name::kNow}) {
    TemporaryFile temporary(target.path, path, when);
    ::fchmod(temporary.File().Get(), target.mode);
    WriteAll(temporary.File().Get(), text, path);
    temporary.File().Sync();
    if (temporary.MoveTo(target.path, path)) {
      break;
    }
  }
  SyncFolder(target.path.parent_path());
}

void CheckWritable(const std::string& path) {
  const Target target = Resolve(path);
  if (target.ordinary) {
    const TemporaryFile probe(target.path, path, TemporaryFile::Name::kNow);
  } else if (::access(path.c_str(), W_OK) != 0) {
    ThrowErrno("cannot write " + path);
  }
}

}  // namespace schedbench::platform
