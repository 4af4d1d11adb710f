# SPDX-License-Identifier: MIT
# What `make install` puts where. The pkg-config file and the CMake package hold no absolute path: the tree may move.
include(CMakePackageConfigHelpers)

set(NONHOLO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/nonholo)

install(TARGETS nonholo nonholo_static EXPORT nonholoTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET nonholo_tool)
  install(TARGETS nonholo_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET nonholo_bench AND TARGET nonholo_tool)
  install(TARGETS nonholo_bench RUNTIME DESTINATION ${NONHOLO_BENCH_DIR})
  install(DIRECTORY bench/hand DESTINATION ${NONHOLO_BENCH_DIR})
endif()
install(DIRECTORY include/nonholo ${PROJECT_BINARY_DIR}/include/nonholo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${NONHOLO_MODELS} DESTINATION ${CMAKE_INSTALL_DATADIR}/nonholo/models)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# CMake: find_package(nonholo) gives nonholo::nonholo and nonholo::static.
install(EXPORT nonholoTargets NAMESPACE nonholo:: DESTINATION ${NONHOLO_CMAKE_DIR})
configure_package_config_file(cmake/nonholoConfig.cmake.in nonholoConfig.cmake INSTALL_DESTINATION ${NONHOLO_CMAKE_DIR})
write_basic_package_version_file(nonholoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nonholoConfig.cmake ${PROJECT_BINARY_DIR}/nonholoConfigVersion.cmake
  DESTINATION ${NONHOLO_CMAKE_DIR})
foreach(part IN ITEMS SLEEF KLU)
  if(${part}_FOUND)
    install(FILES cmake/Find${part}.cmake DESTINATION ${NONHOLO_CMAKE_DIR})
  endif()
endforeach()

# pkg-config: directories relative to the file itself, unless the user asked for absolute ones.
set(private_libraries -lm)
if(CMAKE_DL_LIBS)
  string(APPEND private_libraries " -l${CMAKE_DL_LIBS}")
endif()
string(APPEND private_libraries " -pthread")
foreach(part IN ITEMS SLEEF KLU)
  if(${part}_FOUND)
    get_filename_component(directory ${${part}_LIBRARY} DIRECTORY)
    if(NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      string(APPEND private_libraries " -L${directory}")
    endif()
    string(TOLOWER ${part} name)
    string(APPEND private_libraries " -l${name}")
    foreach(dependency IN LISTS ${part}_DEPENDENCIES)
      string(APPEND private_libraries " -l${dependency}")
    endforeach()
  endif()
endforeach()
file(RELATIVE_PATH prefix_from_pc
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
foreach(directory IN ITEMS INCLUDEDIR LIBDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${directory}})
    set(pc_${directory} ${CMAKE_INSTALL_${directory}})
  else()
    set(pc_${directory} "\${prefix}/${CMAKE_INSTALL_${directory}}")
  endif()
endforeach()
configure_file(cmake/nonholo.pc.in nonholo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nonholo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
