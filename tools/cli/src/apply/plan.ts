import type { ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { compareFields, listKept, type FieldChange } from './compare-fields.ts';
import { isKind, KIND, KINDS, type KindName } from './kinds.ts';
import { orderDocuments } from './order-documents.ts';
import { comparePolicy, readPolicy } from './policy-document.ts';
import type { Document } from './read-documents.ts';
import { findItem, readExisting, type Existing, type Item } from './read-existing.ts';
import { listReferences, resolveEnvironment, resolveIds } from './references.ts';
import type { AppliedObject, State } from './state-file.ts';

export interface Step {
  readonly action: 'create' | 'update' | 'replace' | 'none' | 'delete';
  readonly key: string;
  readonly kind: KindName;
  /** Document of the step; undefined for a deletion. */
  readonly document?: Document;
  /** Fields of the document, with values from the environment inserted, but with unresolved references. */
  readonly desired: Readonly<Record<string, unknown>>;
  readonly current?: Item | undefined;
  readonly changes: readonly FieldChange[];
  /** Fields that the document no longer contains and that keep their values, since they have no default. */
  readonly kept?: readonly string[];
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Ids by key, of existing objects and of users. */
  readonly ids: Map<string, string>;
  /** Keys of objects that an apply created and that no document describes anymore. */
  readonly leftOver: readonly string[];
}

export interface PlanInput {
  readonly documents: readonly Document[];
  readonly state: State;
  readonly prunes: boolean;
}

/** Compares documents with the state of the service, without changing anything. */
export async function makePlan(context: CliContext, client: ApiClient, input: PlanInput): Promise<Plan> {
  const { documents, state, prunes } = input;
  const ordered = orderDocuments(documents);
  const references = ordered.flatMap(listReferences);
  const leftOver = Object.keys(state.objects).filter((key) => !documents.some((document) => document.key === key));
  const existing = await readExisting(
    client,
    listKinds(ordered, references, prunes ? leftOver : []),
    needsUsers(references),
  );
  const ids = new Map([...existing.users].map(([name, id]) => [`user/${name}`, id]));
  const steps: Step[] = [];
  for (const document of ordered)
    steps.push(await planDocument(context, client, { document, existing, ids, state, ordered, steps }));
  const removed = prunes ? planDeletions(leftOver, existing, state) : [];
  return {
    steps: [...steps, ...removed],
    ids,
    leftOver: prunes ? [] : leftOver.filter((key) => state.objects[key]?.made),
  };
}

const needsUsers = (references: readonly string[]): boolean => references.some((key) => key.startsWith('user/'));

function listKinds(documents: readonly Document[], ...keys: (readonly string[])[]): Set<KindName> {
  const named = keys.flat().map((key) => key.split('/')[0]);
  return new Set([...documents.map(({ kind }) => kind), ...named.filter(isKind)]);
}

interface Planning {
  readonly document: Document;
  readonly existing: Existing;
  readonly ids: Map<string, string>;
  readonly state: State;
  readonly ordered: readonly Document[];
  /** Steps that precede the document. */
  readonly steps: readonly Step[];
}

async function planDocument(context: CliContext, client: ApiClient, planning: Planning): Promise<Step> {
  const { document, existing, ids, state, steps } = planning;
  checkReferences(planning);
  const { key, kind, spec } = document;
  const desired = resolveIds(resolveEnvironment(document, context.env, context.output), (name) => ids.get(name));
  if (kind === 'policy') {
    const made = steps.filter(({ kind: other, action }) => other === 'workflow' && action === 'create');
    const planned = new Set(made.flatMap(({ document: workflow }) => workflow?.name ?? []));
    const current = await readPolicy(client);
    const changes = await comparePolicy(client, { document, desired }, planned);
    return { action: changes.length === 0 ? 'none' : 'update', key, kind, document, desired, current, changes };
  }
  const stored = state.objects[key];
  const current = findItem(existing, document, desired);
  const former = current ?? findFormer(existing, document, stored);
  if (former === undefined) {
    const compared = { kind: KIND[kind], spec, desired, current: {}, stored: undefined, salt: state.salt };
    return { action: 'create', key, kind, document, desired, changes: compareFields(compared) };
  }
  ids.set(key, former.id);
  const known = stored?.id === former.id ? stored : undefined;
  const compared = { kind: KIND[kind], spec, desired, current: former, stored: known, salt: state.salt };
  const changes = compareFields(compared);
  const fixed = changes.find(({ field }) => KIND[kind].fixed?.includes(field) === true);
  if (fixed !== undefined && known?.made !== true)
    throw refuse(
      `${document.where}: spec.${fixed.field} cannot be changed after creation, and "steward apply" replaces only objects that it created: delete this ${kind} first.`,
    );
  const action = changes.length === 0 ? 'none' : fixed === undefined ? 'update' : 'replace';
  return { action, key, kind, document, desired, current: former, changes, kept: listKept(compared) };
}

/** Finds the object that the last apply created under this name: its identifying fields may have changed since then. */
function findFormer({ items }: Existing, { kind }: Document, stored: AppliedObject | undefined): Item | undefined {
  if (kind === 'policy' || KIND[kind].nameField !== undefined) return undefined;
  return items.get(kind)?.find(({ id }) => id === stored?.id);
}

/**
 * Checks the references of a document. References to other documents are replaced by ids once their objects have been
 * created; references to objects that no document describes are looked up.
 */
function checkReferences({ document, existing, ids, ordered }: Planning): void {
  for (const reference of listReferences(document)) {
    if (ids.has(reference) || ordered.some(({ key }) => key === reference)) continue;
    const [kind = '', ...rest] = reference.split('/');
    const name = rest.join('/');
    const item = isKind(kind) ? findItem(existing, { kind, name, where: document.where }, {}) : undefined;
    if (item === undefined || (isKind(kind) && kind === 'policy'))
      throw refuse(`${document.where}: the document refers to ${reference}, which does not exist.`);
    ids.set(reference, item.id);
  }
}

function planDeletions(leftOver: readonly string[], { items }: Existing, state: State): Step[] {
  const steps = leftOver.flatMap((key): Step[] => {
    const [kind] = key.split('/');
    const stored = state.objects[key];
    if (!isKind(kind) || kind === 'policy' || stored?.made !== true) return [];
    const current = items.get(kind)?.find(({ id }) => id === stored.id);
    return current === undefined ? [] : [{ action: 'delete', key, kind, current, desired: {}, changes: [] }];
  });
  return steps.sort((one, other) => KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind));
}
