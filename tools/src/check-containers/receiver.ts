import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ContainerReceiver {
  readonly port: number;
  /** Raw bytes of the bodies, as strings. */
  readonly bodies: readonly string[];
  close(): void;
}

/** Starts a webhook receiver that containers can reach at the gateway address of their network. */
export async function startContainerReceiver(): Promise<ContainerReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bodies,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
