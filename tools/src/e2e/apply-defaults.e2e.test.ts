import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCli } from './use-cli.ts';

const SECRETS = { MODEL_KEY: 'key-of-the-provider-4711', TOKEN: 'token-of-a-receiver-4711', TOPIC: 'topic-of-a-phone' };
/** A document of each kind with fields that differ from their defaults. */
const FULL = {
  model: '{ provider: openai, model_identifier: m, api_key: "${ENV:MODEL_KEY}", max_output_tokens: 9, enabled: false }',
  'tool-server': '{ url: https://tools.example.com/mcp, headers: { Authorization: "${ENV:TOKEN}" }, enabled: false }',
  workflow: '{ approver_roles: [owner], quorum: 2, expires_seconds: 60, ai_guidelines: x }',
  endpoint:
    '{ url: https://hooks.example.com/, group: g, event_types: [session.ended], keep_answers: true, active: false }',
  channel: '{ kind: ntfy, url: "https://ntfy.example.com/${ENV:TOPIC}", token: "${ENV:TOKEN}", active: false }',
  budget: '{ scope: account, period: yearly, time_zone: Europe/Berlin, limit_amount: 1, hard: false }',
  flow: '{ prompt_template: x, agent_type: command, agent_config: { command: "true", env: { A: b } }, timeout_seconds: 60 }',
};
const LESS = {
  model: '{ provider: openai, model_identifier: m }',
  'tool-server': '{ url: https://tools.example.com/mcp }',
  workflow: '{}',
  endpoint: '{ url: https://hooks.example.com/ }',
  channel: '{ kind: ntfy, url: "https://ntfy.example.com/${ENV:TOPIC}" }',
  budget: '{ scope: account, period: yearly, limit_amount: 1 }',
  flow: '{ prompt_template: x, agent_config: { command: "true" } }',
};
const DEFAULT = '   (no longer in the document: back to the default)';
const UNSET = [
  '~ model/unset',
  `    api_key: (secret) -> null${DEFAULT}`,
  `    max_output_tokens: 9 -> null${DEFAULT}`,
  `    enabled: false -> true${DEFAULT}`,
  '~ tool-server/unset',
  `    headers: (secret) -> null${DEFAULT}`,
  `    enabled: false -> true${DEFAULT}`,
  '~ workflow/unset',
  `    approver_roles: ["owner"] -> []${DEFAULT}`,
  `    quorum: 2 -> 1${DEFAULT}`,
  `    expires_seconds: 60 -> 3600${DEFAULT}`,
  `    ai_guidelines: "x" -> ""${DEFAULT}`,
  '~ endpoint/unset',
  `    group: "g" -> null${DEFAULT}`,
  `    event_types: ["session.ended"] -> []${DEFAULT}`,
  `    keep_answers: true -> false${DEFAULT}`,
  `    active: false -> true${DEFAULT}`,
  '~ channel/unset',
  `    token: (secret) -> null${DEFAULT}`,
  `    active: false -> true${DEFAULT}`,
  '± budget/unset',
  `    time_zone: "Europe/Berlin" -> "UTC"${DEFAULT}`,
  `    hard: false -> true${DEFAULT}`,
  '~ flow/unset',
  expect.stringMatching(/^ {4}agent_config: .*"env".* -> \{"command":"true"\}$/) as string,
  `    timeout_seconds: 60 -> 3600${DEFAULT}`,
];
const MINIMAL = {
  ...LESS,
  channel: '{ kind: slack, url: "https://hooks.slack.com/services/T0/B0/${ENV:TOPIC}" }',
  budget: '{ scope: account, period: hourly, limit_amount: 1 }',
  flow: '{ prompt_template: x, agent_type: builtin }',
};
/** All fields of each kind, except for those that are required. */
const FIELDS = {
  model: ['api_key', 'prices', 'max_output_tokens', 'fallback_model_ids', 'is_default', 'enabled'],
  'tool-server': ['headers', 'enabled'],
  workflow: [
    ...['description', 'approver_user_ids', 'approver_roles', 'quorum', 'expires_seconds', 'approval_wait_seconds'],
    ...['require_comment', 'allow_self_approval', 'escalate_after_seconds', 'escalation_user_ids', 'channel_configs'],
    ...['approval_config', 'email', 'is_default', 'mode', 'ai_model_id', 'ai_guidelines', 'ai_confidence_threshold'],
  ],
  endpoint: ['group', 'event_types', 'keep_answers', 'active'],
  channel: ['notices', 'token', 'active'],
  budget: [
    'scope_id',
    'model_alias',
    'time_zone',
    'currency',
    'hard',
    'unsized_calls',
    'thresholds_percent',
    'enabled',
  ],
  flow: [
    ...['agent_config', 'description', 'is_enabled', 'trigger', 'ai_model_id', 'allowed_tools', 'webhook_config'],
    ...['tracker_config', 'schedule_config', 'git_clone_config', 'setup_commands', 'timeout_seconds', 'evidence'],
    ...['reporting', 'network_allow', 'network_secrets'],
  ],
};

