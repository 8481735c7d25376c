import type { AnyTransaction } from '@steward/database';
import type { Principal } from '@steward/http';
import { AppError } from '@steward/runtime';
import { recordAudit } from '@steward/slice-gateway';
import type { ChangeRefusal } from '@steward/slice-webhooks';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';

export type EventWebhooksDeps = Pick<GatewayDeps, 'db' | 'broker' | 'clock' | 'settings' | 'secretBoxes'>;

/** Who changes something, for the audit log. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
}

export async function auditWebhookChange(
  trx: AnyTransaction,
  { principal, requestId }: Caller,
  change: {
    readonly action: string;
    readonly resourceType: 'event_webhook_endpoint' | 'event_webhook_delivery';
    readonly resourceId: string;
    readonly details?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  await recordAudit(trx, {
    accountId: principal.accountId,
    actor: describeActor(principal),
    source: 'console',
    status: 'success',
    requestId,
    ...change,
  });
}

/** The error of a change that was not made. */
export function refuseChange(refusal: ChangeRefusal): AppError {
  if (refusal.kind === 'not_found') return new AppError('not_found');
  return new AppError('conflict', {
    message: 'This endpoint belongs to an approval workflow. Change it there.',
  });
}

/** A full outbox drains as fast as its receivers answer; a minute is a fair guess. */
export function refuseFullOutbox(limit: number): AppError {
  return new AppError('outbox_full', { retryAfterSeconds: 60, detail: { limit } });
}
