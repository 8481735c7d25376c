import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '..');
const ROOT = resolve(PROJECT, '../..');
const DIST = resolve(ROOT, 'dist/libs/webhook-verify');
const run = (args: string[], cwd: string) => execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });

/** Source of a program that uses the package like a user who has installed it. */
const CONSUMER = `
import { isTruncated, verifyWebhook, WebhookVerificationError } from '@steward/webhook-verify';
try {
  const event = verifyWebhook('{}', { 'x-service-signature': 'none' }, 'secret');
  if (event.type === 'session.ended' && !isTruncated(event.data)) {
    const seconds: number = event.data.duration_seconds;
    console.log(seconds);
  }
} catch (error) {
  if (error instanceof WebhookVerificationError) console.log(error.code);
}
`;

describe('the built package', () => {
  let consumer: string;

  beforeAll(() => {
    run([resolve(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.publish.json'], PROJECT);
    run(['build/write-manifest.ts'], PROJECT);
    consumer = realpathSync(mkdtempSync(resolve(tmpdir(), 'webhook-verify-')));
    mkdirSync(resolve(consumer, 'node_modules/@steward'), { recursive: true });
    symlinkSync(DIST, resolve(consumer, 'node_modules/@steward/webhook-verify'));
    writeFileSync(resolve(consumer, 'package.json'), '{"type":"module"}');
    writeFileSync(resolve(consumer, 'consumer.ts'), CONSUMER);
  });

  afterAll(() => rmSync(consumer, { recursive: true, force: true }));

  it('can be used by a project that compiles against its published types', () => {
    const compiler = resolve(ROOT, 'node_modules/typescript/bin/tsc');
    // Outside this workspace there are no Node types, since a receiver's project does not need them.
    const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--strict'];
    run([compiler, ...options, 'consumer.ts'], consumer);
    expect(run(['consumer.js'], consumer).trim()).toBe('header_malformed');
    const required = "console.log(typeof require('@steward/webhook-verify').verifyWebhook)";
    expect(run(['--input-type=commonjs', '-e', required], consumer).trim()).toBe('function');
  });

  it('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(resolve(DIST, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(manifest.name).toBe('@steward/webhook-verify');
  });
});
