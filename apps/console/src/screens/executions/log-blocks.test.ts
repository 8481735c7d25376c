import { appendLines, EMPTY_LOG, type Log } from './log-blocks.ts';

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `${from + index}`,
    text: `line ${from + index}`,
    step: null,
  }));
const textOf = (log: Log) => log.blocks.flatMap((block) => block.lines.map(({ key }) => Number(key)));

describe('the lines of a log', () => {
  it('remain in order, whatever the size of the received portions', () => {
    const log = [1, 199, 1, 450, 0].reduce(
      (before, count) => appendLines(before, lines(before.count, count)),
      EMPTY_LOG,
    );
    expect(textOf(log)).toEqual(Array.from({ length: 651 }, (_, index) => index));
    expect(log.blocks.map(({ number }) => number)).toEqual([0, 1, 2, 3]);
  });

  it('leave full blocks unchanged, so that they are rendered once', () => {
    const before = appendLines(EMPTY_LOG, lines(0, 250));
    const after = appendLines(before, lines(250, 10));
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks[1]).not.toBe(before.blocks[1]);
  });

  it('include the steps of the run in order, each once', () => {
    const of = (step: string | null) => ({ key: 'k', text: '', step });
    const log = [[of('workspace'), of(null)], [of('agent'), of('workspace'), of('agent')], [of('result')]].reduce(
      appendLines,
      EMPTY_LOG,
    );
    expect(log.steps).toEqual(['workspace', 'agent', 'result']);
  });

  it('are limited to the last 20,000, with the number of dropped lines', () => {
    const log = appendLines(appendLines(EMPTY_LOG, lines(0, 15_000)), lines(15_000, 10_000));
    expect([log.count, log.dropped, textOf(log)[0], textOf(log).at(-1)]).toEqual([25_000, 5000, 5000, 24_999]);
  });
});
