import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_SETTINGS } from '../app-settings.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { ORDINARY_SETTINGS } from './ordinary-settings.ts';

const sources = globSync('{apps,libs,tools/src}/**/*.ts', {
  cwd: WORKSPACE_ROOT,
  exclude: (name) => /node_modules|out-tsc|\.test\.ts$/.test(name),
}).map((file) => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8'));

/** Keys of settings that are not read, but refused, so that deployments that still set them get an error. */
const READ_BY_NOTHING = ['removedModels'];

/** Prefix of the keys of a bucket's settings, which are read together. */
const BUCKET_KEY = /^(\w+S3)[A-Z]\w*$/;

function isOfReadBucket(key: string): boolean {
  const bucket = BUCKET_KEY.exec(key)?.[1];
  return bucket !== undefined && sources.some((source) => source.includes(`key: '${bucket}'`));
}

/** Returns true if a setting is read. Its key is declared in the table; any other occurrence is treated as a read. */
function isRead(key: string): boolean {
  const mentioned = new RegExp(String.raw`\b${key}\b(?!: (?:setting|\w+Settings?)\b)`);
  return isOfReadBucket(key) || sources.some((source) => mentioned.test(source));
}

const declared = new Set(
  Object.values(APP_SETTINGS).flatMap((settings) => Object.values(settings).map(({ variable }) => variable)),
);

describe('a setting', () => {
  it('for operators is declared by an app and listed once', () => {
    expect(ORDINARY_SETTINGS.filter((variable) => !declared.has(variable))).toEqual([]);
    expect(new Set(ORDINARY_SETTINGS).size).toBe(ORDINARY_SETTINGS.length);
  });

  it('that operators choose or have to set before the start is one of fifteen', () => {
    const page = readFileSync(resolve(WORKSPACE_ROOT, 'docs/operate/README.md'), 'utf8');
    const first = [...page.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, variable = '']) => variable);
    const required = ['SECRET_KEY', 'DATABASE_URL', 'NATS_URL'];
    expect(first).toHaveLength(15);
    expect(first.filter((variable) => ![...ORDINARY_SETTINGS, ...required].includes(variable))).toEqual([]);
  });

  it.each(Object.entries(APP_SETTINGS))('is read by some app: %s', (_app, settings) => {
    expect(Object.keys(settings).filter((key) => !READ_BY_NOTHING.includes(key) && !isRead(key))).toEqual([]);
  });
});
