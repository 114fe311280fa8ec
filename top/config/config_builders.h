#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "top/config/config_key.h"

namespace heddle::config {

/// The member that a chain of member pointers leads to: Member<&GpuConfig::core, &CoreConfig::sms>.
template <auto... Path>
struct Member {
  template <class Object>
  static auto& in(Object& object) {
    return (object.*....*Path);
  }
};

/// Fills a key's get and set for the member that `Path` leads to, whose values are held as `Held`.
template <class Held, auto... Path>
ConfigKey bind(ConfigKey key) {
  key.get = [](const GpuConfig& config) {
    return ConfigValue(static_cast<Held>(Member<Path...>::in(config)));
  };
  key.set = [](GpuConfig& config, const ConfigValue& value) {
    auto& member = Member<Path...>::in(config);
    member = static_cast<std::decay_t<decltype(member)>>(std::get<Held>(value));
  };
  return key;
}

template <auto... Path>
ConfigKey whole(std::string path, double low, double high, std::string unit, std::string description) {
  return bind<std::uint64_t, Path...>(
      {ValueRange::whole(low, high), std::move(path), std::move(unit), std::move(description), {}, {}});
}

template <auto... Path>
ConfigKey power_of_two(std::string path, double low, double high, std::string unit, std::string description) {
  return bind<std::uint64_t, Path...>({ValueRange::power_of_two(low, high),
                                       std::move(path),
                                       std::move(unit),
                                       std::move(description),
                                       {},
                                       {}});
}

template <auto... Path>
ConfigKey real(std::string path, double low, double high, std::string unit, std::string description) {
  return bind<double, Path...>(
      {ValueRange::real(low, high), std::move(path), std::move(unit), std::move(description), {}, {}});
}

template <auto... Path>
ConfigKey flag(std::string path, std::string description) {
  return bind<bool, Path...>({ValueRange::flag(), std::move(path), "", std::move(description), {}, {}});
}

/// An enumeration: choices in the order of its values.
template <auto... Path>
ConfigKey choice(std::string path, std::vector<std::string> choices, std::string description) {
  return bind<std::uint64_t, Path...>(
      {ValueRange::choice(std::move(choices)), std::move(path), "", std::move(description), {}, {}});
}

template <auto... Path>
ConfigKey name(std::string path, std::vector<std::string> choices, std::string description) {
  return bind<std::string, Path...>(
      {ValueRange::name(std::move(choices)), std::move(path), "", std::move(description), {}, {}});
}

template <auto... Path>
ConfigKey scheduler(std::string path, std::string description) {
  return bind<std::string, Path...>(
      {ValueRange::scheduler(), std::move(path), "", std::move(description), {}, {}});
}

template <auto... Path>
ConfigKey text(std::string path, std::string description) {
  return bind<std::string, Path...>(
      {ValueRange::text(), std::move(path), "", std::move(description), {}, {}});
}

/// The four keys of a cache.
template <auto... Path>
void cache(std::vector<ConfigKey>& keys, const std::string& prefix, unsigned max_line_bytes,
           unsigned min_line_bytes = 32) {
  keys.push_back(power_of_two<Path..., &CacheConfig::sets>(prefix + ".sets", 1, 65536, "sets", "Sets"));
  keys.push_back(whole<Path..., &CacheConfig::ways>(prefix + ".ways", 1, 64, "lines", "Lines per set"));
  keys.push_back(power_of_two<Path..., &CacheConfig::line_bytes>(prefix + ".line_bytes", min_line_bytes,
                                                                 max_line_bytes, "bytes", "Line size"));
  keys.push_back(choice<Path..., &CacheConfig::set_index>(
      prefix + ".set_index", {"linear", "hashed"},
      "Set index: the address bits above the line offset, or those xored with higher ones"));
}

}  // namespace heddle::config
