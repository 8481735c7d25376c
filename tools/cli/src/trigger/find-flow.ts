import type { ApiClient } from '../api/api-client.ts';
import { refuse } from '../exit-codes.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE = 200;

/**
 * Returns the id of the flow with this name or id.
 * @throws refused if there is none
 */
export async function findFlowId(client: ApiClient, nameOrId: string): Promise<string> {
  if (UUID.test(nameOrId)) return nameOrId;
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.call('GET', `/api/v1/flows?limit=${PAGE}${query}`);
    const page = body as unknown as { items: { id: string; name: string }[]; next_cursor: string | null };
    const found = page.items.find((flow) => flow.name === nameOrId);
    if (found !== undefined) return found.id;
    cursor = page.next_cursor;
  } while (cursor !== null);
  throw refuse(`There is no flow named "${nameOrId}". The name must match exactly.`);
}
