import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { ContentObjects } from '../../objects/content-objects.ts';
import type { SessionContentRow } from '../../schema.ts';
import type { ContentError, SessionContent } from '../session-content.ts';
import { toSessionContent } from '../store/session-content.store.ts';

/** Columns that locate a body in the object store. */
export type BodyColumns = Pick<
  SessionContentRow,
  'account_id' | 'content_object' | 'content_object_bytes' | 'content_sha256' | 'content_size_bytes'
>;

/** The JSON text of a body in the object store, or the reason why the body cannot be read. */
type StoredText = { readonly kind: 'text'; readonly text: string } | { readonly kind: ContentError };

/**
 * Reads the body of a row from the object store; undefined if the row names no object. Readers of content read bodies
 * from the object store only with this function, most of them through `openContent`.
 *
 * @param objects - undefined if the process has no object store; in this case, bodies that were moved to an object
 * store are unavailable
 */
async function readStoredText(
  db: AnyDatabase,
  objects: ContentObjects | undefined,
  row: BodyColumns,
): Promise<StoredText | undefined> {
  const { content_object: key, content_object_bytes: objectBytes, content_sha256: sha256 } = row;
  if (key === null || objectBytes === null || sha256 === null) return undefined;
  if (objects === undefined) return { kind: 'unavailable' };
  const body = { accountId: row.account_id, key, objectBytes, bodyBytes: row.content_size_bytes, sha256 };
  const opened = await objects.open(db, body);
  if (opened.kind === 'opened') return { kind: 'text', text: opened.text };
  return { kind: opened.kind === 'unavailable' ? 'unavailable' : 'lost' };
}

/**
 * Reads the body of a row from the object store; undefined if the row names no object, null if the body is lost.
 * @throws AppError `unavailable` if the body cannot be read at the moment
 */
export async function requireStoredText(
  db: AnyDatabase,
  objects: ContentObjects | undefined,
  row: BodyColumns,
): Promise<string | null | undefined> {
  const stored = await readStoredText(db, objects, row);
  if (stored === undefined) return undefined;
  if (stored.kind === 'unavailable') throw refuseUnavailable();
  return stored.kind === 'text' ? stored.text : null;
}

/**
 * Returns rows with their bodies, from the database or from the object store, in their order. A body that cannot be
 * read is reported in `contentError` and never returned as an empty body.
 */
export async function openContent(
  db: AnyDatabase,
  objects: ContentObjects | undefined,
  rows: readonly SessionContentRow[],
): Promise<SessionContent[]> {
  return Promise.all(
    rows.map(async (row) => {
      const item = toSessionContent(row);
      const stored = await readStoredText(db, objects, row);
      if (stored === undefined) return item;
      if (stored.kind !== 'text') return { ...item, contentError: stored.kind };
      return { ...item, content: JSON.parse(stored.text) as unknown, contentError: null };
    }),
  );
}

/**
 * Returns rows with their bodies, without those whose bodies are lost.
 * @throws AppError `unavailable` if a body cannot be read at the moment
 */
export async function openWholeContent(
  db: AnyDatabase,
  objects: ContentObjects | undefined,
  rows: readonly SessionContentRow[],
): Promise<SessionContent[]> {
  const items = await openContent(db, objects, rows);
  requireAvailable(items);
  return items.filter(({ contentError }) => contentError === null);
}

/** @throws AppError `unavailable` if the body of an item cannot be read at the moment */
export function requireAvailable(items: readonly Pick<SessionContent, 'contentError'>[]): void {
  if (items.some(({ contentError }) => contentError === 'unavailable')) throw refuseUnavailable();
}

const UNAVAILABLE = 'Content in the object store cannot be read at the moment. Try again later.';
const RETRY_SECONDS = 10;

function refuseUnavailable(): AppError {
  return new AppError('unavailable', { message: UNAVAILABLE, retryAfterSeconds: RETRY_SECONDS });
}
