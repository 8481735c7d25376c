/**
 * Returns a warning for the operator about how accounts share the slots of this worker; undefined if there is nothing
 * to warn about.
 */
export function describePlaces(settings: {
  readonly concurrency: number;
  readonly accountConcurrency: number;
}): string | undefined {
  const { concurrency, accountConcurrency } = settings;
  if (concurrency === 1)
    return 'FLOW_CONCURRENCY is 1: while one execution runs on this worker, executions of all other accounts wait.';
  if (accountConcurrency < concurrency) return undefined;
  return (
    `FLOW_ACCOUNT_CONCURRENCY (${accountConcurrency}) is not below FLOW_CONCURRENCY (${concurrency}): one account can use ` +
    `${concurrency - 1} of the ${concurrency} slots of this worker; one stays free for other accounts.`
  );
}
