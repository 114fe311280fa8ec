#pragma once

#include <memory>

#include "top/machine/gpu.h"
#include "top/rtl/twin_host.h"
#include "top/rtl/twin_library.h"

namespace heddle {

/// The twins of this design in `gpu`, before anything runs. Throws RtlError for an SM that there is not.
std::unique_ptr<TwinHost> make_twin_host(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library,
                                         const TwinHost::Options& options);

}  // namespace heddle
