import type { TriggeredFlow } from '../trigger.ts';
import { buildTrigger, type TriggerInput } from './build-trigger.ts';
import { answerHeldKey, nameGroup } from './held-key.ts';
import { digest } from './idempotency.ts';

const receivedAt = new Date('2026-01-02T03:04:05.678Z');
const flow = (webhook_config: object = {}): TriggeredFlow => ({ id: 'flow', account_id: 'account', webhook_config });
const build = (payload: object, more: Partial<TriggerInput> = {}) =>
  buildTrigger({
    flow: flow(),
    type: 'webhook',
    secretHash: Buffer.alloc(32, 1),
    audit: null,
    traceparent: '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01',
    payload: payload as TriggerInput['payload'],
    body: Buffer.from('the bytes'),
    key: undefined,
    receivedAt,
    ...more,
  });
const built = (...args: Parameters<typeof build>) => {
  const outcome = build(...args);
  if (outcome.kind !== 'built') throw new Error(outcome.message);
  return outcome.trigger;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the stored data of a trigger', () => {
  it('contains the flow, the time and the content', () => {
    const trigger = built({ a: 1 });
    expect(trigger).toMatchObject({
      flowId: 'flow',
      accountId: 'account',
      type: 'webhook',
      files: [],
      dedupeValue: null,
    });
    expect(JSON.parse(trigger.details)).toEqual({
      source: 'webhook',
      type: 'webhook',
      received_at: '2026-01-02T03:04:05.678Z',
      payload: { a: 1 },
    });
  });

  it('contains the JSON text as it was sent if nothing has to change', () => {
    const text = '{ "a":1.0, "b":"ä" }';
    expect(built({ a: 1, b: 'ä' }, { payloadText: text }).details).toContain(`"payload":${text}}`);
  });

  it.each<[string, string]>([
    ['an escape that cannot be stored as text', '{"a":"\\u0000"}'],
    ['the content of a file', '{"workspace_files":[{"path":"a","content_base64":"eA=="}]}'],
  ])('is rewritten with %s', (_what, text) => {
    const trigger = built(JSON.parse(text) as object, { payloadText: text });
    expect(trigger.details).not.toContain(text);
    expect(trigger.details).not.toContain('eA==');
    expect(JSON.parse(trigger.details)).toHaveProperty('payload');
  });

  it('contains the paths of the files, whose bytes are stored separately', () => {
    const trigger = built({ workspace_files: [{ path: './b//c.txt', content_base64: base64('hello') }] });
    expect(trigger.files).toEqual([{ path: 'b/c.txt', content: Buffer.from('hello') }]);
    expect(JSON.parse(trigger.details)).toMatchObject({ _workspace_file_paths: ['b/c.txt'] });
  });

  it.each<[string, unknown, string]>([
    ['not a list', 'a', 'invalid'],
    ['outside the workspace', [{ path: '../a', content_base64: '' }], 'invalid'],
    ['51 files', Array.from({ length: 51 }, (_, n) => ({ path: `${n}`, content_base64: '' })), 'too_large'],
  ])('is missing if its files are %s', (_what, workspace_files, kind) => {
    expect(build({ workspace_files }).kind).toBe(kind);
  });

  it('contains the value at the flow’s dedupe path, and that path', () => {
    const by = (webhook_config: object, payload: object) => {
      const { dedupePath, dedupeValue } = built(payload, { flow: flow(webhook_config) });
      return [dedupePath, dedupeValue];
    };
    expect(by({}, { pr: 'x' })).toEqual(['', null]);
    expect(by({ dedupe_path: 'pr' }, { pr: 'x' })).toEqual(['pr', 'x']);
    expect(by({ dedupe_path: 'a[0].b' }, { a: [{ b: 5 }] })).toEqual(['a[0].b', 'json:5']);
    expect(by({ dedupe_path: 'pr' }, { pr: null })).toEqual(['pr', null]);
    expect(by({ dedupe_path: 'pr' }, {})).toEqual(['pr', null]);
  });

  it('contains digests of the idempotency key and of the body, never their values', () => {
    expect(built({}).idempotency).toBeUndefined();
    expect(built({}, { key: 'k' }).idempotency).toEqual({
      keyDigest: digest('k'),
      bodyDigest: digest(Buffer.from('the bytes')),
    });
  });
});

describe('triggers with one key', () => {
  const other = { secretHash: Buffer.alloc(32, 2) };

  it('are processed together if their flow and secret are the same; triggers without a key are separate', () => {
    const name = (more: Partial<TriggerInput>) => nameGroup(built({}, { key: 'k', ...more }));
    expect(name({})).toBe(name({ body: Buffer.from('other bytes') }));
    expect(name({})).not.toBe(name({ key: 'l' }));
    expect(name({})).not.toBe(name(other));
    expect(name({})).not.toBe(name({ secretHash: null }));
    expect(name({})).not.toBe(name({ flow: { ...flow(), id: 'another' } }));
    const keyless = built({});
    expect(nameGroup(keyless)).toBe(keyless);
  });

  it('get the execution of that key, unless the key was first sent with a different body', () => {
    const held = { bodyDigest: digest('a'), executionId: 'e', status: 'RUNNING' } as const;
    expect(answerHeldKey(digest('a'), held)).toEqual({
      kind: 'deduplicated',
      execution: { id: 'e', status: 'RUNNING' },
    });
    expect(answerHeldKey(digest('b'), held)).toEqual({ kind: 'key_reused' });
  });
});
