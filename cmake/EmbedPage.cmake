# cmake -DOUTPUT=page.cpp -DNAME=extraction -DHTML=a.html -DSTYLE=a.css "-DSCRIPTS=a.js b.js" -P EmbedPage.cmake
#
# Writes a C++ source with the page's parts as strings, and the hashes by which the page's content
# security policy lets this script and this style run and nothing else.

# out = base64 of the bytes that the hexadecimal text says.
function(base64 hexadecimal out)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(LENGTH "${hexadecimal}" length)
  set(text "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${hexadecimal}" ${at} 6 group)
    string(LENGTH "${group}" size)
    string(SUBSTRING "${group}00000" 0 6 group)
    math(EXPR bits "0x${group}")
    math(EXPR characters "${size} / 2 + 1")
    foreach(shift 18 12 6 0)
      if(characters GREATER 0)
        math(EXPR index "(${bits} >> ${shift}) & 63")
        string(SUBSTRING "${digits}" ${index} 1 digit)
        string(APPEND text "${digit}")
      else()
        string(APPEND text "=")
      endif()
      math(EXPR characters "${characters} - 1")
    endforeach()
    math(EXPR at "${at} + 6")
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(READ "${HTML}" html)
file(READ "${STYLE}" style)
set(script "")
separate_arguments(SCRIPTS)
foreach(file IN LISTS SCRIPTS)
  file(READ "${file}" text)
  string(APPEND script "${text}")
endforeach()
string(SHA256 style_hash "${style}")
string(SHA256 script_hash "${script}")
base64(${style_hash} style_hash)
base64(${script_hash} script_hash)

file(WRITE "${OUTPUT}" "// Made by cmake/EmbedPage.cmake.
#include \"rnnalf/report/page_parts.hpp\"

namespace rnnalf::detail {

const PageParts k_${NAME}_page = {
    R\"rnnalf-page(${html})rnnalf-page\",
    R\"rnnalf-page(${style})rnnalf-page\",
    R\"rnnalf-page(${script})rnnalf-page\",
    \"sha256-${style_hash}\",
    \"sha256-${script_hash}\"};

}  // namespace rnnalf::detail
")
