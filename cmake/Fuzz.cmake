# SPDX-License-Identifier: MIT
# tests/fuzz_*.c become libFuzzer executables fuzz/fuzz_*; preset fuzz gives the compiler and the sanitizers.

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang" OR NOT NONHOLO_SANITIZE MATCHES "fuzzer-no-link")
  message(FATAL_ERROR "NONHOLO_FUZZ needs clang and NONHOLO_SANITIZE with fuzzer-no-link: cmake --preset fuzz")
endif()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz_*.c)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  nonholo_compile(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE nonholo_static m)
endforeach()
