/**
 * Arguments of Node for every app. The young generation is small, because each app keeps all of it once it was full. The
 * old generation may double until it is collected: by default it grows to four times what is in use, which calls in
 * progress soon fill, and V8 keeps its pages for as long as the process is busy (ADR 0097).
 */
export const NODE_ARGUMENTS: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

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
