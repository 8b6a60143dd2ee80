#pragma once

#include "base/attributes.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace schedbench::fibers {

// The switch of Boost.Context, which is a call: the registers lie on their stack.
class MachineContext {
 public:
  // Prepares a stack, as machine_context.hpp describes.
  static MachineContext Make(void* top, std::size_t bytes) noexcept;

  // Switches from one stack to another, as machine_context.hpp describes.
  SB_ALWAYS_INLINE static void* Switch(MachineContext& from, MachineContext& to,
                                       void* message) noexcept;

 private:
  struct Message {
    MachineContext* from;
    void* payload;
  };
  boost::context::detail::fcontext_t context_ = nullptr;

  static void Enter(boost::context::detail::transfer_t transfer) noexcept;

  static void* Receive(boost::context::detail::transfer_t transfer) noexcept {
    const Message message = *static_cast<Message*>(transfer.data);
    message.from->context_ = transfer.fctx;
    return message.payload;
  }
};

SB_ALWAYS_INLINE void* MachineContext::Switch(MachineContext& from, MachineContext& to,
                                              void* message) noexcept {
  Message note{.from = &from, .payload = message};
  return Receive(boost::context::detail::jump_fcontext(to.context_, &note));
}

}  // namespace schedbench::fibers
