# SPDX-License-Identifier: MIT
# Optional parts: each is looked for, reported, and never needed. AUTO uses what is found, OFF does not look.

set(NONHOLO_SUMMARY "")

# nonholo_optional(NAME FOUND state GIVES text LOSES text PACKAGE debian-package)
macro(nonholo_optional name)
  cmake_parse_arguments(part "" "FOUND;GIVES;LOSES;PACKAGE" "" ${ARGN})
  if(part_FOUND)
    list(APPEND NONHOLO_SUMMARY "${name}|yes|${part_GIVES}")
  elseif(NONHOLO_${name} STREQUAL "OFF")
    list(APPEND NONHOLO_SUMMARY "${name}|off|${part_LOSES}")
  else()
    message(STATUS "${name} not found (Debian: ${part_PACKAGE}): ${part_LOSES}")
    list(APPEND NONHOLO_SUMMARY "${name}|no|${part_LOSES} (Debian: ${part_PACKAGE})")
  endif()
endmacro()

# The table at the end of a configure.
function(nonholo_summary)
  message(STATUS "nonholo ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}; optional parts:")
  foreach(row IN LISTS NONHOLO_SUMMARY)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 state)
    list(GET row 2 text)
    string(SUBSTRING "${name}          " 0 10 name)
    string(SUBSTRING "${state}     " 0 5 state)
    message(STATUS "  ${name}${state}${text}")
  endforeach()
endfunction()

# GSL and SUNDIALS are looked for where they are used: cmake/Bench.cmake.
foreach(part IN ITEMS SLEEF GNUPLOT GSL SUNDIALS KLU)
  set(NONHOLO_${part} AUTO CACHE STRING "Use ${part}: AUTO or OFF")
  set_property(CACHE NONHOLO_${part} PROPERTY STRINGS AUTO OFF)
  if(NOT NONHOLO_${part} MATCHES "^(AUTO|OFF)$")
    message(FATAL_ERROR "NONHOLO_${part} is ${NONHOLO_${part}}; it must be AUTO or OFF")
  endif()
endforeach()

set(SLEEF_FOUND FALSE)
if(NOT NONHOLO_SLEEF STREQUAL "OFF")
  find_package(SLEEF QUIET MODULE)
endif()
nonholo_optional(SLEEF FOUND ${SLEEF_FOUND} PACKAGE libsleef-dev
  GIVES "elementary functions beyond sine and cosine over all SIMD lanes at once"
  LOSES "those go through the C library lane by lane: same accuracy, slower")

set(KLU_FOUND FALSE)
if(NOT NONHOLO_KLU STREQUAL "OFF")
  find_package(KLU QUIET MODULE)
endif()
nonholo_optional(KLU FOUND ${KLU_FOUND} PACKAGE libsuitesparse-dev
  GIVES "full Newton for hard steps of large systems, and a peer in nonholo bench elimination"
  LOSES "full Newton for hard steps has dense matrices, of up to 3000 unknowns, and test_klu is left out")

set(GNUPLOT_FOUND FALSE)
if(NOT NONHOLO_GNUPLOT STREQUAL "OFF")
  find_program(NONHOLO_GNUPLOT_PROGRAM gnuplot)
  mark_as_advanced(NONHOLO_GNUPLOT_PROGRAM)
  if(NONHOLO_GNUPLOT_PROGRAM)
    set(GNUPLOT_FOUND TRUE)
  endif()
endif()
nonholo_optional(GNUPLOT FOUND ${GNUPLOT_FOUND} PACKAGE gnuplot-nox
  GIVES "pictures"
  LOSES "no pictures; looked for again when the tool runs")
