import type { SecretBox } from '@steward/crypto';
import { transact, type AnyDatabase, type HintPublisher, type AnyTransaction } from '@steward/database';
import type { Logger } from '@steward/process';
import { splitAgentSecrets } from '../rules/agent-secrets.ts';
import type { FlowRow } from '../../schema.ts';
import { lockFlowsInClear, replaceSecrets, type SecretColumns } from '../store/flow-secrets.store.ts';
import { openAgentSecrets, sealAgentSecrets } from './agent-secrets.ts';

const BATCH_SIZE = 100;
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Seals, in batches, the secrets that an earlier release stored in flow rows in plaintext, and removes the plaintext.
 * Any number of processes may do this at the same time, and nothing is lost if one of them is killed. Returns the
 * number of changed flows.
 */
export async function sealStoredSecrets(
  deps: { readonly db: AnyDatabase; readonly broker: HintPublisher; readonly logger: Logger },
  box: SecretBox,
  signal?: AbortSignal,
): Promise<number> {
  let afterId: string | undefined = NIL_ID;
  let total = 0;
  while (afterId !== undefined && signal?.aborted !== true) {
    const page: string = afterId;
    const batch = await transact(deps, (trx) => sealBatch(trx, { afterId: page, box, logger: deps.logger }));
    total += batch.sealed;
    afterId = batch.lastId;
  }
  return total;
}

async function sealBatch(
  trx: AnyTransaction,
  { afterId, box, logger }: { readonly afterId: string; readonly box: SecretBox; readonly logger: Logger },
): Promise<{ readonly sealed: number; readonly lastId: string | undefined }> {
  const flows = await lockFlowsInClear(trx, { afterId, limit: BATCH_SIZE });
  let sealed = 0;
  for (const flow of flows) {
    const columns = sealColumns(flow, box, logger);
    if (columns === undefined) continue;
    await replaceSecrets(trx, flow.id, columns);
    sealed += 1;
  }
  return { sealed, lastId: flows.length === BATCH_SIZE ? flows.at(-1)?.id : undefined };
}

/**
 * Returns the sealed columns of a flow; undefined if this fails, for example because its sealed secrets cannot be
 * decrypted. In this case, the flow is not changed, and the error is logged.
 */
function sealColumns(flow: FlowRow, box: SecretBox, logger: Logger): SecretColumns | undefined {
  try {
    const secrets = openAgentSecrets(flow, flow.agent_secrets_sealed, box);
    const { agent_config: config, git_clone_config: clone } = flow;
    const stored = { secrets, repositoryUrl: clone?.repository_url };
    const split = splitAgentSecrets({ agent_config: config, git_clone_config: clone }, stored);
    if (split.kind !== 'split') throw new Error(`nothing is stored for ${split.field}`);
    return {
      agent_config: JSON.stringify(split.fields.agent_config),
      git_clone_config: split.fields.git_clone_config === null ? null : JSON.stringify(split.fields.git_clone_config),
      agent_secrets_sealed: sealAgentSecrets(split.secrets, flow.id, box),
    };
  } catch (error) {
    logger.error('flow_secrets.not_sealed', { flow_id: flow.id, account_id: flow.account_id, error });
    return undefined;
  }
}
