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
 * Name of the variable with the number of a process in its group, from 1; assigned by the first process, and taken over
 * by a replacement.
 */
export const PROCESS_NUMBER = 'PROCESS_NUMBER';
