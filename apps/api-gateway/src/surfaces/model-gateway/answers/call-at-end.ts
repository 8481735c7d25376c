import type { BytesAnswer, Send, Through } from '@steward/http';
import type { PassedSource } from './pass-answer.ts';

/**
 * Returns the response, changed so that `then` is called once, when the response has ended. A stream ends only after
 * the promise returned by its `beforeEnd` has settled.
 */
export function callAtEnd<Answer extends PassedSource | BytesAnswer>(answer: Answer, then: () => void): Answer {
  if ('source' in answer) return { ...answer, through: new EndListener(answer.through, then) };
  const { onSent } = answer;
  return {
    ...answer,
    onSent(isWritten: boolean) {
      then();
      onSent?.(isWritten);
    },
  };
}

class EndListener implements Through {
  readonly #through: Through;
  readonly #then: () => void;

  constructor(through: Through, then: () => void) {
    this.#through = through;
    this.#then = then;
  }

  pass(chunk: Buffer, send: Send, done: () => void): void {
    this.#through.pass(chunk, send, done);
  }

  flush(send: Send, done: () => void): void {
    this.#through.flush(send, done);
  }

  end(error: Error | undefined): void {
    this.#then();
    this.#through.end(error);
  }
}
