# Precompiled headers: half of a build's time would else go into reading the same standard and Qt headers.
# A precompiled header fits only objects of the same flags, so there is one for libraries and one for programs (-fPIC,
# -fPIE), each without and with Qt. No source may rely on them: the `core` preset builds without, and so does
# clang-tidy.
option(DESCRY_PCH "Use precompiled headers" ON)

set(DESCRY_PCH_STD
  <algorithm> <array> <atomic> <bit> <cctype> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstdlib> <cstring>
  <filesystem> <fstream> <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span>
  <sstream> <string> <string_view> <thread> <unordered_map> <unordered_set> <utility> <variant> <vector>)
set(DESCRY_PCH_QT
  <QAction> <QApplication> <QClipboard> <QFileInfo> <QFont> <QImage> <QJsonObject> <QKeyEvent> <QLabel> <QLineEdit>
  <QLocale> <QMainWindow> <QPainter> <QPointer> <QPushButton> <QString> <QTableView> <QTimer> <QTreeView> <QVBoxLayout>)

# The target that owns the precompiled header for libraries or programs, with or without Qt; made on first use.
function(descry_pch_owner out program qt)
  set(owner descry_pch_library)
  if(program)
    set(owner descry_pch_program)
  endif()
  if(qt)
    string(APPEND owner _qt)
  endif()
  set(${out} ${owner} PARENT_SCOPE)
  if(TARGET ${owner})
    return()
  endif()
  if(program)
    add_executable(${owner} ${PROJECT_SOURCE_DIR}/cmake/pch/program.cpp)
  else()
    add_library(${owner} STATIC ${PROJECT_SOURCE_DIR}/cmake/pch/library.cpp)
  endif()
  set_target_properties(${owner} PROPERTIES AUTOMOC OFF)
  target_compile_features(${owner} PRIVATE cxx_std_20)
  target_link_libraries(${owner} PRIVATE descry_flags Threads::Threads)
  target_precompile_headers(${owner} PRIVATE ${DESCRY_PCH_STD})
  if(qt)
    target_link_libraries(${owner} PRIVATE Qt6::Core Qt6::Gui Qt6::Widgets)
    target_precompile_headers(${owner} PRIVATE ${DESCRY_PCH_QT})
  endif()
  if(program AND DESCRY_TESTS)
    find_package(GTest REQUIRED)
    target_link_libraries(${owner} PRIVATE GTest::gtest)
    target_precompile_headers(${owner} PRIVATE <gtest/gtest.h>)
  endif()
endfunction()

# descry_precompile(TARGET QT): QT says whether the target uses Qt's widgets, and so gets their headers too.
function(descry_precompile target qt)
  if(NOT DESCRY_PCH)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  set(program OFF)
  if(type STREQUAL "EXECUTABLE")
    set(program ON)
  endif()
  descry_pch_owner(owner ${program} ${qt})
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
