// Which record kinds and artifacts exist and what their payloads hold.
#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "importers/torch_trace/trace_index.h"

namespace descry::importers {
namespace {

using Table = std::unordered_map<std::string_view, PayloadUse>;

const Table& kinds() {
  static const Table table = [] {
    Table t;
    for (const std::string_view name : {"str",
                                        "chromium_event",
                                        "dynamo_start",
                                        "graph_dump",
                                        "inductor_output_code",
                                        "artifact",
                                        "dynamo_guards",
                                        "dynamo_cpp_guards_str",
                                        "compilation_metrics",
                                        "compilation_metrics_runtime",
                                        "bwd_compilation_metrics",
                                        "aot_autograd_backward_compilation_metrics",
                                        "describe_storage",
                                        "describe_tensor",
                                        "describe_source",
                                        "symbolic_shape_specialization",
                                        "guard_added",
                                        "guard_added_fast",
                                        "create_symbol",
                                        "create_unbacked_symbol",
                                        "expression_created",
                                        "propagate_real_tensors_provenance",
                                        "missing_fake_kernel",
                                        "mismatched_fake_kernel",
                                        "link"})
      t[name] = PayloadUse::Other;
    for (const std::string_view name :
         {"dynamo_output_graph", "optimize_ddp_split_graph", "optimize_ddp_split_child",
          "compiled_autograd_graph", "aot_joint_graph", "aot_forward_graph", "aot_backward_graph",
          "aot_inference_graph", "inductor_pre_grad_graph", "inductor_post_grad_graph"})
      t[name] = PayloadUse::Graph;
    t["exported_program"] = PayloadUse::Script;
    t["dump_file"] = PayloadUse::Sniff;
    return t;
  }();
  return table;
}

const Table& artifacts() {
  static const Table table = [] {
    Table t;
    for (const std::string_view name : {"fx_graph_cache_miss",
                                        "fx_graph_cache_hit",
                                        "fx_graph_cache_bypass",
                                        "fx_graph_cache_hash",
                                        "aotautograd_cache_miss",
                                        "aotautograd_cache_hit",
                                        "aotautograd_cache_bypass",
                                        "aotautograd_cache_hash",
                                        "recompile_reasons",
                                        "inductor_collective_schedule",
                                        "inductor_runtime_and_tensor_meta",
                                        "graph_execution",
                                        "inductor_graph_execution",
                                        "triton_kernel_info",
                                        "inductor_provenance_tracking_node_mappings",
                                        "inductor_post_to_pre_grad_nodes",
                                        "inductor_triton_kernel_to_post_grad_nodes",
                                        "inductor_provenance_tracking_kernel_stack_traces",
                                        "aot_forward_graph_fw_metadata",
                                        "aot_forward_graph_fw_subclass_metadata",
                                        "dynamo_error",
                                        "torch._functorch.config",
                                        "torch_version",
                                        "aot_autograd_runtime_wrappers",
                                        "dynamo_graph_break_reason",
                                        "dynamo_side_effects",
                                        "compiled_autograd_compile_reasons",
                                        "fx_interpreter_error"})
      t[name] = PayloadUse::Other;
    for (const std::string_view name :
         {"before_pre_grad_graph", "after_pre_grad_graph", "before_post_grad_graph", "after_post_grad_graph",
          "before_recompile_pre_grad", "after_recompile_pre_grad", "before_recompile_post_grad",
          "after_recompile_post_grad", "inductor_pre_grad_graph", "inductor_post_grad_graph",
          "before_joint_graph", "after_joint_graph", "compiled_autograd_graph_pre_reordering",
          "aot_inference_graph_after_hop_passes"})
      t[name] = PayloadUse::Graph;
    t["fx_graph_runnable"] = PayloadUse::Script;
    return t;
  }();
  return table;
}

bool bytecode(std::string_view name) {
  return name.ends_with("_ORIGINAL_BYTECODE") || name.ends_with("_MODIFIED_BYTECODE");
}

}  // namespace

bool knownRecordKind(std::string_view kind) {
  return kinds().contains(kind);
}

bool knownArtifact(std::string_view name) {
  return artifacts().contains(name) || bytecode(name);
}

PayloadUse TraceIndex::use(const TraceRecord& r) const {
  if (r.flags & (kRecordBadHeader | kRecordJunk)) return PayloadUse::Other;
  if (r.payload == r.payloadEnd) return PayloadUse::Other;
  const std::string_view what = kind(r);
  if (what == "artifact") {
    const auto found = artifacts().find(name(r));
    if (found != artifacts().end()) return found->second;
    return bytecode(name(r)) ? PayloadUse::Other : PayloadUse::Sniff;
  }
  const auto found = kinds().find(what);
  return found == kinds().end() ? PayloadUse::Sniff : found->second;
}

std::optional<int> rankOfFileName(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const size_t at = name.rfind("rank_");
  if (at == std::string_view::npos) return std::nullopt;
  int value = 0;
  size_t i = at + 5;
  const size_t begin = i;
  while (i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) && i < begin + 9)
    value = value * 10 + (name[i++] - '0');
  if (i == begin || (i < name.size() && name[i] != '_' && name[i] != '.')) return std::nullopt;
  return value;
}

}  // namespace descry::importers
