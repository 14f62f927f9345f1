#include "rnnalf/network/read_options.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {

void set_classes(const ReadOptions& options, NetworkSpec& spec) {
  if (options.classes) spec.classes = *options.classes;
  spec.accept_class.reset();
  if (!options.accept_class) return;
  spec.accept_class = spec.classes.find(options.accept_class->text());
  if (spec.accept_class) return;
  std::string known;
  for (const std::string& name : spec.classes.names()) known += " " + name;
  throw NetworkFileError(spec.file, "accept class: expected a number" +
                                        (known.empty() ? ", as the classes have no names"
                                                       : " or one of the names" + known) +
                                        ", found " + in_quotes(options.accept_class->text()));
}

}  // namespace rnnalf
