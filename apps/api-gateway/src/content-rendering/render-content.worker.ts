import { parentPort } from 'node:worker_threads';
import { renderContent, type ContentBody } from './render-content.ts';

/** The thread of `createContentRenderer`: one body in, its entries out. What it throws ends it. */
parentPort?.on('message', (body: ContentBody) => parentPort?.postMessage(renderContent(body)));
