# SPDX-License-Identifier: MIT
# nonholo-bench, the program behind `nonholo bench`: bench/*.c, with the competitors in bench/peers/*.c and the libraries
# that are there; optional, for this one program. Code by hand is compiled when it runs, from the folder bench/hand
# beside it.

set(GSL_FOUND FALSE)
if(NOT NONHOLO_GSL STREQUAL "OFF")
  find_package(GSL QUIET)
endif()
nonholo_optional(GSL FOUND ${GSL_FOUND} PACKAGE libgsl-dev
  GIVES "a peer in nonholo bench"
  LOSES "one peer less in nonholo bench")

set(SUNDIALS_FOUND FALSE)
if(NOT NONHOLO_SUNDIALS STREQUAL "OFF")
  find_package(SUNDIALS QUIET CONFIG)
  if(SUNDIALS_FOUND AND SUNDIALS_VERSION VERSION_LESS 6)
    set(SUNDIALS_FOUND FALSE)
  endif()
endif()
nonholo_optional(SUNDIALS FOUND ${SUNDIALS_FOUND} PACKAGE libsundials-dev
  GIVES "peers in nonholo bench"
  LOSES "three peers less in nonholo bench")

# Peers owe nobody the same bits everywhere: they get what makes them fast.
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native NONHOLO_HAS_MARCH_NATIVE)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.c)
add_library(nonholo_bench_peers OBJECT ${sources})
target_compile_options(nonholo_bench_peers PRIVATE -Wall -Wextra -Wconversion -Wshadow
  $<$<BOOL:${NONHOLO_WERROR}>:-Werror> -O3 $<$<BOOL:${NONHOLO_HAS_MARCH_NATIVE}>:-march=native> -ffp-contract=fast
  -fno-math-errno -Wno-psabi)
target_include_directories(nonholo_bench_peers PRIVATE ${PROJECT_SOURCE_DIR}/bench)
if(GSL_FOUND)
  target_compile_definitions(nonholo_bench_peers PRIVATE NH_HAVE_GSL=1)
  target_link_libraries(nonholo_bench_peers PUBLIC GSL::gsl)
endif()
if(SUNDIALS_FOUND)
  target_compile_definitions(nonholo_bench_peers PRIVATE NH_HAVE_SUNDIALS=1)
  target_link_libraries(nonholo_bench_peers PUBLIC
    SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunnonlinsolfixedpoint)
endif()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
add_executable(nonholo_bench ${sources} ${PROJECT_SOURCE_DIR}/cli/progress.c)
nonholo_compile(nonholo_bench)
nonholo_internal(nonholo_bench bench)
set_target_properties(nonholo_bench PROPERTIES OUTPUT_NAME nonholo-bench)
target_include_directories(nonholo_bench PRIVATE ${PROJECT_SOURCE_DIR}) # "cli/progress.h"
target_link_libraries(nonholo_bench PRIVATE nonholo_bench_peers nonholo_saddle)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/bench/hand ${PROJECT_BINARY_DIR}/bench/hand SYMBOLIC)
