import { startToolServer } from '../../src/demo/start-tool-server.ts';

/** The tool server of the bench, as a separate process: its cost must not be counted as the gateway's. */
const server = await startToolServer(0);
console.log(server.url);
