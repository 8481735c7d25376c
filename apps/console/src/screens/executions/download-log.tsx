import { useMutation } from '@tanstack/react-query';
import { readLog } from '../../api/read-log.ts';
import { executionPath } from '../../queries/executions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** All lines that there are, also those that are not shown any more. */
export function DownloadLog({ executionId }: { readonly executionId: string }) {
  const download = useMutation({
    mutationFn: async () => save(await readLog(`${executionPath(executionId)}/logs`), `${executionId}.log`),
  });
  return (
    <>
      <Button aria-busy={download.isPending} onClick={() => download.mutate()}>
        Download log
      </Button>
      {download.error !== null && <ErrorState error={download.error} />}
    </>
  );
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
