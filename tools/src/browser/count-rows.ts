import type { Api } from '../demo/api.ts';

/** Returns the number of rows on the first page of a list. */
export async function countRows(api: Api, path: string): Promise<number> {
  const { body } = await api.call('GET', path);
  return (body.items as unknown as unknown[]).length;
}
