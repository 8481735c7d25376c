import type { Worker } from 'node:cluster';
import type { ProcessMessage, Question, QuestionMessage } from './process-messages.ts';

let lastId = 0;

/** Returns the response of a process; undefined if the process ends before it responds, or does not respond in time. */
export function askProcess<T>(worker: Worker, question: Question, withinMs: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    lastId += 1;
    const id = lastId;
    const settle = (answer: T | undefined): void => {
      clearTimeout(timer);
      worker.off('message', take).off('exit', giveUp);
      resolve(answer);
    };
    const giveUp = (): void => settle(undefined);
    const take = (message: ProcessMessage): void => {
      if (message.kind === 'answer' && message.id === id) settle(message.answer as T | undefined);
    };
    const timer = setTimeout(giveUp, withinMs).unref();
    worker.on('message', take).on('exit', giveUp);
    if (!worker.isConnected()) return giveUp();
    worker.send({ kind: 'question', id, question } satisfies QuestionMessage, (error) => {
      if (error !== null) giveUp();
    });
  });
}
