export interface StatementSummary {
  /** Operation in upper case, for example "SELECT" or "COMMIT". */
  readonly operation: string;
  /** The table that the statement changes or, if it only reads, the first one that it reads; with its schema. */
  readonly collection: string | undefined;
}

const MAX_KEPT = 2000;
const KNOWN = new Set([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'WITH',
  'COMMIT',
  'ROLLBACK',
  'SET',
  'LOCK',
  'SAVEPOINT',
]);
const WRITES = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?("?[a-z_]+"?\."?[a-z_]+"?)/i;
const READS = /\bfrom\s+(?:only\s+)?("?[a-z_]+"?\."?[a-z_]+"?)/i;

const kept = new Map<string, StatementSummary>();

/**
 * Returns the operation of a statement and its table, but no other parts of its SQL, which may contain user content.
 */
export function summarizeStatement(text: string): StatementSummary {
  const known = kept.get(text);
  if (known !== undefined) return known;
  // The cache is cleared when it is full: there are few distinct SQL strings, unless code inserts values into them.
  if (kept.size >= MAX_KEPT) kept.clear();
  const summary = readSummary(text);
  kept.set(text, summary);
  return summary;
}

function readSummary(text: string): StatementSummary {
  const [first = ''] = /[a-z]+/i.exec(text) ?? [];
  const word = first.toUpperCase();
  const write = WRITES.exec(text);
  if (write !== null && word !== 'SELECT') {
    const [, verb = '', table = ''] = write;
    return { operation: verb.split(/\s/)[0]?.toUpperCase() ?? '', collection: table.replaceAll('"', '') };
  }
  const operation = word === 'WITH' ? 'SELECT' : KNOWN.has(word) ? word : 'OTHER';
  return { operation, collection: READS.exec(text)?.[1]?.replaceAll('"', '') };
}
