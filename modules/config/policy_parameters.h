#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "modules/config/policy_settings.h"
#include "modules/config/value_range.h"

namespace heddle {

/// What a policy's users may set: keys `scheduler.<section>.<name>` of the configuration. A policy declares
/// one ParametersOf beside itself and names it in its entry (policy_registry.h); the configuration's loader,
/// its printer and every check go by that declaration.
class PolicyParameters {
 public:
  struct Description {
    std::string name;  ///< in snake_case, with the unit where there is one: "sampling_period_cycles"
    ValueRange range;
    std::string unit;  ///< "" when it has none
    std::string text;  ///< one line for users: what it means
  };

  PolicyParameters(std::string section, std::vector<Description> descriptions);
  virtual ~PolicyParameters() = default;
  PolicyParameters(const PolicyParameters&) = delete;
  PolicyParameters& operator=(const PolicyParameters&) = delete;

  const std::string& section() const { return section_; }
  const std::vector<Description>& descriptions() const { return descriptions_; }
  /// "scheduler.<section>.<name>" of parameter `index`.
  std::string key(std::size_t index) const;

  virtual ConfigValue get(const PolicySettings& settings, std::size_t index) const = 0;
  /// `value` must be of the parameter's kind.
  virtual void set(PolicySettings& settings, std::size_t index, const ConfigValue& value) const = 0;

  /// Throws SettingError for the first value that is out of range.
  void check(const PolicySettings& settings) const;

 private:
  std::string section_;
  std::vector<Description> descriptions_;
};

/// A parameter, and the member of `Values` that holds it; made by the functions of namespace parameter.
template <class Values>
struct Parameter {
  PolicyParameters::Description description;
  std::function<ConfigValue(const Values&)> get;
  std::function<void(Values&, const ConfigValue&)> set;
};

/// The parameters of a policy, which reads them as one `Values`: a struct whose member initialisers are the
/// defaults.
template <class Values>
class ParametersOf final : public PolicyParameters {
 public:
  ParametersOf(std::string section, std::vector<Parameter<Values>> parameters)
      : PolicyParameters(std::move(section), descriptions_of(parameters)),
        parameters_(std::move(parameters)) {}

  const Values& defaults() const { return defaults_; }
  ConfigValue get(const PolicySettings& settings, std::size_t index) const override;
  void set(PolicySettings& settings, std::size_t index, const ConfigValue& value) const override;

 private:
  static std::vector<Description> descriptions_of(const std::vector<Parameter<Values>>& parameters) {
    std::vector<Description> descriptions;
    descriptions.reserve(parameters.size());
    for (const Parameter<Values>& parameter : parameters) descriptions.push_back(parameter.description);
    return descriptions;
  }

  const Values defaults_{};
  std::vector<Parameter<Values>> parameters_;
};

template <class Values>
ConfigValue ParametersOf<Values>::get(const PolicySettings& settings, std::size_t index) const {
  return parameters_[index].get(settings.of(*this));
}

template <class Values>
void ParametersOf<Values>::set(PolicySettings& settings, std::size_t index, const ConfigValue& value) const {
  parameters_[index].set(settings.edit(*this), value);
}

/// The kinds of parameters.
namespace parameter {

/// Of a member that the configuration holds as `Held`.
template <class Held, class Values, class Member>
Parameter<Values> held_as(Member Values::*member, PolicyParameters::Description description) {
  return {std::move(description),
          [member](const Values& values) { return ConfigValue(static_cast<Held>(values.*member)); },
          [member](Values& values, const ConfigValue& value) {
            values.*member = static_cast<Member>(std::get<Held>(value));
          }};
}

/// An integer from `low` to `high`.
template <class Values, class Member>
Parameter<Values> whole(Member Values::*member, std::string name, double low, double high, std::string unit,
                        std::string text) {
  static_assert(std::is_unsigned_v<Member>, "whole numbers are held without a sign");
  return held_as<std::uint64_t>(
      member, {std::move(name), ValueRange::whole(low, high), std::move(unit), std::move(text)});
}

/// A number from `low` to `high` that need not be whole.
template <class Values>
Parameter<Values> fraction(double Values::*member, std::string name, double low, double high,
                           std::string unit, std::string text) {
  return held_as<double>(member,
                         {std::move(name), ValueRange::real(low, high), std::move(unit), std::move(text)});
}

template <class Values>
Parameter<Values> flag(bool Values::*member, std::string name, std::string text) {
  return held_as<bool>(member, {std::move(name), ValueRange::flag(), "", std::move(text)});
}

/// An enumeration: choices in the order of its values.
template <class Values, class Member>
Parameter<Values> choice(Member Values::*member, std::string name, std::vector<std::string> choices,
                         std::string text) {
  static_assert(std::is_enum_v<Member>);
  return held_as<std::uint64_t>(
      member, {std::move(name), ValueRange::choice(std::move(choices)), "", std::move(text)});
}

/// A warp scheduler, as scheduler.name. That there is such a one is checked when the configuration is loaded;
/// the policy that builds it says what else it can't be.
template <class Values>
Parameter<Values> scheduler(std::string Values::*member, std::string name, std::string text) {
  return held_as<std::string>(member, {std::move(name), ValueRange::scheduler(), "", std::move(text)});
}

}  // namespace parameter

}  // namespace heddle