/** Builds a file with a document of each kind, all with the same name. */
function toDocuments(name: string, specs: Readonly<Record<string, string>>): string {
  return Object.entries(specs)
    .map(([kind, spec]) => `kind: ${kind}\nname: ${name}\nspec: ${spec}\n`)
    .join('---\n');
}

describe('steward apply, with fields that are no longer in a document', () => {
  const tests = useCli();
  /** Runs the command with a file and a state of its own. */
  const runApart = (name: string, text: string) => {
    const path = join(tests.home, `${name}.yaml`);
    writeFileSync(path, text);
    const files = ['-f', path, '--state', join(tests.home, `${name}.json`)];
    return (command: string, ...flags: string[]) => tests.cli.run([command, ...files, ...flags], { env: SECRETS });
  };
  it('returns fields that are no longer in a document to their defaults, and names those that have none', async () => {
    const runOne = runApart('unset', toDocuments('unset', FULL));
    expect((await runOne('apply')).code).toBe(0);
    writeFileSync(join(tests.home, 'unset.yaml'), toDocuments('unset', LESS));
    const planned = await runOne('plan');
    expect([planned.code, planned.stdout.split('\n').slice(0, -2)]).toEqual([2, UNSET]);
    expect(planned.stderr).toContain(
      'flow/unset: these fields are no longer in the document and keep their values, because they have no default: agent_type',
    );
    expect((await runOne('apply', '--yes')).code).toBe(0);
    const again = await runOne('plan');
    expect([again.code, again.stderr]).toEqual([0, '']);
    const { items } = (await tests.api.call('GET', '/api/v1/notice-channels')).body as unknown as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ description: 'unset', token_hint: null, active: true })]);
  });

  it('sends a token with a new address, which would otherwise remove it', async () => {
    const describe = (host: string): string =>
      toDocuments('moved', { channel: `{ kind: ntfy, url: 'https://${host}/topic', token: '\${ENV:TOKEN}' }` });
    const runOne = runApart('moved', describe('one.example.com'));
    expect((await runOne('apply')).code).toBe(0);
    writeFileSync(join(tests.home, 'moved.yaml'), describe('two.example.com'));
    expect((await runOne('apply')).code).toBe(0);
    const { items } = (await tests.api.call('GET', '/api/v1/notice-channels')).body as unknown as { items: object[] };
    expect(items[0]).toMatchObject({ description: 'moved', url: 'https://two.example.com/topic', token_hint: '4711' });
    expect((await runOne('plan')).code).toBe(0);
  });

  it('knows the defaults of the service', async () => {
    const runOne = runApart('minimal', toDocuments('minimal', MINIMAL));
    expect((await runOne('apply')).code).toBe(0);
    // An earlier document contained every field.
    const path = join(tests.home, 'minimal.json');
    const state = JSON.parse(readFileSync(path, 'utf8')) as { objects: Record<string, { fields: object }> };
    for (const [key, object] of Object.entries(state.objects)) {
      const names = FIELDS[(key.split('/')[0] ?? '') as keyof typeof FIELDS];
      const noted = Object.fromEntries(names.map((name) => [name, { applied: 'x', observed: 'x' }]));
      object.fields = { ...noted, ...object.fields };
    }
    writeFileSync(path, JSON.stringify(state));
    const planned = await runOne('plan');
    expect(planned.stdout.split('\n').slice(0, -2)).toEqual([
      // The service shows whether it sends mail, not that it is up to the deployment.
      '~ workflow/minimal',
      '    email: false -> null   (no longer in the document: back to the default)',
    ]);
  });
});
