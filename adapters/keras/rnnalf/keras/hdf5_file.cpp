// HDF5 as Keras writes it. An object is a header of messages; a group lists its children in a
// symbol table or as links; a dataset has a type, a shape and the place of its numbers. All of it
// is read in place, every address is checked against the file, and a budget of bytes looked at ends
// files that refer to themselves.
//
// Why this reader is ours: of 1,000 Keras files with one to eight changed bytes in the first 4,096,
// h5dump of libhdf5 1.10.8 crashed on 55 and never ended on 5.

#include "rnnalf/keras/hdf5_file.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::keras {
namespace {

using tensors::Bytes;
using tensors::ElementType;
using tensors::quoted;
using tensors::text_at;

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

// Types of messages in an object's header.
constexpr unsigned kDataspace = 0x01;
constexpr unsigned kLinkInfo = 0x02;
constexpr unsigned kDatatype = 0x03;
constexpr unsigned kLink = 0x06;
constexpr unsigned kLayout = 0x08;
constexpr unsigned kAttribute = 0x0c;
constexpr unsigned kContinuation = 0x10;
constexpr unsigned kSymbolTable = 0x11;
constexpr unsigned kAttributeInfo = 0x15;

constexpr std::uint64_t kNowhere = ~0ULL;  // the address of what is not there
constexpr std::size_t kMostAxes = 8;

constexpr std::size_t padded(std::size_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace

Hdf5File::Hdf5File(Bytes bytes, std::string file)
    : bytes_(bytes), file_(std::move(file)), budget_(65536 + 16 * bytes.size()) {
  expect_signature(bytes_, kSignature, 0);
  const std::uint64_t version = number(take(8, 1, "a superblock"), 0, 1);
  const auto expect_eight = [&](std::size_t at) {
    const Bytes sizes = take(at, 2, "a superblock");
    if (number(sizes, 0, 1) != 8 || number(sizes, 1, 1) != 8) {
      refuse("expected addresses of 8 bytes, found another size");
    }
  };
  if (version <= 1) {
    expect_eight(13);
    // Sizes of groups, flags and four addresses, then the root's entry: a name and its header.
    const std::size_t entry = (version == 0 ? 24 : 28) + 32;
    root_ = static_cast<Hdf5Object>(number(take(entry, 40, "a root group"), 8, 8));
  } else if (version <= 3) {
    expect_eight(9);
    root_ = static_cast<Hdf5Object>(number(take(12, 36, "a superblock"), 24, 8));
  } else {
    refuse(fmt::format("expected a superblock of version 0 to 3, found {}", version));
  }
}

void Hdf5File::refuse(const std::string& message) const {
  throw NetworkFileError(file_, "HDF5: " + message);
}

void Hdf5File::refuse_damage(std::uint64_t at, const std::string& expected) const {
  refuse(fmt::format("expected {} at byte {}, found something else", expected, at));
}

Bytes Hdf5File::take(std::uint64_t at, std::uint64_t length, const std::string& what) const {
  if (!tensors::within(bytes_, at, length)) {
    refuse(fmt::format("expected {} of {} bytes at byte {}, found the end of the file at {}", what,
                       length, at, bytes_.size()));
  }
  spend(length);
  return bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
}

void Hdf5File::spend(std::uint64_t bytes) const {
  if (bytes > budget_) refuse("expected parts that do not overlap, found many that do");
  budget_ -= bytes;
}

std::uint64_t Hdf5File::number(Bytes bytes, std::size_t at, std::size_t width) const {
  if (!tensors::within(bytes, at, width)) refuse("expected a longer record, found its end");
  return tensors::little_endian(bytes, at, width);
}

void Hdf5File::expect_signature(Bytes bytes, std::string_view signature, std::uint64_t at) const {
  if (bytes.size() < signature.size() || text_at(bytes, 0, signature.size()) != signature) {
    refuse_damage(at, "the signature " + quoted(signature));
  }
}

// ---- headers

std::vector<Hdf5File::Message> Hdf5File::messages(Hdf5Object object) const {
  const auto start = static_cast<std::uint64_t>(object);
  std::vector<Message> found;
  if (text_at(take(start, 4, "an object header"), 0, 4) == "OHDR") {
    messages_of_version_2(start, found);
    return found;
  }
  const Bytes head = take(start, 16, "an object header");
  if (number(head, 0, 1) != 1) refuse_damage(start, "an object header");
  std::uint64_t left = number(head, 2, 2);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks = {{start + 16, number(head, 8, 4)}};
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const auto [from, length] = blocks[block];
    const Bytes bytes = take(from, length, "messages of an object header");
    for (std::size_t at = 0; at + 8 <= bytes.size() && left > 0; --left) {
      const std::size_t size = number(bytes, at + 2, 2);
      if (!tensors::within(bytes, at + 8, size)) refuse_damage(from + at, "a message");
      const Message message{static_cast<unsigned>(number(bytes, at, 2)),
                            bytes.subspan(at + 8, size)};
      if (message.type == kContinuation) {
        blocks.emplace_back(number(message.data, 0, 8), number(message.data, 8, 8));
      } else {
        found.push_back(message);
      }
      at += 8 + padded(size);
    }
  }
  return found;
}

void Hdf5File::messages_of_version_2(std::uint64_t start, std::vector<Message>& found) const {
  const unsigned flags = static_cast<unsigned>(number(take(start, 6, "an object header"), 5, 1));
  std::uint64_t at = start + 6;
  if ((flags & 0x20U) != 0) at += 16;  // times
  if ((flags & 0x10U) != 0) at += 4;   // when attributes are stored densely
  const std::size_t width = std::size_t{1} << (flags & 3U);
  const std::uint64_t length = number(take(at, width, "an object header"), 0, width);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks = {{at + width, length}};
  const std::size_t head = (flags & 4U) != 0 ? 6 : 4;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const auto [from, size_of_block] = blocks[block];
    const Bytes bytes = take(from, size_of_block, "messages of an object header");
    for (std::size_t i = 0; i + head <= bytes.size();) {
      const std::size_t size = number(bytes, i + 1, 2);
      if (!tensors::within(bytes, i + head, size)) break;  // what is left over at the end
      const Message message{static_cast<unsigned>(number(bytes, i, 1)),
                            bytes.subspan(i + head, size)};
      i += head + size;
      if (message.type != kContinuation) {
        found.push_back(message);
        continue;
      }
      // A signature in front and a checksum behind.
      const std::uint64_t next = number(message.data, 0, 8);
      const std::uint64_t next_length = number(message.data, 8, 8);
      if (next_length < 8) refuse_damage(next, "a continued object header");
      expect_signature(take(next, 4, "a continued object header"), "OCHK", next);
      blocks.emplace_back(next + 4, next_length - 8);
    }
  }
}

