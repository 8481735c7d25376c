import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@steward/local-servers';
import { releaseAfterAll, scaleLimit } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { listBlocks } from './documented-commands.ts';
import { registerOwner } from './register-owner.ts';
import { findSharedSuite, type SharedSuite } from './shared-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const run = promisify(execFile);
const TSC = resolve(WORKSPACE_ROOT, 'node_modules/typescript/bin/tsc');
const release = releaseAfterAll();
let suite: SharedSuite;
let apiKey: string;
let folder: string;

beforeAll(async () => {
  suite = await findSharedSuite();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-sdk-')));
  release(() => rmSync(folder, { recursive: true, force: true }));
  const { api } = await registerOwner(suite.api, 'programmer');
  apiKey = String((await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'sdk' } })).body.key);
}, START_TIMEOUT_MS);

const findProgram = (language: string): string => {
  const programs = listBlocks().filter((block) => block.page === 'docs/use/sdk.md' && block.language === language);
  const [first] = programs;
  if (first === undefined) throw new Error(`docs/use/sdk.md has no program in ${language}`);
  return first.text;
};

/** Counts the lines that a person would type. */
const countLines = (program: string): number => program.split('\n').filter((line) => line !== '').length;

async function expectChecksum(name: string): Promise<void> {
  const [archive, checksum] = await Promise.all(
    [name, `${name}.sha256`].map((file) => fetch(`${suite.url}/sdk/${file}`)),
  );
  const bytes = new Uint8Array((await archive?.arrayBuffer()) ?? new ArrayBuffer());
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(await checksum?.text()).toBe(`${digest}  ${name}\n`);
}

/** Returns the program in the guide with the addresses of this run. */
async function pointToSuite(program: string): Promise<string> {
  const port = await findFreePort();
  return program
    .replaceAll('http://127.0.0.1:8000', suite.url)
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`)
    .replaceAll(/(listen\(|"127\.0\.0\.1", )9000/g, `$1${port}`);
}

describe('the TypeScript SDK served by the service', () => {
  it('has the published checksum', () => expectChecksum('steward-sdk.tgz'));

  it('is installed in an empty folder, without dependencies', async () => {
    const options = ['--no-audit', '--no-fund', '--offline=false', '--cache', join(folder, '.npm')];
    await run('npm', ['install', ...options, `${suite.url}/sdk/steward-sdk.tgz`], { cwd: folder });
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string }>;
    };
    expect(Object.keys(packages)).toEqual(['', 'node_modules/@steward/sdk']);
    const { version } = JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(packages['node_modules/@steward/sdk']?.version).toBe(version);
  });

  it('runs the program of the guide: a session is stored, found, and its webhook verified', async () => {
    const program = findProgram('ts');
    expect(countLines(program)).toBeLessThanOrEqual(15);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'first.ts'), await pointToSuite(program));
    const env = { ...process.env, STEWARD_API_KEY: apiKey };
    const { stdout } = await run(process.execPath, ['first.ts'], { cwd: folder, env, timeout: scaleLimit(120_000) });
    expect(stdout.trim().split('\n')).toEqual(['found run-1', 'received session.ended']);
  });

  it('has types that a strict compiler accepts and that detect a missing field', async () => {
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
    const types = ['--typeRoots', resolve(WORKSPACE_ROOT, 'node_modules/@types'), '--types', 'node'];
    const wrong = `import { Steward } from '@steward/sdk';
      void new Steward({ baseUrl: '' }).openSession({ session_source_type: 'agent' });`;
    writeFileSync(join(folder, 'wrong.ts'), wrong);
    const compiled = await run(process.execPath, [TSC, ...options, ...types, 'first.ts', 'wrong.ts'], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string }) => error.stdout,
    );
    expect(
      compiled
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith(' ')),
    ).toEqual([expect.stringContaining('wrong.ts(2,53): error TS2345')]);
    expect(compiled).toContain('session_source_id');
  });
});

describe('the Python SDK served by the service', () => {
  it('has the published checksum', () => expectChecksum('steward-sdk.tar.gz'));

  it('is installed by pip without other packages, and runs the program of the guide, if Python is available', async () => {
    if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return;
    const place = join(folder, 'python');
    const options = ['--no-index', '--no-cache-dir', '--disable-pip-version-check', '--quiet', '--target', place];
    // An operating system may forbid pip to install packages globally, but not in a virtual environment.
    const env = { ...process.env, PIP_BREAK_SYSTEM_PACKAGES: '1', STEWARD_API_KEY: apiKey, PYTHONPATH: place };
    await run('python3', ['-m', 'pip', 'install', ...options, `${suite.url}/sdk/steward-sdk.tar.gz`], { env });
    const program = await pointToSuite(findProgram('python'));
    writeFileSync(join(folder, 'first.py'), program.replaceAll('run-1', 'run-2'));
    const { stdout } = await run('python3', ['-u', 'first.py'], { cwd: folder, env, timeout: scaleLimit(120_000) });
    const lines = stdout.trim().split('\n');
    expect(lines).toContain('found run-2');
    expect(lines.at(-1)).toBe('received session.ended');
  });
});
