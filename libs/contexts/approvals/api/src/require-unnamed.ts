import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { readPolicy } from '@steward/policies';

/**
 * Protects the name of a workflow that the policy in force refers to: if the workflow were renamed or deleted, another
 * workflow would hold the calls for which the policy names this workflow. Applying a policy that refers to a workflow
 * locks the workflows of the account until its transaction ends.
 *
 * @throws conflict
 */
export async function requireUnnamed(trx: AnyTransaction, accountId: string, name: string): Promise<void> {
  const { document, version } = await readPolicy(trx, accountId);
  const rule = (document.rules ?? []).find(({ workflow }) => workflow === name);
  if (rule === undefined && document.defaults?.workflow !== name) return;
  const by = rule === undefined ? 'the defaults' : `rule "${rule.id}"`;
  throw new AppError('conflict', { message: `The policy in force (version ${version}) uses the workflow in ${by}.` });
}
