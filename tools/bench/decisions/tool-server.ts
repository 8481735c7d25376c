import { startToolServer } from '../../src/demo/start-tool-server.ts';

/** The tool server of the bench, as a separate process: its cost must not count for the gateway. */
const server = await startToolServer(0);
console.log(server.url);
