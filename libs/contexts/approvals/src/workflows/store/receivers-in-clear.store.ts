import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ChannelConfig, Receivers, SealedReceivers, WorkflowKey } from '../approval-workflow.ts';

/**
 * Locks workflows with receivers that an earlier release stored in plaintext; rows that other transactions have locked
 * are left for later.
 */
export async function lockReceiversInClear(
  trx: AnyTransaction,
  limit: number,
): Promise<readonly (WorkflowKey & { readonly receivers: Receivers })[]> {
  const { rows } = await sql<{ account_id: string; id: string; channels: ChannelConfig[] | null; url: string | null }>`
    select account_id, id, channel_configs as channels, approval_webhook_url as url from approvals.approval_workflow
    where channel_configs is not null and (channel_configs <> '[]' or approval_webhook_url is not null)
    order by id limit ${limit} for no key update skip locked
  `.execute(trx);
  return rows.map(({ account_id: accountId, id, channels, url }) => ({
    accountId,
    id,
    receivers: { channelConfigs: channels ?? [], approvalWebhookUrl: url },
  }));
}

/** Stores the sealed receivers, and removes the plaintext. */
export async function saveReceiverColumns(
  trx: AnyTransaction,
  { accountId, id }: WorkflowKey,
  receivers: SealedReceivers | null,
): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_workflow')
    .set(toReceiverColumns(receivers))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export function toReceiverColumns(receivers: SealedReceivers | null) {
  return {
    channel_configs: receivers === null ? '[]' : null,
    approval_webhook_url: null,
    receivers_sealed: receivers?.sealed ?? null,
    receivers_shown: receivers === null ? null : JSON.stringify(receivers.shown),
  };
}
