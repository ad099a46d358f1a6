// Effects outside of tensors: profiler ranges, streams.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerEffects(OpRegistry& ops) {
  ops.op("export::access_subclass_inner_tensor(Tensor src_subclass_tensor, str attr) -> Tensor");
  ops.op("profiler::_call_end_callbacks_on_jit_fut(Tensor x, Future(t) y) -> Future(t)");
  ops.op("profiler::_call_end_callbacks_on_jit_fut._RecordFunction("
         "__torch__.torch.classes.profiler._RecordFunction x, Future(t) y) -> Future(t)", kOpSideEffect);
  ops.op("profiler::_record_function_enter(str name, str? args=None) -> Tensor", kOpSideEffect);
  ops.op("profiler::_record_function_enter_new(str name, str? args=None) -> "
         "__torch__.torch.classes.profiler._RecordFunction", kOpSideEffect);
  ops.op("profiler::_record_function_exit(Tensor handle) -> ()");
  ops.op("profiler::_record_function_exit._RecordFunction("
         "__torch__.torch.classes.profiler._RecordFunction record) -> ()", kOpSideEffect);
  ops.op("streams::fork(SymInt from_index, SymInt to_index) -> ()", kOpSideEffect);
  ops.op("streams::join(SymInt from_index, SymInt to_index) -> ()", kOpSideEffect);
  ops.op("streams::record_event(SymInt event_index, SymInt stream_index) -> ()", kOpSideEffect);
  ops.op("streams::record_stream(Tensor tensor, SymInt stream_index) -> ()", kOpSideEffect);
  ops.op("streams::sync_dealloc(SymInt wait_event_index, SymInt src_stream_index, Tensor to_dealloc) -> ()",
         kOpSideEffect);
  ops.op("streams::synchronize_device(str device_type, SymInt? device_index) -> ()", kOpSideEffect);
  ops.op("streams::synchronize_event(SymInt event_index) -> ()", kOpSideEffect);
  ops.op("streams::synchronize_stream(SymInt stream_index) -> ()", kOpSideEffect);
  ops.op("streams::wait_event(SymInt event_index, SymInt stream_index) -> ()", kOpSideEffect);
  ops.op("streams::wait_stream(SymInt waiting_stream_index, SymInt waited_on_stream_index) -> ()",
         kOpSideEffect);
}
// clang-format on

}  // namespace descry::ir
