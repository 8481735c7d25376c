import type { ApiClient } from '../api/api-client.ts';
import { listAll } from '../api/list-all.ts';
import { refuse } from '../exit-codes.ts';
import { KIND, type KindName } from './kinds.ts';
import { matches } from './compare-fields.ts';
import type { Document } from './read-documents.ts';

export type Item = Readonly<Record<string, unknown>> & { readonly id: string };

/** Objects of the account, of the requested kinds. */
export interface Existing {
  readonly items: ReadonlyMap<Exclude<KindName, 'policy'>, readonly Item[]>;
  /** Ids of users by name. */
  readonly users: ReadonlyMap<string, string>;
}

export async function readExisting(
  client: ApiClient,
  kinds: ReadonlySet<KindName>,
  needsUsers: boolean,
): Promise<Existing> {
  const items = new Map<Exclude<KindName, 'policy'>, readonly Item[]>();
  for (const kind of kinds) if (kind !== 'policy') items.set(kind, await listItems(client, kind));
  const users = needsUsers ? await listAll<Item>(client, '/api/v1/users') : [];
  return { items, users: new Map(users.map((user) => [String(user.username), user.id])) };
}

async function listItems(client: ApiClient, kind: Exclude<KindName, 'policy'>): Promise<Item[]> {
  const items = await listAll<Item>(client, KIND[kind].path);
  // The endpoints of a workflow are changed together with it.
  return kind === 'endpoint' ? items.filter((item) => item.source === 'account') : items;
}

/**
 * Returns the object to which a document refers: by its name or id, or by the fields that distinguish objects of its
 * kind.
 * @throws refused if there are several
 */
export function findItem(
  { items }: Existing,
  document: Pick<Document, 'kind' | 'name' | 'where'>,
  desired: Readonly<Record<string, unknown>>,
): Item | undefined {
  if (document.kind === 'policy') return undefined;
  const { nameField, keyFields = [] } = KIND[document.kind];
  const found = (items.get(document.kind) ?? []).filter((item) =>
    nameField === undefined
      ? keyFields.every((field) => matches(desired[field], item[field]))
      : item[nameField] === document.name || item.id === document.name,
  );
  if (found.length > 1)
    throw refuse(
      `${document.where}: ${found.length} objects match this document: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return found[0];
}
