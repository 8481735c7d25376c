import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** The flag of a descriptor that child programs do not inherit. */
const O_CLOEXEC = 0o2000000;

/**
 * Closes the descriptors that this process inherited, except its standard streams. A program that Node starts does not
 * get the descriptors that Node has opened, but it gets the inherited ones, and an agent could read or write through
 * them. Works only if `/proc` exists.
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

/**
 * Returns whether child programs do not inherit a descriptor. A descriptor that no longer exists counts as not
 * inherited: it was open only while the folder was listed.
 */
function isClosedOnExec(fd: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}
