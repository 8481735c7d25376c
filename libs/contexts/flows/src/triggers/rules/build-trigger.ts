import { validateWorkspaceFiles, type WorkspaceFilesOutcome } from '../../executions/rules/workspace-files.ts';
import type { TriggerSource } from '../../schema.ts';
import type { Trigger, TriggeredFlow } from '../trigger.ts';
import { readDedupeValue } from './dedupe-value.ts';
import { buildEventDetails } from './event-details.ts';
import { digest } from './idempotency.ts';

export interface TriggerInput extends Pick<Trigger, 'type' | 'secretHash' | 'audit' | 'traceparent'> {
  readonly flow: TriggeredFlow;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON string from which `payload` was parsed; undefined if the string contains more than the payload. */
  readonly payloadText?: string | undefined;
  /** The body to which the idempotency key belongs: the same key with a different body is refused. */
  readonly body: Buffer;
  readonly key: string | undefined;
  readonly source?: TriggerSource | undefined;
  readonly receivedAt: Date;
}

export type BuildTriggerOutcome =
  { readonly kind: 'built'; readonly trigger: Trigger } | Exclude<WorkspaceFilesOutcome, { readonly kind: 'valid' }>;

/**
 * Converts a request to a trigger that is ready to be written, so that the parsed payload need not be held in memory. A
 * trigger with invalid files is refused.
 */
export function buildTrigger(input: TriggerInput): BuildTriggerOutcome {
  const { flow, type, payload, payloadText, key, receivedAt } = input;
  const checked = validateWorkspaceFiles(payload.workspace_files);
  if (checked.kind !== 'valid') return checked;
  const { files } = checked;
  const dedupePath = flow.webhook_config.dedupe_path ?? '';
  const trigger: Trigger = {
    flowId: flow.id,
    accountId: flow.account_id,
    type,
    secretHash: input.secretHash,
    details: buildEventDetails({ triggerType: type, source: input.source, payload, payloadText, files, receivedAt }),
    files,
    dedupePath,
    dedupeValue: readDedupeValue(dedupePath, payload),
    idempotency: key === undefined ? undefined : { keyDigest: digest(key), bodyDigest: digest(input.body) },
    retryOfExecutionId: null,
    traceparent: input.traceparent,
    audit: input.audit,
  };
  return { kind: 'built', trigger };
}
