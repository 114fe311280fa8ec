#include "top/rtl/choice/twin_maker.h"

#include "top/rtl/dispatch/slicing_design.h"
#include "top/rtl/dispatch/slicing_twins.h"
#include "top/rtl/dispatch/warp_man_design.h"
#include "top/rtl/dispatch/warp_man_twins.h"
#include "top/rtl/twin_run.h"

namespace heddle {

std::unique_ptr<TwinHost> make_twin_host(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library,
                                         const TwinHost::Options& options) {
  if (design.block == kWorkloadBufferTwin)
    return std::make_unique<WarpManTwins>(gpu, std::move(design), std::move(library), options);
  if (design.block == kSimpleSlicingTwin)
    return std::make_unique<SlicingTwins>(gpu, std::move(design), std::move(library), options);
  return std::make_unique<TwinRun>(gpu, std::move(design), std::move(library), options);
}

}  // namespace heddle
