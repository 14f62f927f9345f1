# rnnalf::report. Included by plugin/CMakeLists.txt; a file of its own because the HTML pages are built in.
plugin_library(report PUBLIC rnnalf::extraction PRIVATE ${json})
target_compile_options(rnnalf_report PRIVATE ${rnnalf_light_optimisation})

function(rnnalf_embed_page name html style)  # and the scripts, in order
  set(files ${html} ${style} ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/rnnalf/report/page/)
  list(POP_FRONT files html_file style_file)
  list(JOIN files " " scripts)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}_page.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} -DHTML=${html_file} -DSTYLE=${style_file}
      "-DSCRIPTS=${scripts}" -P ${script}
    DEPENDS ${html_file} ${style_file} ${files} ${script}
    COMMENT "Embedding the page ${name}" VERBATIM)
  target_sources(rnnalf_report PRIVATE ${output})
endfunction()

rnnalf_embed_page(extraction extraction.html page.css dom.js plots.js layout.js summary.js automaton.js points.js
  network_arithmetic.js network.js ladder.js words.js extraction.js)
rnnalf_embed_page(comparison comparison.html page.css dom.js plots.js comparison.js)

target_sources(rnnalf_report
  PRIVATE
    rnnalf/report/certification_words.cpp
    rnnalf/report/claims.cpp
    rnnalf/report/comparison_html.cpp
    rnnalf/report/comparison_json.cpp
    rnnalf/report/comparison_table.cpp
    rnnalf/report/evaluation_report.cpp
    rnnalf/report/html_report.cpp
    rnnalf/report/json_report.cpp
    rnnalf/report/language_model_report.cpp
    rnnalf/report/network_sentences.cpp
    rnnalf/report/page_network.cpp
    rnnalf/report/page_parts.cpp
    rnnalf/report/page_pictures.cpp
    rnnalf/report/picture.cpp
    rnnalf/report/plain_table.cpp
    rnnalf/report/printable.cpp
    rnnalf/report/quantities.cpp
    rnnalf/report/run_json.cpp
    rnnalf/report/sentences.cpp
    rnnalf/report/shown_word.cpp
    rnnalf/report/symbol_class.cpp
    rnnalf/report/text_report.cpp
    rnnalf/report/transition_table.cpp
    rnnalf/report/text_table.cpp
  PUBLIC FILE_SET HEADERS BASE_DIRS . FILES
    rnnalf/report/certification_words.hpp
    rnnalf/report/claims.hpp
    rnnalf/report/comparison.hpp
    rnnalf/report/comparison_html.hpp
    rnnalf/report/comparison_json.hpp
    rnnalf/report/comparison_table.hpp
    rnnalf/report/evaluation_report.hpp
    rnnalf/report/html_report.hpp
    rnnalf/report/json_report.hpp
    rnnalf/report/language_model_report.hpp
    rnnalf/report/page_pictures.hpp
    rnnalf/report/picture.hpp
    rnnalf/report/plain_table.hpp
    rnnalf/report/printable.hpp
    rnnalf/report/quantities.hpp
    rnnalf/report/sentences.hpp
    rnnalf/report/shown_word.hpp
    rnnalf/report/symbol_class.hpp
    rnnalf/report/text_report.hpp
    rnnalf/report/text_table.hpp
    rnnalf/report/transition_table.hpp)
