#include "fibers/core/machine_context.hpp"

#if !defined(SB_INLINE_SWITCH)

namespace schedbench::fibers {

MachineContext MachineContext::Make(void* top, std::size_t bytes) noexcept {
  MachineContext context;
  context.context_ = boost::context::detail::make_fcontext(top, bytes, &MachineContext::Enter);
  return context;
}

void MachineContext::Enter(boost::context::detail::transfer_t transfer) noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
  // Ends the chain of frame pointers: Boost.Context leaves an address of its own in the register,
  // which this function has saved at the address that the register has now.
  *static_cast<void**>(__builtin_frame_address(0)) = nullptr;
#endif
  SchedbenchEnterStack(Receive(transfer));
}

}  // namespace schedbench::fibers

#endif
