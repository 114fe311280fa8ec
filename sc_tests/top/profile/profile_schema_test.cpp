// docs/profile.schema.json against what runs write, and against the same with something missing or too much.
#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/processes/child_process.h"

namespace heddle {
namespace {

constexpr const char* kCheck = R"(
import copy, json, sys
import jsonschema
valid = jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).is_valid
files = [json.load(open(name)) for name in sys.argv[2:]]
print([valid(profile) for profile in files])
whole = files[0]
places = [[], ["gpu"], ["gpu", "funnel"], ["sms", 0], ["sms", 0, "schedulers", 0], ["launches", 0], ["kernels", 0],
          ["kernels", 0, "lines", 0], ["kernels", 0, "lines", 0, "memory"], ["states", 0]]
optional = {"memory", "source", "constants", "accesses", "moved_bytes", "l1d_hits", "l1d_merged", "l1d_misses"}
accepted = []
def at(json, place):
    for step in place: json = json[step]
    return json
for place in places:
    for member in at(whole, place):
        if member in optional: continue
        damaged = copy.deepcopy(whole)
        del at(damaged, place)[member]
        if valid(damaged): accepted.append(place + [member, "missing"])
    damaged = copy.deepcopy(whole)
    at(damaged, place)["more"] = 1
    if valid(damaged): accepted.append(place + ["more"])
for place in places[1:2] + places[3:6] + places[7:8]:
    damaged = copy.deepcopy(whole)
    at(damaged, place)["cycles"].pop()
    if valid(damaged): accepted.append(place + ["a state less"])
print(accepted)
)";

TEST_F(BuiltProgram, ProfilesAreAsTheirSchemaSays) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
    GTEST_SKIP() << "there is no Debian package python3-jsonschema";
  const std::vector<std::vector<std::string>> runs{
      {"vector_add", "--param", "n=4096"},
      {"bitonic_sort", "--max-cycles", "2000"},
      {"vector_add", "scalar_product", "--param", "n=4096", "--param", "pairs=8"}};
  ChildStart start;
  start.command = {"/usr/bin/python3", write("check.py", kCheck),
                   test::source_dir() + "/docs/profile.schema.json"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string out = "run" + std::to_string(i);
    std::vector<std::string> arguments{"run", "--profile", "--quiet", "--set", "core.sms=2", "--out", out};
    arguments.insert(arguments.end(), runs[i].begin(), runs[i].end());
    const ProgramOutcome outcome = run(arguments);
    ASSERT_EQ(outcome.code, i == 1 ? 7 : 0) << outcome.err;
    start.command.push_back((folder_ / out / "profile.json").string());
  }
  start.output = ChildStart::Output::kRead;
  ChildProcess process(start);
  EXPECT_EQ(process.read_output(), "[True, True, True]\n[]\n");
  EXPECT_EQ(process.wait(), 0);
}

}  // namespace
}  // namespace heddle
