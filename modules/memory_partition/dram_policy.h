#pragma once

#include <memory>

#include "modules/config/gpu_config.h"
#include "modules/memory_partition/dram_request.h"

namespace heddle {

/// Which request a bank serves next. A bank keeps the request that it was given until all its column
/// commands have been issued.
class DramPolicy {
 public:
  virtual ~DramPolicy() = default;
  virtual const char* name() const = 0;
  /// Takes the bank's next request out of its `queue`, which is in order of arrival and not empty.
  /// `row_open` tells whether the bank has a row open, `row` which.
  virtual DramRequest& take(DramRequestList& queue, bool row_open, std::uint64_t row) = 0;
  /// Column commands of the whole channel follow the order of arrival.
  virtual bool in_order() const = 0;

  static std::unique_ptr<DramPolicy> create(DramScheduling scheduling);
};

/// First ready, first come first served: the oldest request to the open row, otherwise the oldest.
class FrFcfsPolicy : public DramPolicy {
 public:
  const char* name() const override { return "fr_fcfs"; }
  DramRequest& take(DramRequestList& queue, bool row_open, std::uint64_t row) override;
  bool in_order() const override { return false; }
};

/// First come first served: data move in order of arrival; rows of younger requests may be opened ahead.
class FcfsPolicy : public DramPolicy {
 public:
  const char* name() const override { return "fcfs"; }
  DramRequest& take(DramRequestList& queue, bool row_open, std::uint64_t row) override;
  bool in_order() const override { return true; }
};

}  // namespace heddle
