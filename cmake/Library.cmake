# rnnalf_library(NAME): the static library rnnalf_NAME, known as rnnalf::NAME here and where it is installed.
function(rnnalf_library name)
  add_library(rnnalf_${name} STATIC)
  add_library(rnnalf::${name} ALIAS rnnalf_${name})
  set_target_properties(rnnalf_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
endfunction()
