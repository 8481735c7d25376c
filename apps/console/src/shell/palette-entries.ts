import type { Permission } from '../api/answers.ts';
import { stringifySearch } from '../search-text.ts';
import { listScreens } from './screens.ts';

export interface PaletteEntry {
  readonly name: string;
  readonly href: string;
  readonly keys?: string | undefined;
}

/** Returns the screens whose name contains the typed text, then a search for the text. */
export function listEntries(text: string, permissions: readonly Permission[], isOperator = false): PaletteEntry[] {
  const wanted = text.trim().toLowerCase();
  const screens = listScreens(permissions, isOperator)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ name, to, keys }) => ({ name, href: to, keys }));
  const search =
    wanted === '' ? [] : [{ name: `Search for ${text.trim()}`, href: `/search${stringifySearch({ q: text.trim() })}` }];
  return [...screens, ...search];
}
