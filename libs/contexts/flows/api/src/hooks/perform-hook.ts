import { findFlow, openFlowSecret, openSigningSecrets, type FlowRow } from '@steward/flows';
import { findTracker, openTracker, TRACKER_HOSTS, workOnHook, type HookRow } from '@steward/trackers';
import type { HookDeps } from './hook-deps.ts';

/**
 * Time for which a hook is claimed. A registration takes less time, even though it sends a request for each of its
 * steps.
 */
export const HOOK_LEASE_SECONDS = 120;

/** Registers or removes a claimed hook at its tracker. */
export async function performHook(deps: HookDeps, hook: HookRow, signal?: AbortSignal): Promise<void> {
  const { db, trackers, settings, secretBoxes, logger } = deps;
  const tracker = await findTracker(db, { accountId: hook.account_id, id: hook.tracker_id });
  const flow = await findFlow(db, hook.account_id, hook.flow_id);
  // A tracker that is not found was deleted in the meantime, together with its hooks.
  if (tracker === undefined) return;
  const host = TRACKER_HOSTS[tracker.kind];
  const urlPrefix = `${settings.publicUrl}/webhooks/flows/${hook.flow_id}/`;
  const known = flow !== undefined && hook.is_wanted ? readOrder(deps, flow, host.planEvents) : NO_ORDER;
  const outcome = await workOnHook(db, {
    hook,
    host,
    // The secrets are removed from error messages, because the reason is shown to all users who can see the flow,
    // including those who may not see its secrets.
    open: () =>
      trackers.open(
        { ...openTracker(tracker, secretBoxes.tracker), hidden: [known.secretOfUrl, known.secret] },
        signal,
      ),
    order: { ...known, url: `${urlPrefix}${known.secretOfUrl}`, urlPrefix },
  });
  if (outcome === 'gone') return;
  const facts = { flow_id: hook.flow_id, tracker: tracker.name, state: outcome.state, reason: outcome.reason };
  if (outcome.reason === null) logger.info('tracker.hook_settled', facts);
  else logger.warn('tracker.hook_refused', facts);
}

const NO_ORDER = { secretOfUrl: '', secret: '', events: [] as readonly string[] };

function readOrder(
  { secretBoxes }: HookDeps,
  flow: FlowRow,
  planEvents: (types: readonly string[]) => readonly string[] | string,
) {
  const planned = planEvents(flow.webhook_config.event_types ?? []);
  return {
    secretOfUrl: openFlowSecret(flow, secretBoxes.flow) ?? '',
    secret: openSigningSecrets(flow, secretBoxes.flow)[0] ?? '',
    // A string is an error about an unknown event name; the names were checked when the flow was saved.
    events: typeof planned === 'string' ? [] : planned,
  };
}
