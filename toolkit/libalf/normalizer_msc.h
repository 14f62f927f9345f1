#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include <libalf/normalizer.h>

namespace libalf {

/// Normal forms of message sequence charts. A letter is an event: message m is sent by letter 2m
/// and received by letter 2m+1, or the other way round, as the numbers in the total order are even
/// (sent) or odd (received). Words with the same chart have the same normal form.
class normalizer_msc : public normalizer {
 public:
  normalizer_msc() = default;
  /// By letter: its number in the total order, its process, its buffer. Buffers are first in first
  /// out and hold up to max_buffer_length messages; if that is not positive, they are not looked
  /// at.
  normalizer_msc(const std::vector<int>& total_order, const std::vector<int>& process_match,
                 const std::vector<int>& buffer_match, int max_buffer_length);

  enum type get_type() const override { return NORMALIZER_MSC; }
  void clear();

  std::basic_string<std::int32_t> serialize() const override;
  bool deserialize(serial_stretch& serial) override;
  /// Type, count, and for as many new letters: order, process, buffer.
  bool deserialize_extension(serial_stretch& serial) override;

  /// Earliest events first: of those that may come next, receiving ones before sending ones, then
  /// by the total order. A word that is no chart gives bottom and the word BOTTOM_CHAR.
  std::list<int> prefix_normal_form(const std::list<int>& w, bool& bottom) const override;
  /// The same from behind: sending ones last.
  std::list<int> suffix_normal_form(const std::list<int>& w, bool& bottom) const override;

 private:
  std::vector<int> normal_form(const std::vector<int>& events, bool forward) const;
  bool is_letter(int letter) const;
  bool uses_buffers() const { return max_buffer_length_ > 0; }

  std::vector<int> total_order_;
  std::vector<int> process_match_;
  std::vector<int> buffer_match_;
  int max_buffer_length_ = 0;
};

}  // namespace libalf
