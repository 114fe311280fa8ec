#pragma once

#include <string_view>
#include <vector>

namespace heddle::test {

/// Instructions of generated kernels, one or a few lines each, with places for registers and values:
///
///   @r @l @h @f @d @p  destination of 32, 64, 16 bits, f32, f64, predicate
///   #r #l #h #f #d #p  source register, likewise; #q a predicate or its opposite
///   #i #j              source of 32, 64 bits: register or value
///   #s                 shift amount: register or 0 to 63;  #k 0 to 31;  #b 0 to 255
///
/// Others are fixed: %t0.. and %a0.. are for addresses and within an entry, %in, %out (of the thread), %sums,
/// %thread, %mine (its word of shared memory), the variables tab, words, local and total, the textures line,
/// rows, square and box.
using InstructionTable = std::vector<std::string_view>;

/// What a thread does for itself.
const InstructionTable& thread_instructions();
/// What has barriers: all threads of a block have to come by.
const InstructionTable& block_instructions();

}  // namespace heddle::test
