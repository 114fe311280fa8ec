#include "top/rtl/dispatch_ports.h"

#include <array>

namespace heddle {

namespace {

struct PortText {
  const char* name;
  const char* meaning;
};

constexpr std::array<PortText, kNumDispatchPorts> kTexts{{
    {"now_i", "the low bits of the core cycle"},
    {"launch_i", "a bit: a kernel is launched"},
    {"launch_kernel_i", "the number under which it runs"},
    {"launch_blocks_i", "its thread blocks (TBs) that are expected on the SM"},
    {"launch_residency_i", "its TBs that the SM holds when it is alone"},
    {"kernel_end_i", "by kernel: those that end"},
    {"running_i", "by kernel: those of which the SM holds a TB"},
    {"block_start_i", "a bit: a TB starts"},
    {"block_slot_i", "in this TB slot"},
    {"block_end_i", "TBs that end: bit k * TbSlots + s that of kernel k in slot s"},
    {"adopt_i", "what some SM tells all, as sample_o"},
    {"told_i", "a bit: sample_o is what is told to all"},
    {"waiting_i", "by kernel: those of which a TB could start somewhere"},
    {"read_kernel_i", "of which kernel pred_cycles_o is"},
    {"first_o", "by kernel: of those of waiting_i that are predicted the one that ends first"},
    {"known_o", "by kernel: those that are predicted"},
    {"sample_o", "from the highest bit on: there is something to tell the other SMs; the kernel; t"},
    {"pred_cycles_o", "Pred_Cycles of the kernel that read_kernel_i names"},
    {"offer_i", "a bit: the dispatcher asks whether a thread block (TB) can start"},
    {"offer_warps_i", "warps of the TB"},
    {"offer_register_warps_i", "warps of its kernel that the registers of an SM without TBs are enough for"},
    {"offer_shared_tbs_i", "TBs of its kernel that the shared memory of an SM without TBs is enough for"},
    {"take_i", "a bit: the TB starts"},
    {"take_slot_i", "in this TB slot"},
    {"take_tb_i", "the number of the TB in its grid"},
    {"warp_end_i", "by warp slot: warps that end"},
    {"tb_end_i", "by TB slot: TBs that end"},
    {"full_o", "a bit: the whole TB can start"},
    {"start_warps_o", "so many of its warps can, the lowest ones"},
    {"issue_count_o", "so many unissued warps of the partial TB issue"},
    {"issue_warp_o", "the first of them"},
    {"buffer_o", "the workload buffer, from the highest bit on: valid, end_wid, start_wid, L_TBId, P_TBId"},
}};

const PortText* text_of(unsigned number) {
  const unsigned port = number - kFirstDispatchPort;
  return number < kFirstDispatchPort || port >= kNumDispatchPorts ? nullptr : &kTexts[port];
}

}  // namespace

const char* dispatch_port_name(unsigned number) {
  const PortText* const text = text_of(number);
  return text == nullptr ? nullptr : text->name;
}

const char* dispatch_port_meaning(unsigned number) {
  const PortText* const text = text_of(number);
  return text == nullptr ? nullptr : text->meaning;
}

}  // namespace heddle
