/** Job of a rival, in messages to its process. */
export interface WorkerJob {
  readonly eventId: string;
  readonly body: string;
}

export type WorkerCommand = {
  readonly kind: 'start';
  readonly url: string;
  readonly secret: string;
  readonly databaseUrl: string;
  readonly concurrency: number;
  /** Jobs, only for the raw loop, which has no queue. */
  readonly jobs: readonly WorkerJob[];
};

export type WorkerAnswer = { readonly kind: 'started' };

export const QUEUE_NAME = 'deliver';
