import type { ApiClient } from '../api/api-client.ts';
import { isShown } from './compare-fields.ts';
import { KIND, KINDS, type KindName } from './kinds.ts';
import { isObject } from './read-documents.ts';
import { readExisting, type Existing, type Item } from './read-existing.ts';
import { buildReference } from './references.ts';

export interface ExportedDocument {
  readonly kind: KindName;
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Fields of responses that no document may contain: secrets, and fields maintained by the service. */
const NOT_SENT = new Set(['webhook_secret', 'webhook_secret_hint']);

/**
 * Lists the objects of the account as documents: ids of other objects and of users as references, secrets as names of
 * the environment.
 */
export async function exportDocuments(client: ApiClient, kinds: readonly KindName[]): Promise<ExportedDocument[]> {
  const existing = await readExisting(client, new Set(KINDS), true);
  const references = listIds(existing);
  const documents: ExportedDocument[] = [];
  for (const kind of KINDS.filter((each) => kinds.includes(each))) {
    if (kind === 'policy') documents.push(...(await exportPolicy(client)));
    else
      for (const [name, item] of nameItems(kind, existing.items.get(kind) ?? []))
        documents.push({ kind, name, spec: readSpec(kind, { item, name, references }) });
  }
  return documents;
}

/**
 * Names objects as `findItem` finds them: objects without a name, and those whose name is not unique, are named by
 * their ids.
 */
function nameItems(kind: Exclude<KindName, 'policy'>, items: readonly Item[]): [string, Item][] {
  const counts = new Map<string, number>();
  const named = items.map((item): [string, Item] => [nameItem(kind, item), item]);
  for (const [name] of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map(([name, item]) => [counts.get(name) === 1 ? name : item.id, item]);
}

function nameItem(kind: Exclude<KindName, 'policy'>, item: Item): string {
  const { nameField, keyFields = [] } = KIND[kind];
  const name =
    nameField === undefined
      ? keyFields
          .map((field) => item[field])
          .filter(Boolean)
          .join(' ')
      : item[nameField];
  return typeof name === 'string' && name.trim() !== '' ? name : item.id;
}

function listIds({ items, users }: Existing): Map<string, string> {
  const references = new Map([...users].map(([name, id]) => [id, buildReference(`user/${name}`)]));
  for (const [kind, list] of items)
    for (const [name, { id }] of nameItems(kind, list)) references.set(id, buildReference(`${kind}/${name}`));
  return references;
}

interface Exporting {
  readonly item: Item;
  readonly name: string;
  readonly references: ReadonlyMap<string, string>;
}

function readSpec(kind: Exclude<KindName, 'policy'>, { item, name, references }: Exporting) {
  const { fields, hidden = {}, secret = [] } = KIND[kind];
  const spec: Record<string, unknown> = {};
  for (const field of fields) {
    const says = hidden[field];
    const value =
      says === undefined && !secret.includes(field)
        ? clean(item[field], references)
        : isShown(item[says ?? field])
          ? nameVariable(kind, name, field)
          : null;
    if (value !== null && value !== undefined) spec[field] = value;
  }
  return spec;
}

function nameVariable(kind: Exclude<KindName, 'policy'>, name: string, field: string): unknown {
  const variable = `${kind}_${name}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return kind === 'tool-server' ? { Authorization: `\${ENV:${variable}}` } : `\${ENV:${variable}}`;
}

function clean(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return references.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => clean(item, references));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => !NOT_SENT.has(key) && item !== null && item !== undefined,
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, clean(item, references)]));
}

async function exportPolicy(client: ApiClient): Promise<ExportedDocument[]> {
  const { body } = await client.call('GET', '/api/v1/policies');
  return isObject(body.document) ? [{ kind: 'policy', name: 'policy', spec: body.document }] : [];
}
