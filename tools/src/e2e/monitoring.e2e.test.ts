import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { startFakeProvider } from '@steward/fake-provider';
import {
  makeScratchDirectory,
  readServerChoices,
  startPrometheus,
  type PrometheusServer,
} from '@steward/local-servers';
import { eventually, releaseAfterAll, startHttpReceiver, startTestObjectStore, scaleLimit } from '@steward/testing';
import { stringify } from 'yaml';
import { WINDOW } from '../monitoring/board.ts';
import { BOARDS } from '../monitoring/boards/index.ts';
import { listQueries } from '../monitoring/list-queries.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { loadSuite } from './load-suite.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const TIMEOUT_MS = scaleLimit(300_000);
const SCRAPE_SECONDS = 1;
const REFERENCE = 'docs/reference/metrics.md';

describe('a suite under load, scraped by Prometheus', () => {
  let suite: Suite;
  let prometheus: PrometheusServer;
  const release = releaseAfterAll();

  beforeAll(async () => {
    const dataDirectory = makeScratchDirectory('prometheus');
    release(() => Promise.resolve(rmSync(dataDirectory, { recursive: true, force: true })));
    const provider = await startFakeProvider();
    release(() => provider.close());
    const receiver = await startHttpReceiver(
      ({ path }, response) => void response.writeHead(path === '/bad' ? 500 : 200).end(),
    );
    release(() => receiver.close());
    const store = await startTestObjectStore();
    release(() => store.stop());
    suite = await startSuite({
      ...store.content,
      MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
      SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: provider.origin,
      SESSION_SEARCH_BACKFILL_ENABLED: 'true',
      SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS: '60',
      WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1',
    });
    release(() => suite.stop());
    const { allowInstall } = readServerChoices(process.env);
    const config = configure(Object.values(suite.metricsUrls));
    prometheus = await startPrometheus({
      dataDirectory,
      config,
      allowInstall,
      progress: (line) => console.error(line),
    });
    release(() => prometheus.stop());
    const load = await loadSuite(suite, { provider, receiver });
    release(() => load.stop());
  }, START_TIMEOUT_MS + TIMEOUT_MS);

  it(
    'returns data for every query of the dashboards',
    async () => {
      let empty = listQueries(BOARDS);
      await eventually(
        async () => {
          const answers = await Promise.all(
            empty.map(async (one) => ({ one, series: await ask(prometheus, one.expr) })),
          );
          empty = answers.filter(({ series }) => series === 0).map(({ one }) => one);
          if (empty.length > 0) throw new Error(`no data for:\n${empty.map(({ place }) => place).join('\n')}`);
          return true;
        },
        // New data is available once a second.
        { timeoutMs: TIMEOUT_MS - 20_000, intervalMs: SCRAPE_SECONDS * 1000 },
      );
    },
    TIMEOUT_MS,
  );

  it('reports all processes as up, and no failing rule', async () => {
    await eventually(async () => (await ask(prometheus, 'up == 1')) === Object.keys(suite.metricsUrls).length);
    const { data } = (await (await fetch(`${prometheus.url}/api/v1/rules`)).json()) as {
      readonly data: {
        readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
      };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
  });

  it('names and describes metrics as Prometheus requires, and each is in the reference (PROC-20)', async () => {
    const texts = await Promise.all(Object.values(suite.metricsUrls).map(readMetrics));
    const ours = texts.map((text) =>
      text
        .split('\n')
        .filter((line) => /^(# (HELP|TYPE) )?steward_/.test(line))
        .join('\n'),
    );
    for (const text of ours) {
      const checked = spawnSync('promtool', ['check', 'metrics'], { input: `${text}\n`, encoding: 'utf8' });
      expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, '', '']);
    }
    const names = new Set(ours.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)));
    const page = readFileSync(resolve(WORKSPACE_ROOT, REFERENCE), 'utf8');
    const documented = new Set([...page.matchAll(/^\| `(steward_\w+)`/gm)].map(([, name = '']) => name));
    expect([...documented].sort()).toEqual([...names].sort());
  });

  it('has no label whose values grow with accounts or contain external text, except the account of full outboxes (PROC-20)', async () => {
    const texts = await Promise.all(Object.values(suite.metricsUrls).map(readMetrics));
    const labels = new Set(texts.flatMap((text) => [...text.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label)));
    expect([...labels].filter((label) => /(^|_)(id|url|user|session|flow|model|email|name)$/.test(label))).toEqual([
      'account_id',
    ]);
  });
});

function configure(metricsUrls: readonly string[]): string {
  return stringify({
    global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: `${SCRAPE_SECONDS}s` },
    rule_files: [resolve(WORKSPACE_ROOT, 'deploy/monitoring/rules/steward.rules.yaml')],
    scrape_configs: [
      { job_name: 'steward', static_configs: [{ targets: metricsUrls.map((url) => new URL(url).host) }] },
    ],
  });
}

/** Returns the number of series in the response that have a value. */
async function ask({ url }: PrometheusServer, expr: string): Promise<number> {
  const query = expr.replaceAll(WINDOW, '1m');
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
  const { status, error, data } = (await response.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  if (status !== 'success') throw new Error(`${expr}: ${String(error)}`);
  return data.result.filter(({ value: [, value] }) => value !== 'NaN').length;
}

/** Reads again if the app has closed the connection of an earlier request at the moment at which it was used again. */
function readMetrics(url: string): Promise<string> {
  return eventually(async () => (await fetch(url)).text());
}
