import { firstText, type Fields } from '../rules/json-access.ts';
import type { SessionNotes } from '../session-notes.ts';

const TITLES: ReadonlySet<string> = new Set(['custom-title', 'ai-title']);

/**
 * Creates a reader of the titles of a session. Each title that Claude Code writes is more precise than the previous one
 * and replaces it, unless the user has set a title.
 */
export function createTitleReader() {
  const named = new WeakSet<SessionNotes>();
  return {
    isTitle: (type: string): boolean => TITLES.has(type),
    note(notes: SessionNotes, line: Fields, type: string): void {
      const isGiven = type === 'custom-title';
      if (!isGiven && named.has(notes)) return;
      if (isGiven) named.add(notes);
      notes.title = firstText(line['customTitle'], line['aiTitle'], line['title']) ?? notes.title;
    },
  };
}
