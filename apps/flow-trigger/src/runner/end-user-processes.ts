import { spawn } from 'node:child_process';
import type { AgentUser } from './agent-users.ts';

/** Kills all processes of this user at once, so that none can fork in the meantime. */
export function endUserProcesses(user: AgentUser): Promise<void> {
  return runAs(user, 'kill -s KILL -- -1');
}

/**
 * Removes the user's files in shared temporary folders. The command runs as that user, so it cannot affect anything
 * else.
 */
export function removeUserFiles(user: AgentUser): Promise<void> {
  return runAs(user, `find /tmp /var/tmp /dev/shm -xdev -user ${user.uid} -delete`);
}

function runAs({ uid, gid }: AgentUser, script: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', script], { uid, gid, cwd: '/', env: {}, stdio: 'ignore' });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
