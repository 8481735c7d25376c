import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensurePrometheus, readServerChoices } from '@steward/local-servers';
import { parse } from 'yaml';
import { scaleLimit } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { BOARDS } from './boards/index.ts';
import { listQueries } from './list-queries.ts';

const RULES = 'deploy/monitoring/rules/steward.rules.yaml';
const RUNBOOKS = 'https://github.com/OWNER/steward/blob/main/';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown => parse(readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8'));
const { groups } = read(RULES) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

describe('the rules for Prometheus', () => {
  beforeAll(async () => {
    const { allowInstall } = readServerChoices(process.env);
    await ensurePrometheus({ allowInstall, progress: (line) => console.error(line) });
  }, scaleLimit(300_000));

  it('pass the tests written for them', () => {
    const file = resolve(WORKSPACE_ROOT, 'deploy/monitoring/rules/steward.test.yaml');
    const ended = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
  });

  it('have for each alert a test in which it fires, and one in which it does not', () => {
    const { tests } = read('deploy/monitoring/rules/steward.test.yaml') as {
      readonly tests: readonly {
        readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
      }[];
    };
    const tested = tests.flatMap(({ alert_rule_test = [] }) =>
      alert_rule_test.map(
        ({ alertname, exp_alerts }) => `${alertname} ${exp_alerts.length > 0 ? 'fires' : 'is quiet'}`,
      ),
    );
    const wanted = alerts.flatMap(({ alert }) => [`${alert ?? ''} fires`, `${alert ?? ''} is quiet`]);
    expect(tested.sort()).toEqual(wanted.sort());
  });

  it.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))(
    '%s has a severity, a description, and a runbook that exists',
    (_name, { labels, annotations }) => {
      expect(labels?.severity).toMatch(/^(warning|critical)$/);
      expect(annotations?.summary).toMatch(/\S/);
      const url = annotations?.runbook_url ?? '';
      expect(url).toMatch(/^https:\S+\/docs\/operate\/runbooks\/[a-z-]+\.md$/);
      expect(existsSync(resolve(WORKSPACE_ROOT, url.slice(RUNBOOKS.length)))).toBe(true);
    },
  );
});

describe('the dashboards for Grafana', () => {
  it('have unique ids, and no panel without a query', () => {
    expect(new Set(BOARDS.map(({ uid }) => uid)).size).toBe(BOARDS.length);
    for (const { rows } of BOARDS)
      for (const { panels } of rows) for (const panel of panels) expect(panel.queries.length).toBeGreaterThan(0);
  });

  it('query recorded series only if a rule records them, and show missing values as missing', () => {
    const recorded = new Set(rules.map(({ record }) => record));
    for (const { expr } of listQueries(BOARDS)) {
      expect([...expr.matchAll(/steward:[\w:]+/g)].map(([name]) => name).filter((name) => !recorded.has(name))).toEqual(
        [],
      );
      expect(expr).not.toMatch(/vector\(|absent\(/);
    }
  });
});
