import { listLookups, readLookupTexts, type Lookup, type LookupText } from '@steward/testing';
import { SESSIONS_PATH, useSessions } from '../../../testing/session-tests.ts';

const { account, call, gateway, open } = useSessions();

/** For each kind of content, the route that stores it, and the body that contains a string. */
const WRITES: Readonly<Record<LookupText['kind'], (id: string, text: string) => [path: string, body: object]>> = {
  tool_call: (id, text) => [`${SESSIONS_PATH}/${id}/tool-calls`, { tool_name: 'bash', arguments: {}, result: text }],
  transcript_message: (id, content) => [
    `${SESSIONS_PATH}/${id}/transcript`,
    { messages: [{ role: 'assistant', content }] },
  ],
  operator_note: (id, text) => ['/api/v1/operator-notes', { runtime_session_id: id, text }],
};

describe('text of a session', () => {
  it('is found by queries as a person would type them: 200 searches over 40 texts of agents, each in a separate session', async () => {
    const texts = readLookupTexts();
    const sessionOf = new Map<string, string>();
    for (const { id, kind, text } of texts) {
      const session = await open();
      const [path, body] = WRITES[kind](session.id, text);
      const stored = await gateway().call('POST', path, { token: account().accessToken, body });
      expect([id, stored.status]).toEqual([id, 201]);
      sessionOf.set(id, session.id);
    }
    const isFound = async ({ query, textId }: Lookup): Promise<boolean> => {
      const { body } = await call('POST', '/search', { query, limit: 50 });
      const results = (body.results ?? []) as readonly { readonly runtime_session_id: string }[];
      return results.some((result) => result.runtime_session_id === sessionOf.get(textId));
    };
    const misses: Lookup[] = [];
    for (const lookup of listLookups(texts)) if (!(await isFound(lookup))) misses.push(lookup);
    // The requirement is 98 %; so far all lookups have succeeded, and this must not get worse.
    expect(misses).toEqual([]);
  });
});
