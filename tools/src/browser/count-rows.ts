import type { Api } from '../demo/api.ts';

/** How many rows the first page of a list has. */
export async function countRows(api: Api, path: string): Promise<number> {
  const { body } = await api.call('GET', path);
  return (body.items as unknown as unknown[]).length;
}
