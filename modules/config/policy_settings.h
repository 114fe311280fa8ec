#pragma once

#include <any>
#include <map>

namespace heddle {

class PolicyParameters;
template <class Values>
class ParametersOf;

/// The values of the policies' parameters (policy_parameters.h): those that were given, and the defaults of
/// all others. By the policy that declares them, as the struct that it reads.
class PolicySettings {
 public:
  /// As long as *this and `parameters` live, and edit() is not called.
  template <class Values>
  const Values& of(const ParametersOf<Values>& parameters) const {
    const auto found = given_.find(&parameters);
    return found == given_.end() ? parameters.defaults() : std::any_cast<const Values&>(found->second);
  }

  /// To change them. Ranges are checked when the policy is made.
  template <class Values>
  Values& edit(const ParametersOf<Values>& parameters) {
    std::any& values = given_[&parameters];
    if (!values.has_value()) values = parameters.defaults();
    return std::any_cast<Values&>(values);
  }

 private:
  std::map<const PolicyParameters*, std::any> given_;
};

}  // namespace heddle
