import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCli } from './use-cli.ts';

const MODEL_KEY = 'key-of-the-provider-4711';
const TOKEN = 'token-of-a-receiver-4711';
const TOPIC = 'topic-of-a-phone-4711';
const SECRETS = { MODEL_KEY, TOKEN, TOPIC };
/** Rule that names a workflow that is defined in another file and created at the same time. */
const ASKED_RULE =
  "{ id: asked, match: { tools: ['local/ask_*'] }, action: require_approval, workflow: applied-changes }";
const FILES = {
  'one.yaml': `
kind: flow
name: applied-review
spec:
  prompt_template: Review the change.
  agent_type: builtin
  ai_model_id: \${ID:model/applied-fast}
  trigger: webhook
  webhook_config: { source: github, signing_secrets: ['\${ENV:TOKEN}'] }
  schedule_config: { interval_seconds: 900 }
  timeout_seconds: 600
---
kind: flow
name: applied-shell
spec:
  prompt_template: Say hello.
  agent_type: command
  agent_config: { command: echo hello }
  git_clone_config: { repository_url: 'https://ada:\${ENV:TOKEN}@git.example.com/shop.git', depth: 1 }
  network_allow: [example.com, api.example.com]
  network_secrets: [{ host: api.example.com, header: authorization, value: 'Bearer {{secret.SHOP}}' }]
  evidence: { enabled: true, paths: [report.json] }
  is_enabled: false
---
kind: budget
name: of-the-flow
spec: { scope: flow, scope_id: '\${ID:flow/applied-review}', period: monthly, limit_amount: 12.5, thresholds_percent: [50, 80] }
---
kind: budget
name: of-the-model
spec: { scope: account, model_alias: applied-fast, period: daily, limit_amount: 100, hard: false }
---
kind: policy
name: main
spec:
  version: '1'
  rules:
    - { id: no-drop, match: { tools: ['local/drop_*'] }, action: deny }
    - ${ASKED_RULE}
  defaults: { action: allow }
`,
  'two.json': JSON.stringify({
    kind: 'workflow',
    name: 'applied-changes',
    spec: {
      approver_roles: ['owner', 'admin'],
      quorum: 1,
      approval_config: { webhook_url: 'https://receiver.example.com/${ENV:TOKEN}' },
      channel_configs: [{ kind: 'slack', url: 'https://hooks.slack.com/services/${ENV:TOKEN}' }],
    },
  }),
  'three.yml': `
kind: model
name: applied-slow
spec: { provider: openai, model_identifier: gpt-5, prices: { input_per_mtok_usd: 3, output_per_mtok_usd: 15 } }
---
kind: model
name: applied-fast
spec:
  provider: openai
  model_identifier: gpt-5-mini
  api_key: \${ENV:MODEL_KEY}
  fallback_model_ids: ['\${ID:model/applied-slow}']
---
kind: tool-server
name: applied-tools
spec: { url: 'https://tools.example.com/mcp', headers: { Authorization: 'Bearer \${ENV:TOKEN}' }, enabled: false }
---
kind: endpoint
name: applied receiver
spec:
  url: https://hooks.example.com/steward/\${ENV:TOKEN}
  event_types: [session.ended, approval.created]
  active: false
---
kind: channel
name: applied phone
spec:
  kind: ntfy
  url: https://ntfy.example.com/\${ENV:TOPIC}
  token: \${ENV:TOKEN}
  notices: [approval.created, webhook.endpoint_failing]
  active: false
`,
};
const KEYS = [
  ...['model/applied-slow', 'model/applied-fast', 'tool-server/applied-tools', 'workflow/applied-changes'],
  ...[
    'endpoint/applied receiver',
    'channel/applied phone',
    'policy/main',
    'flow/applied-review',
    'budget/of-the-flow',
    'budget/of-the-model',
  ],
  'flow/applied-shell',
];

