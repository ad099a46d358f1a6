// A plan in words: one line a step and buffer.
#include "runtime/plan/prepared.h"

namespace descry::runtime {

std::string_view bufferKindName(PlanBuffer::Kind kind) {
  switch (kind) {
    case PlanBuffer::Input:
      return "input";
    case PlanBuffer::Constant:
      return "constant";
    case PlanBuffer::Inside:
      return "inside";
    case PlanBuffer::Output:
      return "output";
    case PlanBuffer::Block:
      return "block";
    case PlanBuffer::Register:
      return "register";
  }
  return "inside";
}

std::string_view stepKindName(PlanStep::Kind kind) {
  switch (kind) {
    case PlanStep::Loop:
      return "loop";
    case PlanStep::Elements:
      return "elements";
    case PlanStep::Kernel:
      return "kernel";
    case PlanStep::Call:
      return "call";
    case PlanStep::Node:
      return "node";
    case PlanStep::Write:
      return "write";
  }
  return "kernel";
}

std::string Plan::text() const {
  if (!whole().empty()) return "node by node: " + whole() + "\n";
  std::string s = std::to_string(steps_.size()) + " steps, " + std::to_string(fallbacks()) +
                  " of them as the interpreter does; " + std::to_string(insideBytes_) + " bytes inside (" +
                  std::to_string(bytesWithoutReuse_) + " without reuse), " + std::to_string(outputBytes_) +
                  " bytes of results\n";
  const auto buffers = [](const std::vector<size_t>& list) {
    std::string out;
    for (const size_t b : list) out += (out.empty() ? "b" : ", b") + std::to_string(b);
    return out.empty() ? std::string("-") : out;
  };
  for (size_t i = 0; i < steps_.size(); ++i) {
    const PlanStep& step = steps_[i];
    const PlannedOp& first = graph_.ops[step.group.ops[0]];
    s += std::to_string(i) + ": " + std::string(stepKindName(step.kind));
    if (step.kind == PlanStep::Loop) {
      s += " over " + shapesOf({Value(first.results[0])});
    } else if (step.kind != PlanStep::Node) {
      s += " " + first.name();
    }
    s += "  " + buffers(step.reads) + " -> " + buffers(step.writes) + "\n";
    s += "    nodes:";
    for (const ir::NodeId node : step.nodes) s += " " + std::string(names_.nodeName(node));
    s += "\n";
    if (const size_t at = rowsAt_[i]; at < rows_.size()) {
      const RowRange& r = rows_[at];
      s += "    together: steps " + std::to_string(r.first) + " to " + std::to_string(r.last) + ", in " +
           std::to_string(r.blocks) + " blocks of rows\n";
    }
    if (const size_t product = prepared_->productOf[i]; product < steps_.size())
      s += "    within: step " + std::to_string(product) + ", on each block of it\n";
    if (!step.group.ends.empty()) s += "    ends: " + step.group.ends + "\n";
    if (!first.why.empty()) s += "    because " + first.why + "\n";
  }
  for (size_t b = 0; b < buffers_.size(); ++b) {
    const PlanBuffer& at = buffers_[b];
    if (at.kind == PlanBuffer::Register) continue;
    s += "b" + std::to_string(b) + ": " + std::string(bufferKindName(at.kind)) + " " + at.name + "  " +
         std::to_string(at.bytes) + " bytes";
    if (at.kind == PlanBuffer::Inside) {
      s += (at.within ? " in b" + std::to_string(*at.within) : std::string()) + " at " +
           std::to_string(at.offset) + ", steps " + std::to_string(at.life.first) + " to " +
           std::to_string(at.life.last);
      if (at.takesPlaceOf) s += ", in place of b" + std::to_string(*at.takesPlaceOf);
    }
    s += "\n";
  }
  return s;
}

}  // namespace descry::runtime
