import { renderNatsConfig } from './render-nats-config.ts';

describe('the users of a NATS server', () => {
  it('are written in the server’s format', () => {
    const config = renderNatsConfig([
      { name: 'one', password: 'secret', publish: ['a.b', '$JS.ACK.X.>'], subscribe: ['_INBOX.one.>'] },
      { name: 'two', password: { variable: 'TWO_PASSWORD' }, publish: ['>'], subscribe: ['>'] },
    ]);
    expect(config.replaceAll(/\s+/g, ' ')).toBe(
      'authorization { timeout: 10 users = [ { user: "one" password: "secret" permissions: { ' +
        'publish: { allow: [ "a.b" "$JS.ACK.X.>" ] } subscribe: { allow: [ "_INBOX.one.>" ] } } } ' +
        '{ user: "two" password: $TWO_PASSWORD permissions: { publish: { allow: [ ">" ] } subscribe: { allow: [ ">" ] } } } ] } ',
    );
  });

  it.each(['a"b', 'a\\b', 'a b', 'a\nb', ''])('cannot have a name, password or subject like %j', (text) => {
    expect(() => renderNatsConfig([{ name: text, password: 'x', publish: [], subscribe: [] }])).toThrow(/not allowed/);
  });
});
