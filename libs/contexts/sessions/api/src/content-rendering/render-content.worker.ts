import { parentPort } from 'node:worker_threads';
import { renderContent } from './render-content.ts';
import type { ContentBody } from '@steward/sessions';

/**
 * Worker thread of `createContentRenderer`: returns the rendered entries of each body that it receives. An error ends
 * the thread.
 */
parentPort?.on('message', (body: ContentBody) => parentPort?.postMessage(renderContent(body)));
