import type { SessionItem } from '../session-item.ts';
import type { SessionNotes } from '../session-notes.ts';

/**
 * Maximum number of waiting prompts; if there are more, the oldest one is returned as an entry. People usually queue
 * only a few.
 */
const MOST_WAITING = 64;

export interface TypedPrompt {
  readonly notes: SessionNotes;
  readonly sessionId: string;
  readonly text: string;
  readonly externalId: string;
  readonly occurredAt: Date | undefined;
}

/**
 * Prompts that a person, or the program itself, queued while the agent worked. Such a prompt is written when it is
 * queued, usually once more when the agent receives it: the first of the two lines determines its id, so that both form
 * one entry even if the file contained only the first when it was read.
 */
export interface TypedAhead {
  /** Adds a typed prompt that the agent has not received; returns entries that had to be removed. */
  add(prompt: TypedPrompt): readonly SessionItem[];
  /** Called when the agent has received this text: removes and returns the waiting prompt with the same text. */
  take(sessionId: string, text: string): TypedPrompt | undefined;
  /** Returns prompts that the agent never received. */
  end(): readonly SessionItem[];
}

export function createTypedAhead(): TypedAhead {
  let waiting: TypedPrompt[] = [];
  return {
    add(prompt) {
      waiting.push(prompt);
      if (waiting.length <= MOST_WAITING) return [];
      const [oldest, ...others] = waiting;
      waiting = others;
      return oldest === undefined ? [] : [toItem(oldest)];
    },
    take(sessionId, text) {
      const words = text.trim();
      const found = waiting.find((prompt) => prompt.sessionId === sessionId && prompt.text.trim() === words);
      if (found !== undefined) waiting = waiting.filter((prompt) => prompt !== found);
      return found;
    },
    end() {
      const left = waiting.map(toItem);
      waiting = [];
      return left;
    },
  };
}

function toItem({ notes, text, externalId, occurredAt }: TypedPrompt): SessionItem {
  return {
    session: notes.head(),
    entry: { kind: 'message', role: findRole(text), content: text, externalId, occurredAt },
  };
}

/** Returns the role of a queued text: `system` if the program queued it, `user` if a person typed it. */
export function findRole(text: string): string {
  return text.trimStart().startsWith('<task-notification>') ? 'system' : 'user';
}
