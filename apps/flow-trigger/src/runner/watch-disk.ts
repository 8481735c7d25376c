import { execFile } from 'node:child_process';

export interface DiskWatch {
  /** Aborted when the folder exceeds its limit. */
  readonly signal: AbortSignal;
  stop(): void;
}

const FIRST_LOOK_MS = 1000;
/** Pause between two checks, as a multiple of the duration of a check: measuring a large tree is expensive. */
const REST = 50;

/**
 * Measures a folder repeatedly while a program works in it, because a file system without quotas offers no better way.
 */
export function watchDisk(folder: string, megabytes: number): DiskWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = megabytes === 0;

  function look(): void {
    const startedAt = Date.now();
    // `du` does not follow links and does not leave the file system. If files disappear in the meantime, it prints an
    // error and continues.
    execFile('du', ['-sxk', '--', folder], { timeout: 60_000 }, (_error, stdout) => {
      if (isStopped) return;
      if (Number.parseInt(stdout, 10) > megabytes * 1024) return controller.abort();
      timer = setTimeout(look, Math.max(FIRST_LOOK_MS, (Date.now() - startedAt) * REST));
    });
  }

  if (!isStopped) timer = setTimeout(look, FIRST_LOOK_MS);
  return {
    signal: controller.signal,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
