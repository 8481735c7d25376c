import type { ApiClient } from './api-client.ts';

const PAGE_SIZE = 200;

/** Reads all pages of a list without filters. */
export async function listAll<Item>(client: ApiClient, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.call('GET', `${path}?limit=${PAGE_SIZE}${after}`);
    items.push(...(body.items as Item[]));
    cursor = body.next_cursor as string | null;
  } while (typeof cursor === 'string');
  return items;
}
