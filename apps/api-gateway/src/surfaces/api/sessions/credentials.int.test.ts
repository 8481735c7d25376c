import { listCredentialShapes, type CredentialShape } from '@steward/testing';
import { openSharedGateway } from '../../../testing/shared-gateway.ts';
import type { TestGateway } from '../../../testing/start-gateway.ts';

const BASE = '/api/v1/runtime-sessions';
const SHAPES = listCredentialShapes(7);
const around = (text: string): string => `marker output\n${text}\nend of marker`;

let gateway: TestGateway;
let owner: string;
let viewer: string;
const sessions = new Map<string, CredentialShape>();

const call = (method: string, path: string, token = owner, body?: unknown) =>
  gateway.call(method, path, { token, ...(body === undefined ? {} : { body }) });

beforeAll(async () => {
  gateway = await openSharedGateway();
  owner = (await gateway.registerAccount()).accessToken;
  const key = await call('POST', '/api/v1/auth/api-keys', owner, { name: 'viewer', scopes: ['view_runtime_sessions'] });
  viewer = key.body.key;
  for (const shape of SHAPES) {
    const { name, text } = shape;
    // Every other session has its own title; the others get theirs from the first message.
    const given = sessions.size % 2 === 0 ? { title: `Debug ${text}`.slice(0, 2000), summary: around(text) } : {};
    const body = { session_source_type: 'test', session_source_id: name, ...given };
    const { id } = (await call('POST', BASE, owner, body)).body;
    sessions.set(id, shape);
    const messages = [
      { role: 'user', content: `Debug ${text}` },
      { role: 'tool', content: JSON.stringify(JSON.stringify({ stdout: around(text) })) },
      { role: 'tool', content: JSON.stringify({ exit_code: 0, stdout: around(text) }).slice(0, -9) },
    ];
    await call('POST', `${BASE}/${id}/transcript`, owner, { messages });
    const result = JSON.stringify({ stdout: around(text) });
    await call('POST', `${BASE}/${id}/tool-calls`, owner, {
      tool_name: 'sh',
      arguments: JSON.stringify({ text }),
      result,
    });
  }
});
afterAll(() => gateway.close());

/**
 * Returns names of the credential formats for which the credential, or a revealing part of it, occurs in the response
 * for its session.
 */
function findShown(answers: ReadonlyMap<string, string>): string[] {
  return [...sessions].flatMap(([id, { name, secret }]) => {
    const answer = answers.get(id) ?? '';
    const from = Math.floor(secret.length / 3);
    const part = secret.slice(from, from + Math.min(12, Math.ceil(secret.length / 2)));
    return answer.includes(part) ? [name] : [];
  });
}

/** Returns the search results for every session. */
async function searchEach(query: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const id of sessions.keys()) {
    const body = { query, max_snippets_per_session: 10, filters: { session_id: id } };
    const { results } = (await call('POST', `${BASE}/search`, viewer, body)).body;
    if (results.length === 1) found.set(id, JSON.stringify(results));
  }
  return found;
}

describe('credentials in at least 159 formats in agent content', () => {
  it('occur in no search result, whatever their format (MASK-1)', async () => {
    const found = await searchEach('marker');
    expect(found.size).toBe(SHAPES.length);
    expect(findShown(found)).toEqual([]);
  });

  it('occur in no title, given or generated, for either owner or viewer (MASK-1)', async () => {
    for (const token of [owner, viewer]) {
      const answers = new Map<string, string>();
      let cursor = '';
      do {
        const page = await call('GET', `${BASE}?limit=100${cursor}`, token);
        for (const { id, title } of page.body.items) answers.set(id, title);
        cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
      } while (cursor !== '');
      expect(answers.size).toBe(SHAPES.length);
      expect([...answers.values()].every((title) => title !== null && title !== '')).toBe(true);
      expect(findShown(answers)).toEqual([]);
    }
  });

  it('are masked in a viewer’s timeline and summary; users who may write content read the original (MASK-2)', async () => {
    const seen = new Map<string, string>();
    for (const id of sessions.keys()) {
      const [timeline, session] = [
        await call('GET', `${BASE}/${id}/timeline`, viewer),
        await call('GET', `${BASE}/${id}`, viewer),
      ];
      seen.set(id, JSON.stringify([timeline.body, session.body]));
    }
    expect(findShown(seen)).toEqual([]);
    const [[id, { text }]] = [...sessions] as [[string, CredentialShape]];
    const original = await call('GET', `${BASE}/${id}/timeline`);
    expect(original.body.items[0].content).toBe(`Debug ${text}`);
  });
});
