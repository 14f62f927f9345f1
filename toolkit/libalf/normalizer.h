#pragma once

#include <cstdint>
#include <list>
#include <string>

#include <libalf/serialize.h>

namespace libalf {

/// Maps words to representatives of their equivalence class (libalf's hook for message sequence
/// charts).
///
/// Learners with a table ask words in their normal form. The others carry the pointer without
/// applying it, as upstream's do, and say so in the log when one is set.
class normalizer {
 public:
  enum type {
    NORMALIZER_NONE = 0,
    NORMALIZER_MSC = 1,
    NORMALIZER_LAST_INVALID = 2,
  };

  virtual ~normalizer() = default;

  virtual enum type get_type() const { return NORMALIZER_NONE; }
  virtual std::basic_string<std::int32_t> serialize() const = 0;
  virtual bool deserialize(serial_stretch& serial) = 0;
  virtual bool deserialize_extension(serial_stretch& serial) = 0;

  /// Normal form of a prefix or suffix; bottom becomes true when the word has none.
  virtual std::list<int> prefix_normal_form(const std::list<int>& w, bool& bottom) const = 0;
  virtual std::list<int> suffix_normal_form(const std::list<int>& w, bool& bottom) const = 0;
};

}  // namespace libalf
