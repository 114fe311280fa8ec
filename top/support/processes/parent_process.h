#pragma once

namespace heddle {

/// Has this process killed when `parent` ends, however that does: its results are for it alone.
void end_with_parent(int parent);

}  // namespace heddle
