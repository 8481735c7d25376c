import { listRows } from './list-rows.ts';

it('lists each measurement of the service next to those of its peers, with their ratio if both exist', () => {
  const figures = [
    { measure: 'calls', contender: 'steward, one account', value: 3 },
    { measure: 'calls', contender: 'portkey', value: 6 },
    { measure: 'calls', contender: 'bare proxy', value: -0.1 },
    { measure: 'calls', contender: 'n8n: skipped, no network', value: Number.NaN },
    { measure: 'memory', contender: 'steward', value: 90 },
  ];
  expect(listRows('models', figures)).toEqual([
    ['models', 'calls (one account)', 3, 'portkey', 6, 0.5],
    ['models', 'calls (one account)', 3, 'bare proxy', -0.1, Number.NaN],
    ['models', 'calls (one account)', 3, 'n8n: skipped, no network', Number.NaN, Number.NaN],
    ['models', 'memory', 90, '', Number.NaN, Number.NaN],
  ]);
});
