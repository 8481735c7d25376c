const ANSWER_BYTES = 1024;

/** The beginning of an answer's body, which holds a result back until it is there. */
export interface AnswerKeeper {
  /** From now on the body is kept. */
  begin(): void;
  add(chunk: Buffer): void;
  /** Nothing more of the body comes. */
  end(): void;
  /** Calls `next` once: now if nothing is kept, else with the beginning; null if the body is empty. */
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
