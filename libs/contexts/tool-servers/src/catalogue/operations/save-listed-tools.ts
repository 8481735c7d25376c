import type { AnyTransaction } from '@steward/database';
import type { AcceptedDefinitions } from '../rules/take-definitions.ts';
import { saveAnswer } from '../store/target.store.ts';
import { noteChange, replaceTools } from '../store/tool.store.ts';
import type { ServerTarget } from '../tool.ts';

/**
 * Stores the listed tools of a server (MCP-6); stores nothing if the server's address, headers or login have changed
 * since the request, or the server has been deleted.
 */
export async function saveListedTools(
  trx: AnyTransaction,
  target: ServerTarget,
  { definitions, now }: { readonly definitions: AcceptedDefinitions; readonly now: Date },
): Promise<void> {
  const { taken, fault } = definitions;
  // The server is saved first, so that two refreshes of one server are serialized.
  if (!(await saveAnswer(trx, target, { status: 'ok', lastError: fault, now }))) return;
  if (await replaceTools(trx, target, { taken, now })) await noteChange(trx, target);
}
