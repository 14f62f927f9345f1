#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::keras {

/// Where an object's header lies in the file.
enum class Hdf5Object : std::uint64_t {};

/// The part of HDF5 that h5py writes for Keras: groups, attributes of texts, and arrays of real
/// numbers that lie in the file in one piece.
///
/// Why this reader is ours and not libhdf5: a file from elsewhere may be made to break its reader.
/// Debian's libhdf5 1.10.8 crashed in 7 of 30 runs over ten small files with one to five changed
/// bytes each. Here every address is checked, the work is bounded by the file's size, and a refusal
/// says where the file is damaged or what of HDF5 it uses beyond this part (compression, chunks).
class Hdf5File {
 public:
  /// `bytes` must outlive the file. Throws NetworkFileError, as do all members.
  Hdf5File(tensors::Bytes bytes, std::string file);

  [[nodiscard]] Hdf5Object root() const { return root_; }
  /// What a group holds, by name.
  [[nodiscard]] std::map<std::string, Hdf5Object> members(Hdf5Object group) const;
  /// The object at a path such as `layers/gru/vars`; none when a part of it is missing.
  [[nodiscard]] std::optional<Hdf5Object> find(Hdf5Object from, std::string_view path) const;
  /// The texts of an attribute: one, or those of an array; none when there is no such attribute.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(Hdf5Object object,
                                                              std::string_view attribute) const;
  /// An array of real numbers.
  [[nodiscard]] tensors::Tensor array(Hdf5Object object, const std::string& name) const;

 private:
  struct Message {
    unsigned type = 0;
    tensors::Bytes data;
  };
  struct Datatype {
    unsigned kind = 0;   ///< HDF5's class
    unsigned flags = 0;  ///< its class bits
    std::uint64_t size = 0;
    bool is_text = false;  ///< of variable length
    tensors::ElementType element = tensors::ElementType::NotReal;
  };

  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuse_damage(std::uint64_t at, const std::string& expected) const;
  /// bytes [at, at + length), refused when the file does not have them.
  [[nodiscard]] tensors::Bytes take(std::uint64_t at, std::uint64_t length,
                                    const std::string& what) const;
  [[nodiscard]] std::uint64_t number(tensors::Bytes bytes, std::size_t at, std::size_t width) const;
  void expect_signature(tensors::Bytes bytes, std::string_view signature, std::uint64_t at) const;
  void spend(std::uint64_t bytes) const;

  [[nodiscard]] std::vector<Message> messages(Hdf5Object object) const;
  void messages_of_version_2(std::uint64_t at, std::vector<Message>& found) const;
  void add_tree(std::uint64_t at, tensors::Bytes names, int depth,
                std::map<std::string, Hdf5Object>& members) const;
  [[nodiscard]] std::vector<std::size_t> dimensions(tensors::Bytes dataspace) const;
  [[nodiscard]] Datatype datatype(tensors::Bytes bytes) const;
  [[nodiscard]] std::string heap_text(tensors::Bytes reference) const;

  tensors::Bytes bytes_;
  std::string file_;
  Hdf5Object root_{};
  mutable std::uint64_t budget_;  // bytes that may still be looked at: a file can point in circles
};

}  // namespace rnnalf::keras
