import { explainFailure } from './failure-hints.ts';

describe('a failed attempt', () => {
  it('is explained by the kind of its error', () => {
    expect(explainFailure('connection_refused')).toMatch(/Nothing is listening/);
  });

  it.each([null, 'network_error', 'constructor'])('is left unexplained for %s', (errorClass) => {
    expect(explainFailure(errorClass)).toBeUndefined();
  });
});
