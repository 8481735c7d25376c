import { equal, ok } from 'node:assert/strict';
import type { ComposeProject } from '../compose-project.ts';

/** Checks that all files in the volume have the same owner; returns its number. */
export async function checkOwners(project: ComposeProject): Promise<string> {
  const owners = (await project.exec('api-gateway', 'find', '/evidence', '-printf', '%U:%G\n')).split('\n');
  ok(owners.length >= 3, `${owners.length} files and folders`);
  equal([...new Set(owners)].join(), '1000:1000');
  return `${owners.length} files and folders`;
}

/**
 * Checks that the worker may remove the files of all earlier workers, for which the permissions of the folders are
 * decisive.
 */
export async function checkPurgeable(project: ComposeProject): Promise<void> {
  const refused = 'find /evidence -type d | while read -r folder; do test -w "$folder" || echo "$folder"; done';
  equal(await project.exec('flow-trigger', 'sh', '-c', refused), '');
}
