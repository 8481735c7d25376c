import type { Api } from '../../src/demo/api.ts';
import type { MadeSession } from './session-files.ts';

const SESSIONS = '/api/v1/runtime-sessions';
const READERS = 8;

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

/** Returns the ids of the stored sessions, keyed by the session id that the agent uses. */
export async function listStored(api: Api): Promise<Map<string, string[]>> {
  const stored = new Map<string, string[]>();
  for await (const { id, session_source_id: sourceId } of listPages(api, SESSIONS)) {
    stored.set(String(sourceId), [...(stored.get(String(sourceId)) ?? []), String(id)]);
  }
  return stored;
}

/** Returns the differences between the files and the sessions in the service, one sentence for each. */
export async function compareStored(api: Api, made: readonly MadeSession[]): Promise<string[]> {
  const stored = await listStored(api);
  const known = new Set(made.map(({ sourceId }) => sourceId));
  const faults = [...stored.keys()].filter((sourceId) => !known.has(sourceId)).map((id) => `${id} has no file`);
  const left = made.values();
  const read = async (): Promise<void> => {
    for (const { sourceId, texts } of left) {
      const ids = stored.get(sourceId) ?? [];
      if (ids.length !== 1) faults.push(`${sourceId} is there ${ids.length} times`);
      for (const id of ids) {
        const said: string[] = [];
        for await (const { content } of listPages(api, `${SESSIONS}/${id}/timeline`)) said.push(String(content));
        if (said.join('\n') !== texts.join('\n')) faults.push(`${sourceId}: ${said.length} entries of ${texts.length}`);
      }
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return faults;
}

async function* listPages(api: Api, path: string): AsyncGenerator<Page['items'][number], void, undefined> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const given = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await api.call('GET', `${path}?limit=200${given}`);
    if (status !== 200) throw new Error(`${path} resulted in ${status}`);
    const page = body as unknown as Page;
    yield* page.items;
    cursor = page.next_cursor;
  }
}
