import type { Clock } from '@steward/async';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import { cancelRequestsOfAccount, type ApprovalOptions } from '@steward/approvals';
import { recordAudit, type AuditEntry } from '@steward/audit';
import { stopExecutionsOfAccount } from '@steward/flows';
import { findKillSwitch, saveKillSwitch, type KillSwitch, type KillSwitchChange } from '@steward/identity';
import type { SessionWriteOptions } from '@steward/sessions';

export interface KillSwitchDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly sessions: SessionWriteOptions;
  readonly approvals: ApprovalOptions;
}

export interface KillSwitchResult {
  readonly killSwitch: KillSwitch;
  readonly stoppedExecutions: number;
  readonly cancelledRequestIds: readonly string[];
}

/** Maximum number of items ended per transaction, so that locks are held briefly, however many items an account has. */
const AT_ONCE = 50;
const REASON = 'The kill switch of the account was engaged.';

/**
 * Engages or releases the kill switch. To engage it, commits the state first, so that nothing new begins, and then ends
 * running and waiting work in batches. If the process dies in the meantime, the switch stays engaged, and repeating the
 * call ends the remaining work. Work that was accepted before the switch was engaged and written afterwards is not
 * claimed by any worker, and is ended before the release. A release applies only to the state that its sender may have
 * seen: a switch that another user engaged in the meantime stays engaged.
 * @returns undefined if the switch stays engaged for this reason
 */
export async function throwKillSwitch(
  deps: KillSwitchDeps,
  change: Omit<KillSwitchChange, 'now'> & { readonly audit: AuditEntry; readonly traceparent: string },
): Promise<KillSwitchResult | undefined> {
  const { audit, traceparent, ...wanted } = change;
  const save = (seen?: KillSwitch): Promise<boolean> =>
    transact({ ...deps, traceparent }, async (trx) => {
      const isSaved = await saveKillSwitch(trx, { ...wanted, seen, now: deps.clock.now() });
      if (isSaved) await recordAudit(trx, audit);
      return isSaved;
    });
  const before = await findKillSwitch(deps.db, wanted.accountId);
  if (wanted.isEngaged) await save();
  const ended =
    wanted.isEngaged || before.isEngaged
      ? await endWhatActs(deps, { ...wanted, traceparent })
      : { stoppedExecutions: 0, cancelledRequestIds: [] };
  if (!wanted.isEngaged && !(await save(before))) return undefined;
  return { killSwitch: await findKillSwitch(deps.db, wanted.accountId), ...ended };
}

async function endWhatActs(
  deps: KillSwitchDeps,
  { accountId, by, traceparent }: { readonly accountId: string; readonly by: string; readonly traceparent: string },
): Promise<Omit<KillSwitchResult, 'killSwitch'>> {
  const committer = { db: deps.db, broker: deps.broker, traceparent };
  let stoppedExecutions = 0;
  for (let stopped = AT_ONCE; stopped === AT_ONCE;) {
    stopped = await transact(committer, (trx, hints) => {
      const part = { accountId, reason: REASON, limit: AT_ONCE, now: deps.clock.now() };
      return stopExecutionsOfAccount(trx, hints, part, deps.sessions);
    });
    stoppedExecutions += stopped;
  }
  const cancelledRequestIds: string[] = [];
  for (let cancelled = AT_ONCE; cancelled === AT_ONCE;) {
    const ids = await transact(committer, (trx, hints) => {
      const part = { accountId, actor: { kind: 'user', id: by }, comment: REASON, limit: AT_ONCE } as const;
      return cancelRequestsOfAccount(trx, hints, part, deps.approvals);
    });
    cancelled = ids.length;
    cancelledRequestIds.push(...ids);
  }
  return { stoppedExecutions, cancelledRequestIds };
}
