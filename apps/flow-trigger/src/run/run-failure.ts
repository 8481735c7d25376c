import type { FailureCategory } from '@steward/flows';

/** Thrown when a step ends the run. The message goes into the execution and its log. */
export class RunFailure extends Error {
  readonly category: FailureCategory;

  constructor(category: FailureCategory, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'RunFailure';
    this.category = category;
  }
}
