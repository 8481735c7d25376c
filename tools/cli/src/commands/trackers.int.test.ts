import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const TRACKER = { id: ID, name: 'acme', kind: 'github', base_url: 'https://api.github.com', repositories: ['acme/*'] };
const LINE = `${ID}  acme  github  https://api.github.com  acme/*\n`;
const LISTED = { 'GET /trackers?limit=200': { items: [TRACKER], next_cursor: null } };
const TEMPLATES = {
  'GET /flow-templates': {
    items: [
      {
        name: 'review-change',
        title: 'Review a pull request',
        description: 'Reviews.',
        to_set: [],
        variants: [
          {
            tracker_kind: 'github',
            flow: { trigger: 'tracker', prompt_template: 'hub', webhook_config: { filter: 'true' } },
          },
          { tracker_kind: 'gitlab', flow: { trigger: 'tracker', prompt_template: 'lab' } },
        ],
      },
      {
        name: 'nightly-audit',
        title: 'Nightly audit',
        description: 'Audits.',
        to_set: ['git_clone_config.repository_url'],
        variants: [{ tracker_kind: null, flow: { trigger: 'webhook', prompt_template: 'audit' } }],
      },
    ],
  },
};
const TRIAL = {
  ok: true,
  latency_ms: 12,
  login: 'octo-bot',
  name: 'Octo Bot',
  scopes: ['repo', 'admin:repo_hook'],
  expires_at: '2027-01-01',
  repository: { name: 'acme/shop', may_read: true, may_write: true, may_manage_hooks: null },
  error: null,
};
const pending = { registration: { state: 'pending', reason: null }, repository: 'acme/shop' };

let service: HttpReceiver;
afterEach(() => service.close());

async function run(
  args: readonly string[],
  answers: Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
) {
  service = await startService(({ method, path }) => {
    const body = answers[`${method} ${path.replace('/api/v1', '')}`];
    return body === undefined ? [404, {}] : [200, body];
  });
  const out = await runHere(service.url, args, '', undefined, env).catch((error: Error) => `! ${error.message}`);
  const sent = service.requests.filter(({ method }) => method !== 'GET');
  return { out, sent: sent.map(({ path, body }) => [path, JSON.parse(body.toString() || 'null') as unknown]) };
}

describe('trackers on the command line', () => {
  it('are listed', async () => {
    expect((await run(['trackers', 'list'], LISTED)).out).toBe(LINE);
    await service.close();
    const all = { 'GET /trackers?limit=200': { items: [{ ...TRACKER, repositories: [] }], next_cursor: null } };
    expect((await run(['trackers', 'list'], all)).out).toContain('all repositories');
  });

  it('are connected with a token from the environment, which is never printed', async () => {
    const args = ['trackers', 'create', 'acme', '--kind', 'github', '--token-env', 'HUB', '--repository', 'acme/*'];
    const { out, sent } = await run(
      args,
      { 'POST /trackers': { ...TRACKER, name: 'my-hub-token' } },
      { HUB: 'my-hub-token' },
    );
    expect(sent).toEqual([
      ['/api/v1/trackers', { name: 'acme', kind: 'github', token: 'my-hub-token', repositories: ['acme/*'] }],
    ]);
    expect(out).not.toContain('my-hub-token');
    await service.close();
    expect((await run(args, {})).out).toBe('! The environment variable HUB is not set.');
  });

  it('are changed and deleted by name', async () => {
    const answers = { ...LISTED, [`PATCH /trackers/${ID}`]: TRACKER, [`DELETE /trackers/${ID}`]: {} };
    const changed = await run(['trackers', 'update', 'acme', '--base-url', 'https://hub.acme.test'], answers);
    expect(changed.sent).toEqual([[`/api/v1/trackers/${ID}`, { base_url: 'https://hub.acme.test' }]]);
    await service.close();
    expect((await run(['trackers', 'delete', 'acme'], answers)).out).toBe('deleted acme\n');
    await service.close();
    expect((await run(['trackers', 'delete', 'other'], answers)).out).toBe('! There is no tracker "other".');
  });

  it('are tested: the command prints owner and permissions of the token, or exits with 1 if it is refused', async () => {
    const path = `POST /trackers/${ID}/test`;
    const tested = await run(['trackers', 'test', 'acme', '--repository', 'acme/shop'], { ...LISTED, [path]: TRIAL });
    expect(tested).toEqual({
      out: 'token of octo-bot (Octo Bot)\nmay: repo, admin:repo_hook\nuntil 2027-01-01\nacme/shop: read yes, write yes, webhooks unknown\n',
      sent: [[`/api/v1/trackers/${ID}/test`, { repository: 'acme/shop' }]],
    });
    await service.close();
    const error = { code: 'unauthorized', message: 'GitHub responded with 401: Bad credentials.' };
    const refused = await run(['trackers', 'test', 'acme'], { ...LISTED, [path]: { ...TRIAL, ok: false, error } });
    expect(refused.out).toBe('exit 1\nrefused (unauthorized): GitHub responded with 401: Bad credentials.\n');
  });
});

