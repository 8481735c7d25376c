import type { InteractionEntry } from './kinds/interaction.ts';
import { buildContentRow } from './content-row.ts';
import { toStorableEntry } from './storable-entry.ts';

const now = new Date('2026-11-20T09:00:00.000Z');
const facts = { id: 'id', accountId: 'account', sessionId: 'session', apiKeyId: null, now };
const interaction: InteractionEntry = {
  kind: 'gateway_interaction',
  modelAlias: 'fast',
  providerName: 'acme',
  request: { prompt: 'canary-in' },
  response: 'canary-out',
  costUsd: 0.25,
};

describe('the row of a content item', () => {
  it('retains both bodies of an interaction', () => {
    const row = buildContentRow(interaction, facts, { captureContent: true });
    expect(JSON.parse(row.contentJson ?? '')).toEqual({ request: { prompt: 'canary-in' }, response: 'canary-out' });
  });

  it('contains no word of prompt and response in any column while capture is off', () => {
    const row = buildContentRow(interaction, facts, { captureContent: false });
    expect(JSON.stringify(row)).not.toContain('canary');
    expect(row).toMatchObject({ contentJson: null, model_alias: 'fast', cost_usd: 0.25 });
  });

  it('uses the current time for a missing time, and the given time otherwise', () => {
    const occurredAt = new Date('2020-01-01T00:00:00Z');
    expect(buildContentRow({ kind: 'flow_log', text: 'x' }, facts, { captureContent: true }).occurred_at).toBe(now);
    expect(
      buildContentRow({ kind: 'flow_log', text: 'x', occurredAt }, facts, { captureContent: true }).occurred_at,
    ).toBe(occurredAt);
  });

  it('stores unstorable characters as U+FFFD, in keys and values at any depth', () => {
    const odd = { ...interaction, request: { 'a\u0000': ['\ud800x'] }, occurredAt: now };
    const entry = toStorableEntry(odd);
    expect(entry.request).toEqual({ 'a\uFFFD': ['\uFFFDx'] });
    expect(entry.occurredAt).toBe(now);
  });
});