// ---- groups

std::map<std::string, Hdf5Object> Hdf5File::members(Hdf5Object group) const {
  std::map<std::string, Hdf5Object> found;
  for (const Message& message : messages(group)) {
    if (message.type == kSymbolTable) {
      const std::uint64_t heap = number(message.data, 8, 8);
      const Bytes head = take(heap, 32, "a local heap");
      expect_signature(head, "HEAP", heap);
      const Bytes names = take(number(head, 24, 8), number(head, 8, 8), "names of a group");
      add_tree(number(message.data, 0, 8), names, 0, found);
    } else if (message.type == kLink) {
      // version, flags, [type], [creation order], [character set], length of name, name, target
      const unsigned flags = static_cast<unsigned>(number(message.data, 1, 1));
      std::size_t at = 2;
      if ((flags & 8U) != 0 && number(message.data, at++, 1) != 0) {
        refuse("expected links to objects of the file, found another kind");
      }
      if ((flags & 4U) != 0) at += 8;
      if ((flags & 16U) != 0) at += 1;
      const std::size_t width = std::size_t{1} << (flags & 3U);
      const std::uint64_t length = number(message.data, at, width);
      at += width;
      if (!tensors::within(message.data, at, length))
        refuse("expected a link's name, found its end");
      const std::string name(text_at(message.data, at, static_cast<std::size_t>(length)));
      found[name] =
          static_cast<Hdf5Object>(number(message.data, at + static_cast<std::size_t>(length), 8));
    } else if (message.type == kLinkInfo) {
      // version, flags, [largest creation order], address of a heap for groups with many members
      const unsigned flags = static_cast<unsigned>(number(message.data, 1, 1));
      if (number(message.data, (flags & 1U) != 0 ? 10 : 2, 8) != kNowhere) {
        refuse("expected groups with few members or of the older form, found another one");
      }
    }
  }
  return found;
}

