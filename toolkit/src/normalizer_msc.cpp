#include <libalf/normalizer_msc.h>

#include <libalf/alphabet.h>
#include <libalf/conjecture.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace libalf {
namespace {

const std::list<int> no_chart{BOTTOM_CHAR};

}  // namespace

normalizer_msc::normalizer_msc(const std::vector<int>& total_order,
                               const std::vector<int>& process_match,
                               const std::vector<int>& buffer_match, int max_buffer_length)
    : total_order_(total_order),
      process_match_(process_match),
      buffer_match_(buffer_match),
      max_buffer_length_(max_buffer_length) {}

void normalizer_msc::clear() {
  *this = normalizer_msc();
}

std::basic_string<std::int32_t> normalizer_msc::serialize() const {
  return detail::with_length(
      detail::serialize_value(NORMALIZER_MSC) + detail::serialize_value(total_order_) +
      detail::serialize_value(process_match_) + detail::serialize_value(buffer_match_) +
      detail::serialize_value(max_buffer_length_));
}

bool normalizer_msc::deserialize(serial_stretch& serial) {
  clear();
  serial_stretch rest;
  if (!detail::take_length(serial, rest)) return false;
  int kind = 0;
  const bool complete = detail::deserialize_value(kind, serial) && kind == NORMALIZER_MSC &&
                        detail::deserialize_value(total_order_, serial) &&
                        detail::deserialize_value(process_match_, serial) &&
                        detail::deserialize_value(buffer_match_, serial) &&
                        detail::deserialize_value(max_buffer_length_, serial) &&
                        serial.current == serial.limit;
  serial = rest;
  if (!complete) clear();
  return complete;
}

bool normalizer_msc::deserialize_extension(serial_stretch& serial) {
  normalizer_msc longer = *this;
  int kind = 0;
  int count = 0;
  if (!detail::deserialize_value(kind, serial) || kind != NORMALIZER_MSC ||
      !detail::deserialize_value(count, serial) || count < 0) {
    return false;
  }
  for (; count > 0; --count) {
    int order = 0;
    int process = 0;
    int buffer = 0;
    if (!detail::deserialize_value(order, serial) || !detail::deserialize_value(process, serial) ||
        !detail::deserialize_value(buffer, serial)) {
      return false;
    }
    longer.total_order_.push_back(order);
    longer.process_match_.push_back(process);
    longer.buffer_match_.push_back(buffer);
  }
  *this = longer;
  return true;
}

bool normalizer_msc::is_letter(int letter) const {
  std::size_t letters = std::min(total_order_.size(), process_match_.size());
  if (uses_buffers()) letters = std::min(letters, buffer_match_.size());
  return 0 <= letter && static_cast<std::size_t>(letter) < letters;
}

std::list<int> normalizer_msc::prefix_normal_form(const std::list<int>& w, bool& bottom) const {
  const std::vector<int> result = normal_form({w.begin(), w.end()}, true);
  bottom = result.size() != w.size();
  return bottom ? no_chart : std::list<int>(result.begin(), result.end());
}

std::list<int> normalizer_msc::suffix_normal_form(const std::list<int>& w, bool& bottom) const {
  const std::vector<int> result = normal_form({w.rbegin(), w.rend()}, false);
  bottom = result.size() != w.size();
  return bottom ? no_chart : std::list<int>(result.rbegin(), result.rend());
}

/// Read forward, an event that sends puts a message into a buffer and one that receives takes it
/// out; read backward, it is the other way round, and all else is the same. Stops early where no
/// event may come next.
std::vector<int> normalizer_msc::normal_form(const std::vector<int>& events, bool forward) const {
  if (!std::all_of(events.begin(), events.end(), [&](int e) { return is_letter(e); })) return {};
  const auto order = [&](int letter) { return total_order_[static_cast<std::size_t>(letter)]; };
  const auto takes = [&](int letter) { return (order(letter) % 2 != 0) == forward; };

  // What an event has to wait for: the one before in its process, and, if it takes a message, the
  // first event that put that message in and is not waited for yet.
  constexpr std::size_t nothing = ~std::size_t{0};
  struct waits {
    std::size_t process = ~std::size_t{0};
    std::size_t message = ~std::size_t{0};
  };
  std::vector<waits> waiting(events.size());
  std::map<int, std::size_t> last_in_process;
  std::map<int, std::deque<std::size_t>> put;  // message -> events not waited for
  for (std::size_t e = 0; e < events.size(); ++e) {
    const int process = process_match_[static_cast<std::size_t>(events[e])];
    if (const auto before = last_in_process.find(process); before != last_in_process.end()) {
      waiting[e].process = before->second;
    }
    last_in_process[process] = e;
    auto& open = put[events[e] / 2];
    if (!takes(events[e])) {
      open.push_back(e);
    } else if (!open.empty()) {
      waiting[e].message = open.front();
      open.pop_front();
    }
  }

  std::vector<int> result;
  std::vector<bool> done(events.size(), false);
  std::map<int, std::deque<int>> buffers;  // messages by their number in the total order
  const auto is_ready = [&](std::size_t e) {
    const auto over = [&](std::size_t before) { return before == nothing || done[before]; };
    if (done[e] || !over(waiting[e].process) || !over(waiting[e].message)) return false;
    if (!uses_buffers()) return true;
    const auto& buffer = buffers[buffer_match_[static_cast<std::size_t>(events[e])]];
    if (takes(events[e])) return !buffer.empty() && buffer.front() == order(events[e]) / 2;
    return buffer.size() < static_cast<std::size_t>(max_buffer_length_);
  };
  const auto rank = [&](std::size_t e) { return std::pair(!takes(events[e]), order(events[e])); };
  while (result.size() < events.size()) {
    std::size_t next = nothing;
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (is_ready(e) && (next == nothing || rank(e) < rank(next))) next = e;
    }
    if (next == nothing) return result;
    done[next] = true;
    result.push_back(events[next]);
    if (!uses_buffers()) continue;
    auto& buffer = buffers[buffer_match_[static_cast<std::size_t>(events[next])]];
    if (takes(events[next])) {
      buffer.pop_front();
    } else {
      buffer.push_back(order(events[next]) / 2);
    }
  }
  return result;
}

}  // namespace libalf
