import fc from 'fast-check';
import type { RuntimeSession } from '../../sessions/runtime-session.ts';
import { toSessionContent } from '../store/session-content.store.ts';
import type { SessionContent } from '../session-content.ts';
import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import { buildContentRow } from './content-row.ts';
import { buildStoredSource, buildSummarySource } from './chunk-source.ts';
import { renderEntry } from './render-entry.ts';
import { toStorableEntry } from './storable-entry.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const session: RuntimeSession = {
  id: 'session',
  accountId: 'account',
  sessionSourceType: 'ci',
  sessionSourceId: 'run',
  sessionReference: null,
  runtimePrincipalType: 'managed_agent',
  runtimePrincipalId: 'bot',
  runtimePrincipalName: null,
  principalVerified: false,
  flowId: 'flow',
  executionId: null,
  apiKeyId: 'opener',
  title: 'Title',
  titleOrigin: 'client',
  titleHint: null,
  isHintCopied: false,
  titleAskedOf: null,
  summary: null,
  labels: [],
  startedAt: new Date('2026-11-22T11:00:00.000Z'),
  lastActivityAt: now,
  endedAt: null,
  endReason: null,
  legalHold: false,
  createdAt: now,
  updatedAt: now,
};

const text = fc.string({ maxLength: 30 });
const optional = fc.option(text, { freq: 3 });
const entry: fc.Arbitrary<SessionContentEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('gateway_interaction' as const),
    modelAlias: text,
    providerName: text,
    request: fc.jsonValue(),
    response: fc.jsonValue(),
    status: optional,
    inputTokens: fc.option(fc.nat()),
    outputTokens: fc.option(fc.nat()),
  }),
  fc.record({
    kind: fc.constant('tool_call' as const),
    toolName: text,
    arguments: fc.jsonValue(),
    result: fc.option(fc.jsonValue(), { nil: undefined }),
    status: optional,
  }),
  fc.record({
    kind: fc.constant('transcript_message' as const),
    role: text,
    content: fc.jsonValue(),
    externalId: optional,
  }),
  fc.record({ kind: fc.constant('operator_note' as const), text }),
  fc.record({ kind: fc.constant('flow_log' as const), text, step: optional, level: optional }),
);

/** Returns the entry in the form in which the database returns it. */
function store(given: SessionContentEntry, captureContent: boolean): SessionContent {
  const facts = { id: 'id', accountId: 'account', sessionId: 'session', apiKeyId: 'caller', now };
  const { contentJson, ...row } = buildContentRow(toStorableEntry(given), facts, { captureContent });
  return toSessionContent({
    ...row,
    content: contentJson === null ? null : (JSON.parse(contentJson) as unknown),
    content_object: null,
    content_object_bytes: null,
    content_sha256: null,
    content_captured: contentJson !== null,
    content_size_bytes: 0,
  });
}

describe('history in search (CORP-6, CORP-7)', () => {
  it('has the same text as content indexed immediately, for every kind, captured or not', () => {
    fc.assert(
      fc.property(entry, fc.boolean(), (given, captureContent) => {
        const written = findContentKind(given.kind).toSearchText(toStorableEntry(given), { captureContent });
        const row = store(given, captureContent);
        const source = buildStoredSource(session, row);
        expect([source.text, source.redactionState]).toEqual([written.text, written.redactionState]);
      }),
    );
  });

  it('contains no word of prompt and response while capture is off (SESS-13)', () => {
    const words = fc.stringMatching(/^[a-z]{12}$/);
    fc.assert(
      fc.property(words, words, (prompt, answer) => {
        const given = { kind: 'gateway_interaction', modelAlias: 'm', providerName: 'p' } as const;
        const row = store({ ...given, request: { prompt }, response: [answer] }, false);
        expect(JSON.stringify([row, buildStoredSource(session, row)])).not.toMatch(new RegExp(`${prompt}|${answer}`));
      }),
    );
  });

  it('contains the filter values: the session’s agent and flow, and the key of the call', () => {
    const row = store({ kind: 'flow_log', text: 'x', step: 'clone', level: 'warn' }, true);
    expect(buildStoredSource(session, row)).toMatchObject({
      accountId: 'account',
      runtimeSessionId: 'session',
      runtimePrincipalId: 'bot',
      flowId: 'flow',
      apiKeyId: 'caller',
      role: 'clone',
      status: 'warn',
      sourceKind: 'flow_log',
      sourceId: 'id',
      occurredAt: now,
    });
  });

  it('has an entry for title and summary with the id and start of the session', () => {
    expect(buildSummarySource(session)).toMatchObject({
      sourceKind: 'session_summary',
      sourceId: 'session',
      occurredAt: session.startedAt,
      apiKeyId: 'opener',
      text: 'Title',
    });
  });
});

describe('text that is computed outside of the request', () => {
  it('equals the text computed within it', () => {
    fc.assert(
      fc.property(entry, fc.boolean(), (given, captureContent) => {
        const { search, titleHint } = renderEntry(given, { captureContent });
        expect(search).toMatchObject(
          findContentKind(given.kind).toSearchText(toStorableEntry(given), { captureContent }),
        );
        if (titleHint !== null) expect(titleHint.length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('is the same for an entry whose invalid characters were already replaced (API-7)', () => {
    const odd = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(odd, odd, (role, content) => {
        const given: SessionContentEntry = { kind: 'transcript_message', role, content: { [content]: content } };
        const storable = toStorableEntry(given);
        expect(toStorableEntry(storable)).toEqual(storable);
        expect(JSON.stringify(storable).isWellFormed()).toBe(true);
        expect(JSON.stringify(storable)).not.toContain('\\u0000');
        expect(renderEntry(storable, { captureContent: true })).toEqual(renderEntry(given, { captureContent: true }));
      }),
    );
  });
});
