import { beginTrace, newId } from '@steward/crypto';
import { transact, type Database } from '@steward/database';
import { registerAccount } from '@steward/identity';
import { appendSessionContent, upsertRuntimeSession, type SessionContentEntry } from '@steward/sessions';
import type { LookupText } from '@steward/testing';
import type { StoredCollection } from '../relevance/store-collection.ts';

const OPTIONS = { captureContent: true, indexEnabled: true, maxPendingPerAccount: 1 };
const PERSON = { username: 'lookups', email: 'lookups@bench.test', passwordHash: null, fullName: null };

/** Stores each text in a separate session, with the transaction that all content routes use. */
export async function storeTexts(database: Database, texts: readonly LookupText[]): Promise<StoredCollection> {
  const committer = { db: database.db, broker: { publishHint: () => undefined } };
  const documentOf = new Map<string, string>();
  const account = await transact(committer, (trx) => registerAccount(trx, PERSON, 'oss'));
  if (account.kind !== 'created') throw new Error(account.kind);
  const { accountId } = account.user;
  for (const text of texts) {
    const now = new Date();
    const sessionId = await transact({ ...committer, traceparent: beginTrace() }, async (trx, hints) => {
      const opened = { accountId, sessionSourceType: 'bench', sessionSourceId: newId(), now };
      const { session } = await upsertRuntimeSession(trx, hints, opened, OPTIONS);
      const content = { accountId, sessionId: session.id, entries: [buildEntry(text)], now };
      await appendSessionContent(trx, hints, content, OPTIONS);
      return session.id;
    });
    documentOf.set(sessionId, text.id);
  }
  await database.pool.query('vacuum (analyze) search.chunk');
  return { accountId, documentOf };
}

function buildEntry({ kind, text }: LookupText): SessionContentEntry {
  if (kind === 'tool_call') return { kind, toolName: 'bash', arguments: {}, result: text };
  return kind === 'operator_note' ? { kind, text } : { kind, role: 'assistant', content: text };
}
