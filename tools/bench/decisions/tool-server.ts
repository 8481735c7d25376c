import { startToolServer } from '../../src/demo/start-tool-server.ts';

/** The server of tools of the bench, as a process of its own: what it costs is not the gateway's. */
const server = await startToolServer(0);
console.log(server.url);
