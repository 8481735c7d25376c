import { createTargetGuard } from '@steward/egress';
import { resolvingTo, startHttpReceiver } from '@steward/testing';
import { closeLater, closeOpened, openPoster, post, startRawServer } from '../testing/open-poster.ts';

afterEach(closeOpened);

describe('the address check of connections', () => {
  const guard = createTargetGuard();

  it.each(['127.0.0.1', '127.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])(
    'does not connect to the address literal %s',
    async (host) => {
      const server = await startRawServer(() => undefined);
      const result = await post(openPoster({ guard }), `http://${host}:${server.port}/`);
      expect(result).toMatchObject({
        succeeded: false,
        errorClass: 'target_blocked',
        error: 'the target address is loopback',
      });
      expect(server.connections()).toBe(0);
    },
  );

  it('does not connect to a port that is not allowed, whatever the address', async () => {
    const server = await startRawServer(() => undefined);
    const result = await post(openPoster({ allowedPorts: [80, 443] }), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ errorClass: 'target_blocked', error: 'the target port is not allowed' });
    expect(server.connections()).toBe(0);
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    const listed = openPoster({ allowedPorts: [receiver.port] });
    expect(await post(listed, `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ succeeded: true });
  });

  it('does not connect if the address of a name changes to a private one (rebinding) (HOOK-7)', async () => {
    const server = await startRawServer(() => undefined);
    const resolve = resolvingTo('127.0.0.1');
    const result = await post(openPoster({ guard, resolve }), `http://rebound.example.test:${server.port}/`);
    expect(result).toMatchObject({ errorClass: 'target_blocked' });
    expect(server.connections()).toBe(0);
  });

  it('connects only to the allowed one of two addresses', async () => {
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    const resolve = resolvingTo('10.0.0.1', '127.0.0.1');
    const allowing = createTargetGuard(['127.0.0.0/8']);
    const result = await post(openPoster({ guard: allowing, resolve }), `http://two.example.test:${receiver.port}/`);
    expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
  });

  it('does not use a private address if the allowed one does not respond (happy eyeballs) (HOOK-7)', async () => {
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    const resolve = resolvingTo('127.0.0.2', '127.0.0.1', '::ffff:127.0.0.1');
    const poster = openPoster({ guard: createTargetGuard(['127.0.0.2/32']), resolve });
    const result = await post(poster, `http://dead.example.test:${receiver.port}/`);
    expect(result).toMatchObject({ succeeded: false, errorClass: 'connection_refused' });
    expect(receiver.requests).toHaveLength(0);
  });

  it('allows a host name that resolves to allowed addresses (the resolver returns all of them)', async () => {
    const receiver = await startHttpReceiver();
    closeLater(() => receiver.close());
    const allowing = createTargetGuard(['127.0.0.0/8', '::1/128']);
    const result = await post(openPoster({ guard: allowing }), `http://localhost:${receiver.port}/`);
    expect(result).toMatchObject({ succeeded: true });
  });
});
