import type { TextBudget } from './collect-text.ts';

/** Assembles the pieces of a streamed response into the form of a non-streamed one. */
export interface Assembly {
  add(event: Fields): void;
  finish(): unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readFields(value: unknown, name: string): Fields {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : {};
}

/** Collects pieces of text by the names of their members. */
export class Pieces {
  readonly #texts = new Map<string, string[]>();
  readonly #budget: TextBudget;

  constructor(budget: TextBudget) {
    this.#budget = budget;
  }

  add(name: string, piece: unknown): void {
    if (typeof piece !== 'string') return;
    const pieces = this.#texts.get(name) ?? [];
    this.#texts.set(name, pieces);
    const taken = this.#budget.take(piece);
    if (taken !== '') pieces.push(taken);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  join(): Record<string, string> {
    return Object.fromEntries([...this.#texts].map(([name, pieces]) => [name, pieces.join('')]));
  }
}
