#include "top/rtl/choice/twin_maker.h"

#include "top/rtl/dispatch/slicing_twins.h"
#include "top/rtl/twin_run.h"

namespace heddle {

std::unique_ptr<TwinHost> make_twin_host(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library,
                                         const TwinHost::Options& options) {
  if (!design.block.empty())
    return std::make_unique<SlicingTwins>(gpu, std::move(design), std::move(library), options);
  return std::make_unique<TwinRun>(gpu, std::move(design), std::move(library), options);
}

}  // namespace heddle
