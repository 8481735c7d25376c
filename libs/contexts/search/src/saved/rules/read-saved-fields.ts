import { AppError } from '@steward/contracts';
import { toStorableText } from '@steward/text';
import { readSearchTask } from '../../answer/rules/read-search-task.ts';
import type { SavedSearchFields, SavedSearchPatch } from '../saved-search.ts';

const MAX_NAME_LENGTH = 120;

/**
 * Returns the stored form of the fields that were sent: the name without surrounding white space, query and filters as
 * a search reads them.
 * @throws invalid_request for a name that is blank or too long, and for invalid search fields
 */
export function readSavedFields(patch: SavedSearchPatch, accountId: string): Partial<SavedSearchFields> {
  const { name, query, filter } = patch;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return {
    ...(given as Partial<SavedSearchFields>),
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(query === undefined ? {} : { query: readSearchTask({ query }, accountId).query }),
    ...(filter === undefined ? {} : { filter: readSearchTask({ query: 'any', filter }, accountId).input.filter }),
  };
}

/** Returns the stored form of a name, without surrounding white space that may come from copying. */
export function cleanName(text: string): string {
  return toStorableText(text).trim();
}

function readName(text: string): string {
  const name = cleanName(text);
  const length = [...name].length;
  if (length > 0 && length <= MAX_NAME_LENGTH) return name;
  throw new AppError('invalid_request', {
    message: `"name" must have 1 to ${MAX_NAME_LENGTH} characters, not counting surrounding white space.`,
    detail: { field: 'name' },
  });
}
