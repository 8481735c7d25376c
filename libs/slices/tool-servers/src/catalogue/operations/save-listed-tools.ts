import type { AnyTransaction } from '@steward/database';
import type { TakenDefinitions } from '../rules/take-definitions.ts';
import { saveAnswer } from '../store/target.store.ts';
import { noteChange, replaceTools } from '../store/tool.store.ts';
import type { ServerTarget } from '../tool.ts';

/** Keeps what a server listed (MCP-6); of one that was moved or deleted since it was asked, nothing. */
export async function saveListedTools(
  trx: AnyTransaction,
  target: ServerTarget,
  { definitions, now }: { readonly definitions: TakenDefinitions; readonly now: Date },
): Promise<void> {
  const { taken, fault } = definitions;
  // First, so that two refreshes of one server take turns.
  if (!(await saveAnswer(trx, target, { status: 'ok', lastError: fault, now }))) return;
  if (await replaceTools(trx, target, { taken, now })) await noteChange(trx, target);
}
