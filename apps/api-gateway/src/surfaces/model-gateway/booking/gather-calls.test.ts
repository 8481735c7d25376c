import { createGatherCalls, type CallFacts } from './gather-calls.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const FACTS = {} as CallFacts;

describe('calls that end at about the same time', () => {
  it('are described later, each once, and known together', async () => {
    const gather = createGatherCalls();
    const events: string[] = [];
    const end = (name: string) =>
      gather({
        accountId: ACCOUNT,
        describe: () => {
          events.push(`describe ${name}`);
          return FACTS;
        },
      }).then(() => events.push(`know ${name}`));
    const ended = ['a', 'b'].map(end);
    expect(events).toEqual([]);
    await Promise.all(ended);
    expect(events).toEqual(['describe a', 'describe b', 'know a', 'know b']);
    await end('c');
    expect(events.slice(4)).toEqual(['describe c', 'know c']);
  });

  it('do not affect each other if one of them cannot be described', async () => {
    const gather = createGatherCalls();
    const broken = gather({
      accountId: ACCOUNT,
      describe: () => {
        throw new Error('broken');
      },
    });
    const whole = gather({ accountId: ACCOUNT, describe: () => FACTS });
    await expect(broken).rejects.toThrow('broken');
    expect(await whole).toBe(FACTS);
  });
});
