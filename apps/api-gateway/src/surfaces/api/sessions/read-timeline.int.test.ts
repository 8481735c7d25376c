import { randomUUID } from 'node:crypto';
import { useSessions } from '../../../testing/session-tests.ts';

const { call, open } = useSessions();

interface Page {
  readonly items: readonly { readonly id: string; readonly content: string }[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

/** Creates a session with nine messages; returns functions that read its timeline. */
async function openWithMessages() {
  const { id } = await open();
  const messages = Array.from({ length: 9 }, (_, index) => ({ role: 'user', content: `m${index}` }));
  await call('POST', `/${id}/transcript`, { messages });
  const ask = (query: string) => call('GET', `/${id}/timeline?${query}`);
  const list = async (query: string): Promise<Page> => (await ask(query)).body as Page;
  return { id, ask, list };
}

const textsOf = ({ items }: Page) => items.map(({ content }) => content).join(' ');

describe('a timeline', () => {
  it('can be opened at any of its entries, and continues in both directions (SESS-35)', async () => {
    const { list } = await openWithMessages();
    const [, , , , fifth] = (await list('')).items;
    const middle = await list(`around=${fifth?.id}&limit=3`);
    expect(textsOf(middle)).toBe('m3 m4 m5');
    const older = await list(`order=desc&cursor=${middle.previous_cursor}`);
    expect([textsOf(older), older.next_cursor]).toEqual(['m2 m1 m0', null]);
    const newer = await list(`cursor=${middle.next_cursor}`);
    expect([textsOf(newer), newer.next_cursor, newer.previous_cursor]).toEqual(['m6 m7 m8', null, null]);
    const turned = await list(`around=${fifth?.id}&limit=3&order=desc`);
    expect(textsOf(turned)).toBe('m5 m4 m3');
    expect(textsOf(await list(`cursor=${turned.previous_cursor}`))).toBe('m6 m7 m8');
  });

  it('lists entries newest first, and only of one kind, if requested (SESS-35)', async () => {
    const { id, list } = await openWithMessages();
    await call('POST', `/${id}/tool-calls`, { tool_name: 'bash', arguments: {} });
    const page = await list('order=desc&kind=transcript_message&limit=2');
    expect(textsOf(page)).toBe('m8 m7');
    const next = await list(`order=desc&kind=transcript_message&limit=2&cursor=${page.next_cursor}`);
    expect(textsOf(next)).toBe('m6 m5');
    expect((await list('kind=tool_call')).items).toHaveLength(1);
  });

  it('refuses invalid positions (SESS-35)', async () => {
    const { ask, list } = await openWithMessages();
    const page = await list('limit=2');
    const other = await openWithMessages();
    const [foreign] = (await other.list('')).items;
    for (const unknown of [randomUUID(), foreign?.id]) expect((await ask(`around=${unknown}`)).status).toBe(404);
    const own = page.items[0]?.id;
    for (const [query, field] of [
      [`around=${own}&cursor=${page.next_cursor}`, 'around'],
      ['around=m4', 'around'],
      ['order=up', 'order'],
      ['kind=thought', 'kind'],
    ]) {
      const answer = await ask(query ?? '');
      expect([answer.status, answer.body.detail.field]).toEqual([422, field]);
    }
  });
});
