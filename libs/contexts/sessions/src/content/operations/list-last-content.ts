import type { AnyDatabase } from '@steward/database';
import type { ContentObjects } from '../../objects/content-objects.ts';
import { listLastRows, type LastContent, type LastContentRow } from '../store/last-content.store.ts';
import { requireStoredText } from './open-content.ts';

/**
 * Returns the beginnings of the last messages and tool calls in a session, oldest first. Messages and tool calls whose
 * bodies are lost are omitted.
 * @throws AppError `unavailable` if a body cannot be read at the moment
 */
export async function listLastContent(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string; readonly limit: number; readonly maxLength: number },
  objects?: ContentObjects,
): Promise<LastContent[]> {
  const rows = await listLastRows(db, key);
  const texts = await Promise.all(rows.map((row) => readText(db, objects, { row, maxLength: key.maxLength })));
  return rows.flatMap(({ kind, role, toolName }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ kind, role, toolName, text }];
  });
}

/** Returns the beginning of a body; undefined if it is lost. */
async function readText(
  db: AnyDatabase,
  objects: ContentObjects | undefined,
  { row, maxLength }: { readonly row: LastContentRow; readonly maxLength: number },
): Promise<string | undefined> {
  const text = await requireStoredText(db, objects, row);
  if (text === undefined) return row.text ?? undefined;
  // The database counts characters, whereas a JavaScript string has up to two code units per character.
  return text === null ? undefined : [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('');
}
