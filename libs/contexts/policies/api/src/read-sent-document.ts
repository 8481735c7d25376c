import {
  restoreChecked,
  type CheckedDocument,
  type DocumentReport,
  type DocumentWork,
  type PolicyDocument,
} from '@steward/policies';
import { listToolNames, SERVER_REQUESTS } from '@steward/tool-servers';
import { refuseDocument, type PoliciesDeps } from './policies-deps.ts';

const MOST_IN_LINES = 32 * 1024;

/**
 * Checks a document as sent, and compares its patterns with the tools of the account's servers.
 * @throws invalid_policy, rate_limited, unavailable
 */
export async function checkSent(
  { db, documents }: Pick<PoliciesDeps, 'db' | 'documents'>,
  accountId: string,
  text: string,
): Promise<CheckedDocument> {
  const servers = await listToolNames(db, accountId);
  const tools = servers.map(({ server, names }) => ({ server, names: [...names, ...SERVER_REQUESTS] }));
  return restoreChecked(await documents.check(accountId, { text, tools }));
}

/**
 * Checks a document within a JSON body, as a string or as an object, and tests it on a call if one is given.
 * @throws invalid_policy, rate_limited, unavailable
 */
export async function readSentDocument(
  { documents }: Pick<PoliciesDeps, 'documents'>,
  accountId: string,
  sent: unknown,
  facts?: DocumentWork['facts'],
): Promise<DocumentReport & { readonly document: PolicyDocument }> {
  const text = typeof sent === 'string' ? sent : writeText(sent);
  const report = await documents.check(accountId, facts === undefined ? { text } : { text, facts });
  const { document, errors, warnings } = report;
  if (document === undefined) throw refuseDocument(errors, warnings);
  return { ...report, document };
}

/**
 * Returns an object as JSON on several lines, so that an error has a useful line number; large documents are left on
 * one line, because the indentation of deep lists would make them a hundred times as large.
 */
function writeText(sent: unknown): string {
  const text = JSON.stringify(sent);
  return text.length > MOST_IN_LINES ? text : JSON.stringify(sent, null, 2);
}
