import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { workOnDocument, type DocumentWork } from '@steward/policies/document-work';
import type { ThreadReport } from './document-checker.ts';

/**
 * Nice value of the thread, which gives other work precedence on a busy processor. On Linux, the id 0 refers to this
 * thread; on other systems, it refers to the whole process.
 */
const NICE = 10;
if (process.platform === 'linux') setPriority(0, NICE);

/**
 * The worker thread of `createDocumentChecker`: receives one document at a time and returns its report. An error
 * terminates the thread.
 */
parentPort?.on('message', (work: DocumentWork) => {
  const before = process.threadCpuUsage();
  const report = workOnDocument(work);
  const { user, system } = process.threadCpuUsage(before);
  const message: ThreadReport = { report, spentMs: (user + system) / 1000 };
  parentPort?.postMessage(message);
});
