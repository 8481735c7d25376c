import type { Static } from '@sinclair/typebox';
import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { readOrigin } from '@steward/egress';
import type { AnswerBody } from '@steward/http';
import type { TrackerClient, TrackerPatch, TrackerRow } from '@steward/trackers';
import { type OpenRequests, type SecretBoxes, requireProviderTarget } from '@steward/api';
import type { TrackerAnswer, UpdateTrackerBody } from './tracker-schemas.ts';

/** Dependencies of the tracker routes. */
export interface TrackersDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: { readonly trackerInsecureOrigins: readonly string[] };
  readonly secretBoxes: Pick<SecretBoxes, 'tracker'>;
}

/** Dependencies of test requests to trackers. */
export interface TrialDeps extends TrackersDeps {
  readonly trackers: TrackerClient;
  readonly openRequests: Pick<OpenRequests, 'trials'>;
}

type Body = Static<typeof UpdateTrackerBody>;

/**
 * Checks the address of a connection, resolves its host name, and returns the input for saving the connection.
 * @throws invalid_base_url
 */
export async function prepareTrackerSave(
  { settings, clock }: TrackersDeps,
  body: Body,
): Promise<{ readonly patch: TrackerPatch; readonly insecureOrigins: readonly string[]; readonly now: Date }> {
  const insecureOrigins = settings.trackerInsecureOrigins.map(readOrigin);
  const { name, token, username, repositories, base_url: baseUrl } = body;
  if (baseUrl !== undefined) await requireProviderTarget(baseUrl, { insecureOrigins });
  return { patch: { name, token, username, repositories, baseUrl }, insecureOrigins, now: clock.now() };
}

/** Returns the sent fields for the audit log, without the token. */
export function describeTrackerChange({ token, ...rest }: Body): Record<string, unknown> {
  return { ...rest, ...(token === undefined ? {} : { token_changed: true }) };
}

export function refuseTrackerName(): AppError {
  const message = 'The account already has a tracker with this name.';
  return new AppError('conflict', { message, detail: { field: 'name' } });
}

export function presentTracker(tracker: TrackerRow): AnswerBody<typeof TrackerAnswer> {
  return {
    id: tracker.id,
    name: tracker.name,
    kind: tracker.kind,
    base_url: tracker.base_url,
    username: tracker.username,
    repositories: tracker.repositories,
    created_at: tracker.created_at,
    updated_at: tracker.updated_at,
  };
}
