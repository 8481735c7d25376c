import { sql, type RawBuilder } from 'kysely';

/**
 * Returns an SQL condition that is true if one of the strings contains the searched string, ignoring case; wildcard
 * characters are taken literally.
 */
export function containsText(texts: readonly RawBuilder<unknown>[], wanted: string): RawBuilder<boolean> {
  const found = texts.map((text) => sql`strpos(lower(${text}::text), lower(${wanted}::text)) > 0`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
