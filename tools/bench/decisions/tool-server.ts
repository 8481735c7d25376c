import { startToolServer } from '../../src/demo/start-tool-server.ts';

/** Tool server of the bench, which runs as a separate process, so that its cost is not counted as the gateway's. */
const server = await startToolServer(0);
console.log(server.url);
