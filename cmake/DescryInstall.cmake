# What `cmake --install` puts where, find_package(descry) for other projects, and the Debian packages.
#
# Component Runtime: programs, man page, completions, menu entry, samples, documents. Component Development: libraries,
# headers, CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME Runtime)

# Programs: every executable that cli and gui build.
function(descry_programs folder out)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(found "")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(sub ${below})
    descry_programs(${sub} more)
    list(APPEND found ${more})
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

descry_programs(${PROJECT_SOURCE_DIR}/cli DESCRY_PROGRAMS)
if(DESCRY_WITH_GUI)
  descry_programs(${PROJECT_SOURCE_DIR}/gui gui_programs)
  list(APPEND DESCRY_PROGRAMS ${gui_programs})
endif()
foreach(program ${DESCRY_PROGRAMS})
  # Side by side in the build folder, as when installed: `descry open` looks for the inspector next to itself.
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Runtime)
endforeach()

# Libraries of the core. Those of the inspector are parts of a program, not an interface, and would need Qt.
get_property(libraries GLOBAL PROPERTY DESCRY_LIBRARIES)
set(DESCRY_EXPORTED "")
set(DESCRY_NEEDS_JSON OFF)
foreach(library ${libraries})
  get_target_property(folder ${library} SOURCE_DIR)
  get_target_property(export_name ${library} EXPORT_NAME)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  if(folder MATCHES "^(gui|cli|tests|bench)")
    continue()
  endif()
  # Includes may be written <descry/ir/core/graph.h> as well as <ir/core/graph.h>.
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${library} EXPORT descryTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
  list(APPEND DESCRY_EXPORTED descry::${export_name})
  get_target_property(links ${library} LINK_LIBRARIES)
  if(links MATCHES "nlohmann_json")
    set(DESCRY_NEEDS_JSON ON)
  endif()
endforeach()

get_property(headers GLOBAL PROPERTY DESCRY_HEADERS)
foreach(header ${headers})
  if(header MATCHES "^(gui|cli)/")
    continue()
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/descry/${folder}
          COMPONENT Development)
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/descry)
install(EXPORT descryTargets NAMESPACE descry:: DESTINATION ${package_folder} COMPONENT Development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/descryConfig.cmake.in
  ${PROJECT_BINARY_DIR}/descryConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before version 1 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/descryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/descryConfig.cmake ${PROJECT_BINARY_DIR}/descryConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT Development)

# What comes with the programs.
function(descry_install_if_there file destination)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${file})
    install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${destination} COMPONENT Runtime ${ARGN})
  endif()
endfunction()
# The program itself writes its man page and completions, so that they never lag behind its options.
if(TARGET descry AND NOT CMAKE_CROSSCOMPILING)
  set(written ${PROJECT_BINARY_DIR}/written)
  add_custom_command(
    OUTPUT ${written}/descry.1 ${written}/descry.bash ${written}/_descry
    COMMAND ${CMAKE_COMMAND} -E make_directory ${written}
    COMMAND $<TARGET_FILE:descry> help --man > ${written}/descry.1
    COMMAND $<TARGET_FILE:descry> completion bash > ${written}/descry.bash
    COMMAND $<TARGET_FILE:descry> completion zsh > ${written}/_descry
    DEPENDS descry
    COMMENT "Writing man page and completions"
    VERBATIM)
  add_custom_target(descry_written ALL DEPENDS ${written}/descry.1)
  install(FILES ${written}/descry.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT Runtime)
  install(FILES ${written}/descry.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME descry COMPONENT Runtime)
  install(FILES ${written}/_descry DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT Runtime)
endif()
if(DESCRY_WITH_GUI)
  descry_install_if_there(cmake/desktop/descry.desktop ${CMAKE_INSTALL_DATADIR}/applications)
  descry_install_if_there(cmake/desktop/descry.svg ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples/traces ${PROJECT_SOURCE_DIR}/samples/graphs
        DESTINATION ${CMAKE_INSTALL_DATADIR}/descry/samples COMPONENT Runtime)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT Runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Runtime
        FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "images" EXCLUDE PATTERN "shots" EXCLUDE)

# Debian packages descry and descry-dev: `cpack -G DEB` in a build folder.
set(CPACK_PACKAGE_NAME descry)
set(CPACK_PACKAGE_VENDOR "Descry")
set(CPACK_PACKAGE_CONTACT "Descry maintainers <descry@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL Runtime Development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME descry)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Inspector and command line tool for AOT autograd graphs")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME descry-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "nlohmann-json3-dev, zlib1g-dev, libgraphviz-dev, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Libraries and headers of Descry, a toolkit for AOT autograd graphs")
include(CPack)
