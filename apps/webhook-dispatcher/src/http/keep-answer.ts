const ANSWER_BYTES = 1024;

/** Collects the beginning of a response body; the result of the post is delayed until this beginning is available. */
export interface AnswerKeeper {
  /** Starts storing the body. */
  begin(): void;
  add(chunk: Buffer): void;
  /** Notes that no more data of the body will arrive. */
  end(): void;
  /**
   * Calls `next` once, with the beginning of the body, or null if there is none: immediately if `begin` was not called,
   * otherwise when the beginning is complete or the body has ended.
   */
  hold(next: (answer: Buffer | null) => void): void;
}

export function createAnswerKeeper(): AnswerKeeper {
  let kept: Buffer | undefined;
  let tell: (() => void) | undefined;
  return {
    begin: () => void (kept = Buffer.alloc(0)),
    add(chunk) {
      if (kept === undefined || kept.length === ANSWER_BYTES) return;
      kept = Buffer.concat([kept, chunk.subarray(0, ANSWER_BYTES - kept.length)]);
      if (kept.length === ANSWER_BYTES) tell?.();
    },
    end: () => tell?.(),
    hold(next) {
      tell = () => {
        tell = undefined;
        next(kept === undefined || kept.length === 0 ? null : kept);
      };
      if (kept === undefined) tell();
    },
  };
}
