import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createShapeWriter, DIGITS, LETTERS } from '../shape-writer.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const SOURCES = ['express', 'kysely', 'pg', 'undici', 'winston', 'eslint/node_modules/ajv', 'commander', 'axios'];
const MINIFIED = [
  'eslint/node_modules/ajv/dist/ajv.min.js',
  'axios/dist/axios.min.js',
  'async/dist/async.min.js',
  'swagger-ui-dist/swagger-ui-bundle.js',
];
const MINIFIED_LENGTH = 400;

export interface OrdinaryLines {
  readonly of: string;
  readonly lines: readonly string[];
}

/**
 * Lists 10,000 lines without a credential, the same in every clone: from packages with pinned versions, the lock file,
 * the transcript of the demo, and digests and ids from a fixed seed.
 */
export function listOrdinaryLines(): readonly OrdinaryLines[] {
  return [
    { of: 'sources and documents of packages', lines: spread(SOURCES.flatMap(readSources), 5000) },
    { of: 'minified scripts', lines: spread(MINIFIED.flatMap(readMinified), 1000) },
    { of: 'the lock file', lines: spread(readLines('package-lock.json'), 1500) },
    { of: 'a transcript of an agent', lines: spread(readLines('tools/demo/transcript.jsonl'), 250) },
    { of: 'ids, digests, images and logs', lines: renderIds(2250) },
  ];
}

function readLines(name: string): string[] {
  return readFileSync(resolve(ROOT, name), 'utf8').split('\n');
}

function readSources(name: string): string[] {
  return readdirSync(resolve(ROOT, 'node_modules', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:js|d\.ts|md)$/.test(file) && !file.includes('.min.'))
    .sort()
    .flatMap((file) => readLines(`node_modules/${name}/${file}`));
}

function readMinified(name: string): string[] {
  const text = readFileSync(resolve(ROOT, 'node_modules', name), 'utf8');
  return Array.from({ length: Math.ceil(text.length / MINIFIED_LENGTH) }, (_each, index) =>
    text.slice(index * MINIFIED_LENGTH, (index + 1) * MINIFIED_LENGTH),
  );
}

/** Picks lines evenly from the whole list instead of only the first ones; omits lines without a word. */
function spread(lines: readonly string[], count: number): string[] {
  const worded = lines.filter((line) => /\w/.test(line));
  return Array.from({ length: count }, (_each, index) => worded[Math.floor((index * worded.length) / count)] ?? '');
}

function renderIds(count: number): string[] {
  const { draw, hex, b64, digits, uuid } = createShapeWriter(5);
  const forms: readonly (() => string)[] = [
    () => uuid(),
    () => `{"id":"${uuid()}","session_id":"${uuid()}","status":"running"}`,
    () => `commit ${hex(40)}`,
    () => `${hex(8)} fix(auth): refresh the token before it expires (#${digits(3)})`,
    () => `sha256:${hex(64)}  ./dist/app-${digits(4)}.tar.gz`,
    () => `"integrity": "sha512-${b64(86)}=="`,
    () => `github.com/example/auth v1.${digits(2)}.0/go.mod h1:${b64(43)}=`,
    () => `<img src="data:image/png;base64,iVBORw0KGgo${b64(400)}">`,
    () => b64(76),
    () => b64(64),
    () => `ssh-rsa AAAAB3NzaC1yc2E${b64(340)} dana@example.com`,
    () => `etag: W/"${hex(32)}"`,
    () => `arn:aws:iam::${digits(11)}:role/app-${draw(LETTERS, 8)}`,
    () => `trace_id=${hex(32)} span_id=${hex(16)} max_tokens=${digits(3)}`,
    () => `2026-11-${draw(DIGITS, 2)}T10:00:00Z INFO request ${uuid()} took ${digits(2)} ms, cursor ${b64(60)}`,
    () => `pnpm: ${draw('abcdefghijklmnopqrstuvwxyz234567', 26)}`,
  ];
  return Array.from({ length: count }, (_each, index) => forms[index % forms.length]?.() ?? '');
}
