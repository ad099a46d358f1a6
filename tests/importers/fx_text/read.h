// A text read as FX text, with what tests ask of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"

namespace descry {

struct Read {
  std::shared_ptr<ir::Module> module;
  ir::DiagnosticSink sink;

  const ir::Graph& graph() const { return module->root(); }
  const ir::Node& node(std::string_view name) const {
    const ir::NodeId id = graph().find(name);
    EXPECT_TRUE(id.valid()) << "no node " << name << " in\n" << print();
    return graph().node(id);
  }
  std::string target(std::string_view name) const { return std::string(graph().str(node(name).target)); }
  std::string expression(std::string_view name) const {
    const ir::NodeId id = graph().find(name);
    return id.valid() ? ir::printExpression(graph(), id) : "no such node";
  }
  bool has(std::string_view code) const {
    for (const auto& d : sink.all())
      if (d.code == code) return true;
    return false;
  }
  std::string print() const { return ir::printModule(*module); }
};

}  // namespace descry
