import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** The flag of a descriptor that programs started from here do not get. */
const O_CLOEXEC = 0o2000000;

/**
 * Closes what this process was started with beyond its standard streams: Node closes what it opens when it starts a program, but
 * hands on a descriptor that its own starter left open, and an agent could read or write through it. Only where `/proc` is.
 */
export function closeInherited(): void {
  for (const fd of listInherited()) closeSync(fd);
}

function listInherited(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => fd > 2 && !isClosedOnExec(fd));
  } catch {
    return [];
  }
}

/** One that is gone by now counts as closed: it was that of the folder just read. */
function isClosedOnExec(fd: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}
