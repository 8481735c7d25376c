import type { AnyTransaction } from '@steward/database';
import type { ToolServerKey } from '../../servers/store/tool-server.store.ts';
import { lockTool, noteChange, saveAcceptance } from '../store/tool.store.ts';
import type { CataloguedTool } from '../tool.ts';

export type AcceptOutcome =
  | { readonly kind: 'accepted'; readonly tool: CataloguedTool }
  /** Outcome if the definition has changed again since the user saw it. */
  | { readonly kind: 'changed_again'; readonly tool: CataloguedTool }
  | { readonly kind: 'not_found' };

/**
 * Accepts the current definition of a tool.
 * @param hash - hash of the definition that the user saw; undefined to accept any definition
 */
export async function acceptTool(
  trx: AnyTransaction,
  { name, hash, ...key }: ToolServerKey & { readonly name: string; readonly hash: string | undefined },
): Promise<AcceptOutcome> {
  // The server is locked first, in the same order as in a refresh, so that this operation and a refresh cannot
  // deadlock.
  await noteChange(trx, key);
  const tool = await lockTool(trx, key, name);
  if (tool === undefined) return { kind: 'not_found' };
  if (hash !== undefined && hash !== tool.hash) return { kind: 'changed_again', tool };
  await saveAcceptance(trx, key, name);
  return { kind: 'accepted', tool: { ...tool, accepted: tool.definition, isChanged: false } };
}
