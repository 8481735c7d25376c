/** Messages with which the first process queries a process that it started. */
export type Question = 'live' | 'ready' | 'health' | 'metrics';

export interface QuestionMessage {
  readonly kind: 'question';
  readonly id: number;
  readonly question: Question;
}

export type ProcessMessage =
  { readonly kind: 'started' } | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

/**
 * Name of the environment variable with the number of a process in its group, starting at 1. The first process assigns
 * the number; a replacement gets the number of the process that it replaces.
 */
export const PROCESS_NUMBER = 'PROCESS_NUMBER';
