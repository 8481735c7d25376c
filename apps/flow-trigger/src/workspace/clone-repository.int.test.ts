import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ExecutionRow, FlowFields } from '@steward/flows';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the clone of a repository', () => {
  let worker: TestWorker;
  let server: HttpReceiver;
  let scratch: string;
  let outside: string;
  let bare: string;
  beforeAll(async () => {
    worker = await startTestWorker();
    server = await startHttpReceiver();
    scratch = mkdtempSync(resolve(tmpdir(), 'steward-git-'));
    // Agents with separate users need access to the folder.
    chmodSync(scratch, 0o755);
    [outside, bare] = [resolve(scratch, 'outside'), resolve(scratch, 'bare.git')];
    const source = resolve(scratch, 'source');
    for (const folder of [outside, source]) mkdirSync(folder);
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], { cwd: source });
    };
    git('init', '-q', '-b', 'main');
    symlinkSync(outside, resolve(source, 'away'));
    symlinkSync(resolve(outside, 'target'), resolve(source, 'final'));
    symlinkSync('loop', resolve(source, 'loop'));
    mkdirSync(resolve(source, 'packages/web'), { recursive: true });
    mkdirSync(resolve(source, 'shared'));
    writeFileSync(resolve(source, 'shared/settings.txt'), 'of the repository');
    symlinkSync('../../shared', resolve(source, 'packages/web/shared'));
    symlinkSync('shared/settings.txt', resolve(source, 'settings.txt'));
    symlinkSync('.git/hooks', resolve(source, 'hooks'));
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(resolve(source, 'kept.txt'), text);
      git('add', '-A');
      git('commit', '-qm', text);
    }
    git('checkout', '-qb', 'feature/x');
    writeFileSync(resolve(source, 'kept.txt'), 'of the branch');
    git('commit', '-qam', 'four');
    git('checkout', '-q', 'main');
    git('clone', '-q', '--bare', source, bare);
  });
  afterAll(async () => {
    await worker.stop();
    await server.close();
    rmSync(scratch, { recursive: true });
  });

  const clone = async (
    config: Partial<NonNullable<FlowFields['git_clone_config']>>,
    { command = 'true', payload = {} }: { command?: string; payload?: Record<string, unknown> } = {},
  ): Promise<ExecutionRow> => {
    const flow = await worker.createFlow(command, {
      git_clone_config: { repository_url: `file://${bare}`, ...config },
    });
    return worker.waitForEnd((await worker.trigger(flow, payload)).id);
  };

  it('is made before the workspace files are written, with the requested branch and depth, in its folder (FLOW-39)', async () => {
    const whole = await clone(
      {},
      {
        command: 'cat kept.txt seeded.txt; git rev-list --count HEAD',
        payload: { workspace_files: [{ path: 'seeded.txt', content_base64: base64(' and seeded ') }] },
      },
    );
    expect([whole.status, whole.error_message]).toEqual(['SUCCEEDED', null]);
    expect(await worker.readLog(whole)).toContain('three and seeded 3');
    const part = await clone(
      { branch: 'feature/x', depth: 1, clone_path: './deep/er' },
      { command: 'cd deep/er; cat kept.txt; git rev-list --count HEAD; git branch --show-current' },
    );
    expect(part.status).toBe('SUCCEEDED');
    expect(await worker.readLog(part)).toContain('of the branch1\nfeature/x');
  });

  it.each([
    ['a folder', 'away/escaped.txt'],
    ['the file itself, which does not exist', 'final'],
    ['a loop', 'loop'],
    ['a loop in the path', 'loop/x'],
    ['the .git folder', 'hooks/post-checkout'],
  ])('cannot cause a workspace file to be written outside through a link: %s', async (_what, path) => {
    const bad = await clone({}, { payload: { workspace_files: [{ path, content_base64: base64('escaped') }] } });
    expect([bad.status, bad.failure_category]).toEqual(['FAILED', 'workspace_rejected']);
    expect(bad.error_message).toContain('symbolic link');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('can contain links that workspace files follow, if the links stay inside (FLOW-40)', async () => {
    const files = [
      { path: 'packages/web/shared/new.txt', content_base64: base64('through a folder') },
      { path: 'settings.txt', content_base64: base64('through the file') },
    ];
    const ended = await clone(
      {},
      {
        command: 'cat shared/new.txt shared/settings.txt; test -L settings.txt',
        payload: { workspace_files: files },
      },
    );
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    expect(await worker.readLog(ended)).toContain('through a folderthrough the file');
  });

  it.each([
    ['an option as the URL', { repository_url: '--upload-pack=touch ../../../outside/owned' }],
    ['a program as the transport', { repository_url: 'ext::sh -c touch% /tmp/steward-owned' }],
    ['an option as the branch', { branch: '--upload-pack=touch ../../../outside/owned' }],
    ['an option as the folder', { clone_path: '--upload-pack=touch ../../../outside/owned' }],
  ])('runs nothing for %s, even if the setting bypassed the API', async (_what, config) => {
    const ended = await clone(config);
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync('/tmp/steward-owned')).toBe(false);
    if (!('clone_path' in config)) expect(ended.failure_category).toBe('setup_failed');
  });

  it('does not write into the repository’s .git folder, even if the path bypassed the API', async () => {
    const ended = await clone({ clone_path: 'a/.Git' });
    expect([ended.failure_category, ended.error_message]).toEqual([
      'setup_failed',
      'the clone path has a .git segment',
    ]);
  });

  it('never prompts for credentials: if a server requires credentials, the clone ends immediately, and the log shows no credentials', async () => {
    server.respondWith(
      (_request, response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    );
    const url = server.url.replace('http://', 'http://robot:p%40ss-canary@');
    const ended = await clone({ repository_url: `${url}/repo.git` });
    expect([ended.failure_category, ended.error_message]).toEqual([
      'setup_failed',
      expect.stringContaining('exit code'),
    ]);
    const log = await worker.readLog(ended);
    expect(log).toContain(`cloning http://127.0.0.1:${server.port}/repo.git`);
    for (const secret of ['p%40ss-canary', 'p@ss-canary']) expect(log + ended.error_message).not.toContain(secret);
  });

  it('ends at its time limit', async () => {
    await worker.replaceWorker({ FLOW_GIT_TIMEOUT_SECONDS: '3' });
    server.respondWith(() => undefined);
    const ended = await clone({ repository_url: `${server.url}/repo.git` });
    expect([ended.failure_category, ended.error_message]).toEqual(['setup_failed', 'the git clone exceeded 3 s']);
  });

  it('is limited to the transports that the deployment allows', async () => {
    await worker.replaceWorker({ FLOW_GIT_PROTOCOLS: 'https, ssh' });
    const ended = await clone({});
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'setup_failed']);
    expect(await worker.readLog(ended)).toContain("transport 'file' not allowed");
  });
});
