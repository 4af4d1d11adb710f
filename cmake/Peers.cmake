# SPDX-License-Identifier: MIT
# What bench_peers compares with: bench/peers/*.c, and the libraries that are there. Optional, for this one program.

set(GSL_FOUND FALSE)
if(NOT NONHOLO_GSL STREQUAL "OFF")
  find_package(GSL QUIET)
endif()
nonholo_optional(GSL FOUND ${GSL_FOUND} PACKAGE libgsl-dev
  GIVES "a peer in bench_peers"
  LOSES "one peer less in bench_peers")

set(SUNDIALS_FOUND FALSE)
if(NOT NONHOLO_SUNDIALS STREQUAL "OFF")
  find_package(SUNDIALS QUIET CONFIG)
  if(SUNDIALS_FOUND AND SUNDIALS_VERSION VERSION_LESS 6)
    set(SUNDIALS_FOUND FALSE)
  endif()
endif()
nonholo_optional(SUNDIALS FOUND ${SUNDIALS_FOUND} PACKAGE libsundials-dev
  GIVES "peers in bench_peers"
  LOSES "three peers less in bench_peers")

# Peers owe nobody the same bits everywhere: they get what makes them fast.
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native NONHOLO_HAS_MARCH_NATIVE)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.c)
add_library(bench_peer_code OBJECT EXCLUDE_FROM_ALL ${sources})
target_compile_options(bench_peer_code PRIVATE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${NONHOLO_WERROR}>:-Werror>
  -O3 $<$<BOOL:${NONHOLO_HAS_MARCH_NATIVE}>:-march=native> -ffp-contract=fast -fno-math-errno)
target_include_directories(bench_peer_code PRIVATE ${PROJECT_SOURCE_DIR}/bench)
target_link_libraries(bench_peers PRIVATE bench_peer_code)
if(GSL_FOUND)
  target_compile_definitions(bench_peer_code PRIVATE NH_HAVE_GSL=1)
  target_link_libraries(bench_peer_code PUBLIC GSL::gsl)
endif()
if(SUNDIALS_FOUND)
  target_compile_definitions(bench_peer_code PRIVATE NH_HAVE_SUNDIALS=1)
  target_link_libraries(bench_peer_code PUBLIC
    SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunnonlinsolfixedpoint)
endif()
