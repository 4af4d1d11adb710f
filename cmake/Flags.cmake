# SPDX-License-Identifier: MIT
# Compile flags that every target of the project gets: nonholo_compile(target).

option(NONHOLO_WERROR "Warnings are errors" OFF)
set(NONHOLO_SANITIZE "" CACHE STRING "Comma-separated sanitizers for everything, like address,undefined")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# Results must not depend on compiler or optimisation level: no contraction, never fast-math.
set(NONHOLO_FLAGS -ffp-contract=off -fno-math-errno -Wall -Wextra -Wconversion -Wshadow)
# The vectoriser of gcc 12 forms vfmaddsub even so, should CMAKE_C_FLAGS select a processor that has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND NONHOLO_FLAGS -mno-fma)
endif()
if(NONHOLO_WERROR)
  list(APPEND NONHOLO_FLAGS -Werror)
endif()
if(CMAKE_C_FLAGS MATCHES "-Ofast|-ffast-math|-funsafe-math-optimizations|-ffp-contract=(on|fast)")
  message(FATAL_ERROR "CMAKE_C_FLAGS has ${CMAKE_MATCH_0}: results would no longer agree bit for bit")
endif()

function(nonholo_compile target)
  target_compile_options(${target} PRIVATE ${NONHOLO_FLAGS})
  if(NONHOLO_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${NONHOLO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  endif()
endfunction()

# Link flags are global: an executable of sanitized objects needs the run-time library, whoever declares it.
if(NONHOLO_SANITIZE)
  add_link_options(-fsanitize=${NONHOLO_SANITIZE})
endif()
