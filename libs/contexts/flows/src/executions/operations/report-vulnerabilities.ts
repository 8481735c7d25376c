import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions } from '@steward/webhooks';
import { assessVulnerabilities, type EndedRun } from '../rules/assess-vulnerabilities.ts';
import type { ExecutionRow } from '../../schema.ts';

/** Returns the id of the event that reports a CVE of an execution; the execution and the CVE identify the event. */
export function vulnerabilityEventId(executionId: string, cve: string): string {
  return deterministicId('cra.reportable_vulnerability', executionId, cve);
}

/**
 * Emits reports from the result of a run, in the transaction that ends the run. The service itself does not send
 * reports to any authority.
 */
export async function reportVulnerabilities(
  trx: AnyTransaction,
  hints: HintSink,
  { execution, end }: { readonly execution: ExecutionRow; readonly end: Omit<EndedRun, 'reporting'> },
  options: EmitOptions,
): Promise<void> {
  for (const { report } of assessVulnerabilities({ ...end, reporting: execution.reporting })) {
    if (report === undefined) continue;
    await emitEvent(
      trx,
      hints,
      {
        type: 'cra.reportable_vulnerability',
        id: vulnerabilityEventId(execution.id, report.cve),
        accountId: execution.account_id,
        occurredAt: new Date(report.discovered_at),
        data: { execution_id: execution.id, flow_id: execution.flow_id, flow_name: execution.flow_name, ...report },
      },
      options,
    );
  }
}
