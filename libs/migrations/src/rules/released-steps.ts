import type { ReleasedSteps } from './judge-steps.ts';

/**
 * Last step of each schema in each release: released steps must not be changed, and only steps after the newest release
 * are checked.
 */
export const RELEASES: Readonly<Record<string, ReleasedSteps>> = {
  '0.1.0': {
    agents: '0004_note_activity',
    approvals: '0011_seal_receivers',
    backfill: '0006_share_pass',
    budgets: '0011_lease_budgets',
    flows: '0016_read_backlog',
    gateway: '0035_queue_audits',
    models: '0007_count_changes',
    policies: '0003_create_recent_call',
    search: '0020_index_older_words',
    stats: '0003_observe_tables',
    tool_servers: '0009_count_changes',
    trackers: '0004_count_changes',
    webhooks: '0019_seal_addresses',
  },
};

/** Returns the last steps of the newest release. */
export function readReleased(): ReleasedSteps {
  return Object.values(RELEASES).at(-1) ?? {};
}
