# SPDX-License-Identifier: MIT
# KLU of SuiteSparse: sparse LU factors. Gives KLU_FOUND and the target KLU::KLU.

find_path(KLU_INCLUDE_DIR suitesparse/klu.h)
find_library(KLU_LIBRARY klu)
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY)
# What it needs itself: a shared library brings these along, an archive does not.
set(KLU_DEPENDENCIES amd colamd btf suitesparseconfig)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_LIBRARY KLU_INCLUDE_DIR)

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU UNKNOWN IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES
    IMPORTED_LOCATION "${KLU_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}")
  if(KLU_LIBRARY MATCHES "[.]a$")
    set_target_properties(KLU::KLU PROPERTIES INTERFACE_LINK_LIBRARIES "${KLU_DEPENDENCIES}")
  endif()
endif()