describe('flows created on the command line', () => {
  const made = { 'POST /flows': { id: 'flow-1', tracker_config: pending } };

  it('can be created from a template, for the tracker', async () => {
    const args = [
      'flow',
      'create',
      'review',
      '--template',
      'review-change',
      '--tracker',
      'acme',
      '--repository',
      'acme/shop',
    ];
    const { out, sent } = await run([...args, '--model', 'large', '--event', 'pull_request.opened'], {
      ...LISTED,
      ...TEMPLATES,
      ...made,
    });
    expect(out).toBe('webhook at acme/shop: pending\nflow-1\n');
    expect(sent).toEqual([
      [
        '/api/v1/flows',
        {
          name: 'review',
          trigger: 'tracker',
          prompt_template: 'hub',
          agent_type: 'builtin',
          ai_model_id: 'large',
          webhook_config: { filter: 'true', event_types: ['pull_request.opened'] },
          tracker_config: { tracker_id: ID, repository: 'acme/shop' },
        },
      ],
    ]);
  });

  it('can be created from a document', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'flow-')), 'flow.json');
    writeFileSync(file, JSON.stringify({ prompt_template: 'x', agent_type: 'builtin', name: 'other' }));
    const { sent } = await run(
      ['flow', 'create', 'mine', '--file', file, '--disabled', '--clone', 'https://hub.acme.test/shop'],
      made,
    );
    expect(sent).toEqual([
      [
        '/api/v1/flows',
        {
          name: 'mine',
          prompt_template: 'x',
          agent_type: 'builtin',
          is_enabled: false,
          git_clone_config: { repository_url: 'https://hub.acme.test/shop' },
        },
      ],
    ]);
  });

  it('can be started by events of a host, with a secret and a prompt from files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flow-'));
    writeFileSync(join(folder, 'secret'), 'a signing secret\n');
    writeFileSync(join(folder, 'prompt'), 'Look at {{trigger_event.payload.number}}');
    const files = ['--signing-secret-file', join(folder, 'secret'), '--prompt-file', join(folder, 'prompt')];
    const more = ['--source', 'github', '--event', 'push', '--command', './look.sh', '--timeout', '900'];
    const webhook_config = { source: 'github', webhook_secret: 'flw_a-secret-of-a-test' };
    const answer = { 'POST /flows': { id: 'flow-1', webhook_config } };
    const { out, sent } = await run(['flow', 'create', 'mine', ...files, ...more, '--json'], answer);
    expect(out).not.toContain('flw_');
    expect(sent).toEqual([
      [
        '/api/v1/flows',
        {
          name: 'mine',
          prompt_template: 'Look at {{trigger_event.payload.number}}',
          agent_type: 'command',
          agent_config: { command: './look.sh' },
          trigger: 'webhook',
          webhook_config: { source: 'github', signing_secrets: ['a signing secret'], event_types: ['push'] },
          timeout_seconds: 900,
        },
      ],
    ]);
  });

  it.each<[string, string[], string]>([
    ['no template', ['--template', 'x'], '! There is no template "x". Available: review-change, nightly-audit.'],
    [
      'a template without its tracker',
      ['--template', 'review-change'],
      '! The flow of the template "review-change" starts on events from a tracker (github, gitlab): set --tracker and --repository.',
    ],
    [
      'a tracker without a repository',
      ['--template', 'review-change', '--tracker', 'acme'],
      '! --tracker needs --repository, the project whose events start the flow.',
    ],
    [
      'a tracker and a host',
      ['--tracker', 'acme', '--repository', 'acme/shop', '--source', 'github'],
      '! Set only one of --source and --tracker: the service itself creates the webhook of a tracker.',
    ],
    ['events of nobody', ['--event', 'push'], '! --event and --filter need --source or --tracker.'],
    ['a secret of nobody', ['--signing-secret-file', '/x'], '! --signing-secret-file needs --source.'],
    [
      'two agents',
      ['--command', 'x', '--model', 'y'],
      '! Set either --command or --model: the agent is either a command or the built-in agent.',
    ],
    [
      'a file that is not there',
      ['--file', '/nowhere/flow.json'],
      "! --file /nowhere/flow.json: ENOENT: no such file or directory, open '/nowhere/flow.json'",
    ],
  ])('with %s are refused, and nothing is sent', async (_what, args, message) => {
    const { out, sent } = await run(['flow', 'create', 'x', ...args], { ...LISTED, ...TEMPLATES });
    expect([out, sent]).toEqual([message, []]);
  });

  it('can be based on a listed template, and their webhook can be registered again', async () => {
    expect((await run(['flow', 'templates'], TEMPLATES)).out).toBe(
      'review-change  github, gitlab  Reviews.\nnightly-audit  no tracker  Audits.\n  to set: git_clone_config.repository_url\n',
    );
    await service.close();
    const failed = { ...pending, registration: { state: 'failed', reason: 'GitHub responded with 404.' } };
    const path = `POST /flows/${ID}/tracker-registration`;
    expect((await run(['flow', 'register', ID], { [path]: failed })).out).toBe(
      'webhook at acme/shop: failed (GitHub responded with 404.)\nexit 1\n',
    );
  });
});
