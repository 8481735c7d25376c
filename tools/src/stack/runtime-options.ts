/** Arguments of Node for every app. The young generation is small, because each app keeps all of it once it was full. */
export const NODE_ARGUMENTS: readonly string[] = ['--max-semi-space-size=8'];

/**
 * Settings of glibc's malloc for every app. Blocks above the threshold are returned to the system when they are freed;
 * without it, the blocks of 32 KiB in which V8 parses a bundle remain resident (27 MB in the gateway), because glibc
 * raises the threshold with each larger block that is freed, and keeps free memory below the newest block.
 */
export const MALLOC_SETTINGS: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32000',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
