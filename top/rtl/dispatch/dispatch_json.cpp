#include "top/rtl/dispatch/dispatch_json.h"

#include <nlohmann/json.hpp>

namespace heddle {

std::string DispatchJson::text() const {
  nlohmann::ordered_json json;
  json["twin"] = twin;
  json["impl"] = decides ? "rtl" : "lockstep";
  json["sms"] = sms;
  json["edges"] = edges;
  json["grants"] = choices;
  json["mismatch"] = mismatched;
  return json.dump(2) + "\n";
}

}  // namespace heddle
