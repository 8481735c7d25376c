import type { ApiClient } from '../api/api-client.ts';
import { refuse } from '../exit-codes.ts';
import { matches, readObserved } from './compare-fields.ts';
import { KIND, type Kind } from './kinds.ts';
import type { Step } from './plan.ts';
import { readPolicy } from './policy-document.ts';
import { findItem, readExisting, type Item } from './read-existing.ts';
import { canonical } from './state-file.ts';

const AGAIN = 'while this command ran. Run the command again';

/**
 * Reads the object of a step once more, directly before the step, so that two applies at once do not overwrite each
 * other's changes, and do not create an object twice.
 * @throws refused if somebody else changed what the step is about to change
 */
export async function requireUnchanged(client: ApiClient, step: Step): Promise<void> {
  const { kind, document, key, current, desired, action } = step;
  const where = document?.where ?? key;
  if (kind === 'policy') {
    if ((await readPolicy(client)).version !== current?.version)
      throw refuse(`${where}: the policy was changed ${AGAIN}.`);
    return;
  }
  // An object that is to be deleted, and is gone, is as it should be.
  if (action === 'delete' || document === undefined) return;
  const existing = await readExisting(client, new Set([kind]), false);
  if (action === 'create') {
    if (findItem(existing, document, desired) !== undefined) throw refuse(`${where}: the object was created ${AGAIN}.`);
    return;
  }
  const found = existing.items.get(kind)?.find(({ id }) => id === current?.id);
  if (current === undefined || found === undefined) throw refuse(`${where}: the object was deleted ${AGAIN}.`);
  const field = findChanged(KIND[kind], step, current, found);
  if (field !== undefined) throw refuse(`${where}: spec.${field} was changed ${AGAIN}.`);
}

/**
 * Returns a field of the step that has another value than in the plan, and not the desired one. A step before this one
 * may have set a field too, for example by choosing another default.
 */
function findChanged(kind: Kind, { changes, desired }: Step, planned: Item, found: Item): string | undefined {
  return changes.find(({ field, after }) => {
    const [before, now] = [planned, found].map((item) => canonical(readObserved(kind, field, item)));
    return before !== now && !matches(desired[field] ?? after, found[field]);
  })?.field;
}
