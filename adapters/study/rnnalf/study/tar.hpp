#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rnnalf {

using NamedBytes = std::pair<std::string, std::string>;  // name, content

/// Files as a tar archive, the same bytes for the same files: no dates, no owners.
/// Throws FileError when a name cannot be kept.
[[nodiscard]] std::string tar_archive(const std::vector<NamedBytes>& files);

/// The regular files of such an archive. `archive_name` is used in messages; throws FileError.
[[nodiscard]] std::vector<NamedBytes> tar_files(std::string_view bytes,
                                                const std::string& archive_name);

}  // namespace rnnalf
