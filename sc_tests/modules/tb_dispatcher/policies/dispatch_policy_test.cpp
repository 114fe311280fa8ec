#include "modules/tb_dispatcher/dispatch_policy.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "modules/config/setting_error.h"

namespace heddle {
namespace {

TEST(DispatchPolicyTest, ThoseThatGiveAnSmBlocksOfSeveralKernelsNeedMixedSms) {
  std::set<std::string> refused;
  for (const DispatchPolicyEntry* entry : dispatch_policies()) {
    const CoreConfig core;
    TbDispatcherConfig config;
    config.policy = entry->name;
    config.mixed_sms = false;
    try {
      make_dispatch_policy({core, config, {}});
    } catch (const SettingError&) {
      refused.insert(entry->name);
    }
    config.mixed_sms = true;
    EXPECT_NE(make_dispatch_policy({core, config, {}}), nullptr) << entry->name;
  }
  EXPECT_EQ(refused, (std::set<std::string>{"even_share", "mpmax", "srtf_adaptive"}));
}

}  // namespace
}  // namespace heddle
