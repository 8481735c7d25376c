import { createServer, type AddressInfo, type Socket } from 'node:net';
import { probeNats } from './probe-nats.ts';

describe('the probe of a broker', () => {
  it.each([
    ['greets', (socket: Socket) => void socket.write('INFO {}\r\n'), undefined],
    ['is something else', (socket: Socket) => void socket.write('220 mail\r\n'), /not a NATS server/],
    ['leaves without a word, as a forwarded port does', (socket: Socket) => void socket.end(), /without a greeting/],
  ])('reports a broker that %s', async (_what, answer, failure) => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const probed = probeNats((server.address() as AddressInfo).port);
    await (failure === undefined ? expect(probed).resolves.toBeUndefined() : expect(probed).rejects.toThrow(failure));
    server.close();
  });
});
