#include "workloads/description/yaml_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_yaml(text, "w.yaml");
    return "no error";
  } catch (const YamlError& error) {
    return error.what();
  }
}

std::string repeated(const std::string& text, std::uint64_t times) {
  std::string all;
  for (std::uint64_t i = 0; i < times; ++i) all += text;
  return all;
}

/// A list whose last element has 2^doublings leaves, by aliases.
std::string doubled(unsigned doublings) {
  std::string text = "- &a0 1\n";
  for (unsigned i = 1; i <= doublings; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "- &a" + std::to_string(i) + " [" + below + ", " + below + "]\n";
  }
  return text;
}

TEST(YamlFile, AliasesStandForWhatTheyName) {
  const YAML::Node root = parse_yaml("a: &x [1, {b: 2}]\nc: [*x, *x]\n", "w.yaml");
  EXPECT_EQ(root["c"][1][1]["b"].Scalar(), "2");
  EXPECT_EQ(parse_yaml("[&x 1, &x 2, *x]", "w.yaml")[2].Scalar(), "2") << "a name may be given anew";
  EXPECT_TRUE(parse_yaml("", "w.yaml").IsNull());
}

TEST(YamlFile, AnAliasThatContainsItselfIsRefused) {
  EXPECT_EQ(error_of("a: &x [1, *x]\n"), "w.yaml:1:11: found an alias that contains itself");
  EXPECT_EQ(error_of("&x {a: {b: [*x]}}\n"), "w.yaml:1:13: found an alias that contains itself");
  EXPECT_EQ(error_of("- &x {*x : 1}\n"), "w.yaml:1:7: found an alias that contains itself");
  EXPECT_EQ(error_of("- &x [1]\n- &x [*x]\n"), "w.yaml:2:7: found an alias that contains itself");
}

TEST(YamlFile, AliasesThatUnfoldWithoutEndAreRefused) {
  EXPECT_EQ(error_of(doubled(14)), "no error");  // 65,534 nodes
  EXPECT_EQ(error_of(doubled(15)).substr(0, 60),
            "w.yaml:16:15: expected at most 100000 values, lists and maps");
  EXPECT_EQ(error_of(doubled(33)).substr(0, 60),
            "w.yaml:16:15: expected at most 100000 values, lists and maps");
}

TEST(YamlFile, NodesHaveALimit) {
  EXPECT_EQ(error_of("[" + repeated("1,", limits::kYamlNodes - 1) + "]"), "no error");
  EXPECT_NE(error_of("[" + repeated("1,", limits::kYamlNodes) + "]"), "no error");
  EXPECT_NE(error_of("{" + repeated("a: 1,", limits::kYamlNodes / 2) + "}"), "no error") << "keys count";
}

TEST(YamlFile, DepthHasALimit) {
  const auto nested = [](std::uint64_t depth) { return repeated("[", depth) + repeated("]", depth); };
  EXPECT_EQ(error_of(nested(limits::kYamlDepth)), "no error");
  EXPECT_EQ(error_of(nested(limits::kYamlDepth + 1)),
            "w.yaml:1:65: expected at most 64 lists and maps in each other, found more");
  for (const char* opening : {"[", "- ", "{a: ", "? ", "[{a: ", "!t [", "&a ["}) {
    EXPECT_NE(error_of(repeated(opening, 100'000)).find("expected at most 64 lists and maps in each other"),
              std::string::npos)
        << opening << ": " << error_of(repeated(opening, 100'000));
  }
}

TEST(YamlFile, DepthIsThatOfWhatAliasesStandFor) {
  // 40 levels named, and used at the 25th: 64 with the lists around.
  const auto used_at = [](unsigned depth) {
    return "- &a " + repeated("[", 40) + repeated("]", 40) + "\n- " + repeated("[", depth) + "*a" +
           repeated("]", depth) + "\n";
  };
  EXPECT_EQ(error_of(used_at(23)), "no error");
  EXPECT_NE(error_of(used_at(24)), "no error");
}

TEST(YamlFile, BytesHaveALimit) {
  EXPECT_EQ(error_of(std::string(limits::kYamlBytes, ' ')), "no error");
  EXPECT_EQ(error_of(std::string(limits::kYamlBytes + 1, ' ')),
            "w.yaml: expected at most 4194304 bytes, found 4194305");
}

TEST(YamlFile, WhatIsNoYamlNamesItsPlace) {
  EXPECT_EQ(error_of("a: [1\nb: 2\n").substr(0, 21), "w.yaml:2:2: not YAML:");
  EXPECT_EQ(error_of("a: *b\n").substr(0, 21), "w.yaml:1:4: not YAML:");
  const std::string tab = "not YAML: found a tab, expected spaces in front of a line";
  EXPECT_EQ(error_of("a:\n\tb: 2\n"), "w.yaml:2:1: " + tab);
  EXPECT_EQ(error_of("a:\n  b: 2\n  \tc: 3\n"), "w.yaml:3:3: " + tab);
  EXPECT_EQ(error_of("a: [1,\n\t2]\n"), "no error");
}

TEST(YamlFile, OtherBytesThanUtf8AreRefused) {
  EXPECT_EQ(error_of("a: \xff\n"), "w.yaml: not YAML: not UTF-8");
  EXPECT_EQ(error_of("a: \xc3\xa9\n"), "no error");
}

TEST(YamlFile, WhatIsNoFileIsRefused) {
  EXPECT_THROW(read_yaml_file("/dev/zero"), YamlError);
  EXPECT_THROW(load_workload("/dev/zero"), WorkloadError);
  EXPECT_THROW(read_yaml_file("/"), YamlError);
  EXPECT_THROW(read_yaml_file("/nonexistent.yaml"), YamlError);
}

}  // namespace
}  // namespace heddle
