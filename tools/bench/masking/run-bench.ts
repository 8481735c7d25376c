import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskCredentials } from '@steward/masking';
import { listCredentialShapes } from '@steward/testing';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';
import { printTable } from '../print-table.ts';
import { maskByFormerRules } from './former-rules.ts';

const ROUNDS = 7;
const MESSAGE_LENGTH = 4000;
const LINES = 10_000;

type Mask = (text: string) => string;
const RULES: readonly (readonly [string, Mask])[] = [
  ['former rules', maskByFormerRules],
  ['these rules', maskCredentials],
];

/**
 * Measures the throughput on ordinary text, the share of found credential shapes, and false positives in ordinary
 * lines. Needs no server.
 */
export function runBench(): Promise<void> {
  const own = readTexts(
    ['apps', 'libs', 'docs', 'tools'],
    /\.(?:ts|md)$/,
    /test|masking|credential|node_modules|out-tsc/,
  );
  const foreign = readTexts(
    ['express', 'kysely', 'pg', 'undici', 'winston', 'ajv', 'commander', 'axios'].map((name) => `node_modules/${name}`),
    /\.(?:js|d\.ts|md)$/,
    /\.min\./,
  );
  console.log('Ordinary text in messages of 4,000 characters, processor time, best of seven rounds');
  const costs = measureTogether([...own, ...foreign].join('\n'));
  printTable(
    ['', 'ms per MB', 'ratio'],
    RULES.map(([name], index) => [name, costs[index] ?? 0, (costs[index] ?? 0) / (costs[0] ?? 1)]),
  );
  console.log('\nCredentials of the table readable afterwards');
  const shapes = listCredentialShapes(11);
  printTable(
    ['', 'shapes', ...FORMS.map(([name]) => name)],
    RULES.map(([name, mask]) => [
      name,
      String(shapes.length),
      ...FORMS.map(([, wrap]) => String(shapes.filter(({ text, secret }) => mask(wrap(text)).includes(secret)).length)),
    ]),
  );
  console.log(`\nOrdinary lines hidden, of ${LINES} (at most 0.2 %)`);
  const kinds = [
    ['this repository', own],
    ['packages', foreign],
    ['build and server logs', [renderLogs()]],
  ] as const;
  printTable(
    ['lines of', 'lines', 'hidden', '%'],
    kinds.map(([name, texts]) => {
      const lines = spread(texts.flatMap((text) => text.split('\n')));
      const hidden = lines.filter((line) => maskCredentials(line) !== line).length;
      return [name, String(lines.length), String(hidden), ((hidden / lines.length) * 100).toFixed(3)];
    }),
  );
  return Promise.resolve();
}

const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ['plain', (text) => `a\n${text}\nb`],
  ['in JSON', (text) => JSON.stringify({ stdout: `a\n${text}\nb` })],
  ['twice', (text) => JSON.stringify(JSON.stringify({ stdout: `a\n${text}\nb` }))],
  ['cut', (text) => JSON.stringify({ stdout: `a\n${text}\nb and more words` }).slice(0, -9)],
];

/** Runs both rule sets one after the other within a round, so that other load on the machine affects both. */
function measureTogether(text: string): number[] {
  const messages = Array.from({ length: Math.ceil(text.length / MESSAGE_LENGTH) }, (_each, index) =>
    text.slice(index * MESSAGE_LENGTH, (index + 1) * MESSAGE_LENGTH),
  );
  const best = RULES.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, [, mask]] of RULES.entries()) {
      const before = process.cpuUsage();
      for (const message of messages) mask(message);
      const { user, system } = process.cpuUsage(before);
      best[index] = Math.min(best[index] ?? 0, (user + system) / 1000 / (text.length / 1e6));
    }
  }
  return best;
}

function readTexts(folders: readonly string[], wanted: RegExp, unwanted: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(resolve(WORKSPACE_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => wanted.test(name) && !unwanted.test(name))
      .sort()
      .map((name) => readFileSync(resolve(WORKSPACE_ROOT, folder, name), 'utf8')),
  );
}

/** Selects lines from all files, not only from the first ones. */
function spread(lines: readonly string[]): string[] {
  const step = Math.max(1, lines.length / LINES);
  return Array.from({ length: Math.min(LINES, lines.length) }, (_each, index) => lines[Math.floor(index * step)] ?? '');
}

const LOG_LINES: readonly ((n: number) => string)[] = [
  (n) => `npm http fetch GET 200 https://registry.example.com/pkg-${n} ${n % 900}ms (cache hit)`,
  (n) => `PASS src/module-${n}.test.ts (${(n % 70) / 10} s)`,
  (n) => `    ✓ refuses a token that has expired (${n % 40} ms)`,
  (n) => `[INFO] Downloading from central: https://repo.example.com/org/lib/${n}/lib-${n}.jar`,
  (n) => `#${n % 30} sha256:${n.toString(16).padStart(64, 'a1b2c3d4e5f60718')} ${n % 90}.1MB / 90.2MB`,
  (n) =>
    `10.0.0.${n % 250} - - [22/Nov/2026:06:${String(n % 60).padStart(2, '0')}:00 +0000] "GET /api/items?page=${n}&sort=key HTTP/1.1" 200 ${n}`,
  (n) =>
    `{"level":"info","time":${1_700_000_000 + n},"msg":"token refreshed","request_id":"0198c3b0-0000-7000-8000-${String(n).padStart(12, '0')}","max_tokens":4096}`,
  (n) => `warning: unused variable \`secret_key_${n}\` in src/main.rs:${n}:12`,
  (n) => `commit ${(n * 7919).toString(16).padStart(40, '0')} Merge branch 'fix-password-reset-${n}'`,
  (n) =>
    `go: downloading github.com/example/auth v1.${n}.0 h1:${Buffer.from(`digest ${n} of a module of go`).toString('base64')}`,
  (n) => `  at Object.verifyPassword (/app/node_modules/auth/lib/verify.js:${n}:17)`,
  (n) => `docker run -p ${8000 + (n % 999)}:80 -v cache-${n}:/var/cache -e MODE=test image:1.${n}`,
];

function renderLogs(): string {
  return Array.from({ length: LINES }, (_each, n) => LOG_LINES[n % LOG_LINES.length]?.(n) ?? '').join('\n');
}
