# SPDX-License-Identifier: MIT
# Tests, examples and benchmarks: a file in the right folder is all that is needed.
#
#   tests/test_*.c   unit test `test_*`, may use internal headers       label unit
#   tests/*.sh       test of the tool, run by bash                      label shell (install.sh: install)
#   examples/*.c     test `example_*`, public headers only              label example
#   examples/control test `example_control`, with exported code         label example
#   bench/*.c        the benchmarks, one program: see Bench.cmake
#   bench/saddle     what the benchmarks and test_klu share: see Saddle.cmake
#   other tests/*.c are linked into every test beside them

set(NONHOLO_TEST_TIMEOUT 900) # for a busy machine; few take more than a minute

# Tests and benchmarks link the static library, where hidden functions can be reached.
function(nonholo_internal name folder)
  nonholo_compile(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/${folder})
  target_compile_definitions(${name} PRIVATE $<$<BOOL:${SLEEF_FOUND}>:NH_HAVE_SLEEF=1>)
  target_link_libraries(${name} PRIVATE nonholo_static m)
  if(SLEEF_FOUND)
    target_link_libraries(${name} PRIVATE SLEEF::SLEEF)
  endif()
endfunction()

# A cache of native builds of their own, so that tests neither see nor touch the user's.
set(NONHOLO_TEST_CACHE ${PROJECT_BINARY_DIR}/test-cache CACHE PATH "Native builds of the tests; build trees may share it")
function(nonholo_test_properties name label)
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${NONHOLO_TEST_TIMEOUT}
    ENVIRONMENT "XDG_CACHE_HOME=${NONHOLO_TEST_CACHE};${ARGN}")
endfunction()

include(Saddle)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.c)
if(NOT KLU_FOUND)
  list(FILTER sources EXCLUDE REGEX "/test_klu[.]c$")
endif()
file(GLOB support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.c)
list(FILTER support EXCLUDE REGEX "/(test|fuzz)_[^/]*$")
function(nonholo_test_source name)
  nonholo_internal(${name} tests)
  target_compile_definitions(${name} PRIVATE
    NH_TEST_DIR="${PROJECT_SOURCE_DIR}/tests" NH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE -UNDEBUG) # an assert in a test is part of the test
  if(NONHOLO_SANITIZE) # what takes time is the library
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()
add_library(nonholo_test_support OBJECT ${support})
nonholo_test_source(nonholo_test_support)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source} $<TARGET_OBJECTS:nonholo_test_support>)
  nonholo_test_source(${name})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  nonholo_test_properties(${name} unit)
endforeach()
if(TARGET test_klu)
  target_link_libraries(test_klu PRIVATE nonholo_saddle)
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests ${PROJECT_BINARY_DIR}/examples)

include(Bench)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  nonholo_compile(example_${name})
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  target_compile_options(example_${name} PRIVATE -UNDEBUG)
  target_link_libraries(example_${name} PRIVATE nonholo m)
  add_test(NAME example_${name} COMMAND example_${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  nonholo_test_properties(example_${name} example)
endforeach()

# Code that the tool exports, in a program that needs nothing else.
if(TARGET nonholo_tool)
  set(model ${PROJECT_SOURCE_DIR}/examples/control/rover.nh)
  set(exported ${PROJECT_BINARY_DIR}/examples/control)
  add_custom_command(OUTPUT ${exported}/rover.c ${exported}/ahead.c ${exported}/rover.h ${exported}/ahead.h
    COMMAND nonholo_tool export ${model} --method "lobatto-ab(s=2)" --name rover -o ${exported} --quiet
    COMMAND nonholo_tool export ${model} --method "lobatto-ab(s=2)" --step 1/100 --float --name ahead -o ${exported} --quiet
    DEPENDS nonholo_tool ${model} COMMENT "Exporting the rover" VERBATIM)
  add_executable(example_control ${PROJECT_SOURCE_DIR}/examples/control/control.c ${exported}/rover.c ${exported}/ahead.c)
  nonholo_compile(example_control)
  set_target_properties(example_control PROPERTIES OUTPUT_NAME control C_STANDARD 99
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples/control)
  target_include_directories(example_control PRIVATE ${exported})
  target_link_libraries(example_control PRIVATE m)
  add_test(NAME example_control COMMAND example_control)
  nonholo_test_properties(example_control example)
endif()

find_program(NONHOLO_BASH bash)
mark_as_advanced(NONHOLO_BASH)
if(NONHOLO_BASH AND TARGET nonholo_tool)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.sh)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME ${name} COMMAND ${NONHOLO_BASH} ${source} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    set(label shell)
    if(name STREQUAL install)
      set(label install)
    endif()
    nonholo_test_properties(${name} ${label} "NONHOLO=$<TARGET_FILE:nonholo_tool>"
      "SOURCE_DIR=${PROJECT_SOURCE_DIR}" "BUILD_DIR=${PROJECT_BINARY_DIR}" "CC=${CMAKE_C_COMPILER}")
  endforeach()
else()
  message(STATUS "No bash or no tool: tests/*.sh are left out")
endif()

# Those that take longest come first, the longest of all before the others: none runs alone in the end.
set(cost 11)
foreach(name IN ITEMS test_kernel_bits export test_method_claims resume test_backends test_lanes test_round_off test_large cli
    reproduce test_ensemble)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${cost})
  endif()
  math(EXPR cost "${cost} - 1")
endforeach()
