#include "rnnalf/study/tar.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <memory>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

struct FreeArchive {
  void operator()(archive* a) const { archive_free(a); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

/// What went wrong last.
std::string reason(archive* a) {
  const char* const text = archive_error_string(a);
  return text == nullptr ? "no tar archive" : text;
}

}  // namespace

std::string tar_archive(const std::vector<NamedBytes>& files) {
  std::string bytes;
  const auto append = [](archive*, void* to, const void* from, std::size_t size) -> la_ssize_t {
    static_cast<std::string*>(to)->append(static_cast<const char*>(from), size);
    return static_cast<la_ssize_t>(size);
  };
  const Archive tar(archive_write_new());
  archive_write_set_format_pax_restricted(tar.get());
  archive_write_set_bytes_in_last_block(tar.get(), 1);
  bool good = archive_write_open(tar.get(), &bytes, nullptr, append, nullptr) == ARCHIVE_OK;
  for (const auto& [name, content] : files) {
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    good = good && archive_write_header(tar.get(), entry.get()) == ARCHIVE_OK &&
           archive_write_data(tar.get(), content.data(), content.size()) ==
               static_cast<la_ssize_t>(content.size());
    if (!good) throw FileError(name, "cannot be put into a tar archive: " + reason(tar.get()));
  }
  if (archive_write_close(tar.get()) != ARCHIVE_OK) throw Error("tar: " + reason(tar.get()));
  return bytes;
}

std::vector<NamedBytes> tar_files(std::string_view bytes, const std::string& archive_name) {
  const Archive tar(archive_read_new());
  archive_read_support_format_tar(tar.get());
  const auto refuse = [&] {
    throw FileError(archive_name, "expected a whole tar archive, found: " + reason(tar.get()));
  };
  if (archive_read_open_memory(tar.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) refuse();
  std::vector<NamedBytes> files;
  std::size_t left = bytes.size();  // what all files may hold together
  archive_entry* entry = nullptr;
  int code = ARCHIVE_OK;
  while ((code = archive_read_next_header(tar.get(), &entry)) == ARCHIVE_OK) {
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* const name = archive_entry_pathname(entry);
    const auto size = static_cast<std::size_t>(archive_entry_size(entry));
    if (name == nullptr || size > left) refuse();
    left -= size;
    std::string content(size, '\0');
    if (archive_read_data(tar.get(), content.data(), size) != static_cast<la_ssize_t>(size)) {
      refuse();
    }
    files.emplace_back(name, std::move(content));
  }
  // The library takes a file that was cut off between two entries for a whole one.
  const bool ended = bytes.ends_with(std::string(1024, '\0'));
  if (code != ARCHIVE_EOF || !ended || files.empty()) refuse();
  return files;
}

}  // namespace rnnalf
