#!/usr/bin/python3
"""check_stats_schema.py SCHEMA STATS...: every STATS (stats.json) is as SCHEMA says, and with any of the damages below it
is not. Needs Debian's python3-jsonschema."""
import copy
import json
import sys

import jsonschema


def leave_out(*path):
    def damage(stats):
        del at(stats, path[:-1])[path[-1]]

    return damage


def put(value, *path):
    def damage(stats):
        at(stats, path[:-1])[path[-1]] = value

    return damage


def at(stats, path):
    for step in path:
        stats = stats[step]
    return stats


DAMAGES = {
    "another format": put(1, "format"),
    "no status": leave_out("status"),
    "an unknown end": put("tired", "end"),
    "an unknown member": put(1, "more"),
    "no definitions": leave_out("definitions"),
    "a list of metrics": put([], "metrics"),
    "no cycles": leave_out("metrics", "cycles"),
    "a fraction of a cycle": put(1.5, "metrics", "cycles"),
    "cycles before the start": put(-1, "metrics", "cycles"),
    "a metric in words": put("many", "metrics", "ipc_warp"),
    "a total that is null": put(None, "metrics", "sm", "warp_instructions"),
    "a figure deeper down": put({"more": 1}, "metrics", "sm", "l1d"),
    "a block without figures": put({}, "metrics", "sm.l1d"),
    "blocks without names": leave_out("instances", "sm.l1d", "block"),
    "a block twice": put(["sm0", "sm0"], "instances", "sm", "block"),
    "one value for all blocks": put(7, "instances", "sm.l1d", "hits"),
    "a value in words": put(["many"], "instances", "sm.l1d", "hits"),
    "a definition of two": put(["cycles", "count"], "definitions", "cycles"),
    "a definition of four": put(["1", "count", "x", "y"], "definitions", "cycles"),
    "an unknown kind": put(["cycles", "guess", "core cycles"], "definitions", "cycles"),
    "no description": put(["cycles", "count", ""], "definitions", "cycles"),
    "a configuration without values": put({}, "config", "values"),
    "a launch without kernel": leave_out("launches", 0, "kernel"),
    "a flat grid": put([1, 1], "launches", 0, "grid"),
    "a launch's metric in words": put("many", "launches", 0, "metrics", "ipc_warp"),
    "energy without table": leave_out("energy", "table"),
}


def main(arguments):
    with open(arguments[0]) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    wrong = 0
    for name in arguments[1:]:
        with open(name) as file:
            stats = json.load(file)
        for error in validator.iter_errors(stats):
            wrong += 1
            print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    for what, damage in DAMAGES.items():
        damaged = copy.deepcopy(stats)
        damage(damaged)
        if validator.is_valid(damaged):
            wrong += 1
            print(f"{arguments[-1]} with {what}: passes")
    print(f"{len(arguments) - 1} files, {len(DAMAGES)} damages, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