describe('steward apply', () => {
  const tests = useCli();
  const run = (command: string, ...flags: string[]) =>
    tests.cli.run([command, '-f', folder(), ...flags], { env: SECRETS });
  const folder = (): string => join(tests.home, 'files');
  const write = (name: keyof typeof FILES, change: (text: string) => string = (text) => text): void => {
    tests.file(join('..', 'files', name), change(FILES[name]));
  };

  it('creates the resources in the files, updates those that differ, and then changes nothing', async () => {
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) write(name);
    const planned = await run('plan', '--json');
    expect([planned.code, planned.stderr]).toEqual([2, '']);
    const { changes } = JSON.parse(planned.stdout) as { changes: { key: string; fields: { field: string }[] }[] };
    expect(changes.map(({ key }) => key).sort()).toEqual([...KEYS].sort());
    expect(changes.find(({ key }) => key === 'policy/main')?.fields.map(({ field }) => field)).toContain(
      'rules/asked/workflow',
    );
    const secretsFile = join(tests.home, 'secrets');
    const applied = await run('apply', '--secrets-file', secretsFile);
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining('flow/applied-shell: created')]);
    expect(
      readFileSync(secretsFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { key: string }).key),
    ).toEqual(expect.arrayContaining(['endpoint/applied receiver', 'flow/applied-review']));
    // The files cover every kind: a second plan finds no changes, and a second apply makes none.
    const again = await run('plan');
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^0 to create, 0 to change, 0 to replace, 0 to delete, 11 unchanged/),
    ]);
    expect((await run('apply')).stdout).toBe(again.stdout);
    const state = readFileSync(join(folder(), '.steward-state.json'), 'utf8');
    for (const printed of [planned.stdout, applied.stdout, applied.stderr, state])
      for (const secret of Object.values(SECRETS)) expect(printed).not.toContain(secret);

    write('one.yaml', (text) => text.replace('timeout_seconds: 600', 'timeout_seconds: 700').replace('12.5', '20'));
    write('three.yml', (text) => text.replace('approval.created', 'approval.decided'));
    const changed = await run('plan');
    expect([changed.code, changed.stdout.split('\n').slice(0, -2)]).toEqual([
      2,
      [
        '~ endpoint/applied receiver',
        '    event_types: ["session.ended","approval.created"] -> ["session.ended","approval.decided"]',
        '~ flow/applied-review',
        '    timeout_seconds: 600 -> 700',
        '~ budget/of-the-flow',
        '    limit_amount: 12.5 -> 20',
      ],
    ]);
    expect((await run('apply')).code).toBe(0);
    expect((await run('plan')).code).toBe(0);
  });

  it('prints a change that was made on the service, and reverts it', async () => {
    const { body } = await tests.api.call('GET', '/api/v1/flows?query=applied-review');
    const [flow] = body.items as unknown as { id: string }[];
    await tests.api.call('PATCH', `/api/v1/flows/${flow?.id}`, { body: { prompt_template: 'Other.' } });
    const drifted = await run('plan');
    expect([drifted.code, drifted.stdout]).toEqual([
      2,
      expect.stringContaining(
        '    prompt_template: "Other." -> "Review the change."   (changed in the service since the last apply)',
      ),
    ]);
    expect((await run('apply')).code).toBe(0);
    expect((await run('plan')).code).toBe(0);
  });

  it('sends a secret again only if it has changed', async () => {
    const other = await tests.cli.run(['plan', '-f', folder()], { env: { ...SECRETS, MODEL_KEY: 'another-key-4711' } });
    expect([other.code, other.stdout]).toEqual([
      2,
      expect.stringMatching(/^~ model\/applied-fast\n {4}api_key: \(secret\)\n1?/),
    ]);
    const missing = await tests.cli.run(['plan', '-f', folder()], { env: { TOKEN, TOPIC } });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(
        /three\.yml, document 2 \(model\/applied-fast\): spec\.api_key: the environment variable MODEL_KEY is not set/,
      ),
    ]);
  });

  it('replaces a budget if fields that cannot be updated differ, and names document and field if the service refuses one', async () => {
    write('one.yaml', (text) =>
      text.replace('timeout_seconds: 600', 'timeout_seconds: 700').replace('period: daily', 'period: weekly'),
    );
    const planned = await run('plan');
    expect([planned.code, planned.stdout]).toEqual([2, expect.stringContaining('± budget/of-the-model')]);
    const unasked = await run('apply');
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('confirm with --yes')]);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('plan')).code).toBe(0);
    write('one.yaml', (text) => text.replace('timeout_seconds: 600', 'timeout_seconds: 7'));
    const refused = await run('apply', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/one\.yaml, document 1 \(flow\/applied-review\): .*timeout_seconds/),
    ]);
  });

  it('deletes only resources that it created and that are no longer in any document', async () => {
    await tests.api.call('POST', '/api/v1/flows', {
      body: { name: 'by-hand', prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
    });
    writeFileSync(join(folder(), 'two.json'), '{"kind":"flow","name":"by-hand","spec":{"timeout_seconds":900}}');
    write('one.yaml', (text) => text.slice(text.indexOf('kind: policy')).replace(`    - ${ASKED_RULE}\n`, ''));
    expect((await run('apply')).code).toBe(0);
    writeFileSync(join(folder(), 'two.json'), '');
    write('three.yml', (text) => text.slice(0, text.indexOf('---')));
    const kept = await run('plan');
    expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining('--prune would delete: ')]);
    const pruned = await run('plan', '--prune');
    const deleted = pruned.stdout.split('\n').filter((line) => line.startsWith('- '));
    expect(deleted.sort()).toEqual([
      ...['- budget/of-the-flow', '- budget/of-the-model', '- channel/applied phone', '- endpoint/applied receiver'],
      '- flow/applied-review',
      ...['- flow/applied-shell', '- model/applied-fast', '- tool-server/applied-tools', '- workflow/applied-changes'],
    ]);
    expect((await run('apply', '--prune', '--yes')).code).toBe(0);
    expect((await run('plan', '--prune')).code).toBe(0);
    const { body } = await tests.api.call('GET', '/api/v1/flows');
    expect((body.items as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['by-hand']);
  });

  it('accepts the output of steward export as a starting point', async () => {
    // An endpoint does not need a description, and several endpoints may have the same one.
    for (const description of ['', '', 'same', 'same']) {
      const body = { url: 'https://hooks.example.com/steward', description };
      await tests.api.call('POST', '/api/v1/event-webhooks/endpoints', { body });
    }
    const channel = { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x', description: 'room' };
    await tests.api.call('POST', '/api/v1/notice-channels', { body: channel });
    const exported = await tests.cli.run(['export']);
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('kind: policy')]);
    // The address of a channel is a credential.
    expect(exported.stdout).toContain('kind: slack\n  url: ${ENV:CHANNEL_ROOM_URL}');
    tests.file('exported.yaml', exported.stdout);
    const path = join(tests.home, 'work/exported.yaml');
    const state = ['--state', join(tests.home, 'new-state.json')];
    const planned = await tests.cli.run(['plan', '-f', path, ...state], { env: { CHANNEL_ROOM_URL: channel.url } });
    expect([planned.code, planned.stderr, planned.stdout]).toEqual([
      ...[0, '', expect.stringContaining('0 to create, 0 to change')],
    ]);
  });
});
