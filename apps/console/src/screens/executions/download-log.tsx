import { useMutation } from '@tanstack/react-query';
import { readLog } from '../../api/read-log.ts';
import { saveFile } from '../../api/save-file.ts';
import { executionPath } from '../../queries/executions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** Downloads all lines of a log, including those that are no longer shown. */
export function DownloadLog({ executionId }: { readonly executionId: string }) {
  const download = useMutation({
    mutationFn: async () => {
      const text = await readLog(`${executionPath(executionId)}/logs`);
      saveFile(new Blob([text], { type: 'text/plain' }), `${executionId}.log`);
    },
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
