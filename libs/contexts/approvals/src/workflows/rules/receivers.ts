import { AppError } from '@steward/contracts';
import { readAddressOrigin, type SecretBox } from '@steward/crypto';
import type {
  ApprovalWorkflow,
  Receivers,
  SealedReceivers,
  StoredReceivers,
  WorkflowFields,
  WorkflowKey,
} from '../approval-workflow.ts';
import { describeReceiversContext } from './receivers-context.ts';

type Opener = Pick<SecretBox, 'open'>;
type Workflow = WorkflowKey & { readonly receivers: StoredReceivers };

/** Seals receivers; returns null if there are none. */
export function sealReceivers(
  { channelConfigs, approvalWebhookUrl }: Receivers,
  key: WorkflowKey,
  box: Pick<SecretBox, 'seal'>,
): SealedReceivers | null {
  if (channelConfigs.length === 0 && approvalWebhookUrl === null) return null;
  const receivers = { channelConfigs, approvalWebhookUrl };
  return {
    sealed: box.seal(JSON.stringify(receivers), describeReceiversContext(key)),
    shown: mapAddresses(receivers, readAddressOrigin),
  };
}

/**
 * Decrypts the receivers of a workflow; returns undefined if this is not possible, for example because their key is
 * permanently lost.
 */
export function tryOpenReceivers(workflow: Workflow, box: Opener): Receivers | undefined {
  const { clear, sealed } = workflow.receivers;
  if (clear !== null) return clear;
  try {
    return JSON.parse(box.open(sealed as Buffer, describeReceiversContext(workflow))) as Receivers;
  } catch {
    return undefined;
  }
}

/**
 * Merges a patch into the receivers: missing fields stay unchanged.
 *
 * @throws conflict if the stored receivers can no longer be decrypted
 */
export function mergeReceivers(workflow: ApprovalWorkflow, patch: Partial<WorkflowFields>, box: Opener): Receivers {
  const { channelConfigs, approvalWebhookUrl } = patch;
  if (channelConfigs !== undefined && approvalWebhookUrl !== undefined) return { channelConfigs, approvalWebhookUrl };
  const stored = tryOpenReceivers(workflow, box);
  if (stored === undefined) {
    const message =
      'The stored addresses cannot be decrypted: send "channel_configs" and "approval_config.webhook_url" again.';
    throw new AppError('conflict', { message, detail: { field: 'channel_configs' } });
  }
  return {
    channelConfigs: channelConfigs ?? stored.channelConfigs,
    approvalWebhookUrl: approvalWebhookUrl === undefined ? stored.approvalWebhookUrl : approvalWebhookUrl,
  };
}

export function mapAddresses(
  { channelConfigs, approvalWebhookUrl }: Receivers,
  change: (address: string) => string,
): Receivers {
  return {
    channelConfigs: channelConfigs.map(({ kind, url }) => ({ kind, url: change(url) })),
    approvalWebhookUrl: approvalWebhookUrl === null ? null : change(approvalWebhookUrl),
  };
}