void Hdf5File::add_tree(std::uint64_t at, Bytes names, int depth,
                        std::map<std::string, Hdf5Object>& members) const {
  if (depth > 16) refuse("expected a group's tree of few levels, found more");
  const Bytes head = take(at, 24, "a group's tree");
  expect_signature(head, "TREE", at);
  const std::uint64_t level = number(head, 5, 1);
  const std::uint64_t used = number(head, 6, 2);
  const Bytes children = take(at + 24, 16 * used + 8, "a group's tree");
  for (std::uint64_t i = 0; i < used; ++i) {
    const std::uint64_t child = number(children, static_cast<std::size_t>(16 * i + 8), 8);
    if (level > 0) {
      add_tree(child, names, depth + 1, members);
      continue;
    }
    const Bytes node = take(child, 8, "a group's symbols");
    expect_signature(node, "SNOD", child);
    const std::uint64_t count = number(node, 6, 2);
    const Bytes entries = take(child + 8, 40 * count, "a group's symbols");
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t name = number(entries, static_cast<std::size_t>(40 * k), 8);
      if (name >= names.size()) refuse_damage(child, "a name of the group");
      const std::string_view rest = text_at(names, static_cast<std::size_t>(name),
                                            names.size() - static_cast<std::size_t>(name));
      const std::string_view text = rest.substr(0, rest.find('\0'));
      spend(text.size());
      members[std::string(text)] =
          static_cast<Hdf5Object>(number(entries, static_cast<std::size_t>(40 * k + 8), 8));
    }
  }
}

std::optional<Hdf5Object> Hdf5File::find(Hdf5Object from, std::string_view path) const {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto inside = members(from);
    const auto found = inside.find(std::string(path.substr(0, end)));
    if (found == inside.end()) return std::nullopt;
    from = found->second;
    path = path.substr(std::min(end + 1, path.size()));
  }
  return from;
}

// ---- types and values

std::vector<std::size_t> Hdf5File::dimensions(Bytes dataspace) const {
  const std::uint64_t version = number(dataspace, 0, 1);
  const std::uint64_t rank = number(dataspace, 1, 1);
  if (version != 1 && version != 2) refuse("expected a dataspace of version 1 or 2, found another");
  if (rank > kMostAxes) {
    refuse(fmt::format("expected at most {} axes, found {}", kMostAxes, rank));
  }
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < rank; ++i) {
    sizes.push_back(number(dataspace, (version == 1 ? 8 : 4) + 8 * i, 8));
  }
  return sizes;
}

Hdf5File::Datatype Hdf5File::datatype(Bytes bytes) const {
  Datatype type;
  type.kind = static_cast<unsigned>(number(bytes, 0, 1)) & 15U;
  type.flags = static_cast<unsigned>(number(bytes, 1, 3));
  type.size = number(bytes, 4, 4);
  constexpr unsigned real = 1;
  constexpr unsigned variable_length = 9;
  type.is_text = type.kind == variable_length && (type.flags & 15U) == 1;
  if (type.kind != real) return type;
  if ((type.flags & 0x41U) != 0) refuse("expected little-endian numbers, found other ones");
  const auto exponent_bits = number(bytes, 13, 1);
  const auto fraction_bits = number(bytes, 15, 1);
  if (type.size == 2 && exponent_bits == 5 && fraction_bits == 10)
    type.element = ElementType::Float16;
  if (type.size == 2 && exponent_bits == 8 && fraction_bits == 7)
    type.element = ElementType::BFloat16;
  if (type.size == 4 && exponent_bits == 8 && fraction_bits == 23)
    type.element = ElementType::Float32;
  if (type.size == 8 && exponent_bits == 11 && fraction_bits == 52)
    type.element = ElementType::Float64;
  return type;
}

std::string Hdf5File::heap_text(Bytes reference) const {
  const std::uint64_t length = number(reference, 0, 4);
  const std::uint64_t heap = number(reference, 4, 8);
  const std::uint64_t wanted = number(reference, 12, 4);
  if (length == 0) return {};
  const Bytes head = take(heap, 16, "a global heap");
  expect_signature(head, "GCOL", heap);
  const Bytes all = take(heap, number(head, 8, 8), "a global heap");
  for (std::size_t at = 16; at + 16 <= all.size();) {
    const std::uint64_t index = number(all, at, 2);
    const std::uint64_t size = number(all, at + 8, 8);
    if (index == 0) break;  // what is free
    if (!tensors::within(all, at + 16, size)) break;
    if (index == wanted) {
      if (length > size) break;
      return std::string(text_at(all, at + 16, static_cast<std::size_t>(length)));
    }
    at += 16 + padded(static_cast<std::size_t>(size));
  }
  refuse_damage(heap, fmt::format("a text with number {}", wanted));
}

