import { newId } from '@steward/crypto';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { findTracedSessions, type TracedContentKey } from './traced-content.store.ts';

const sessions = useSessions();
const TYPE = 'otlp';
const trace = (sign: string) => sign.repeat(32);
const find = (accountId: string, key: Partial<TracedContentKey>) =>
  findTracedSessions(sessions.db(), { accountId, sourceType: TYPE, traceIds: [], externalIds: [], ...key });
const open = (accountId: string, sessionSourceId: string, more: object = {}) =>
  sessions.openSession({ accountId, sessionSourceType: TYPE, sessionSourceId, ...more });
const span = (traceId: string, id: string) => message(id, `${traceId}:${id}`);

describe('the stored spans of a trace (OTLP-3, OTLP-4)', () => {
  it('include every entry stored before, and no other', async () => {
    const accountId = newId();
    await sessions.append(await open(accountId, 'one'), [span(trace('a'), '1'), span(trace('a'), '2')]);
    await sessions.append(await open(accountId, 'two'), [span(trace('b'), '1')]);
    const externalIds = [`${trace('a')}:1`, `${trace('b')}:1`, `${trace('a')}:9`, 'plain'];
    const { ofEntries } = await find(accountId, { externalIds });
    expect(Object.fromEntries(ofEntries)).toEqual({ [`${trace('a')}:1`]: 'one', [`${trace('b')}:1`]: 'two' });
  });

  it('belong to the oldest session of a trace, even if another one has more', async () => {
    const accountId = newId();
    const young = await open(accountId, 'young', { now: new Date(Date.now() + 1000) });
    const old = await open(accountId, 'old', { now: new Date(Date.now() - 1000) });
    await sessions.append(young, [span(trace('c'), '1'), span(trace('c'), '2')]);
    await sessions.append(old, [span(trace('c'), '3')]);
    const { ofTraces } = await find(accountId, { traceIds: [trace('c'), trace('d')] });
    expect(Object.fromEntries(ofTraces)).toEqual({ [trace('c')]: 'old' });
  });

  it('do not belong to a session named after the trace, which has the spans that arrived before another session existed', async () => {
    const accountId = newId();
    const own = await open(accountId, trace('e'));
    await sessions.append(own, [span(trace('e'), '1')]);
    const key = { traceIds: [trace('e')], externalIds: [`${trace('e')}:1`] };
    const alone = await find(accountId, key);
    expect([[...alone.ofTraces], [...alone.ofEntries.values()]]).toEqual([[], [trace('e')]]);
    await sessions.append(await open(accountId, 'named'), [span(trace('e'), '2')]);
    expect((await find(accountId, key)).ofTraces.get(trace('e'))).toBe('named');
  });

  it('are found only by the full trace id, not by a prefix', async () => {
    const accountId = newId();
    const near = `${'f'.repeat(31)}0`;
    await sessions.append(await open(accountId, 'near'), [span(near, '1'), message('x', `${trace('f')}0:1`)]);
    expect((await find(accountId, { traceIds: [trace('f'), near] })).ofTraces).toEqual(new Map([[near, 'near']]));
  });

  it('include no spans of another account or of a session of another source (API-10)', async () => {
    const accountId = newId();
    const key = { traceIds: [trace('a')], externalIds: [`${trace('a')}:1`] };
    await sessions.append(await open(accountId, 'other', { sessionSourceType: 'ci' }), [span(trace('a'), '1')]);
    await sessions.append(await open(newId(), 'foreign'), [span(trace('a'), '1')]);
    expect(await find(accountId, key)).toEqual({ ofEntries: new Map(), ofTraces: new Map() });
  });
});
