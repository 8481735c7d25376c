import type { HintSink } from '@steward/contracts';
import { newId, sealAddress, tryOpenAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import type { WorkflowSource } from '../../schema.ts';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { describeUrlContext } from '../rules/url-context.ts';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from '../store/endpoint-change.store.ts';
import { insertEndpoint, listWorkflowEndpoints } from '../store/endpoint.store.ts';
import { findCurrentSecret } from '../store/secret.store.ts';
import { addWakeHint, generateSecret, storeSecret } from './endpoint-secret.ts';
import { replaceWorkflowSecret, type WorkflowKey } from './replace-workflow-secret.ts';

export interface WorkflowTargets extends WorkflowKey {
  /**
   * URLs of the workflow's endpoints of the kind `source`; requests to all of them are signed with the same secret. An
   * empty list removes these endpoints. The caller must have checked the URLs.
   */
  readonly urls: readonly string[];
  /** Kind of the endpoints; default: receivers of events. */
  readonly source?: WorkflowSource;
  /**
   * A secret chosen by the client; if undefined, the current secret is kept, or one is generated when the first
   * endpoint is created.
   */
  readonly secret?: string | undefined;
}

export interface SavedWorkflow {
  readonly endpoints: readonly Endpoint[];
  /** Secret to be shown once; undefined if it is not new, or if there are no endpoints. */
  readonly secret: string | undefined;
}

/**
 * Updates the endpoints of an approval workflow to match the workflow's settings. If a URL replaces another one, the
 * endpoint remains: its pending deliveries are sent to the new URL and its breaker is closed. Endpoints for which no
 * URL is left are deleted.
 */
export async function saveWorkflowEndpoints(
  trx: AnyTransaction,
  hints: HintSink,
  targets: WorkflowTargets,
  secretBox: SecretBox,
): Promise<SavedWorkflow> {
  await lockAccount(trx, targets.accountId);
  const { source = 'approval_workflow' } = targets;
  const existing = await listWorkflowEndpoints(trx, targets, source);
  const presentSecret = await readSecret(trx, existing[0]?.id, secretBox);
  const secret = targets.secret ?? presentSecret ?? generateSecret();
  const wanted = [...new Set(targets.urls)];
  const urls = new Map(
    existing.map(({ id, address }) => [id, tryOpenAddress(address, describeUrlContext(id), secretBox)]),
  );
  const present = new Set(urls.values());
  const added = wanted.filter((url) => !present.has(url));
  const displaced = existing.filter(({ id }) => !wanted.includes(urls.get(id) ?? ''));
  for (const endpoint of displaced) {
    const url = added.shift();
    if (url === undefined) await deleteEndpoint(trx, targets.accountId, endpoint.id);
    else {
      const address = sealAddress(url, describeUrlContext(endpoint.id), secretBox);
      await lockEndpoint(trx, targets.accountId, endpoint.id);
      await updateEndpoint(trx, targets.accountId, endpoint.id, { address, isFresh: true });
      addWakeHint(hints, targets.accountId);
    }
  }
  for (const url of added) {
    const { accountId, workflowId } = targets;
    const id = newId();
    await insertEndpoint(trx, {
      id,
      accountId,
      workflow: { id: workflowId, source },
      address: sealAddress(url, describeUrlContext(id), secretBox),
      description: '',
      eventTypes: [],
    });
    await storeSecret(trx, { accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  }
  if (presentSecret !== undefined && secret !== presentSecret)
    await replaceWorkflowSecret(trx, targets, { secret, overlapSeconds: 0 }, secretBox);
  const endpoints = await listWorkflowEndpoints(trx, targets, source);
  return { endpoints, secret: endpoints.length === 0 || secret === presentSecret ? undefined : secret };
}

async function readSecret(
  trx: AnyTransaction,
  endpointId: string | undefined,
  secretBox: SecretBox,
): Promise<string | undefined> {
  if (endpointId === undefined) return undefined;
  const sealed = await findCurrentSecret(trx, endpointId);
  return sealed === undefined ? undefined : secretBox.open(sealed, endpointId);
}
