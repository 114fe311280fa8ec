#pragma once

namespace heddle {

/// The tables of a database of results, and views for those who read them with other programs
/// (docs/experiments.md). Marked by application_id and user_version, which every change raises.
constexpr int kResultsApplication = 0x48656464;  // "Hedd"
constexpr int kResultsVersion = 1;

constexpr const char* kResultsTables = R"(
CREATE TABLE points(
  point INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  program TEXT NOT NULL, configuration TEXT NOT NULL, inputs TEXT NOT NULL, energy TEXT NOT NULL,
  version TEXT NOT NULL, workload TEXT NOT NULL, config TEXT NOT NULL, scheduler TEXT NOT NULL,
  tb_policy TEXT NOT NULL, labels TEXT NOT NULL, command TEXT NOT NULL,
  status TEXT NOT NULL, code INTEGER NOT NULL, message TEXT NOT NULL,
  limit_seconds INTEGER NOT NULL, limit_memory_bytes INTEGER NOT NULL, limit_cycles INTEGER NOT NULL,
  host TEXT NOT NULL, began REAL NOT NULL, wall_seconds REAL NOT NULL, cpu_seconds REAL NOT NULL,
  peak_memory_bytes INTEGER NOT NULL, cycles_per_second REAL NOT NULL, attempts INTEGER NOT NULL,
  records TEXT NOT NULL);
CREATE TABLE metrics(
  metric INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE figures(
  point INTEGER NOT NULL, metric INTEGER NOT NULL, value NOT NULL, PRIMARY KEY(point, metric)) WITHOUT ROWID;
CREATE TABLE details(
  point INTEGER NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY(point, name)) WITHOUT ROWID;
CREATE TABLE layouts(layout INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
CREATE TABLE launches(
  point INTEGER NOT NULL, launch INTEGER NOT NULL, kernel TEXT NOT NULL, about TEXT NOT NULL,
  layout INTEGER NOT NULL, "values" TEXT NOT NULL, PRIMARY KEY(point, launch)) WITHOUT ROWID;
CREATE TABLE experiments(
  experiment INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, began REAL NOT NULL);
CREATE TABLE experiment_points(
  experiment INTEGER NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, labels TEXT NOT NULL,
  PRIMARY KEY(experiment, place)) WITHOUT ROWID;

CREATE VIEW long AS
  SELECT p.id, p.workload, p.config, p.scheduler, p.tb_policy, p.labels, p.status, m.name AS metric, f.value, m.unit
  FROM points p JOIN figures f USING (point) JOIN metrics m USING (metric);
CREATE VIEW experiment_figures AS
  SELECT e.name AS experiment, x.place, x.labels, p.id, p.status, m.name AS metric, f.value, m.unit
  FROM experiments e JOIN experiment_points x USING (experiment) JOIN points p USING (id)
  JOIN figures f USING (point) JOIN metrics m USING (metric);
CREATE VIEW launch_figures AS
  SELECT p.id, p.workload, p.scheduler, l.launch, l.kernel,
    json_extract(y.names, '$[' || v.key || ']') AS metric, v.atom AS value
  FROM points p JOIN launches l USING (point) JOIN layouts y USING (layout), json_each(l."values") v
  WHERE v.atom IS NOT NULL;
CREATE VIEW block_figures AS
  SELECT p.id, p.workload, p.scheduler, json_extract(k.value, '$.block[' || v.key || ']') AS block,
    n.key AS metric, v.atom AS value
  FROM points p JOIN details d ON d.point = p.point AND d.name = 'instances', json_each(d.json) k,
    json_each(k.value) n, json_each(n.value) v WHERE n.key <> 'block' AND v.atom IS NOT NULL;
)";

}  // namespace heddle
