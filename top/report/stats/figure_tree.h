#pragma once

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// Figures by name; those of blocks by scope and name.
class FigureTree {
 public:
  void put(const std::string& name, nlohmann::ordered_json value) {
    members().emplace_back(name, std::move(value));
  }
  /// Consecutive figures of a scope are found at once.
  void put(const std::string& scope, const std::string& name, nlohmann::ordered_json value) {
    if (scope.empty()) return put(name, std::move(value));
    if (place_ >= members().size() || members()[place_].first != scope) place_ = place_of(scope);
    members()[place_].second.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(name,
                                                                                       std::move(value));
  }
  nlohmann::ordered_json json() && { return std::move(tree_); }

 private:
  /// As a list, in which emplace_back() does not look for the key.
  std::vector<std::pair<const std::string, nlohmann::ordered_json>>& members() {
    return tree_.get_ref<nlohmann::ordered_json::object_t&>();
  }
  std::size_t place_of(const std::string& scope) {
    auto& all = members();
    const auto found =
        std::find_if(all.begin(), all.end(), [&scope](const auto& m) { return m.first == scope; });
    const auto place = static_cast<std::size_t>(found - all.begin());
    if (found == all.end()) all.emplace_back(scope, nlohmann::ordered_json::object());
    return place;
  }

  nlohmann::ordered_json tree_ = nlohmann::ordered_json::object();
  std::size_t place_ = 0;
};

}  // namespace heddle
