import type { Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { TrackerKind } from './hosts/hosts.ts';

export interface TrackerTable {
  account_id: string;
  id: string;
  name: string;
  kind: TrackerKind;
  base_url: string;
  username: string | null;
  token_sealed: Buffer;
  repositories: string[];
  created_at: Date;
  updated_at: Date;
}

export type HookState = 'pending' | 'active' | 'failed' | 'removed';

export interface HookTable {
  account_id: string;
  id: string;
  flow_id: string;
  tracker_id: string;
  repository: string;
  is_wanted: boolean;
  is_left: boolean;
  state: HookState;
  reason: string | null;
  hook_id: string | null;
  attempts: number;
  due_at: Date | null;
  leased_until: Date | null;
  version: number;
  registered_at: Date | null;
}

/** Tables of the schema `trackers` for the query builder: 'schema.table' -> columns. */
export interface TrackersDatabase {
  'trackers.tracker': TrackerTable;
  'trackers.hook': HookTable;
}

export type TrackerRow = Selectable<TrackerTable>;
export type HookRow = Selectable<HookTable>;

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<TrackersDatabase> => db;
