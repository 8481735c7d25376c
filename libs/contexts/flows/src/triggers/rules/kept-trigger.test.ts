import fc from 'fast-check';
import { toStorableJson } from '@steward/text';
import type { TriggerEventDetails } from '../../schema.ts';
import type { Trigger } from '../trigger.ts';
import { buildEventDetails } from './event-details.ts';
import { answerHeldKey, nameGroup, nameKey } from './held-key.ts';
import { digest, readIdempotencyKey } from './idempotency.ts';
import { unwrapManualPayload } from './trigger-payload.ts';

const receivedAt = new Date('2026-10-01T12:00:00.123Z');
const build = (payload: object, payloadText?: string, files: { path: string; content: Buffer }[] = []) =>
  JSON.parse(
    buildEventDetails({ triggerType: 'webhook', receivedAt, payload: payload as never, payloadText, files }),
  ) as TriggerEventDetails;

describe('the stored trigger of an execution (FLOW-30)', () => {
  it('contains the payload, its time and origin, and the paths of its files', () => {
    expect(build({ a: [1] }, undefined, [{ path: 'a/b.txt', content: Buffer.from('x') }])).toEqual({
      source: 'webhook',
      type: 'webhook',
      received_at: '2026-10-01T12:00:00.123Z',
      payload: { a: [1] },
      _workspace_file_paths: ['a/b.txt'],
    });
    expect(build({})).not.toHaveProperty('_workspace_file_paths');
  });

  it('contains no file contents, in any notation', () => {
    const content = Buffer.from('the bytes of a file').toString('base64');
    for (const key of ['"content_base64"', String.raw`"content\u005fbase64"`]) {
      const text = `{"workspace_files":[{"path":"a",${key}:"${content}"}],"note":1}`;
      const details = build(JSON.parse(text) as object, text);
      expect(JSON.stringify(details)).not.toContain(content);
      expect(details.payload).toEqual({
        workspace_files: [{ path: 'a', content_base64: `[redacted: ${content.length} base64 characters]` }],
        note: 1,
      });
    }
  });

  it('is identical whether it is built from the JSON text or from the parsed payload (API-7)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
        const text = JSON.stringify(payload);
        const parsed = JSON.parse(text) as object;
        expect(build(parsed, text)).toEqual(build(parsed));
        expect(build(parsed).payload).toEqual(JSON.parse(JSON.stringify(toStorableJson(parsed))));
      }),
    );
  });
});

describe('the body of a manual trigger (FLOW-23)', () => {
  it('is never lost: an unwrapped payload becomes the payload, and everything else remains unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('payload', 'a', 'workspace_files'), fc.jsonValue()), (body) => {
        const outcome = unwrapManualPayload(body);
        if (outcome.kind === 'declared_twice') {
          expect(Object.keys(body)).toEqual(expect.arrayContaining(['payload', 'workspace_files']));
          return;
        }
        const isWrapper = Object.keys(body).join() === 'payload' && outcome.payload !== body;
        expect(outcome.payload).toBe(isWrapper ? body['payload'] : body);
      }),
    );
  });
});

describe('the idempotency key of a trigger (FLOW-26, FLOW-27)', () => {
  const held = { bodyDigest: digest('{"a":1}'), executionId: 'execution-1', status: 'RUNNING' } as const;

  it('returns the first execution for the same body, and is refused with a different one', () => {
    expect(answerHeldKey(digest('{"a":1}'), held)).toEqual({
      kind: 'deduplicated',
      execution: { id: 'execution-1', status: 'RUNNING' },
    });
    fc.assert(
      fc.property(fc.string(), (body) => {
        expect(answerHeldKey(digest(body), held).kind).toBe(body === '{"a":1}' ? 'deduplicated' : 'key_reused');
      }),
    );
  });

  it('has a different derived name for each flow', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), fc.uuid(), fc.string(), (flow, key, otherFlow, otherKey) => {
        const isSame = flow === otherFlow && key === otherKey;
        expect(nameKey(flow, digest(key)) === nameKey(otherFlow, digest(otherKey))).toBe(isSame);
      }),
    );
  });

  it('groups triggers with the same secret; a trigger without a key is separate', () => {
    const trigger = (key: string | undefined, secret: string | null) =>
      ({
        flowId: 'flow',
        secretHash: secret === null ? null : Buffer.from(secret),
        idempotency: key === undefined ? undefined : { keyDigest: digest(key), bodyDigest: digest('') },
      }) as unknown as Trigger;
    expect(nameGroup(trigger('k', 'a'))).toBe(nameGroup(trigger('k', 'a')));
    expect(nameGroup(trigger('k', 'a'))).not.toBe(nameGroup(trigger('k', 'b')));
    expect(nameGroup(trigger('k', null))).not.toBe(nameGroup(trigger('k', 'a')));
    const alone = trigger(undefined, 'a');
    expect(nameGroup(alone)).toBe(alone);
  });

  it('is the first of its headers that is not blank, in the order of the contract', () => {
    const names = ['idempotency-key', 'x-github-delivery', 'x-gitlab-event-uuid', 'webhook-id', 'x-service-event-id'];
    const headers = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.constantFrom(undefined, '', ' ', `of ${name}`)])),
    );
    fc.assert(
      fc.property(headers, (given) => {
        const first = names.find((name) => given[name] === `of ${name}`);
        const key = first === 'x-gitlab-event-uuid' ? `of ${first}:digest` : first && `of ${first}`;
        expect(readIdempotencyKey(given, () => 'digest')).toBe(key);
      }),
    );
  });
});
