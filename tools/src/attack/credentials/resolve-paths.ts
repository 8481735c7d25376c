import { randomUUID } from 'node:crypto';
import type { Api } from '../../demo/api.ts';
import type { NamedIds } from '../fill-account.ts';
import type { Operation } from './read-operations.ts';

type Item = Readonly<Record<string, unknown>>;

export interface ResolvedPath {
  readonly path: string;
  /** True if each parameter identifies an existing object. */
  readonly isReal: boolean;
}

/**
 * Creates a function that replaces path parameters with values of one account: from its lists, from `named`, and
 * otherwise with an unknown id. The list of a parameter is at the path before it; the newest item is used.
 */
export function createPathResolver(api: Api, named: NamedIds): (operation: Operation) => Promise<ResolvedPath> {
  const lists = new Map<string, Promise<Item | undefined>>();
  const readNewest = async (path: string): Promise<Item | undefined> => {
    const { status, body } = await api.call('GET', path);
    return status === 200 ? (body.items as Item[] | undefined)?.[0] : undefined;
  };

  return async ({ path }) => {
    let isReal = true;
    let resolved = '';
    let template = '';
    for (const part of path.split(/(?=\/)/)) {
      const parameter = /^\/\{(\w+)\}$/.exec(part)?.[1];
      if (parameter === undefined) {
        resolved += part;
      } else {
        const value = named[`${template}${part}`] ?? named[`${template}/`] ?? (await findInList(resolved, parameter));
        if (value === undefined) isReal = false;
        resolved += `/${encodeURIComponent(value ?? randomUUID())}`;
      }
      template += part;
    }
    return { path: resolved, isReal };
  };

  async function findInList(list: string, parameter: string): Promise<string | undefined> {
    const reading = lists.get(list) ?? readNewest(list);
    lists.set(list, reading);
    const item = await reading;
    const value = item?.[parameter] ?? item?.id ?? item?.name ?? item?.version;
    return value === undefined ? undefined : String(value as string | number);
  }
}
