import { parentPort } from 'node:worker_threads';
import { renderContent, type ContentBody } from './render-content.ts';

/** The thread of `createContentRenderer`: takes one body, returns its entries. An error ends it. */
parentPort?.on('message', (body: ContentBody) => parentPort?.postMessage(renderContent(body)));
