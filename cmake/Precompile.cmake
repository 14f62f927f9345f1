# rnnalf_precompile(TARGET): with RNNALF_PRECOMPILE, for targets with many sources.
#
# Not <filesystem> and not <iomanip>: they bring std::quoted, which argument-dependent lookup would prefer to rnnalf::quoted.
function(rnnalf_precompile target)
  if(RNNALF_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set>
      <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
  endif()
endfunction()
