import type { AnyDatabase } from '@steward/database';
import type { AnswerBody } from '@steward/http';
import type { Logger } from '@steward/process';
import type { HookRow, TrackerClient } from '@steward/trackers';
import type { OpenRequests, SecretBoxes } from '@steward/api';
import type { TrackerConfigAnswer } from './hook-schemas.ts';

/** Dependencies for registering hooks of flows at trackers. */
export interface HookDeps {
  readonly db: AnyDatabase;
  readonly trackers: TrackerClient;
  readonly settings: { readonly publicUrl: string };
  readonly secretBoxes: Pick<SecretBoxes, 'tracker' | 'flow'>;
  readonly openRequests: Pick<OpenRequests, 'trials'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function presentHook(hook: HookRow): AnswerBody<typeof TrackerConfigAnswer> {
  const { state, reason } = hook;
  const retryAt = state === 'pending' ? hook.due_at : null;
  return {
    tracker_id: hook.tracker_id,
    repository: hook.repository,
    registration: { state, reason, registered_at: hook.registered_at, retry_at: retryAt },
  };
}
