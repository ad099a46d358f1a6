# Helpers that state each library's sources and the layer rule in one place.

add_library(descry_flags INTERFACE)
# GCC 12 sees overlaps and bounds in std::string that are not there (GCC bugs 105329, 105651), and says so
# once the standard headers come from a precompiled one.
target_compile_options(descry_flags INTERFACE -Wall -Wextra -Wno-missing-field-initializers
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-maybe-uninitialized>
                       $<$<BOOL:${DESCRY_WERROR}>:-Werror>)
if(DESCRY_SANITIZE)
  target_compile_options(descry_flags INTERFACE -fsanitize=${DESCRY_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(descry_flags INTERFACE -fsanitize=${DESCRY_SANITIZE})
endif()

# descry_program(TARGET) makes an executable one that is run for its own sake: it gets the fast allocator.
if(DESCRY_WITH_MIMALLOC)
  add_library(descry_allocator OBJECT ${PROJECT_SOURCE_DIR}/cmake/allocator/process_allocator.cpp)
  target_link_libraries(descry_allocator PUBLIC mimalloc)
endif()
function(descry_program name)
  if(DESCRY_WITH_MIMALLOC)
    target_link_libraries(${name} PRIVATE descry_allocator)
  endif()
endfunction()

# descry_library(NAME [WIDGETS] SOURCES ... [HEADERS ...] [DEPENDS other Descry libraries] [LINK private outside libraries])
# makes the static library descry_<NAME>, alias descry::<NAME>. HEADERS are installed, all else stays private;
# WIDGETS links Qt's widgets.
function(descry_library name)
  cmake_parse_arguments(A "WIDGETS" "" "SOURCES;HEADERS;DEPENDS;LINK" ${ARGN})
  add_library(descry_${name} STATIC ${A_SOURCES})
  add_library(descry::${name} ALIAS descry_${name})
  set_target_properties(descry_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(descry_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/descry>)
  target_compile_features(descry_${name} PUBLIC cxx_std_20)
  target_link_libraries(descry_${name} PRIVATE $<BUILD_INTERFACE:descry_flags> ${A_LINK})
  foreach(dep ${A_DEPENDS})
    target_link_libraries(descry_${name} PUBLIC descry_${dep})
  endforeach()
  if(A_WIDGETS)
    target_link_libraries(descry_${name} PUBLIC Qt6::Core Qt6::Gui Qt6::Widgets)
  endif()
  descry_precompile(descry_${name} ${A_WIDGETS})
  set_property(GLOBAL APPEND PROPERTY DESCRY_LIBRARIES descry_${name})
  foreach(header ${A_HEADERS})
    file(RELATIVE_PATH where ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    set_property(GLOBAL APPEND PROPERTY DESCRY_HEADERS ${where})
  endforeach()
endfunction()

# descry_test(NAME [WIDGETS] SOURCES ... LINK libraries-without-prefix...) makes a GoogleTest program, one CTest entry.
function(descry_test name)
  cmake_parse_arguments(A "WIDGETS" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE descry_flags GTest::gtest GTest::gtest_main)
  foreach(dep ${A_LINK})
    if(TARGET descry_${dep})
      target_link_libraries(${name} PRIVATE descry_${dep})
    else()
      target_link_libraries(${name} PRIVATE ${dep})
    endif()
  endforeach()
  if(A_WIDGETS)
    # Without a precompiled header: Qt6::Test defines a macro by folder, and Qt compiles programs as libraries.
    target_link_libraries(${name} PRIVATE Qt6::Core Qt6::Gui Qt6::Widgets Qt6::Test)
  else()
    descry_precompile(${name} OFF)
  endif()
  target_compile_definitions(${name} PRIVATE DESCRY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${A_TIMEOUT} LABELS "${A_LABELS}")
endfunction()

# descry_bench(NAME SOURCES ... LINK ...) makes a plain program that prints its figures.
function(descry_bench name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  descry_program(${name})
  target_link_libraries(${name} PRIVATE descry_flags)
  foreach(dep ${A_LINK})
    if(TARGET descry_${dep})
      target_link_libraries(${name} PRIVATE descry_${dep})
    else()
      target_link_libraries(${name} PRIVATE ${dep})
    endif()
  endforeach()
endfunction()
