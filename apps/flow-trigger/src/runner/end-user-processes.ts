import { spawn } from 'node:child_process';
import type { AgentUser } from './agent-users.ts';

/** Kills everything that runs as this user, at one blow: nothing of it can fork away meanwhile. */
export function endUserProcesses(user: AgentUser): Promise<void> {
  return runAs(user, 'kill -s KILL -- -1');
}

/** Removes what the user left in the temporary folders it shared with others. As that user, who can harm nothing else. */
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