std::optional<std::vector<std::string>> Hdf5File::texts(Hdf5Object object,
                                                        std::string_view attribute) const {
  for (const Message& message : messages(object)) {
    if (message.type == kAttributeInfo) {
      const unsigned flags = static_cast<unsigned>(number(message.data, 1, 1));
      if (number(message.data, (flags & 1U) != 0 ? 4 : 2, 8) != kNowhere) {
        refuse("expected attributes in their object's header, found them elsewhere");
      }
    }
    if (message.type != kAttribute) continue;
    const Bytes data = message.data;
    const std::uint64_t version = number(data, 0, 1);
    if (version < 1 || version > 3)
      refuse("expected an attribute of version 1 to 3, found another");
    const std::size_t name_size = number(data, 2, 2);
    const std::size_t type_size = number(data, 4, 2);
    const std::size_t space_size = number(data, 6, 2);
    std::size_t at = version == 3 ? 9 : 8;
    const auto part = [&](std::size_t size) {
      if (!tensors::within(data, at, size)) refuse("expected a longer attribute, found its end");
      const Bytes found = data.subspan(at, size);
      at += version == 1 ? padded(size) : size;
      return found;
    };
    const Bytes name_bytes = part(name_size);
    const std::string_view name = text_at(name_bytes, 0, name_bytes.size());
    if (name.substr(0, name.find('\0')) != attribute) continue;
    const Datatype type = datatype(part(type_size));
    std::size_t count = 1;
    for (const std::size_t size : dimensions(part(space_size))) {
      if (__builtin_mul_overflow(count, size, &count)) count = bytes_.size() + 1;
    }
    constexpr unsigned fixed_text = 3;
    if (type.size == 0 || (type.kind != fixed_text && !type.is_text) ||
        (type.is_text && type.size != 16)) {
      refuse("attribute " + quoted(attribute) + ": expected texts, found something else");
    }
    if (at > data.size() || count > (data.size() - at) / type.size) {
      refuse(fmt::format("attribute {}: expected {} texts, found fewer", quoted(attribute), count));
    }
    std::vector<std::string> found;
    for (std::size_t i = 0; i < count; ++i) {
      const Bytes value = data.subspan(at + i * type.size, type.size);
      if (type.is_text) {
        found.push_back(heap_text(value));
      } else {
        const std::string_view text = text_at(value, 0, value.size());
        found.emplace_back(text.substr(0, text.find('\0')));
      }
    }
    return found;
  }
  return std::nullopt;
}

tensors::Tensor Hdf5File::array(Hdf5Object object, const std::string& name) const {
  const auto broken = [&](const std::string& message) {
    throw NetworkFileError(file_, "array " + quoted(name) + ": " + message);
  };
  tensors::Tensor tensor{.name = name};
  bool has_space = false;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> place;
  for (const Message& message : messages(object)) {
    if (message.type == kDataspace) {
      tensor.sizes = dimensions(message.data);
      has_space = true;
    } else if (message.type == kDatatype) {
      tensor.element = datatype(message.data).element;
    } else if (message.type == kLayout) {
      const std::uint64_t version = number(message.data, 0, 1);
      const std::uint64_t kind = number(message.data, 1, 1);
      if (version != 3 && version != 4)
        broken("expected a layout of version 3 or 4, found another");
      if (kind == 1) place.emplace(number(message.data, 2, 8), number(message.data, 10, 8));
      if (kind == 0) {
        const std::size_t size = number(message.data, 2, 2);
        if (!tensors::within(message.data, 4, size))
          broken("expected its numbers, found their end");
        tensor.storage = message.data.subspan(4, size);
      }
      if (kind > 1) broken("expected it in one piece, found it in chunks or compressed");
    }
  }
  if (!has_space) broken("expected an array, found a group");
  if (tensor.element == ElementType::NotReal) broken("expected real numbers, found another kind");
  if (place) tensor.storage = take(place->first, place->second, "an array");
  std::size_t bytes = tensors::element_size(tensor.element);
  for (const std::size_t size : tensor.sizes) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) bytes = bytes_.size() + 1;
  }
  if (bytes != tensor.storage.size()) {
    broken(fmt::format("expected {} bytes for its shape, found {}", bytes, tensor.storage.size()));
  }
  tensor.lay_out_in_rows();
  return tensor;
}

}  // namespace rnnalf::keras
