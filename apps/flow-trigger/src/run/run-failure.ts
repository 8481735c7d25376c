import type { FailureCategory } from '@steward/flows';

/** Thrown when a step ends the run. The message is stored in the execution and written to its log. */
export class RunFailure extends Error {
  readonly category: FailureCategory;

  constructor(category: FailureCategory, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'RunFailure';
    this.category = category;
  }
}
