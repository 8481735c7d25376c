import type { CallPath } from '@steward/model-calls';
import { createAssembly } from './assemble-answer.ts';
import { isFields, type Assembly } from './assembly.ts';
import { createTextBudget, cutText, MAX_CAPTURED_BYTES } from './collect-text.ts';

/** Collects a copy of a response for display and search: at most 2 MiB. */
export interface AnswerCollector {
  /** Adds a part of a response that is not a stream. */
  addChunk(chunk: Buffer): void;
  /** Adds the data of one event of a stream. */
  addEvent(data: string): void;
  readonly wantsMore: boolean;
  readonly sizeBytes: number;
  finish(): unknown;
}

export function createAnswerCollector(path: CallPath, isStream: boolean): AnswerCollector {
  return isStream ? new StreamCollector(path) : new UnaryCollector(path);
}

class StreamCollector implements AnswerCollector {
  readonly #budget = createTextBudget();
  readonly #assembly: Assembly;

  constructor(path: CallPath) {
    this.#assembly = createAssembly(path, this.#budget);
  }

  addChunk(): void {
    // A stream is collected from its events.
  }

  addEvent(data: string): void {
    const event = parseFields(data);
    if (event !== undefined) this.#assembly.add(event);
  }

  get wantsMore(): boolean {
    return !this.#budget.isUsedUp;
  }

  get sizeBytes(): number {
    return this.#budget.used;
  }

  finish(): unknown {
    const answer = this.#assembly.finish();
    return this.#budget.isUsedUp ? { cut: true, ...(answer as object) } : answer;
  }
}

class UnaryCollector implements AnswerCollector {
  readonly #path: CallPath;
  readonly #chunks: Buffer[] = [];
  sizeBytes = 0;

  constructor(path: CallPath) {
    this.#path = path;
  }

  addChunk(chunk: Buffer): void {
    if (!this.wantsMore) return;
    this.sizeBytes += chunk.byteLength;
    this.#chunks.push(chunk);
  }

  addEvent(): void {
    // A response that is not a stream has no events.
  }

  get wantsMore(): boolean {
    return this.sizeBytes <= MAX_CAPTURED_BYTES;
  }

  finish(): unknown {
    const [first, ...others] = this.#chunks;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
    return this.#path === '/embeddings' ? describeVectors(bytes) : captureBody(bytes);
  }
}

/**
 * Parses a body as JSON. A body that is not JSON is returned as text; of a body that is too large, only the beginning
 * is returned.
 */
export function captureBody(bytes: Buffer): unknown {
  if (bytes.byteLength > MAX_CAPTURED_BYTES) return { cut: true, text: cutText(bytes, MAX_CAPTURED_BYTES) };
  const text = bytes.toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Describes embedding vectors instead of storing them, because nobody reads or searches them. */
function describeVectors(bytes: Buffer): unknown {
  const body = bytes.byteLength > MAX_CAPTURED_BYTES ? undefined : parseFields(bytes.toString());
  if (body === undefined || !Array.isArray(body['data'])) return body?.['error'] === undefined ? null : body;
  return { object: 'list', vectors: body['data'].length };
}

function parseFields(json: string) {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
