import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { IdentifiedSession } from '../search-ports.ts';
import { asksForChunks, fitsFilter } from './fits-filter.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const ID = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const OTHER = '01a1fd83-e0f6-74f3-a4d4-3894501df165';
const session: IdentifiedSession = {
  id: ID,
  sessionSourceType: 't',
  sessionSourceId: 's',
  sessionReference: null,
  title: null,
  startedAt: at(10),
  lastActivityAt: at(12),
  endedAt: null,
  flowId: ID,
  apiKeyId: null,
  runtimePrincipalId: 'Agent-7',
  labels: ['repo:api'],
};

describe('a session found by its identifier', () => {
  it.each<[string, ChunkFilter, boolean]>([
    ['nothing', {}, true],
    ['a range it was active in', { startDate: at(11), endDate: at(13) }, true],
    ['a range that begins with its last activity', { startDate: at(12) }, true],
    ['a range after it', { startDate: at(13) }, false],
    ['a range that ends when it starts', { endDate: at(10) }, false],
    ['its own id, in capitals', { sessionId: ID.toUpperCase() }, true],
    ['another session', { sessionId: OTHER }, false],
    ['its flow', { flowId: ID }, true],
    ['another flow', { flowId: OTHER }, false],
    ['a key, when it has none', { apiKeyId: ID }, false],
    ['its agent', { runtimePrincipalId: 'Agent-7' }, true],
    ['its kind of source', { sessionSourceType: 't' }, true],
    ['another kind of source', { sessionSourceType: 'T' }, false],
    ['its label', { label: 'repo:api' }, true],
    ['another label', { label: 'repo:app' }, false],
    ['an agent written otherwise', { runtimePrincipalId: 'agent-7' }, false],
  ])('is checked against %s', (_what, filter, fits) => {
    expect(fitsFilter(session, filter)).toBe(fits);
  });

  it.each(['sourceKind', 'modelAlias', 'providerName', 'role', 'status', 'toolName'] as const)(
    'is not shown when %s is requested',
    (key) => {
      expect(asksForChunks({ [key]: 'x' })).toBe(true);
    },
  );

  it('is shown regardless of the session filters', () => {
    expect(asksForChunks({ startDate: at(1), sessionId: ID, flowId: ID, apiKeyId: ID, runtimePrincipalId: 'x' })).toBe(
      false,
    );
  });
});
