import { AppError } from '@steward/contracts';
import { TRACKER_HOSTS } from '../../hosts/hosts.ts';
import type { TrackerRow } from '../../schema.ts';

/** @throws invalid_request if the tracker has no repository with such a name */
export function requireRepository({ kind }: TrackerRow, repository: string, field: string): void {
  const { pattern, words } = TRACKER_HOSTS[kind].repository;
  if (pattern.test(repository)) return;
  throw new AppError('invalid_request', { message: `"${field}" must be ${words}.`, detail: { field } });
}
