import { AppError } from '@steward/contracts';
import { TRACKER_HOSTS } from '../../hosts/hosts.ts';
import type { TrackerRow } from '../../schema.ts';

/**
 * Checks that a repository name is valid for the tracker.
 * @throws invalid_request
 */
export function requireRepository({ kind }: TrackerRow, repository: string, field: string): void {
  const { pattern, words } = TRACKER_HOSTS[kind].repository;
  if (pattern.test(repository)) return;
  throw new AppError('invalid_request', { message: `"${field}" must be ${words}.`, detail: { field } });
}
