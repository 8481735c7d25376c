import type { OtlpSpan } from '@steward/otlp';
import { readTraces } from './read-traces.ts';
import { makeSpan, TRACE } from './testing/make-span.ts';

const read = (...given: OtlpSpan[]) => [...readTraces(given)];

describe('the session of a span (OTLP-3, OTLP-5)', () => {
  const chat = { 'gen_ai.operation.name': 'chat' };
  const sessionOf = (attributes: OtlpSpan['attributes']) => read(makeSpan({ ...chat, ...attributes }))[0]?.session;

  it.each([
    'gen_ai.conversation.id',
    'session.id',
    'traceloop.association.properties.session_id',
    'traceloop.association.properties.thread_id',
    'langfuse.session.id',
    'ai.telemetry.metadata.sessionId',
  ])('is named by the attribute %s', (name) => {
    expect(sessionOf({ [name]: 'talk-1' })).toMatchObject({ sourceType: 'otlp', sourceId: 'talk-1' });
  });

  it('is the session named elsewhere in its trace if it names none, and otherwise has the id of the trace', () => {
    expect(sessionOf({ metadata: '{"thread_id":"talk-2"}' })).toMatchObject({ sourceId: 'talk-2' });
    expect(sessionOf({})).toMatchObject({ sourceId: TRACE });
    const tool = makeSpan({ 'gen_ai.operation.name': 'execute_tool' });
    const other = makeSpan({ ...chat }, { traceId: 'bb'.repeat(16) });
    const items = read(tool, other, makeSpan({ ...chat, 'gen_ai.conversation.id': 'talk-3' }));
    expect(items.map(({ session }) => session.sourceId)).toEqual(['talk-3', 'talk-3', 'bb'.repeat(16)]);
  });

  it('has the first agent of its spans, and the service attributes of the program', () => {
    const resource = {
      'service.name': 'shop',
      'vcs.repository.url.full': 'https://example.com/shop',
      'vcs.ref.head.name': 'main',
      'vcs.ref.head.revision': 'c0ffee',
      'deployment.environment.name': 'test',
    };
    const items = read(
      makeSpan({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.agent.name': 'writer' }),
      makeSpan({ ...chat, 'gen_ai.request.model': 'gpt-5', 'user.id': 'ana' }, { resource }),
      makeSpan(
        { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner', 'gen_ai.agent.id': 'p-1' },
        { startNanos: 1n },
      ),
    );
    expect(items[0]?.session).toEqual({
      sourceType: 'otlp',
      sourceId: TRACE,
      agent: { id: 'p-1', name: 'planner' },
      labels: {
        ...{ service: 'shop', repo: 'https://example.com/shop', branch: 'main', commit: 'c0ffee' },
        ...{ environment: 'test', person: 'ana', agent: 'planner', model: 'gpt-5' },
      },
    });
  });
});
