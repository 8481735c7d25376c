import type { LogLine } from '../../api/follow-log.ts';

/** Lines that are rendered together; a full block is rendered only once. */
export interface LogBlock {
  readonly number: number;
  readonly lines: readonly LogLine[];
}

export interface Log {
  readonly blocks: readonly LogBlock[];
  readonly count: number;
  /** Number of lines that are no longer shown. */
  readonly dropped: number;
  /** Steps with output, in the order in which they began. */
  readonly steps: readonly string[];
}

const BLOCK_LINES = 200;
const MAX_BLOCKS = 100;

export const EMPTY_LOG: Log = { blocks: [], count: 0, dropped: 0, steps: [] };

/** Appends lines to the log. Full blocks remain the same objects; beyond 20,000 lines the oldest blocks are dropped. */
export function appendLines(log: Log, lines: readonly LogLine[]): Log {
  const last = log.blocks.at(-1);
  const isOpen = last !== undefined && last.lines.length < BLOCK_LINES;
  const rest = isOpen ? [...last.lines, ...lines] : lines;
  const kept = isOpen ? log.blocks.slice(0, -1) : log.blocks;
  const first = isOpen ? last.number : (last?.number ?? -1) + 1;
  const added = Array.from({ length: Math.ceil(rest.length / BLOCK_LINES) }, (_, index) => ({
    number: first + index,
    lines: rest.slice(index * BLOCK_LINES, (index + 1) * BLOCK_LINES),
  }));
  const all = [...kept, ...added];
  const gone = all.slice(0, Math.max(0, all.length - MAX_BLOCKS));
  const dropped = gone.reduce((sum, block) => sum + block.lines.length, log.dropped);
  return {
    blocks: all.slice(gone.length),
    count: log.count + lines.length,
    dropped,
    steps: addSteps(log.steps, lines),
  };
}

function addSteps(steps: readonly string[], lines: readonly LogLine[]): readonly string[] {
  const fresh = new Set(lines.flatMap(({ step }) => (step === null || steps.includes(step) ? [] : [step])));
  return fresh.size === 0 ? steps : [...steps, ...fresh];
}
