# SPDX-License-Identifier: MIT
# bench/saddle/*.c: saddle-point systems by the kernels' text and by KLU, for a table of the benchmarks and a test.

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/saddle/*.c)
add_library(nonholo_saddle STATIC ${sources})
nonholo_compile(nonholo_saddle)
target_include_directories(nonholo_saddle PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC ${PROJECT_SOURCE_DIR}/bench)
target_link_libraries(nonholo_saddle PUBLIC nonholo_static)
# The kernels' text, as the library compiles it.
set(directory ${PROJECT_SOURCE_DIR}/bench/saddle)
set(flags "$<$<CONFIG:Release>:-O3>;-Wno-psabi")
set_source_files_properties(${directory}/saddle_1.c PROPERTIES COMPILE_OPTIONS "${flags}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND flags -mavx2 -mno-fma)
endif()
set_source_files_properties(${directory}/saddle_4.c PROPERTIES COMPILE_OPTIONS "${flags}")
if(KLU_FOUND)
  target_compile_definitions(nonholo_saddle PRIVATE NH_HAVE_KLU=1)
  target_link_libraries(nonholo_saddle PRIVATE KLU::KLU)
endif()
